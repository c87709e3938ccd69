"""The panels in the smallest window, and in another zoom: nothing is hidden that a person wants to reach."""

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QToolButton

from ptc_studio.ui.theme import theme

SMALLEST, USUAL = (1024, 700), (1280, 800)


async def resized(studio: Any, width: int, height: int) -> Any:
    """The window in that size, with a text in it: the panels about runs are there from the first one on."""
    if not studio.window.editors.pages:
        studio.type("1")
    studio.window.resize(width, height)
    await studio.until(lambda: studio.window.size().toTuple() == (width, height))
    await settled()
    return studio.window


async def settled() -> None:
    """Until all that was asked for is laid out."""
    for _ in range(3):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        await asyncio.sleep(0.01)


def sizes(window: Any) -> tuple[int, int, int]:
    docks = window.panels.docks
    return docks.tools.width(), docks.calls.width(), docks.bottom.height()


@pytest.mark.parametrize("size", [SMALLEST, USUAL])
@pytest.mark.parametrize("mode", ["dark", "light"])
async def test_every_tab_below_the_editor_is_seen_whole(studio: Any, size: tuple[int, int], mode: Any) -> None:
    theme().set_mode(mode)
    await studio.run("1\n")
    await studio.until(lambda: studio.window.panels.bottom.tabBar().isTabVisible(_tab(studio, "History")))
    studio.type("add(1, 2, 3, 4)\n" * 12)
    studio.window.commands["breakpointAction"].trigger()
    await studio.until(lambda: studio.window.panels.tab_text("problems") == "Problems 12")
    window = await resized(studio, *size)
    bar = window.panels.bottom.tabBar()
    assert not [button for button in bar.findChildren(QToolButton) if button.isVisible()], "none has to be scrolled to"
    assert window.panels.bottom.minimumSizeHint().width() <= window.panels.docks.bottom.width(), "none pushes it out"
    for index in filter(bar.isTabVisible, range(bar.count())):
        bar.setCurrentIndex(index)
        await settled()
        assert bar.rect().contains(bar.tabRect(index)), bar.tabText(index)
        assert bar.tabToolTip(index)
    assert studio.window.panels.tab_text("answers") == "Breakpoints & mocks 1"
    last = [bar.tabText(index) for index in range(bar.count()) if bar.isTabVisible(index)][-1]
    assert last == ("Breakpoints 1" if size == SMALLEST else "Breakpoints && mocks 1")


async def test_the_halves_of_the_answers_stand_one_above_the_other_where_there_is_little_room(studio: Any) -> None:
    window = await resized(studio, *SMALLEST)
    panel = window.panels.answers
    window.panels.select_tab("answers")
    await settled()
    assert panel.halves.orientation() == Qt.Orientation.Vertical
    for section in (panel.breakpoints, panel.mocks):
        for button in section.findChildren(QToolButton):
            assert button.width() >= button.sizeHint().width(), button.text()
            assert section.rect().contains(button.geometry())
    await resized(studio, 1440, 900)
    assert panel.halves.orientation() == Qt.Orientation.Horizontal


async def test_the_panels_grow_with_the_zoom_and_leave_the_script_its_place(studio: Any) -> None:
    window = await resized(studio, 2560, 1500)
    third, usual = 2560 // 3, (332, 2560 // 3, 420)
    assert sizes(window) == usual
    theme().set_zoom(2.0)
    await studio.until(lambda: sizes(window) == (500, third, 520))
    theme().set_zoom(3.0)
    await studio.until(lambda: sizes(window)[1] > 900)
    tools, calls, _ = sizes(window)
    assert tools + calls <= 0.6 * window.width()
    theme().set_zoom(1.0)
    await studio.until(lambda: sizes(window) == usual)


async def test_what_the_user_made_wider_is_so_in_another_zoom(studio: Any) -> None:
    window = await resized(studio, 2560, 1500)
    _send(window, QEvent.Type.MouseButtonPress)
    window.resizeDocks([window.panels.docks.tools], [350], Qt.Orientation.Horizontal)
    await studio.until(lambda: sizes(window)[0] == 350)
    _send(window, QEvent.Type.MouseButtonRelease)
    theme().set_zoom(1.2)
    await studio.until(lambda: sizes(window)[0] == 420)
    window.panels.docks.put_back()
    await studio.until(lambda: sizes(window)[0] == 332)
    await resized(studio, 1440, 900)
    await studio.until(lambda: sizes(window)[0] == 300)
    theme().set_zoom(1.0)
    await studio.until(lambda: sizes(window)[0] == 250)


async def test_what_was_kept_grows_with_the_zoom_from_there(studio: Any) -> None:
    window = await resized(studio, 2560, 1500)
    _send(window, QEvent.Type.MouseButtonPress)
    docks = window.panels.docks
    window.resizeDocks([docks.tools, docks.calls], [350, 420], Qt.Orientation.Horizontal)
    await studio.until(lambda: sizes(window)[:2] == (350, 420))
    _send(window, QEvent.Type.MouseButtonRelease)
    await studio.close()
    await studio.open()
    window = await resized(studio, 2560, 1500)
    kept = sizes(window)[0]
    assert kept > 300
    theme().set_zoom(1.2)
    await studio.until(lambda: sizes(window)[0] == round(kept * 1.2))


async def test_sizes_that_nobody_chose_follow_the_window_after_a_restart_too(studio: Any) -> None:
    await resized(studio, 1280, 800)
    await studio.close()
    await studio.open()
    window = await resized(studio, 2560, 1500)
    await studio.until(lambda: sizes(window) == (332, 2560 // 3, 420))


async def test_in_the_smallest_window_the_zoom_takes_nothing_from_the_script(studio: Any) -> None:
    window = await resized(studio, *SMALLEST)
    before = sizes(window)
    theme().set_zoom(1.5)
    await studio.until(lambda: sizes(window)[2] > before[2])
    assert sizes(window)[:2] == before[:2]


def _tab(studio: Any, title: str) -> int:
    bar = studio.window.panels.bottom.tabBar()
    return next(index for index in range(bar.count()) if bar.tabText(index) == title)


def _send(window: Any, kind: QEvent.Type) -> None:
    """As the window gets it when one of the lines between its panels is dragged."""
    button = Qt.MouseButton.LeftButton
    QApplication.sendEvent(
        window, QMouseEvent(kind, QPointF(1, 1), QPointF(1, 1), button, button, Qt.KeyboardModifier.NoModifier)
    )
