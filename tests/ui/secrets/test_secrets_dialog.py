"""Secrets are kept, rotated, renamed, imported and deleted by name; their values are seen nowhere."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from ptc_studio.ui.secrets.dialog import NOTHING, DotenvImport, SecretsDialog
from ptc_studio.ui.secrets.editor import SecretEditor, SecretRenamer
from ptc_studio.ui.secrets.passphrase import LOCKED, PassphraseDialog
from ptc_studio.ui.sources.actions import open_secrets
from tests.ui.secrets.conftest import PASSPHRASE
from tests.ui.seen import seen_texts

VALUE = "correct horse battery staple"
USING = (
    "  - {kind: mcp, name: issues, url: 'https://x.example', headers: {A: 'Bearer ${secret:ISSUES}'}} # mine\naliases:"
)


@pytest.fixture
def unlocked(studio: Any) -> Any:
    """The window's secrets, which have their passphrase already."""
    secrets = studio.window.workbench.studio.secrets
    secrets.passphrase.unlock(PASSPHRASE)
    return secrets


def rows(dialog: SecretsDialog) -> dict[str, str]:
    items = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    return {item.text(0): item.text(2) for item in items}


async def shown(studio: Any) -> SecretsDialog:
    dialog = open_secrets(studio.window.context)
    await studio.until(lambda: dialog.note.text())
    return dialog


async def use_issues(studio: Any) -> None:
    path = studio.workspace / "studio.yaml"
    path.write_text(path.read_text().replace("aliases:", USING))
    await studio.window.workbench.studio.reread()


async def keep(studio: Any, dialog: SecretsDialog, name: str, value: str) -> None:
    editor = dialog.findChildren(SecretEditor)[-1]
    if not editor.name.isReadOnly():
        QTest.keyClicks(editor.name, name)
    QTest.keyClicks(editor.value, value)
    assert editor.save_button.isEnabled()
    kept = studio.signal(editor.saved)
    editor.save_button.click()
    assert await kept == name


async def test_a_secret_is_added_rotated_and_deleted(studio: Any, unlocked: Any, monkeypatch: pytest.MonkeyPatch):
    dialog = await shown(studio)
    assert NOTHING in seen_texts(dialog)
    dialog.add.click()
    await keep(studio, dialog, "TOKEN", VALUE)
    await studio.until(lambda: rows(dialog) == {"TOKEN": "nothing"})
    assert unlocked.find("TOKEN") == VALUE
    assert dialog.list.topLevelItem(0).text(1) == "today"
    dialog.list.topLevelItem(0).setSelected(True)
    dialog.change.click()
    await keep(studio, dialog, "TOKEN", "another")
    assert unlocked.find("TOKEN") == "another"
    answers = [False, True]

    async def answer(*_args: Any, **_options: Any) -> bool:
        return answers.pop(0)

    monkeypatch.setattr("ptc_studio.ui.dialogs.questions.ask", answer)
    await studio.until(lambda: dialog.selected() == "TOKEN")
    dialog.remove.click()
    await studio.until(lambda: len(answers) == 1)
    assert unlocked.find("TOKEN") == "another"
    dialog.remove.click()
    await studio.until(lambda: not rows(dialog))
    assert unlocked.find("TOKEN") is None


async def test_without_a_keyring_the_first_secret_asks_for_a_passphrase_and_later_windows_for_it_again(studio: Any):
    secrets = studio.window.workbench.studio.secrets
    dialog = await shown(studio)
    assert "which is encrypted and not made yet" in dialog.note.text()
    dialog.add.click()
    editor = dialog.findChild(SecretEditor)
    editor.name.setText("TOKEN")
    editor.value.setText(VALUE)
    editor.save_button.click()
    await studio.until(lambda: editor.findChild(PassphraseDialog))
    asked = editor.findChild(PassphraseDialog)
    asked.passphrase.setText("short")
    assert "at least 8 characters" in asked.note.text()
    asked.passphrase.setText(PASSPHRASE)
    asked.again.setText(PASSPHRASE[:-1])
    assert "The two are not the same" in asked.note.text()
    assert not asked.save_button.isEnabled()
    asked.again.setText(PASSPHRASE)
    kept = studio.signal(editor.saved)
    asked.save_button.click()
    assert await kept == "TOKEN"
    assert secrets.find("TOKEN") == VALUE
    secrets.vault.lock()
    dialog.refresh()
    await studio.until(lambda: dialog.passphrase.text() == "Unlock…")
    assert "encrypted and locked" in dialog.note.text()
    dialog.passphrase.click()
    await studio.until(lambda: [each for each in dialog.findChildren(PassphraseDialog) if each.parent() is dialog])
    asked = next(each for each in dialog.findChildren(PassphraseDialog) if each.parent() is dialog)
    asked.passphrase.setText("something else")
    asked.save_button.click()
    await studio.until(lambda: "That is not the passphrase" in asked.note.text())
    asked.passphrase.setText(PASSPHRASE)
    asked.save_button.click()
    await studio.until(lambda: dialog.passphrase.text() == "Passphrase…")
    assert secrets.vault.state == "open"


async def test_sources_that_wait_for_locked_secrets_are_told_with_a_way_to_unlock_them(studio: Any, unlocked: Any):
    unlocked.set("ISSUES", VALUE)
    unlocked.vault.lock()
    await use_issues(studio)
    studio.window.workbench.load()
    messages = studio.window.context.messages
    await studio.until(lambda: LOCKED in seen_texts(messages))
    messages.button.click()
    await studio.until(lambda: studio.window.findChild(PassphraseDialog))
    asked = studio.window.findChild(PassphraseDialog)
    asked.passphrase.setText(PASSPHRASE)
    asked.save_button.click()
    await studio.until(lambda: unlocked.vault.state == "open")


async def test_a_secret_is_renamed_and_the_sources_that_use_it_follow(studio: Any, unlocked: Any):
    unlocked.set("ISSUES", VALUE)
    unlocked.set("OTHER", "x")
    await use_issues(studio)
    dialog = await shown(studio)
    dialog.list.topLevelItem(0).setSelected(True)
    dialog.rename.click()
    renamer = dialog.findChild(SecretRenamer)
    assert "issues follows" in renamer.note.text()
    renamer.name.setText("OTHER")
    assert "There is already a secret 'OTHER'" in renamer.note.text()
    assert not renamer.save_button.isEnabled()
    renamer.name.setText("TRACKER")
    renamed = studio.signal(renamer.renamed)
    renamer.save_button.click()
    await renamed
    await studio.until(lambda: rows(dialog) == {"OTHER": "nothing", "TRACKER": "issues"})
    assert unlocked.find("TRACKER") == VALUE
    text = (studio.workspace / "studio.yaml").read_text()
    assert "Bearer ${secret:TRACKER}" in text
    assert "# mine" in text


async def test_values_of_a_dotenv_file_are_chosen_by_name_and_not_shown(studio: Any, unlocked: Any, tmp_path: Path):
    unlocked.set("TAKEN", "as before")
    path = tmp_path / ".env"
    path.write_text(f"FIRST={VALUE}\nTAKEN=new\nnot one\nSECOND='two words'\n")
    dialog = await shown(studio)
    dialog.import_file(path)
    await studio.until(lambda: dialog.findChild(DotenvImport))
    chooser = dialog.findChild(DotenvImport)
    assert chooser.chosen() == ["FIRST", "SECOND"]
    assert "line 3" in chooser.note.text()
    assert chooser.list.topLevelItem(1).text(1) == "▲ replaces the value that it has"
    texts = [chooser.list.topLevelItem(row).text(column) for row in range(3) for column in range(2)]
    assert VALUE not in str(texts + seen_texts(chooser))
    imported = studio.signal(chooser.imported)
    chooser.save_button.click()
    assert await imported == ["FIRST", "SECOND"]
    await studio.until(lambda: set(rows(dialog)) == {"FIRST", "SECOND", "TAKEN"})
    assert [unlocked.find(name) for name in ("FIRST", "SECOND", "TAKEN")] == [VALUE, "two words", "as before"]


async def test_it_says_where_secrets_lie_what_uses_them_and_which_have_no_value(studio: Any, unlocked: Any):
    await use_issues(studio)
    unlocked.set("OTHER", VALUE)
    dialog = await shown(studio)
    await studio.until(lambda: rows(dialog))
    assert rows(dialog) == {"OTHER": "nothing", "ISSUES": "▲ has no value yet · issues"}
    await studio.until(lambda: "which is encrypted and unlocked" in dialog.note.text())
    dialog.list.topLevelItem(1).setSelected(True)
    assert dialog.change.text() == "Give a value…"
    assert not dialog.remove.isEnabled()
    assert not dialog.rename.isEnabled()


async def test_a_value_is_in_no_widget_but_the_one_that_hides_it(studio: Any, unlocked: Any):
    unlocked.set("TOKEN", VALUE)
    dialog = await shown(studio)
    await studio.until(lambda: rows(dialog))
    dialog.list.topLevelItem(0).setSelected(True)
    dialog.change.click()
    editor = dialog.findChild(SecretEditor)
    assert editor.value.text() == ""
    assert editor.value.echoMode() == QLineEdit.EchoMode.Password
    assert VALUE not in json.dumps(rows(dialog))


async def test_names_that_cannot_be_are_told_as_they_are_typed(studio: Any, unlocked: Any):
    unlocked.set("TOKEN", VALUE)
    dialog = await shown(studio)
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
