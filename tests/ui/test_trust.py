"""A folder that is opened for the first time: nothing of it is executed before its user says that he trusts it."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from ptc_studio.storage.settings import Settings
from ptc_studio.ui.theme import theme
from tests.ui.conftest import WindowStudio

MARKING = "with open({marker!r}, 'a') as file:\n    file.write({who!r} + ' ')\n"
EVERY_KIND = """\
version: 1
sources:
  - kind: functions
    path: tools
    run_modules: true
  - kind: functions
    path: tools
    name: apart
    isolation: process
    run_modules: true
  - kind: command
    name: touching
    argv: [{python}, {touch}]
  - kind: mcp
    name: server
    command: {python}
    args: [{touch}]
  - kind: toolregistry
    name: registry
    module: tools/calc.py
aliases:
  - name: sum_of
    tool: add
runtimes:
  python: {{workspace: write}}
"""


class Stranger(WindowStudio):
    """A folder that somebody else made."""

    @property
    def marker(self) -> Path:
        return self.data / "marker"

    @property
    def traces(self) -> str:
        return self.marker.read_text() if self.marker.exists() else ""

    def write(self, name: str, text: str) -> Path:
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def marking(self, who: str) -> str:
        return MARKING.format(marker=str(self.marker), who=who)

    def part(self, name: str, kind: type[Any] = QPushButton) -> Any:
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    @property
    def asks(self) -> bool:
        bar = self.window.findChild(QWidget, "trustBar")
        return bar is not None and bar.isVisible()

    @property
    def names(self) -> set[str]:
        return {tool.spec.name for tool in self.window.workbench.studio.registry.tools}

    def notes(self) -> list[str]:
        return [node.label for node in self.window.panels.tools.model.root.walk() if node.kind == "error"]

    def click(self, name: str) -> None:
        QTest.mouseClick(self.part(name), Qt.MouseButton.LeftButton)


@pytest.fixture
async def stranger(tmp_path: Path) -> AsyncIterator[Stranger]:
    theme().set_mode("dark")
    theme().set_zoom(1.0)
    (tmp_path / "data").mkdir()
    (tmp_path / "project").mkdir()
    made = Stranger(tmp_path / "project", tmp_path / "data")
    yield made
    await made.close()


def write_every_kind(stranger: Stranger) -> None:
    touch = stranger.write("touch.py", stranger.marking("program"))
    stranger.write("tools/calc.py", stranger.marking("module") + "def add(a: int, b: int) -> int:\n    return a + b\n")
    stranger.write("studio.yaml", EVERY_KIND.format(python=sys.executable, touch=touch))


async def test_a_workspace_of_a_stranger_executes_nothing_and_asks(stranger: Stranger):
    write_every_kind(stranger)
    await stranger.open(trusted=False)
    assert stranger.asks
    record = await stranger.run(
        "print('read and run')\ntry:\n    add(1, 2)\nexcept NameError:\n    print('no tools')\n"
    )
    assert record["stdout"] == "read and run\nno tools\n"
    before = asyncio.all_tasks()
    stranger.window.commands["reloadAction"].trigger()
    await asyncio.gather(*(asyncio.all_tasks() - before))
    await stranger.notice(lambda: stranger.write("tools/calc.py", stranger.marking("changed")))
    assert (stranger.traces, stranger.names, stranger.notes()) == ("", set(), [])


async def test_a_folder_without_a_workspace_file_asks_just_the_same(stranger: Stranger):
    stranger.write("mine.py", "def mine() -> int:\n    return 1\n")
    await stranger.open(trusted=False)
    assert stranger.asks
    assert stranger.names == set()
    stranger.click("trustFolderAction")
    await stranger.until(lambda: stranger.names == {"mine"})
    assert not stranger.asks


async def test_trusting_loads_everything_and_is_remembered(stranger: Stranger):
    write_every_kind(stranger)
    await stranger.open(trusted=False)
    stranger.click("trustFolderAction")
    await stranger.until(lambda: "module" in stranger.traces and "program" in stranger.traces)
    await stranger.until(lambda: {"add", "touching"} <= stranger.names)
    await stranger.close()
    await stranger.open(trusted=False)
    assert not stranger.asks
    assert "add" in stranger.names


async def test_keeping_it_restricted_is_remembered_too_and_can_be_changed_by_the_menu(stranger: Stranger):
    stranger.write("tools/calc.py", "def add(a: int, b: int) -> int:\n    return a + b\n")
    await stranger.open(trusted=False)
    stranger.click("restrictFolderAction")
    assert not stranger.asks
    await stranger.close()
    await stranger.open(trusted=False)
    assert not stranger.asks
    assert stranger.names == set()
    assert stranger.part("folderNote", QLabel).text().endswith("restricted")
    trust, restrict = stranger.part("trustFolderAction", QAction), stranger.part("restrictFolderAction", QAction)
    assert (trust.isEnabled(), restrict.isEnabled()) == (True, False)
    trust.trigger()
    await stranger.until(lambda: stranger.names == {"add"})
    assert (trust.isEnabled(), restrict.isEnabled()) == (False, True)
    restrict.trigger()
    await stranger.until(lambda: stranger.names == set())
    assert Settings(stranger.data / "settings.json").trusts(stranger.workspace) is False


async def test_the_bar_is_reached_by_the_keyboard_and_enter_is_the_safe_answer(stranger: Stranger):
    stranger.write("tools/calc.py", stranger.marking("module"))
    await stranger.open(trusted=False)
    bar, restrict = stranger.part("trustBar", QWidget), stranger.part("restrictFolderAction")
    assert (restrict.isDefault(), stranger.part("trustFolderAction").isDefault()) == (True, False)
    assert bar.focusProxy() is restrict
    assert stranger.part("trustFolderAction").focusPolicy() & Qt.FocusPolicy.TabFocus
    assert all(part.accessibleName() for part in (bar, restrict, stranger.part("trustFolderAction")))
    restrict.setFocus()
    QTest.keyClick(restrict, Qt.Key.Key_Return)
    assert not stranger.asks
    assert Settings(stranger.data / "settings.json").trusts(stranger.workspace) is False


async def test_what_keeps_scripts_apart_from_nothing_is_not_for_such_a_folder(stranger: Stranger):
    write_every_kind(stranger)
    await stranger.open(trusted=False)
    stranger.type(stranger.marking("script"))
    stranger.window.run_bar.set_runtime("python-inprocess")
    failed = stranger.signal(stranger.window.workbench.failed)
    stranger.press_run()
    assert "trust the folder first" in await asyncio.wait_for(failed, 30)
    assert stranger.traces == ""


async def test_what_such_a_workspace_grants_its_scripts_does_not_count(stranger: Stranger):
    stranger.write("studio.yaml", "version: 1\nruntimes: {python: {workspace: write}}\n")
    await stranger.open(trusted=False)
    target = str(stranger.workspace / "written")
    record = await stranger.run(f"open({target!r}, 'w').close()\n")
    assert record["status"] == "error"
    stranger.click("trustFolderAction")
    record = await stranger.run(f"open({target!r}, 'w').close()\n")
    assert record["status"] == "ok", record["error"]


async def test_a_script_saved_into_an_opened_folder_leaves_no_trace_until_run(stranger: Stranger):
    stranger.write("shop.py", "def price() -> int:\n    return 3\n")
    Settings(stranger.data / "settings.json").set_trust(stranger.workspace, True)
    await stranger.open(trusted=False)
    stranger.type(f"x = price()\n{stranger.marking('script')}")
    page = stranger.window.editors.current()
    assert page is not None
    await stranger.notice(lambda: stranger.window.editors.save_as(page, stranger.workspace / "mine.py"))
    stranger.window.commands["reloadAction"].trigger()
    await stranger.until(lambda: stranger.notes() == ["mine.py is a script"])
    assert (stranger.traces, stranger.names) == ("", {"price"})
    stranger.window.run_bar.set_runtime("python-inprocess")
    await asyncio.wait_for(stranger.press_run(), 60)
    assert stranger.traces == "script "


async def test_a_folder_of_functions_with_a_script_gives_its_tools_and_the_reason(stranger: Stranger):
    stranger.write("shop.py", "def price() -> int:\n    return 3\n")
    stranger.write("report.py", "def report() -> int:\n    return price()\n\nprint(report())\n")
    stranger.write("tests/test_it.py", stranger.marking("nested"))
    await stranger.open(trusted=False)
    stranger.click("trustFolderAction")
    await stranger.until(lambda: stranger.notes() == ["report.py is a script"])
    assert (stranger.names, stranger.traces) == ({"price"}, "")
    [note] = stranger.window.workbench.studio.scripts
    assert (note.line, note.message.startswith("`print(report())`")) == (4, True)
    assert stranger.window.workbench.studio.errors == []


async def test_tools_of_an_opened_folder_are_found_in_its_tools_as_soon_as_there_are_such(stranger: Stranger):
    stranger.write("shop.py", "def price() -> int:\n    return 3\n")
    Settings(stranger.data / "settings.json").set_trust(stranger.workspace, True)
    await stranger.open(trusted=False)
    assert stranger.names == {"price"}
    await stranger.notice(lambda: stranger.write("tools/calc.py", "def add() -> int:\n    return 3\n"))
    await stranger.until(lambda: stranger.names == {"add"})
