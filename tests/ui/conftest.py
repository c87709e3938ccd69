"""The real window, open, on a running qasync loop, over a temporary workspace."""

import asyncio
import gc
import itertools
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest

if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ptc_studio.app import Setup, Studio
from ptc_studio.locations import SAMPLE_TOOLS
from ptc_studio.storage.history import HistoryRecorder
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.event_loop import UnexpectedErrors, open_studio
from ptc_studio.ui.main_window import MainWindow
from ptc_studio.ui.qt_loop import WindowLoop
from ptc_studio.ui.startup import Opening, use_plain_locale
from ptc_studio.ui.stylesheet import stylesheet
from ptc_studio.ui.theme import theme
from ptc_studio.ui.workbench import Workbench
from ptc_studio.ui.workspace_watcher import WorkspaceWatcher

FILE = """\
version: 1
sources:
  - kind: functions
    path: tools
aliases:
  - name: team
    tool: people.team_members
    preset: {team: engineering}
"""


PATIENCE = 30.0
"""Seconds for what must happen: a busy machine takes its time, and an idle one loses none by it."""


class PatientBot(QtBot):
    """Waits as long as a busy machine may take."""

    waitActive = partialmethod(QtBot.waitActive, timeout=round(1000 * PATIENCE))  # noqa: N815 - Qt's way of writing
    waitCallback = partialmethod(QtBot.waitCallback, timeout=round(1000 * PATIENCE))  # noqa: N815
    waitExposed = partialmethod(QtBot.waitExposed, timeout=round(1000 * PATIENCE))  # noqa: N815
    waitSignal = partialmethod(QtBot.waitSignal, timeout=round(1000 * PATIENCE))  # noqa: N815
    waitSignals = partialmethod(QtBot.waitSignals, timeout=round(1000 * PATIENCE))  # noqa: N815
    waitUntil = partialmethod(QtBot.waitUntil, timeout=round(1000 * PATIENCE))  # noqa: N815


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's own, with more patience."""
    return PatientBot(request)


def pytest_asyncio_loop_factories(config: pytest.Config, item: pytest.Item) -> dict[str, Callable[[], Any]]:
    """Async tests of the window run on Qt's own loop."""
    return {"qasync": _qasync_loop}


def _qasync_loop() -> WindowLoop:
    application = QApplication.instance() or QApplication(["tests"])
    assert isinstance(application, QApplication)
    application.setQuitOnLastWindowClosed(False)
    application.setStyle("Fusion")
    return WindowLoop(application)


_TESTS = itertools.count(1)


@pytest.fixture(autouse=True)
def _jedi_is_loaded_by_those_who_ask_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else every window that is open for a second would start its process."""
    monkeypatch.setattr("ptc_studio.ui.editor.completion.WARM_UP_AFTER", 3_600_000)


@pytest.fixture(autouse=True)
def _notices_stay_until_they_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine one that goes by itself may be gone before a test presses its button."""
    monkeypatch.setattr("ptc_studio.ui.widgets.notice_bar.FADE_AFTER", 3_600_000)


@pytest.fixture(autouse=True)
def _looks_come_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that comes by itself just as a test writes a file finds a change that nobody was to notice."""
    monkeypatch.setattr("ptc_studio.ui.workspace_watcher.LOOK_MS", 10_000)


@pytest.fixture(autouse=True)
def _garbage_stays_on_this_thread() -> Iterator[None]:
    """As in the program: Qt objects must not die in a worker's thread."""
    gc.disable()
    yield
    # Without a loop nobody does so: large texts of earlier tests would be laid out again for each later font and theme.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # What a test made and left is young. To look at everything takes longer than most tests.
    gc.collect(2 if next(_TESTS) % 40 == 0 else 0)


@pytest.fixture(autouse=True)
def _the_fonts_of_the_program(qapp: QApplication) -> Iterator[None]:
    """In every test, whichever ran before it: what a machine has for fonts is not what is tested."""
    use_plain_locale()
    theme().load_other_faces()
    theme().set_fonts(USUAL_FONT)
    if qapp.font() != theme().text_font():
        qapp.setFont(theme().text_font())
    yield
    theme().set_fonts()


@pytest.fixture
def own_secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No keyring, and a folder of their own, quickly unlocked: nobody's real secrets are touched."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setattr("ptc_studio.storage.secrets.vault.COST", 2)


class WindowStudio:
    """What tests do with the window: as a user would."""

    def __init__(self, workspace: Path, data: Path) -> None:
        self.workspace = workspace
        self.data = data
        self.window: MainWindow
        self.opened: list[MainWindow] = []

    async def open(self, script: Path | None = None, *, trusted: bool = True) -> None:
        """Opens a window over the workspace, as a start of the program does.

        Without `trusted`, as one does that knows no more of the folder than the settings say.
        """
        await asyncio.wait_for(self.show(script, trusted=trusted), PATIENCE)
        await self._looked()

    def show(self, script: Path | None = None, *, trusted: bool = True) -> "asyncio.Future[Any]":
        """The same without waiting: what can be awaited comes when tools are loaded and runtimes found."""
        settings = Settings(self.data / "settings.json")
        known = Setup(workspace=self.workspace, history=HistoryRecorder(self.data / "history.db"))
        studio = Studio(known) if trusted else open_studio(Opening(self.workspace), settings)
        self.window = MainWindow(settings, self.data / "buffers", self.workspace)
        self.window.add_panels(Workbench(studio))
        self.errors = UnexpectedErrors(self.data / "log.txt")
        self.errors.happened.connect(self.window.show_message)
        self.opened.append(self.window)
        self.window.show()
        loaded, found = (
            self.signal(self.window.workbench.tools_loaded),
            self.signal(self.window.runtimes.discovered),
        )
        self.window.start(script)
        return asyncio.gather(loaded, found)

    def signal(self, signal: Any) -> "asyncio.Future[Any]":
        """Something to await that comes with the next emission."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def on_emitted(*values: Any) -> None:
            if not future.done():
                future.set_result(values[0] if values else None)

        signal.connect(on_emitted)
        return future

    def type(self, text: str) -> None:
        """Puts the text into a new editor, which becomes the current one."""
        self.window.commands["newAction"].trigger()
        page = self.window.editors.current()
        assert page is not None
        page.editor.selectAll()
        page.editor.insertPlainText(text)

    def press_run(self) -> "asyncio.Future[Any]":
        """Presses Run; the record comes when the run is over."""
        ended = self.signal(self.window.workbench.run_ended)
        button = self.window.run_bar.run_button
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        return ended

    async def run(self, text: str, runtime: str = "python") -> dict[str, Any]:
        """Types the text, presses Run, and gives the finished record."""
        self.type(text)
        self.window.run_bar.set_runtime(runtime)
        record = await asyncio.wait_for(self.press_run(), 60)
        self.window.panels.output.flush()
        return record

    async def until(self, condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
        """Waits on the loop for the condition, with a bound."""
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.005)

    async def notice(self, change: Callable[[], Any]) -> None:
        """Has somebody else change files, and the window look at them; no other look is under way meanwhile."""
        changes = await self._looked()
        change()
        changes.refresh()
        await self._looked()

    async def _looked(self) -> WorkspaceWatcher:
        """Waits until no look at what others may have changed is under way."""
        changes = self.window.findChild(WorkspaceWatcher)
        assert changes is not None
        await self.until(lambda: not changes.is_looking)
        return changes

    async def close(self) -> None:
        """Closes every window that is open."""
        while self.opened:
            window = self.opened.pop()
            closed = self.signal(window.closed)
            window.close()
            await asyncio.wait_for(closed, PATIENCE)
            window.deleteLater()
            await asyncio.sleep(0.01)


WIDE, NARROW = "DejaVu Sans", "Roboto Condensed"
"""The widest and the narrowest font that people commonly have; tests of layouts choose one by `interface_font`."""
USUAL_FONT = os.environ.get("PTC_TEST_FONT", "")
"""What every test of the window has chosen that does not say otherwise: `make test-machines` tries the two."""
_PACKAGES = {WIDE: "fonts-dejavu-core", NARROW: "fonts-roboto-unhinted"}
every_font = pytest.mark.parametrize("interface_font", ["", WIDE, NARROW], indirect=True, ids=["own", "wide", "narrow"])


@pytest.fixture
def interface_font(request: pytest.FixtureRequest, qapp: QApplication) -> str:
    """The font that the user of the window has chosen; empty for the program's own."""
    family = getattr(request, "param", USUAL_FONT)
    if family and not QFontDatabase.hasFamily(family):
        pytest.skip(f"the font {family} is not installed: sudo apt-get install {_PACKAGES[family]}")
    return family


@pytest.fixture
async def studio(tmp_path: Path, interface_font: str) -> AsyncIterator[WindowStudio]:
    """The window, open."""
    if interface_font:
        Settings(tmp_path / "data" / "settings.json").set("interface_font", interface_font)
    workspace = tmp_path / "workspace"
    shutil.copytree(SAMPLE_TOOLS, workspace / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (workspace / "studio.yaml").write_text(FILE)
    theme().set_mode("dark")
    theme().set_zoom(1.0)
    opened = WindowStudio(workspace, tmp_path / "data")
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def dressed(qapp: QApplication) -> Iterator[QApplication]:
    """The application with its style sheet, dark.

    It stays on, as it does after every window: Qt crashes now and then when one is put on after one was taken off.
    """
    theme().set_mode("dark")
    qapp.setStyleSheet(stylesheet(theme()))
    yield qapp
    theme().set_mode("system")
