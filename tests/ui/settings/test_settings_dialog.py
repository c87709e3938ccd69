"""Settings: found by words, checked at the field, kept at once, restored one by one."""

import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ptc_studio.storage.settings import Settings
from ptc_studio.ui.editor.code_editor import EditorOptions
from ptc_studio.ui.settings.dialog import SettingsDialog
from ptc_studio.ui.theme import theme
from tests.ui.conftest import WindowStudio


@pytest.fixture
async def dialog(studio: WindowStudio) -> Any:
    """Ctrl+,"""
    studio.window.commands["settingsAction"].trigger()
    found = studio.window.findChild(SettingsDialog)
    assert found is not None
    yield found
    found.close()


def put(dialog: SettingsDialog, key: str, text: str) -> Any:
    field = dialog.fields[key]
    names = ("setPlainText", "setCurrentText", "setText")
    next(getattr(field.field, name) for name in names if hasattr(field.field, name))(text)
    field.check()
    return field


async def test_settings_are_found_by_their_words(dialog: SettingsDialog):
    shown = lambda: {key for key, field in dialog.fields.items() if not field.isHidden()}  # noqa: E731
    assert shown() == set(dialog.fields)
    dialog.search.setText("zoom")
    assert shown() == {"zoom"}
    dialog.search.setText("secrets rules")
    assert shown() == {"patterns"}
    dialog.search.setText("nothing of the kind")
    assert not dialog.nothing.isHidden()


async def test_what_is_typed_is_checked_at_the_field_and_kept_at_once(studio: WindowStudio, dialog: SettingsDialog):
    field = put(dialog, "timeout", "soon")
    assert "is not a number" in field.error.text()
    assert not field.error.isHidden()
    assert studio.window.run_bar.timeout() == 30
    put(dialog, "timeout", "4000")
    assert "from 1 to 3600" in field.error.text()
    put(dialog, "timeout", "45")
    assert field.error.isHidden()
    assert studio.window.run_bar.timeout() == 45
    assert Settings(studio.data / "settings.json").get("timeout") == 45
    field.reset.click()
    assert studio.window.run_bar.timeout() == 30
    assert not field.reset.isEnabled()


async def test_the_way_back_stands_beside_its_field(dialog: SettingsDialog):
    for field in dialog.fields.values():
        assert abs(field.reset.geometry().center().y() - field.field.geometry().center().y()) <= 1, field.row.key


async def test_appearance_changes_while_the_dialog_is_open(studio: WindowStudio, dialog: SettingsDialog):
    dialog.fields["theme"].field.setCurrentText("light")
    assert not theme().is_dark
    put(dialog, "zoom", "125")
    assert theme().zoom == 1.25
    dialog.fields["zoom"].reset.click()
    assert theme().zoom == 1.0
    assert "no font" in put(dialog, "code_font", "Nobody's Own").error.text()


async def test_the_editors_are_as_the_user_likes_them(studio: WindowStudio, dialog: SettingsDialog):
    first = studio.window.editors.new_untitled("x = 1\n" * 200)
    assert first.editor.font().pixelSize() == 13
    put(dialog, "editor_pixels", "20")
    assert "from 1 to 8" in put(dialog, "editor_columns", "9").error.text()
    put(dialog, "editor_columns", "2")
    for key, on in (("editor_wraps", True), ("editor_pairs", False), ("editor_suggests", False)):
        dialog.fields[key].field.setChecked(on)
    second = studio.window.editors.new_untitled()
    for page in (first, second):
        sizes = [page.editor.font().pixelSize(), page.editor.gutter.font().pixelSize()]
        assert sizes == [20, 20]
        assert page.editor.lineWrapMode() == page.editor.LineWrapMode.WidgetWidth
    assert not first.editor.document().isUndoAvailable()
    QTest.keyClicks(second.editor, "if (x:")
    QTest.keyClick(second.editor, Qt.Key.Key_Return)
    assert second.text == "if (x:\n  "
    saved = Settings(studio.data / "settings.json")
    assert EditorOptions.chosen(saved.get) == EditorOptions(20, 2, True, False, False)
    for key in ("editor_pixels", "editor_columns", "editor_wraps", "editor_pairs", "editor_suggests"):
        dialog.fields[key].reset.click()
    assert second.editor.options == EditorOptions()
    fonts = dialog.fields["code_font"].field
    assert [fonts.itemText(index) for index in range(fonts.count())].count("JetBrains Mono") == 1
    assert fonts.findText("Inter") < 0


async def test_limits_and_redaction_go_into_the_workspace_and_are_tried_live(
    studio: WindowStudio, dialog: SettingsDialog
):
    bench = studio.window.workbench.studio
    put(dialog, "max_depth", "3")
    await studio.until(lambda: bench.limits.max_depth == 3)
    dialog.trial.setPlainText("TCK-123456 and more")
    assert "TCK-123456" in dialog.tried.text()
    assert "name, = and a pattern" in put(dialog, "patterns", "TCK-[0-9]{6}").error.text()
    put(dialog, "patterns", "ticket = TCK-[0-9]{6}")
    assert dialog.tried.text() == "[REDACTED:ticket] and more"
    await studio.until(lambda: "TCK-" in (studio.workspace / "studio.yaml").read_text())
    put(dialog, "keys", "note")
    dialog.trial.setPlainText('{"note": "call me", "other": 1}')
    assert "call me" not in dialog.tried.text()
    await studio.until(lambda: bench.file.redaction.keys == ("note",))
    dialog.fields["patterns"].reset.click()
    await studio.until(lambda: "TCK-" not in (studio.workspace / "studio.yaml").read_text())


async def test_the_history_can_be_switched_off_and_bounded(studio: WindowStudio, dialog: SettingsDialog):
    keeper = studio.window.workbench.studio.history
    put(dialog, "history_megabytes", "20")
    assert keeper.recorder.most_bytes == 20_000_000
    dialog.fields["history"].field.setChecked(False)
    assert keeper.recorder is None
    dialog.fields["history"].field.setChecked(True)
    assert keeper.recorder.path == studio.data / "history.db"


async def test_paths_of_runtimes_are_searched_first(
    studio: WindowStudio, dialog: SettingsDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", os.environ["PATH"])
    assert "There is no folder" in put(dialog, "program_folders", str(tmp_path / "none")).error.text()
    put(dialog, "program_folders", str(tmp_path))
    assert os.environ["PATH"].split(os.pathsep)[0] == str(tmp_path)


async def test_every_field_has_a_name_for_screen_readers(dialog: SettingsDialog):
    assert all(field.field.accessibleName() for field in dialog.fields.values())
    assert isinstance(dialog.findChild(QWidget, "settingsSearch"), QWidget)
