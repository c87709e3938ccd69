"""An alias is saved from its form, and `studio.yaml` says just that."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from ptc_studio.app import Setup, Studio
from ptc_studio.locations import SAMPLE_TOOLS
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.aliases.actions import open_new_alias
from ptc_studio.ui.main_window import MainWindow
from ptc_studio.ui.workbench import Workbench

from .conftest import choose


async def test_an_alias_is_typed_and_saved_and_the_file_says_just_that(aliases: Any):
    before = aliases.file
    dialog = aliases.new("get_expenses", "q3_expenses")
    assert dialog.windowTitle() == "New alias"
    choose(dialog, "quarter", "preset", "Q2")
    await aliases.save(dialog)
    assert aliases.changed(before) == [
        "+   - name: q3_expenses",
        "+     tool: get_expenses",
        "+     preset: {quarter: Q2}",
    ]
    await aliases.studio.until(lambda: aliases.is_callable("q3_expenses"))
    assert aliases.told() == "The alias 'q3_expenses' was made."
    await aliases.undo()
    assert aliases.file == before
    assert not aliases.is_callable("q3_expenses")


async def test_every_field_comes_into_the_file_as_it_was_filled_in(aliases: Any):
    dialog = aliases.new("price_basket", "basket")
    form = dialog.form
    QTest.keyClicks(form.description, "What it all costs.")
    choose(dialog, "currency", "default", "SEK")
    aliases.type(form.time.line, "1.5 min")
    aliases.press(form.permission.segments.button(2))
    for word in ("iban", "card"):
        QTest.keyClicks(form.redact.line, word)
        QTest.keyClick(form.redact.line, Qt.Key.Key_Return)
    assert dialog.isVisible()
    QTest.keyClicks(form.notes, "Ask Ada first.")
    form.enabled.click()
    assert dialog.values() == {
        "name": "basket",
        "tool": "price_basket",
        "description": "What it all costs.",
        "defaults": {"currency": "SEK"},
        "timeout": 90,
        "permission": "ask",
        "redact": ["iban", "card"],
        "notes": "Ask Ada first.",
        "enabled": False,
    }
    filled = dialog.values()
    await aliases.save(dialog)
    entry = aliases.window.workbench.studio.file.aliases[-1]
    assert entry.model_dump(exclude_unset=True, mode="json") == filled
    assert not aliases.is_callable("basket")


async def test_values_are_exact_in_their_types(aliases: Any):
    dialog = aliases.new("mul", "half")
    choose(dialog, "b", "preset", "0.5")
    choose(dialog, "a", "default", "3")
    await aliases.save(dialog)
    entry = aliases.window.workbench.studio.file.aliases[-1]
    assert json.dumps([entry.preset, entry.defaults]) == '[{"b": 0.5}, {"a": 3}]'


async def test_nothing_but_what_was_changed_is_written(aliases: Any):
    before = aliases.file
    dialog = aliases.edit("cheap")
    assert dialog.windowTitle() == "Edit alias"
    assert not aliases.changed(before)
    choose(dialog, "qty", "default", "2")
    await aliases.save(dialog)
    assert aliases.changed(before) == ["-     defaults: {qty: 1}", "+     defaults: {qty: 2}"]
    await aliases.undo()
    assert aliases.file == before


async def test_saving_without_a_change_changes_nothing(aliases: Any):
    before = aliases.file
    for name in ("team", "cheap"):
        await aliases.save(aliases.edit(name))
    assert aliases.file == before


async def test_what_is_emptied_goes_from_the_file(aliases: Any):
    before = aliases.file
    dialog = aliases.edit("cheap")
    dialog.form.description.clear()
    choose(dialog, "qty", "as_is")
    await aliases.save(dialog)
    assert aliases.changed(before) == [
        '-     description: "The price of one."   # with quotes',
        "-     defaults: {qty: 1}",
    ]


async def test_grants_follow_another_name(aliases: Any):
    before = aliases.file
    dialog = aliases.edit("team")
    aliases.type(dialog.form.name, "coders")
    await aliases.save(dialog)
    assert aliases.changed(before) == [
        "-   - name: team",
        "+   - name: coders",
        "-   readonly: [team, add]   # both are harmless",
        "+   readonly: [coders, add]   # both are harmless",
    ]
    assert aliases.told() == "The alias 'team' is called 'coders' now."
    await aliases.undo()
    assert aliases.file == before


async def test_open_scripts_are_offered_to_follow_another_name(aliases: Any):
    aliases.studio.type('print(team(), "team")\nx = call_tool("team", {})\n')
    first = aliases.window.editors.current()
    aliases.studio.type("# no call of it\n")
    dialog = aliases.edit("team")
    aliases.type(dialog.form.name, "coders")
    await aliases.save(dialog)
    assert aliases.told() == "The alias 'team' is called 'coders' now. 2 calls in 1 open script still say 'team'."
    assert aliases.window.context.messages.other.text() == "Rename 2 calls in 1 open script"
    aliases.press(aliases.window.context.messages.other)
    assert first.text == 'print(coders(), "team")\nx = call_tool("coders", {})\n'
    first.editor.undo()
    assert first.text == 'print(team(), "team")\nx = call_tool("team", {})\n'


async def test_a_renamed_alias_stays_ticked_or_not(aliases: Any):
    aliases.window.panels.tools.set_grant(["team"])
    told: list[Any] = []
    aliases.window.workbench.alias_renamed.connect(lambda *names: told.append(names))
    dialog = aliases.edit("team")
    aliases.type(dialog.form.name, "coders")
    await aliases.save(dialog)
    assert told == [("team", "coders")]
    await aliases.studio.until(lambda: "coders" in (aliases.window.panels.tools.model.grant or ()))
    assert "cheap" not in aliases.window.panels.tools.model.grant


async def test_what_somebody_else_wrote_meanwhile_is_not_overwritten(aliases: Any):
    dialog = aliases.edit("cheap")
    await aliases.studio.until(lambda: dialog.has_read)
    changed = aliases.file.replace("defaults: {qty: 1}", "defaults: {qty: 9}")
    (aliases.studio.workspace / "studio.yaml").write_text(changed)
    aliases.type(dialog.form.time.line, "5 s")
    aliases.press(dialog.save_button)
    await aliases.studio.until(lambda: dialog.note.text().startswith("✕"))
    assert "was changed outside" in dialog.note.text()
    assert aliases.file == changed
    assert dialog.save_button.isEnabled()
    dialog.reject()


@pytest.fixture
async def homeless(tmp_path: Path) -> Any:
    """A window without a workspace, over the sample tools."""
    window = MainWindow(Settings(tmp_path / "settings.json"), tmp_path / "buffers", None)
    window.add_panels(Workbench(Studio(Setup(functions=SAMPLE_TOOLS))))
    window.show()
    loaded = asyncio.get_running_loop().create_future()
    window.workbench.tools_loaded.connect(lambda: loaded.done() or loaded.set_result(None))
    window.start(None)
    await asyncio.wait_for(loaded, 30)
    yield window
    closed = asyncio.Event()
    window.closed.connect(closed.set)
    window.close()
    await asyncio.wait_for(closed.wait(), 30)
    window.deleteLater()


async def test_without_a_workspace_a_folder_is_asked_for_and_the_tools_come_along(
    homeless: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    opened: list[Path] = []
    monkeypatch.setattr("ptc_studio.ui.command_handlers.open_workspace", opened.append)
    dialog = open_new_alias(homeless.context, "add")
    assert dialog is not None
    assert dialog.note.text().startswith("No folder is open")
    QTest.keyClicks(dialog.form.name, "plus")
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    asked = dialog.findChild(QFileDialog)
    assert asked is not None
    folder = tmp_path / "mine"
    folder.mkdir()
    asked.fileSelected.emit(str(folder))
    asked.close()
    async with asyncio.timeout(30):
        while not opened:
            await asyncio.sleep(0.01)
    text = (folder / "studio.yaml").read_text()
    assert f"path: {SAMPLE_TOOLS}" in text
    assert "- name: plus\n    tool: add\n" in text
