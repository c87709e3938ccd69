"""Definitions of tools are shown in every format, copied and saved."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from ptc_studio.ui.sources.actions import open_definitions
from ptc_studio.ui.sources.definitions_dialog import SHAPES, DefinitionsDialog


async def shown(studio: Any, names: list[str] | None = None) -> DefinitionsDialog:
    dialog = open_definitions(studio.window.context, names)
    await studio.until(lambda: dialog.text)
    return dialog


@pytest.mark.parametrize("position", range(len(SHAPES)))
async def test_every_format_is_shown_whole_and_copied(studio: Any, position: int):
    dialog = await shown(studio)
    before = dialog.text
    dialog.formats.button(position).click()
    await studio.until(lambda: dialog.text != before or position == 0)
    assert dialog.preview.toPlainText() == dialog.text
    if SHAPES[position].language == "json":
        assert len(json.loads(dialog.text)) == 16
    else:
        assert "team" in dialog.text
    dialog.copy_button.click()
    assert QApplication.clipboard().text() == dialog.text


async def test_the_selected_tool_comes_first_and_all_are_one_press_away(studio: Any):
    studio.window.panels.tools.select("add")
    studio.window.commands["definitionsAction"].trigger()
    dialog = next(each for each in studio.window.children() if isinstance(each, DefinitionsDialog))
    await studio.until(lambda: dialog.text)
    assert [tool["name"] for tool in json.loads(dialog.text)] == ["add"]
    dialog.scope.button(1).click()
    await studio.until(lambda: "16 definitions" in dialog.note.text())


async def test_what_an_alias_presets_is_not_in_its_definition(studio: Any):
    dialog = await shown(studio, ["team"])
    assert json.loads(dialog.text)[0]["input_schema"]["properties"] == {}


async def test_definitions_are_saved_and_a_place_that_cannot_be_written_is_told(studio: Any, tmp_path: Path):
    dialog = await shown(studio, ["add"])
    dialog.save_to(tmp_path / "tools.json")
    await studio.until(lambda: "✓ Saved" in dialog.note.text())
    assert json.loads((tmp_path / "tools.json").read_text())[0]["name"] == "add"
    dialog.save_to(tmp_path / "nowhere" / "tools.json")
    await studio.until(lambda: "✕" in dialog.note.text())
    assert "cannot be saved" in dialog.note.text()


async def test_a_tool_that_is_gone_is_told(studio: Any):
    dialog = open_definitions(studio.window.context, ["gone"])
    await studio.until(lambda: "gone" in dialog.note.text())
    assert not dialog.copy_button.isEnabled()


async def test_one_that_is_closed_while_it_writes_lives_until_that_is_over(studio: Any):
    dialog = await shown(studio, ["add"])
    told: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: told.append(context))
    gone = studio.signal(dialog.destroyed)
    for position in (1, 2, 0):
        dialog.formats.button(position).click()
    dialog.close()
    await asyncio.wait_for(gone, 20)
    await asyncio.sleep(0.05)
    assert told == []


async def test_one_format_after_the_other_is_shown_in_its_colours(studio: Any):
    dialog = await shown(studio)
    for position in (*range(len(SHAPES)), *reversed(range(len(SHAPES)))):
        dialog.formats.button(position).click()
        title = SHAPES[position].title
        await studio.until(lambda: "definition" in dialog.note.text())
        await asyncio.sleep(0.03)
        assert dialog.shape.title == title
        assert dialog.preview.toPlainText() == dialog.text
