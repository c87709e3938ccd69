"""A monkey with a seed at the window: clicks, keys, drags, wheels, sizes, runs, stops, commands, dialogs.

In the suite four monkeys play for half a minute each, so that the workers share them; `make monkey` has one play for as
long as one likes: `make monkey PTC_MONKEY_SECONDS=3600 PTC_MONKEY_SEED=7`.
"""

import asyncio
import gc
import os
import random
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenuBar, QWidget

from ptc_studio.processes.process_tree import descendants
from tests.ui.conftest import WindowStudio

SECONDS = float(os.environ.get("PTC_MONKEY_SECONDS", "30"))
SEEDS = [int(os.environ["PTC_MONKEY_SEED"])] if "PTC_MONKEY_SEED" in os.environ else [20261118, 7, 15, 1280]
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
    Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Return,
    Qt.Key.Key_Escape, Qt.Key.Key_Space, Qt.Key.Key_A, Qt.Key.Key_Delete, Qt.Key.Key_Home, Qt.Key.Key_F2,
)  # fmt: skip
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
LONGEST_GAP = 5.0
"""Seconds that the loop may be busy with one thing, without those for which the machine had other work to do. What takes
longest is another theme or zoom with many tabs and a dialog open: Qt goes through every widget for about a second."""
MOST_GROWTH = 100_000_000
"""Bytes from the middle of the game to its end."""


class Monkey:
    """Does one thing after the other."""

    def __init__(self, studio: WindowStudio, seed: int) -> None:
        self.studio = studio
        self.window = studio.window
        self.chance = random.Random(seed)
        self.done: list[str] = []

    def step(self) -> None:
        acts: list[Callable[[], None]] = [
            self.click, self.click, self.click_twice, self.ask_for_menu, self.type, self.type, self.drag, self.turn_wheel,
            self.resize, self.command, self.command, self.run,
        ]  # fmt: skip
        act = self.chance.choice(acts)
        self.done.append(act.__name__)
        act()

    def target(self) -> QWidget | None:
        """Something that can be seen, of whatever is in front; a menu that is open is closed first."""
        popup = QApplication.activePopupWidget()
        if popup is not None:
            QTest.keyClick(popup, self.chance.choice((Qt.Key.Key_Escape, Qt.Key.Key_Down)))
            return None
        top = QApplication.activeModalWidget() or self.window
        parts = [
            each for each in top.findChildren(QWidget)
            if each.isVisible() and each.isEnabled() and not isinstance(each, QMenuBar) and each.window() is top.window()
        ]  # fmt: skip
        chosen = self.chance.choice(parts) if parts else None
        if chosen is not None:
            self.done[-1] += f" {type(chosen).__name__} {chosen.objectName()}".rstrip()
        return chosen

    def place(self, widget: QWidget) -> QPoint:
        return QPoint(self.chance.randrange(max(widget.width(), 1)), self.chance.randrange(max(widget.height(), 1)))

    def click(self) -> None:
        if (widget := self.target()) is not None:
            QTest.mouseClick(widget, LEFT, pos=self.place(widget))

    def click_twice(self) -> None:
        if (widget := self.target()) is not None:
            QTest.mouseDClick(widget, LEFT, pos=self.place(widget))

    def ask_for_menu(self) -> None:
        if (widget := self.target()) is not None:
            QTest.mouseClick(widget, RIGHT, pos=self.place(widget))

    def type(self) -> None:
        widget = QApplication.activePopupWidget() or QApplication.focusWidget() or self.window
        key = self.chance.choice(KEYS)
        self.done[-1] += f" {key.name} {type(widget).__name__} {widget.objectName()}"
        QTest.keyClick(widget, key)

    def drag(self) -> None:
        if (widget := self.target()) is not None:
            QTest.mousePress(widget, LEFT, pos=self.place(widget))
            QTest.mouseMove(widget, self.place(widget))
            QTest.mouseRelease(widget, LEFT, pos=self.place(widget))

    def turn_wheel(self) -> None:
        if (widget := self.target()) is not None:
            at, turn = QPointF(self.place(widget)), QPoint(0, self.chance.choice((-120, 120, 480)))
            keys = self.chance.choice((Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier))
            event = QWheelEvent(
                at, widget.mapToGlobal(at), QPoint(), turn, Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False
            )  # fmt: skip
            QApplication.sendEvent(widget, event)

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

    def tidy(self) -> None:
        """What a user would do now and then, and the program does by itself."""
        count = len(self.done)
        if count % 15 == 0:
            self.put_away()
        if count % 40 == 0:
            # Tabs are kept whatever is done to them, so they are not memory that leaks.
            for page in self.window.editors.pages[:-3]:
                self.window.editors.close_page(page)
        if count % 100 == 0:
            gc.collect()


class Gaps:
    """How long the loop was busy with one thing, and with what.

    It has no watching thread that tells where: one that reads the frames of others while they run can crash the process.
    """

    def __init__(self) -> None:
        self.longest, self.during = 0.0, ""

    @contextmanager
    def watched(self, monkey: Monkey) -> Iterator[None]:
        began, waited = time.monotonic(), waited_for_processor()
        yield
        took = time.monotonic() - began - (waited_for_processor() - waited)
        if took > self.longest:
            self.longest, self.during = took, f"{took:.2f} s in {monkey.done[-3:]}"


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 120)
# What the platform without a screen says of windows that others would bring to the front.
@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("seed", SEEDS)
async def test_a_monkey_breaks_nothing(studio: WindowStudio, monkeypatch: pytest.MonkeyPatch, seed: int):
    monkeypatch.setattr("ptc_studio.ui.command_handlers.open_workspace", lambda _folder: None)
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.open", lambda self: self.deleteLater())
    told: list[str] = []

    def on_error(_loop: object, context: dict[str, Any]) -> None:
        error = context.get("exception")
        told.append("".join(traceback.format_exception(error)) if error else str(context))

    asyncio.get_running_loop().set_exception_handler(on_error)
    studio.errors.happened.connect(told.append)
    monkey, gaps, before = Monkey(studio, seed), Gaps(), set(descendants(os.getpid()))
    try:
        sizes = await play(monkey, gaps, told)
    finally:
        monkey.put_away()
        monkey.window.workbench.stop()
    at_first, at_middle, at_end = (f"{size / 1e6:.0f}" for size in sizes)
    print(f"seed {seed}: {len(monkey.done)} steps, {at_first}, {at_middle}, {at_end} MB, the longest {gaps.during}")
    assert gaps.longest < LONGEST_GAP, gaps.during
    assert sizes[2] - sizes[1] < MOST_GROWTH
    await studio.until(lambda: not monkey.window.workbench.is_running)
    await studio.close()
    await studio.until(lambda: not scripts_and_servers(before))


async def play(monkey: Monkey, gaps: Gaps, told: list[str]) -> tuple[int, int, int]:
    """Steps for as long as it is to last; gives the memory at its beginning, middle and end."""
    began, first, middle = time.monotonic(), memory(), 0
    while time.monotonic() < began + SECONDS:
        with gaps.watched(monkey):
            monkey.step()
            monkey.tidy()
            await asyncio.sleep(0.005)
        assert told == [], (told, monkey.done[-10:])
        if not middle and time.monotonic() > began + SECONDS / 2:
            middle = memory()
    return first, middle, memory()


def waited_for_processor() -> float:
    """Seconds for which this thread could have run, and others did."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


def memory() -> int:
    """Bytes of this process that are in use, without what waits to be collected."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def scripts_and_servers(before: set[int]) -> list[str]:
    """The processes of scripts and servers that the game started and that still run; others may be of other tests."""
    commands = []
    for pid in set(descendants(os.getpid())) - before:
        try:
            commands.append(Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return [command for command in commands if "ptc_kit" in command or "bwrap" in command]
