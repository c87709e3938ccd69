"""The lens in the inspector: which rule hit where, a look at it for ten seconds, and exceptions in two clicks."""

from typing import Any

import pytest
from PySide6.QtCore import QTimer

from ptc_studio.core.redaction.keys import fingerprint
from ptc_studio.ui.calls.inspector import REDACTIONS
from ptc_studio.ui.calls.lens import GONE, SECONDS, STORED, RedactionList, key_of
from ptc_studio.ui.settings.dialog import SettingsDialog
from tests.ui.seen import child, seen_texts

TOOLS = """
def card(card_token: str) -> dict:
    "A card."
    return {"card_token": card_token, "note": "use sk-proj-" + "a1B2c3D4e5" * 5}
"""
TOKEN = "visa-4242-x9"
SCRIPT = f"card('{TOKEN}')\n"


@pytest.fixture
async def lens(studio: Any) -> RedactionList:
    """What was hidden in the first call of a run, before the user."""
    (studio.workspace / "tools" / "card.py").write_text(TOOLS)
    await studio.window.workbench.studio.load()
    await run(studio)
    return studio.window.panels.inspector.redactions


async def run(studio: Any) -> dict[str, Any]:
    record = await studio.run(SCRIPT.replace("card(", "card.card("))
    panels = studio.window.panels
    panels.show("inspector")
    panels.calls.select_call(record["calls"][0]["id"])
    panels.inspector.tabs.setCurrentIndex(REDACTIONS)
    await studio.until(lambda: panels.inspector.record and panels.inspector.record["status"])
    return record


def choose(lens: RedactionList, rule: str, where: str = "result") -> None:
    for row in range(lens.model.rowCount()):
        lens.tree.setCurrentIndex(lens.model.index(row, 0))
        hidden = lens.selected()
        if hidden and (hidden["rule"], hidden["where"]) == (rule, where):
            return
    raise AssertionError(f"nothing was hidden by {rule}")


def exceptions(studio: Any) -> list[dict[str, str]]:
    file = studio.window.workbench.studio.file
    return [each.model_dump(exclude_none=True) for each in file.redaction.exceptions]


async def test_what_was_hidden_is_seen_for_ten_seconds_after_a_question_and_is_nowhere_else(
    studio: Any, lens: RedactionList, monkeypatch: pytest.MonkeyPatch
):
    answers, asked = [False, True], []

    async def answer(_parent: Any, _title: str, text: str, **_options: Any) -> bool:
        asked.append(text)
        return answers.pop(0)

    monkeypatch.setattr("ptc_studio.ui.dialogs.questions.ask", answer)
    choose(lens, "card_token")
    lens.reveal.click()
    await studio.until(lambda: asked)
    assert "for 10 seconds" in asked[0]
    assert not lens.revealed.isVisible()
    lens.reveal.click()
    await studio.until(lambda: TOKEN in lens.revealed.text())
    assert f"{SECONDS} s" in lens.revealed.text()
    # It counts down by its clock, and is gone with the last second.
    for _ in range(SECONDS - 1):
        child(lens, QTimer).timeout.emit()
    assert TOKEN in lens.revealed.text()
    child(lens, QTimer).timeout.emit()
    assert lens.revealed.text() == ""
    assert not lens.revealed.isVisible()
    assert TOKEN not in str(studio.window.panels.inspector.record)


async def test_what_is_revealed_goes_when_something_else_is_looked_at(
    studio: Any, lens: RedactionList, monkeypatch: pytest.MonkeyPatch
):
    async def yes(*_args: Any, **_options: Any) -> bool:
        return True

    monkeypatch.setattr("ptc_studio.ui.dialogs.questions.ask", yes)
    choose(lens, "card_token")
    for leave in (
        lambda: choose(lens, "openai_key"),
        lambda: studio.window.panels.inspector.tabs.setCurrentIndex(0),
    ):
        choose(lens, "card_token")
        lens.reveal.click()
        await studio.until(lambda: TOKEN in lens.revealed.text())
        leave()
        assert lens.revealed.text() == ""
    # The next run has its own; those of this one are forgotten.
    former, hidden = studio.window.panels.inspector.record, lens.selected()
    await run(studio)
    assert studio.window.workbench.studio.executor.originals.reveal(former, hidden) is None


@pytest.mark.parametrize(
    ("rule", "choice", "entry", "shown"),
    [
        ("card_token", "This value", {"value": fingerprint(TOKEN)}, {"card_token": TOKEN}),
        ("card_token", "Whatever stands under 'card_token'", {"key": "card_token"}, {"card_token": TOKEN}),
        ("openai_key", "Whatever the rule 'openai_key' finds", {"rule": "openai_key"}, {"card_token": "[REDACTED:card_token]"}),
    ],
)  # fmt: skip
async def test_a_false_positive_is_an_exception_after_two_clicks_and_can_be_taken_back(
    studio: Any, lens: RedactionList, rule: str, choice: str, entry: dict[str, str], shown: dict[str, str]
):
    choose(lens, rule)
    [action] = [action for action in lens.menu().actions() if action.text() == choice]
    action.trigger()
    await studio.until(lambda: exceptions(studio) == [entry])
    record = await run(studio)
    result = record["calls"][0]["result"]
    assert result["card_token"] == shown["card_token"]
    assert ("REDACTED" in result["note"]) == (rule != "openai_key")
    assert TOKEN not in (studio.workspace / "studio.yaml").read_text()
    messages = studio.window.context.messages
    assert "is shown from the next run on" in " ".join(seen_texts(messages))
    messages.button.click()
    await studio.until(lambda: not exceptions(studio))


async def test_a_secret_of_the_users_own_and_what_is_not_known_any_more_are_not_excepted(
    studio: Any, lens: RedactionList
):
    messages = studio.window.context.messages
    call = studio.window.panels.inspector.record
    executor = studio.window.workbench.studio.executor
    executor.redactor.secrets.add("MINE", "a-secret-of-mine")
    hidden = {"rule": "secret:MINE", "where": "result", "path": "$.x"}
    lens.exception_asked.emit(call, hidden, "value")
    await studio.until(lambda: STORED in seen_texts(messages))
    executor.originals.forget()
    choose(lens, "card_token")
    lens.exception_asked.emit(call, lens.selected(), "value")
    await studio.until(lambda: GONE in seen_texts(messages))
    assert exceptions(studio) == []


async def test_rules_are_tested_in_the_settings_with_all_that_is_known(studio: Any, lens: RedactionList):
    studio.window.workbench.studio.executor.redactor.secrets.add("MINE", "a-secret-of-mine")
    lens.rules.click()
    dialog = studio.window.findChild(SettingsDialog)
    dialog.trial.setPlainText('it is a-secret-of-mine {"a": {"password": "hunter2-more"}}')
    assert dialog.tried.text() == 'it is [REDACTED:secret:MINE] {"a": {"password": "[REDACTED:password]"}}'
    assert dialog.hits.text() == "secret:MINE at character 7 · password at $.a.password"
    dialog.trial.setPlainText("hunter2-more is nothing by itself")
    assert dialog.hits.text() == "No rule hits."
    dialog.reject()


@pytest.mark.parametrize(
    ("path", "key"), [("$.a.b_c", "b_c"), ("$['odd \\'key\\'']", "odd 'key'"), ("$.a[0]", ""), ("$", "")]
)
def test_the_key_of_a_place_is_its_last_step(path: str, key: str):
    assert key_of(path) == key
