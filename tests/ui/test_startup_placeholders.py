"""The window before its panels are made: it looks as it will look, and what is asked of it early is done."""

import asyncio
import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QWidget

from ptc_studio.app import Setup, Studio
from ptc_studio.locations import SAMPLE_TOOLS
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.main_window import MainWindow
from ptc_studio.ui.theme import theme
from ptc_studio.ui.workbench import Workbench

UNSEEN = 12
"""Of 255: the smoothed corners of a panel are drawn over something else when it can be scrolled."""


async def made(folder: Path, **options: bool) -> MainWindow:
    window = MainWindow(Settings(folder / "settings.json"), folder / "buffers", None, **options)
    window.resize(1440, 900)
    window.show()
    await events()
    return window


async def events() -> None:
    """Qt's events are handled on the way; to ask Qt for them in a coroutine would run others inside this one."""
    for _ in range(5):
        await asyncio.sleep(0.002)


async def picture(window: MainWindow) -> QImage:
    await events()
    return window.grab().toImage()


def difference(one: QImage, other: QImage) -> int:
    """By how much the pixel differs most that differs most, of 255."""
    assert one.size() == other.size()
    both = one.convertToFormat(QImage.Format.Format_RGB888)
    painter = QPainter(both)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Difference)
    painter.drawImage(0, 0, other)
    painter.end()
    return max(bytes(both.constBits()))


async def closed(window: MainWindow) -> None:
    gone = asyncio.Event()
    window.closed.connect(gone.set)
    window.close()
    await asyncio.wait_for(gone.wait(), 30)
    window.deleteLater()


@pytest.mark.parametrize("mode", ["dark", "light"])
@pytest.mark.parametrize("zoom", [1.0, 1.5])
async def test_nothing_moves_when_the_panels_take_their_places(tmp_path: Path, mode: str, zoom: float):
    Settings(tmp_path / "settings.json").set("theme", mode)
    Settings(tmp_path / "settings.json").set("zoom", zoom)
    window = await made(tmp_path)
    before = await picture(window)
    assert window.findChild(QWidget, "callTree") is None
    window.add_panels(Workbench())
    window.start(None)
    assert window.findChild(QWidget, "callTree") is not None
    assert difference(before, await picture(window)) <= UNSEEN
    await closed(window)
    theme().set_zoom(1.0)


async def test_the_run_bar_stays_where_it_is_when_the_runtimes_are_known(tmp_path: Path):
    window = await made(tmp_path)
    bench = Workbench()
    window.add_panels(bench)
    window.start(None)
    before = window.run_bar.run_button.geometry()
    known = asyncio.Event()
    window.runtimes.discovered.connect(known.set)
    bench.attach(Studio(Setup(functions=SAMPLE_TOOLS)))
    await asyncio.wait_for(known.wait(), 30)
    await events()
    assert window.run_bar.runtime_id() == "python"
    assert window.run_bar.run_button.geometry() == before
    await closed(window)


async def test_whoever_opens_a_script_does_not_see_the_welcome_page_first(tmp_path: Path):
    script = tmp_path / "mine.py"
    script.write_text("1\n")
    window = await made(tmp_path, expects_text=True)
    assert not window.welcome.isVisible()
    window.add_panels(Workbench())
    window.start(script)
    assert window.editors.isVisible()
    assert window.centre.count() == 2
    await closed(window)


async def test_the_welcome_page_comes_when_what_was_kept_is_gone(tmp_path: Path):
    (tmp_path / "buffers").mkdir()
    gone = {"id": "a", "title": "gone.py", "language": "python", "path": str(tmp_path / "gone.py")}
    (tmp_path / "buffers" / "a.json").write_text(json.dumps(gone))
    window = await made(tmp_path)
    assert not window.welcome.isVisible()
    window.add_panels(Workbench())
    window.start(None)
    assert window.welcome.isVisible()
    await closed(window)


async def test_f5_before_there_is_a_studio_runs_the_script_as_soon_as_there_is_one(tmp_path: Path):
    script = tmp_path / "mine.py"
    script.write_text("6 * 7\n")
    window = await made(tmp_path, expects_text=True)
    bench = Workbench()
    window.add_panels(bench)
    window.start(script)
    QTest.keyClick(window, Qt.Key.Key_F5)
    ended: asyncio.Future[dict] = asyncio.get_running_loop().create_future()
    bench.run_ended.connect(ended.set_result)
    bench.attach(Studio(Setup(functions=SAMPLE_TOOLS)))
    assert (await asyncio.wait_for(ended, 30))["value"] == 42
    assert not window.context.messages.isVisible()
    await closed(window)


async def test_ctrl_o_before_there_is_a_studio_asks_for_a_script(tmp_path: Path):
    window = await made(tmp_path)
    window.add_panels(Workbench())
    window.start(None)
    QTest.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.isVisible()
    dialog.close()
    await closed(window)


# Said by the offscreen platform itself at each popup.
@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
async def test_ctrl_p_before_there_is_a_studio_offers_tabs_and_examples(tmp_path: Path):
    window = await made(tmp_path)
    window.add_panels(Workbench())
    window.start(None)
    window.commands["goToAction"].trigger()
    assert not window.context.messages.isVisible()
    await closed(window)


async def test_the_runtime_that_was_chosen_is_chosen_at_the_next_start(tmp_path: Path):
    chosen = ""
    for _ in range(2):
        window = await made(tmp_path)
        window.add_panels(Workbench(Studio(Setup(functions=SAMPLE_TOOLS))))
        window.start(None)
        chosen = window.run_bar.runtime_id()
        window.run_bar.set_runtime("python-inprocess")
        await closed(window)
    assert chosen == "python-inprocess"


async def test_a_window_that_is_closed_before_it_has_panels_closes_when_it_has(tmp_path: Path):
    window = await made(tmp_path)
    window.close()
    assert window.isVisible()
    gone = asyncio.Event()
    window.closed.connect(gone.set)
    window.add_panels(Workbench())
    window.start(None)
    await asyncio.wait_for(gone.wait(), 30)
    window.deleteLater()
