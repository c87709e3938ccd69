"""Recording a run in the window, and having runs answered from cassettes."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from ptc_studio.locations import EXAMPLES
from ptc_studio.storage.cassettes import read_cassette
from ptc_studio.ui.recordings import Cassettes
from ptc_studio.ui.recordings.actions import EMPTY
from ptc_studio.ui.recordings.save_dialog import SaveDialog, name_error, suggested

ASIDE = ("started_ms", "duration_ms", "answered_by")


def cassettes_of(studio: Any) -> Cassettes:
    return studio.window.findChild(Cassettes)


def texts(studio: Any) -> list[str]:
    menu = cassettes_of(studio).menu
    menu.aboutToShow.emit()
    return [action.text().split("\t")[0] for action in menu.actions() if action.text()]


def choose(studio: Any, text: str) -> None:
    menu = cassettes_of(studio).menu
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text().startswith(text)).trigger()


def notice(studio: Any) -> str:
    bar = studio.window.context.messages
    return bar.message if not bar.isHidden() else ""


def comparable(record: dict[str, Any]) -> dict[str, Any]:
    calls = [{name: value for name, value in call.items() if name not in ASIDE} for call in record["calls"]]
    return {name: value for name, value in record.items() if name not in ("run_id", "duration_ms")} | {"calls": calls}


async def recorded(studio: Any, text: str, runtime: str = "python") -> dict[str, Any]:
    """Runs the text with recording on, and waits for the file."""
    studio.window.commands["recordAction"].trigger()
    record = await studio.run(text, runtime)
    await studio.until(lambda: "Recorded" in notice(studio))
    return record


@pytest.mark.parametrize("runtime", ["python", "python-inprocess"])
@pytest.mark.parametrize("name", ["03_concurrent.py", "04_nested.py"])
async def test_an_example_is_recorded_and_replayed_without_its_tools(studio: Any, name: str, runtime: str):
    code = (EXAMPLES / name).read_text()
    chip = cassettes_of(studio).recording
    assert chip.isHidden()
    studio.window.commands["recordAction"].trigger()
    assert (chip.isHidden(), chip.text()) == (False, "● Recording  ✕")
    record = await studio.run(code, runtime)
    await studio.until(lambda: "Recorded" in notice(studio))
    # It was for one run.
    assert chip.isHidden()
    assert not studio.window.commands["recordAction"].isChecked()
    path = next((studio.workspace / "cassettes").iterdir())
    assert notice(studio) == f"Recorded {len(record['calls'])} calls as cassettes/{path.name}."
    shutil.rmtree(studio.workspace / "tools")
    ended = studio.signal(studio.window.workbench.run_ended)
    QTest.mouseClick(studio.window.context.messages.button, Qt.MouseButton.LeftButton)
    replayed = await asyncio.wait_for(ended, 60)
    assert comparable(replayed) == comparable(record)
    assert {call["answered_by"] for call in replayed["calls"]} == {"cassette"}
    assert cassettes_of(studio).replaying.text() == f"Replaying {path.stem}  ✕"
    assert notice(studio) == ""


async def test_a_cassette_answers_until_it_is_left(studio: Any):
    await recorded(studio, "print(add(1, 2))\n")
    name = texts(studio)[0]
    ended = studio.signal(studio.window.workbench.run_ended)
    choose(studio, name)
    record = await asyncio.wait_for(ended, 60)
    assert record["calls"][0]["answered_by"] == "cassette"
    record = await asyncio.wait_for(studio.press_run(), 60)
    assert record["calls"][0]["answered_by"] == "cassette"
    chip = cassettes_of(studio).replaying
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert chip.isHidden()
    record = await asyncio.wait_for(studio.press_run(), 60)
    assert record["calls"][0]["answered_by"] == "tool"


async def test_a_cassette_is_replayed_where_its_run_was_going_until_another_target_is_chosen(studio: Any):
    targets = studio.window.targets
    await studio.until(lambda: targets.all)
    targets.choose("anthropic")
    studio.type("print(await add({'a': 1, 'b': 2}))\n")
    studio.window.commands["recordAction"].trigger()
    await studio.press_run()
    await studio.until(lambda: "Recorded" in notice(studio))
    targets.choose("plain")
    ended = studio.signal(studio.window.workbench.run_ended)
    choose(studio, texts(studio)[0])
    record = await asyncio.wait_for(ended, 60)
    assert (record["target"], record["stdout"], targets.chosen) == ("anthropic", "3\n", "anthropic")
    targets.choose("plain")
    assert (await asyncio.wait_for(studio.press_run(), 60))["target"] == "plain"


async def test_a_miss_offers_the_tool_instead(studio: Any):
    await recorded(studio, "add(1, 2)\n")
    name = texts(studio)[0]
    studio.type("add(1, 3)\n")
    ended = studio.signal(studio.window.workbench.run_ended)
    choose(studio, name)
    record = await asyncio.wait_for(ended, 60)
    assert record["error"]["message"].endswith("replay with the tool for what is missing.")
    assert notice(studio) == f"The cassette '{name}' has no call of add with b=3 (recorded: b=2, at line 1)."
    ended = studio.signal(studio.window.workbench.run_ended)
    QTest.mouseClick(studio.window.context.messages.button, Qt.MouseButton.LeftButton)
    record = await asyncio.wait_for(ended, 60)
    assert (record["value"], record["calls"][0]["answered_by"]) == (4, "tool")
    assert "a call that this run did not make: add(a=1, b=2) at line 1" in notice(studio)
    # The offer was for one run.
    record = await asyncio.wait_for(studio.press_run(), 60)
    assert record["status"] == "error"


async def test_the_mode_is_chosen_in_the_menu(studio: Any):
    await recorded(studio, "add(1, 1)\nadd(2, 2)\n")
    name = texts(studio)[0]
    studio.type("add(2, 2)\nadd(1, 1)\n")
    choose(studio, "Strictly")
    ended = studio.signal(studio.window.workbench.run_ended)
    choose(studio, name)
    record = await asyncio.wait_for(ended, 60)
    assert cassettes_of(studio).replaying.text() == f"Replaying {name} strictly  ✕"
    assert record["status"] == "error"
    assert "next, not add(a=2, b=2)" in notice(studio)
    choose(studio, "By match")
    record = await asyncio.wait_for(studio.press_run(), 60)
    assert record["status"] == "ok"


async def test_the_menu_says_what_to_do_where_there_is_no_cassette(studio: Any):
    assert texts(studio)[:2] == [EMPTY, "Other file…"]
    action = cassettes_of(studio).menu.actions()[0]
    assert not action.isEnabled()
    assert not next(a for a in cassettes_of(studio).menu.actions() if a.text().startswith("Let")).isEnabled()


async def test_the_last_run_is_kept_under_a_name(studio: Any):
    assert not studio.window.commands["saveCassetteAction"].isEnabled()
    await studio.run("add(1, 2)\n")
    studio.window.commands["saveCassetteAction"].trigger()
    dialog = studio.window.findChild(SaveDialog)
    name = dialog.findChild(QLineEdit)
    name.setText("a/b")
    assert not dialog.button.isEnabled()
    assert "leave out" in dialog.note.text()
    name.setText("demo & more")
    QTest.keyClick(name, Qt.Key.Key_Return)
    path = studio.workspace / "cassettes" / "demo & more.json"
    await studio.until(path.is_file)
    assert [call.arguments for call in read_cassette(path).calls] == [{"a": 1, "b": 2}]
    await studio.until(lambda: "Recorded 1 call as cassettes/demo & more.json." in notice(studio))
    assert texts(studio)[0] == "demo && more"
    studio.window.commands["saveCassetteAction"].trigger()
    dialog = studio.window.findChildren(SaveDialog)[-1]
    dialog.name.setText("Demo & more")
    assert dialog.button.text() == "Replace"
    dialog.reject()


async def test_a_broken_cassette_is_told_and_nothing_is_run(studio: Any):
    folder = studio.workspace / "cassettes"
    folder.mkdir()
    (folder / "bad.json").write_text("{")
    studio.type("add(1, 2)\n")
    choose(studio, "bad")
    await studio.until(lambda: "bad.json:1: this is not JSON" in notice(studio))
    assert not studio.window.workbench.is_running
    assert cassettes_of(studio).replaying.isHidden()


async def test_a_cassette_that_is_edited_by_hand_counts_from_the_next_run_on(studio: Any):
    await recorded(studio, "add(1, 2)\n")
    path = next((studio.workspace / "cassettes").iterdir())
    ended = studio.signal(studio.window.workbench.run_ended)
    choose(studio, path.stem)
    await asyncio.wait_for(ended, 60)
    path.write_text(path.read_text().replace('"result": 3', '"result": 333'))
    record = await asyncio.wait_for(studio.press_run(), 60)
    assert record["value"] == 333
    path.write_text("{")
    record = await asyncio.wait_for(studio.press_run(), 60)
    assert record["value"] == 333
    assert "this is not JSON" in notice(studio)


def test_names_are_free_and_can_be_files():
    assert suggested("a/b.py", []) == "b"
    assert suggested("b.py", ["B", "b-2"]) == "b-3"
    assert suggested("<stdin>", []) == "-stdin-"
    assert suggested("", []) == "run"
    for name in ("", "  ", "a/b", "a\nb", ".hidden", "x" * 81):
        assert name_error(name), name
    assert name_error("Demo 1 (été)") == ""
    assert Path(suggested("x.y.py", [])).name == "x.y"
