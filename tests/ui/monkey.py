"""A monkey with a seed at the window: clicks, keys, drags, sizes, runs, stops, dialogs. PTC_MONKEY_SECONDS makes it last.

In continuous integration it plays for half a minute; by hand for as long as one likes:
`PTC_MONKEY_SECONDS=3600 PTC_MONKEY_SEED=7 python -m pytest -n 0 tests/ui/monkey.py` (or `make monkey`).
"""

import asyncio
import os
import random
import resource
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenuBar, QWidget

from tests.ui.conftest import WindowStudio

SECONDS = float(os.environ.get("PTC_MONKEY_SECONDS", "30"))
SEED = int(os.environ.get("PTC_MONKEY_SEED", "20261118"))
SCRIPTS = (
    "for sku in list_skus()[:5]:\n    print(stock_level(sku))\n",
    "import asyncio\nprint(await asyncio.gather(*(aio.get_budget(p) for p in team_members('engineering'))))\n",
    "while True:\n    stock_level('LMP-01')\n",
    "1 / 0\n",
    "print('x' * 10_000)\n",
)
NOT_ITS_OWN = {
    # They start other programs, ask the file system's dialogs, write the keyring or end the game.
    "quitAction", "openAction", "openWorkspaceAction", "saveAction", "saveAsAction", "exportAction", "importAction",
    "saveCassetteAction", "secretsAction", "restrictFolderAction", "trustFolderAction", "removeSourceAction",
}  # fmt: skip
KEYS = (
    Qt.Key.Key_Tab,
    Qt.Key.Key_Down,
    Qt.Key.Key_Up,
    Qt.Key.Key_Return,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Space,
    Qt.Key.Key_A,
)
LONGEST_GAP = 15.0
"""Seconds that the loop may be busy with one thing; a machine with other work to do takes its time."""
MOST_GROWTH = 300_000_000


class Monkey:
    """Does one thing after the other."""

    def __init__(self, studio: WindowStudio) -> None:
        self.studio = studio
        self.window = studio.window
        self.chance = random.Random(SEED)
        self.done: list[str] = []

    def step(self) -> None:
        acts: list[Callable[[], None]] = [
            self.click,
            self.click,
            self.type,
            self.drag,
            self.resize,
            self.command,
            self.run,
        ]
        act = self.chance.choice(acts)
        self.done.append(act.__name__)
        act()

    def target(self) -> QWidget | None:
        top = QApplication.activeModalWidget() or QApplication.activePopupWidget() or self.window
        parts = [
            each for each in top.findChildren(QWidget)
            if each.isVisible() and each.isEnabled() and not isinstance(each, QMenuBar) and each.window() is top.window()
        ]  # fmt: skip
        return self.chance.choice(parts) if parts else None

    def place(self, widget: QWidget) -> QPoint:
        return QPoint(self.chance.randrange(max(widget.width(), 1)), self.chance.randrange(max(widget.height(), 1)))

    def click(self) -> None:
        if QApplication.activePopupWidget() is not None:
            QTest.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Escape)
        elif (widget := self.target()) is not None:
            QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=self.place(widget))

    def type(self) -> None:
        widget = QApplication.focusWidget() or self.window
        QTest.keyClick(widget, self.chance.choice(KEYS))

    def drag(self) -> None:
        widget = self.target()
        if widget is not None and QApplication.activePopupWidget() is None:
            QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=self.place(widget))
            QTest.mouseMove(widget, self.place(widget))
            QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=self.place(widget))

    def resize(self) -> None:
        self.window.resize(self.chance.randrange(900, 2000), self.chance.randrange(600, 1300))

    def command(self) -> None:
        free = [each for each in self.window.commands if each.isEnabled() and each.objectName() not in NOT_ITS_OWN]
        if QApplication.activeModalWidget() is None:
            action = self.chance.choice(free)
            self.done[-1] = action.objectName()
            action.trigger()

    def run(self) -> None:
        if QApplication.activeModalWidget() is None:
            if self.window.workbench.is_running:
                self.window.commands["stopAction"].trigger()
            else:
                self.studio.type(self.chance.choice(SCRIPTS))
                self.window.commands["runAction"].trigger()

    def put_away(self) -> None:
        """Closes what is open above the window."""
        for each in QApplication.topLevelWidgets():
            if (
                each is not self.window
                and each.isVisible()
                and (isinstance(each, QDialog) or each.parent() is self.window)
            ):
                each.close()


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 120)
async def test_a_monkey_breaks_nothing(studio: WindowStudio, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ptc_studio.ui.command_handlers.open_workspace", lambda _folder: None)
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.open", lambda self: self.deleteLater())
    told: list[str] = []
    loop = asyncio.get_running_loop()

    def on_error(_loop: object, context: dict[str, Any]) -> None:
        error = context.get("exception")
        told.append("".join(traceback.format_exception(error)) if error else str(context))

    loop.set_exception_handler(on_error)
    studio.errors.happened.connect(told.append)
    monkey = Monkey(studio)
    end, longest = time.monotonic() + SECONDS, 0.0
    grown_from = 0
    while time.monotonic() < end:
        began = time.monotonic()
        monkey.step()
        await asyncio.sleep(0.005)
        longest = max(longest, time.monotonic() - began)
        assert told == [], (told, monkey.done[-10:])
        if len(monkey.done) % 15 == 0:
            monkey.put_away()
        if len(monkey.done) % 40 == 0:
            # Tabs are kept whatever is done to them, so they are not memory that leaks.
            for page in monkey.window.editors.pages[:-3]:
                monkey.window.editors.close_page(page)
        if len(monkey.done) == 200:
            grown_from = memory()
    monkey.put_away()
    assert longest < LONGEST_GAP, (longest, monkey.done[-10:])
    assert not grown_from or memory() - grown_from < MOST_GROWTH
    monkey.window.workbench.stop()
    await studio.until(lambda: not monkey.window.workbench.is_running)
    before = children()
    await studio.close()
    await studio.until(lambda: not (children() & before) or all_are_of_pytest(children()))


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def children() -> set[int]:
    """The processes that this one started and that still run."""
    found = set()
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        found |= {int(pid) for pid in (task / "children").read_text().split()}
    return found


def all_are_of_pytest(pids: set[int]) -> bool:
    """Whether none of them is a script's or a server's."""
    for pid in pids:
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"ptc_kit" in command or b"bwrap" in command:
            return False
    return True
