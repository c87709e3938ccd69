"""Secrets are kept, replaced and deleted by name; their values are seen nowhere."""

from pathlib import Path
from typing import Any

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from ptc_studio.ui.sources.actions import open_secrets
from ptc_studio.ui.sources.secrets_dialog import NOTHING, SecretEditor, SecretsDialog
from tests.ui.seen import seen_texts

VALUE = "correct horse battery staple"


def rows(dialog: SecretsDialog) -> dict[str, str]:
    items = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    return {item.text(0): item.text(1) for item in items}


async def keep(studio: Any, dialog: SecretsDialog, name: str, value: str) -> None:
    editor = dialog.findChildren(SecretEditor)[-1]
    if not editor.name.isReadOnly():
        QTest.keyClicks(editor.name, name)
    QTest.keyClicks(editor.value, value)
    assert editor.save_button.isEnabled()
    kept = studio.signal(editor.saved)
    editor.save_button.click()
    assert await kept == name


async def test_a_secret_is_added_replaced_and_deleted(studio: Any, tmp_path: Path, monkeypatch):
    secrets = studio.window.workbench.studio.secrets
    dialog = open_secrets(studio.window.context)
    assert NOTHING in seen_texts(dialog)
    dialog.add.click()
    await keep(studio, dialog, "TOKEN", VALUE)
    await studio.until(lambda: rows(dialog) == {"TOKEN": "nothing"})
    assert secrets.find("TOKEN") == VALUE
    dialog.list.topLevelItem(0).setSelected(True)
    dialog.change.click()
    await keep(studio, dialog, "TOKEN", "another")
    assert secrets.find("TOKEN") == "another"
    answers = [False, True]

    async def answer(*_args: Any, **_options: Any) -> bool:
        return answers.pop(0)

    monkeypatch.setattr("ptc_studio.ui.dialogs.questions.ask", answer)
    await studio.until(lambda: dialog.selected() == "TOKEN")
    dialog.remove.click()
    await studio.until(lambda: len(answers) == 1)
    assert secrets.find("TOKEN") == "another"
    dialog.remove.click()
    await studio.until(lambda: not rows(dialog))
    assert secrets.find("TOKEN") is None


async def test_it_says_where_secrets_lie_what_uses_them_and_which_have_no_value(studio: Any):
    bench = studio.window.workbench
    path = studio.workspace / "studio.yaml"
    entry = "  - {kind: mcp, name: issues, url: 'https://x.example', headers: {A: 'Bearer ${secret:ISSUES}'}}\naliases:"
    path.write_text(path.read_text().replace("aliases:", entry))
    await bench.studio.reread()
    bench.studio.secrets.set("OTHER", VALUE)
    dialog = open_secrets(studio.window.context)
    await studio.until(lambda: rows(dialog))
    assert rows(dialog) == {"OTHER": "nothing", "ISSUES": "▲ has no value yet · issues"}
    await studio.until(lambda: "not encrypted" in dialog.note.text())
    dialog.list.topLevelItem(1).setSelected(True)
    assert dialog.change.text() == "Give a value…"
    assert not dialog.remove.isEnabled()


async def test_a_value_is_in_no_widget_but_the_one_that_hides_it(studio: Any):
    studio.window.workbench.studio.secrets.set("TOKEN", VALUE)
    dialog = open_secrets(studio.window.context)
    await studio.until(lambda: rows(dialog))
    dialog.list.topLevelItem(0).setSelected(True)
    dialog.change.click()
    editor = dialog.findChild(SecretEditor)
    assert editor.value.text() == ""
    assert editor.value.echoMode() == QLineEdit.EchoMode.Password
    assert VALUE not in str(rows(dialog))


async def test_names_that_cannot_be_are_told_as_they_are_typed(studio: Any):
    studio.window.workbench.studio.secrets.set("TOKEN", VALUE)
    dialog = open_secrets(studio.window.context)
    await studio.until(lambda: rows(dialog))
    dialog.add.click()
    editor = dialog.findChild(SecretEditor)
    QTest.keyClicks(editor.value, "x")
    QTest.keyClicks(editor.name, "MY TOKEN")
    assert "letters, digits and underscores" in editor.note.text()
    assert not editor.save_button.isEnabled()
    editor.name.setText("TOKEN")
    assert "There is already a secret 'TOKEN'" in editor.note.text()
    editor.name.setText("TOKEN_2")
    assert editor.save_button.isEnabled()
    assert "${secret:TOKEN_2}" in editor.note.text()
