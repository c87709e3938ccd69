"""Targets in the window: chosen, told from the text, checked while typing, and what the model sees of a run."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ptc_studio.storage.saved_inputs import read_inputs
from ptc_studio.ui.editor.completion import CompletionPopup
from ptc_studio.ui.sources.actions import open_definitions
from ptc_studio.ui.targets.inputs import InputsDialog
from ptc_studio.ui.widgets.notice_bar import NoticeBar
from tests.transcripts import conversations as made

TEAM = 'import json\nteam = json.loads(await team_members({"team": "engineering"}))\nprint(len(team))\n'


def selector(studio: Any) -> Any:
    return studio.window.run_bar.targets


async def chosen(studio: Any, target: str) -> None:
    """The target is chosen as a user does: by its row in the list."""
    await studio.until(lambda: studio.window.targets.all)
    selector(studio).setCurrentIndex(selector(studio).choices.row_of("target", target))


async def looked(studio: Any) -> None:
    """The script in front has been looked at as it is now."""
    page = studio.window.editors.current()
    found = studio.signal(page.finder.found)
    page.finder.refresh()
    await asyncio.wait_for(found, 30)


def notice(studio: Any) -> str:
    bar = studio.window.findChild(NoticeBar)
    return bar.message if bar.isVisible() else ""


async def test_a_run_goes_where_was_chosen_and_the_model_sees_its_reply(studio):
    studio.type(TEAM)
    await chosen(studio, "anthropic")
    assert studio.window.run_bar.runtime_id() == "python"
    record = await studio.press_run()
    assert (record["target"], record["status"]) == ("anthropic", "ok")
    panel = studio.window.panels.model_sees
    await studio.until(lambda: panel.text.view.toPlainText().startswith("stdout:\n"))
    reply = json.dumps(record["model_sees"], ensure_ascii=False)
    assert (
        panel.size_note.text() == f"anthropic · {len(reply)} characters, about {-(-len(reply) // 4)} tokens (estimate)"
    )
    panel.as_sent.click()
    await studio.until(lambda: panel.text.view.toPlainText() == reply)
    await chosen(studio, "plain")
    record = await studio.run("print(1)")
    assert (record["target"], record["model_sees"]) == ("plain", None)
    assert "choose one in the run bar" in panel.empty.text()


async def test_the_choice_is_kept_for_the_folder(studio):
    await chosen(studio, "anthropic")
    await studio.close()
    await studio.open()
    await studio.until(lambda: studio.window.targets.all)
    assert selector(studio).target_id == "anthropic"
    assert studio.window.targets.chosen == "anthropic"


async def test_auto_tells_the_target_from_the_text_and_says_why(studio):
    studio.type(TEAM)
    await chosen(studio, "auto")
    await looked(studio)
    assert selector(studio).chosen.title == "auto: anthropic"
    assert "await team_members" in selector(studio).toolTip()
    assert (await studio.press_run())["target"] == "anthropic"
    studio.type("print(1)")
    await looked(studio)
    assert selector(studio).chosen.title == "auto: plain"


async def test_another_runtime_than_the_targets_leaves_the_target(studio):
    studio.type("x = 1")
    await chosen(studio, "anthropic")
    studio.window.run_bar.set_runtime("python-inprocess")
    assert selector(studio).target_id == "plain"
    assert "runs in python, not in python-inprocess" in notice(studio)


async def test_what_fails_there_is_told_at_its_line_while_typing(studio):
    studio.type('x = 1\nawait team_members(team="engineering")\n')
    await looked(studio)
    problems = studio.window.editors.current().finder
    assert problems.known == []
    await chosen(studio, "anthropic")
    await looked(studio)
    [problem] = problems.known
    assert (problem.line, problem.column, problem.severity) == (2, 1, "error")
    assert "keyword arguments" in problem.message
    assert "known, from its documentation [D]" in problem.message
    assert studio.window.panels.problems.count == 1


async def test_a_call_is_inserted_completed_and_explained_as_the_target_wants_it(studio):
    studio.type("")
    await chosen(studio, "anthropic")
    await looked(studio)
    page = studio.window.editors.current()
    studio.window.context.tools.select("get_expenses")
    row = studio.window.context.tools.selected()
    model = studio.window.context.tools.model
    assert row.call_in(model.language, model.calls) == 'await get_expenses({"person": })'
    page.editor.setFocus()
    QTest.keyClicks(page.editor, "get_exp")
    page.completion.open()
    popup = studio.window.findChild(CompletionPopup)
    await studio.until(lambda: popup is not None and popup.current() is not None)
    quarters = "Literal['Q1', 'Q2', 'Q3', 'Q4']"
    assert popup.current().shown_signature == f'await get_expenses({{"person": str, "quarter": {quarters}}}) -> str'
    QTest.keyClick(page.editor, Qt.Key.Key_Return)
    QTest.keyClicks(page.editor, "({")
    page.completion.open()
    assert studio.window.findChild(CompletionPopup).current().text == '"person": '


async def test_hovering_a_tool_and_its_definition_follow_the_target(studio):
    studio.type('await codemode.get_expenses({ person: "Ann" });\n// codemode.get_expenses()\n')
    studio.window.editors.current().set_language("javascript")
    await chosen(studio, "cloudflare")
    await looked(studio)
    page = studio.window.editors.current()
    told = page.editor.documentation_at(1, 20)
    assert told.startswith("await codemode.get_expenses({ person: string, quarter?: ")
    assert page.editor.documentation_at(2, 20) == ""
    assert page.tool_at(1, 20).own_name == "get_expenses"
    dialog = open_definitions(studio.window.context, ["get_expenses"])
    await studio.until(lambda: "declare const codemode" in dialog.text)
    assert "as scripts of Cloudflare code mode see them" in dialog.note.text()
    await chosen(studio, "plain")
    await looked(studio)
    dialog.refresh()
    await studio.until(lambda: "declare const tools" in dialog.text)


async def test_will_it_run_there_answers_for_every_target_and_leads_to_the_line(studio):
    studio.type('x = 1\nteam_members("engineering")\n')
    studio.window.commands["everywhereAction"].trigger()
    panel = studio.window.panels.everywhere
    await studio.until(lambda: panel.model.rowCount() == len(studio.window.targets.all))
    verdicts = {row.target: row for row in panel.model.rows}
    assert verdicts["plain"].outlook == "runs"
    assert (verdicts["anthropic"].outlook, verdicts["anthropic"].line) == ("cannot", 2)
    assert verdicts["openai"].outlook == "cannot"
    known = {target.id: target.language for target in studio.window.targets.all}
    languages = [known[name] for name in verdicts if name != "plain"]
    assert languages == sorted(languages, key=lambda language: language != "python"), "those for Python stand first"
    panel.view.setCurrentIndex(panel.model.index(list(verdicts).index("anthropic"), 0))
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert studio.window.editors.current().editor.cursor_place[0] == 2


async def test_names_that_nobody_gave_are_asked_for_and_kept_beside_the_script(studio):
    script = studio.workspace / "limit.py"
    script.write_text("print(limit * 2)\n")
    studio.window.editors.open_file(script)
    await chosen(studio, "anthropic")
    await looked(studio)
    studio.window.commands["runAction"].trigger()
    dialog = studio.window.findChild(InputsDialog)
    assert [row.name.text() for row in dialog.rows if row.kind == "input"] == ["limit"]
    row = dialog.rows[0]
    row.value.setText("[1")
    dialog.run_button.click()
    assert "is not JSON" in dialog.note.text()
    row.value.setText("21")
    ended = studio.signal(studio.window.workbench.run_ended)
    dialog.run_button.click()
    assert (await asyncio.wait_for(ended, 30))["stdout"] == "42\n"
    assert read_inputs(script).inputs == {"limit": 21}
    await looked(studio)
    assert studio.window.editors.current().finder.missing == ()


@pytest.mark.parametrize("value", [3, "word", "3", "", [1, "a"], {"a": None}, '"quoted"', "true", "[not json"])
def test_what_was_given_is_shown_as_it_would_be_typed(value: Any):
    from ptc_studio.ui.targets.inputs import read_value, write_value

    assert read_value(write_value(value)) == value


async def test_a_run_in_the_same_container_goes_on_with_the_names_of_the_one_before(studio):
    commands, chip = studio.window.commands, studio.window.findChild(object, "containerChip")
    await chosen(studio, "anthropic")
    assert not commands["resetContainerAction"].isEnabled()
    await studio.run("kept = 41")
    assert "Container of anthropic" in chip.text()
    studio.type("print(kept + 1)")
    ended = studio.signal(studio.window.workbench.run_ended)
    commands["sameContainerAction"].trigger()
    assert (await asyncio.wait_for(ended, 30))["stdout"] == "42\n"
    commands["resetContainerAction"].trigger()
    await studio.until(lambda: not chip.isVisible())
    ended = studio.signal(studio.window.workbench.run_ended)
    commands["sameContainerAction"].trigger()
    await studio.until(lambda: ended.done() or studio.window.findChild(InputsDialog))
    if dialog := studio.window.findChild(InputsDialog):
        dialog.run_button.click()
    assert (await asyncio.wait_for(ended, 30))["error"]["type"] == "NameError"


def drop(studio: Any, *files: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    page = studio.window.editors.current()
    under = page.editor.viewport() if page is not None else studio.window.centre.currentWidget()
    enter = QDragEnterEvent(QPoint(60, 30), Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(under, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(under, QDropEvent(QPointF(60, 30), Qt.DropAction.CopyAction, data, buttons, keys))


async def test_a_conversation_that_is_dropped_opens_replays_offline_and_is_compared(studio, tmp_path):
    file = tmp_path / "chat.json"
    file.write_text(made.spending_forms()["messages"])
    ended = studio.signal(studio.window.workbench.run_ended)
    drop(studio, file)
    record = await asyncio.wait_for(ended, 30)
    assert (record["target"], record["stdout"]) == ("anthropic", "Ann: 120\nCy: 110\n")
    assert {call["answered_by"] for call in record["calls"]} == {"cassette"}
    assert studio.window.editors.current().title == "01-who-is-over-the-travel.py"
    assert notice(studio) == "Imported one program into conversations/chat. The replay is as published."
    file.write_text(made.spending_forms()["messages"].replace("Ann: 120", "Ann: 121"))
    ended = studio.signal(studio.window.workbench.run_ended)
    drop(studio, file)
    await asyncio.wait_for(ended, 30)
    assert "conversations/chat-2" in notice(studio)
    assert "not as published, in line 1: 'Ann: 120' here, 'Ann: 121' there." in notice(studio)


async def test_a_bundle_or_a_folder_that_is_dropped_has_a_window_of_its_own(studio, tmp_path, monkeypatch):
    opened, bundle = [], tmp_path / "run.ptcrun"
    bundle.write_bytes(b"PK\x03\x04\xff")
    monkeypatch.setattr("ptc_studio.ui.command_handlers.open_workspace", opened.append)
    for place in (bundle, tmp_path):
        drop(studio, place)
    assert opened == [bundle, tmp_path]
    assert studio.window.editors.current() is None


async def test_the_programs_of_a_conversation_have_their_own_cassettes_and_the_names_of_those_before(studio, tmp_path):
    blocks = [made.program("names = ['Ann']", "srvtoolu_a"), made.end(named="srvtoolu_a")]
    blocks += [made.program("# then\nprint(names)", "srvtoolu_b"), made.end("['Ann']\n", "srvtoolu_b")]
    file = tmp_path / "chat.jsonl"
    file.write_text(made.lines([made.said(*blocks)]))
    ended = studio.signal(studio.window.workbench.run_ended)
    drop(studio, file)
    await asyncio.wait_for(ended, 30)
    first, second = studio.window.editors.pages[-2:][::-1]
    assert [page.title for page in (first, second)] == ["01-names-ann.py", "02-then.py"]
    studio.window.editors.set_current(second)
    chip = studio.window.findChild(object, "replayChip")
    await studio.until(lambda: "02-then" in chip.text())
    await looked(studio)
    assert (await studio.press_run())["stdout"] == "['Ann']\n"
    assert notice(studio) == "The replay is as published."


async def test_what_is_no_conversation_is_told_above_the_editor_and_scripts_are_opened(studio, tmp_path):
    script, text = tmp_path / "script.py", tmp_path / "notes.txt"
    script.write_text("print(1)")
    text.write_text("no conversation")
    drop(studio, script)
    assert studio.window.editors.current().path == script
    drop(studio, text)
    await studio.until(lambda: "neither JSON nor a server-sent event" in notice(studio))
