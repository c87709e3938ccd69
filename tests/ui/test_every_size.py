"""The window in every size and zoom: no word is cut short unless an ellipsis and a tooltip say so, nothing overlaps."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QHelpEvent, QTextDocument
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabBar,
    QToolButton,
    QWidget,
)

from ptc_studio.ui.guide import CheatSheet
from ptc_studio.ui.run_bar.figures import DepthGauge
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.buttons import ActionButton
from ptc_studio.ui.widgets.labels import ElidedLabel
from ptc_studio.ui.widgets.layout import Scrolled
from ptc_studio.ui.widgets.picker import Picker
from tests.ui.conftest import NARROW, WIDE, every_font
from tests.ui.seen import child, figure, seen_texts

SIZES = [(1024, 700, 1.0), (1024, 700, 1.5), (1280, 800, 2.0), (1280, 800, 3.0), (1920, 1080, 3.0), (3840, 2160, 2.5)]
DECISIVE = [(1024, 700, 1.0), (1280, 800, 3.0)]
"""The least room at the usual zoom, and in all: here another font than the program's own would first be too wide."""
of_fonts_and_sizes = pytest.mark.parametrize(
    ("interface_font", "width", "height", "zoom"),
    [("", *size) for size in SIZES] + [(font, *size) for font in (WIDE, NARROW) for size in DECISIVE],
    indirect=["interface_font"],
)
SCRIPT = """\
done = fulfil_order(1004)
get_expenses("Ada")
print(done)
"""
LONG = "https://example.com/" + "a" * 300


@pytest.fixture(autouse=True)
def _usual_zoom() -> Iterator[None]:
    yield
    theme().set_zoom(1.0)


async def shaped(studio: Any, width: int, height: int, zoom: float) -> Any:
    theme().set_zoom(zoom)
    studio.window.resize(width, height)
    for _ in range(4):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        await asyncio.sleep(0.01)
    assert studio.window.size().toTuple() == (width, height), "nothing in it makes the window larger"
    return studio.window


def faults(root: QWidget) -> list[str]:
    """What is cut, or stands outside of what it belongs to."""
    shown = [widget for widget in root.findChildren(QWidget) if widget.isVisible() and widget.window() is root]
    words = [widget for widget in shown if isinstance(widget, QLabel | QPushButton | QToolButton)]
    cut = [f"cut: {_name(widget)}" for widget in words if _is_cut(widget)]
    fields = [*words, *(widget for widget in shown if isinstance(widget, QLineEdit | QComboBox))]
    return cut + [f"outside: {_name(widget)}" for widget in fields if _is_outside(widget)]


def _is_cut(widget: QLabel | QPushButton | QToolButton) -> bool:
    text = _plain(widget.text())
    # One that elides itself says the whole of it in its tooltip; so do Qt's own tool buttons.
    if not text or (isinstance(widget, ElidedLabel | QToolButton) and not isinstance(widget, ActionButton)):
        return bool(text) and _advance(widget, text) > widget.width() and not widget.toolTip()
    if isinstance(widget, QLabel) and widget.wordWrap():
        return max(_advance(widget, word) for word in re.split(r"\s+", text)) > widget.width() + 1
    return widget.sizeHint().width() > widget.width() + 1 and not _hides_by_choice(widget)


def _hides_by_choice(widget: QWidget) -> bool:
    """A label that was made to give way to what stands beside it, with a tooltip."""
    return isinstance(widget, QLabel) and widget.minimumWidth() == 1 and bool(widget.toolTip())


def _is_outside(widget: QWidget) -> bool:
    """Whether some of it is not seen, and cannot be scrolled to."""
    place = QRect(widget.rect())
    child: Any = widget
    while not child.isWindow():
        parent = child.parentWidget()
        if isinstance(parent.parentWidget(), QAbstractScrollArea) or isinstance(
            parent, QTabBar | QComboBox | QLineEdit
        ):
            return False
        place.translate(child.pos())
        # The edge of a field may lie on the frame around it.
        if not parent.rect().adjusted(-2, -2, 2, 2).contains(place):
            return True
        child = parent
    return False


def _advance(widget: QWidget, text: str) -> int:
    return widget.fontMetrics().horizontalAdvance(text)


def _plain(text: str) -> str:
    if "<" not in text:
        return text
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


def _name(widget: Any) -> str:
    chain, at = [], widget
    while at is not None and len(chain) < 5:
        chain.append(at.objectName() or type(at).__name__)
        at = at.parentWidget()
    return f"{'/'.join(reversed(chain))} {getattr(widget, 'text', lambda: '')()!r} {widget.geometry().getRect()}"


@of_fonts_and_sizes
async def test_no_word_of_the_window_is_cut_without_a_sign(studio: Any, width: int, height: int, zoom: float) -> None:
    await shaped(studio, width, height, zoom)
    assert faults(studio.window) == [], "the welcome page"
    await studio.run(SCRIPT)
    window = studio.window
    window.panels.calls.select_call("c1")
    window.panels.tools.select("get_expenses")
    await shaped(studio, width, height, zoom)
    assert faults(window) == []
    for place in range(window.panels.bottom.count()):
        window.panels.bottom.setCurrentIndex(place)
        await shaped(studio, width, height, zoom)
        assert faults(window) == [], window.panels.bottom.tabText(place)


@pytest.mark.parametrize(("width", "height", "zoom"), SIZES)
async def test_the_panels_never_lie_over_one_another(studio: Any, width: int, height: int, zoom: float) -> None:
    await studio.run(SCRIPT)
    studio.window.panels.calls.select_call("c1")
    studio.window.panels.tools.select("get_expenses")
    window = await shaped(studio, width, height, zoom)
    parts = [*window.panels.docks.all, window.centralWidget(), window.statusBar(), window.run_bar.parentWidget()]
    for place, one in enumerate(parts):
        assert window.rect().contains(one.geometry()), one.objectName()
        for other in parts[place + 1 :]:
            assert not one.geometry().intersects(other.geometry()), (one.objectName(), other.objectName())


@every_font
@pytest.mark.qt_log_ignore("support raise", extend=True)
async def test_the_run_bar_gives_way_in_its_order_and_takes_all_back(studio: Any) -> None:
    await studio.run(SCRIPT)
    window = await shaped(studio, 1280, 800, 1.0)
    bar = window.run_bar
    elapsed, calls, depth = (figure(bar, caption) for caption in ("Elapsed", "Calls", "Depth"))
    parts = (child(bar, DepthGauge), elapsed.caption, depth, calls, elapsed)
    assert all(part.isVisible() for part in parts)
    assert bar.limit.text() == "Limit  30 s"
    await shaped(studio, 1280, 800, 2.0)
    gauge, caption, _depth, *last = (part.isVisible() for part in parts)
    assert (gauge, caption, last) == (False, False, [True, True])
    assert bar.limit.text() == "30 s"
    await shaped(studio, 1280, 800, 3.0)
    assert [part.isVisible() for part in parts] == [False, False, False, False, True]
    QApplication.sendEvent(bar, QHelpEvent(QEvent.Type.ToolTip, QPoint(), bar.mapToGlobal(QPoint())))
    assert f"{calls.words} · {depth.words}" in bar.toolTip()
    assert bar.run_button.toolTip() == "Run (F5)"
    await shaped(studio, 1280, 800, 1.0)
    assert all(part.isVisible() for part in parts)
    QApplication.sendEvent(bar, QHelpEvent(QEvent.Type.ToolTip, QPoint(), bar.mapToGlobal(QPoint())))
    assert (bar.limit.text(), bar.toolTip()) == ("Limit  30 s", "")


async def test_the_status_line_cuts_a_long_note_and_tells_it_whole(studio: Any) -> None:
    note = "▲ odd.sh runs in Python, which is for .py files, and so on and on " * 3
    studio.window.status_line.set_note(note)
    window = await shaped(studio, 1024, 700, 1.5)
    [label] = [each for each in window.statusBar().findChildren(ElidedLabel) if each.toolTip() == note]
    assert label.is_cut
    assert "UTF-8" not in seen_texts(window.statusBar())
    assert window.statusBar().rect().contains(label.geometry())
    window.status_line.set_note("")
    await shaped(studio, 1024, 700, 1.0)
    assert "UTF-8" in seen_texts(window.statusBar())


async def test_an_argument_without_spaces_is_broken_where_it_must_be(studio: Any) -> None:
    await studio.run(f"try:\n    get_expenses({LONG!r})\nexcept Exception:\n    pass\n")
    studio.window.panels.calls.select_call("c1")
    window = await shaped(studio, 1024, 700, 1.0)
    call = window.panels.inspector.summary.call
    assert call.document().size().width() <= call.width()
    assert call.height() >= 3 * call.fontMetrics().height()
    assert window.panels.inspector.width() <= window.panels.docks.inspector.width()


async def test_buttons_that_have_no_room_are_in_a_menu(studio: Any) -> None:
    studio.type("1")
    await shaped(studio, 1280, 800, 1.0)
    column = studio.window.panels.output.tab_buttons
    assert not column.more.isVisible()
    await shaped(studio, 1280, 800, 3.0)
    hidden = [button.toolTip() for button in column.buttons if not button.isVisible()]
    assert hidden
    assert column.more.isVisible()
    menu = column.menu()
    assert [action.text() for action in menu.actions()] == hidden
    wrap = next(action for action in menu.actions() if action.text() == "Wrap long lines")
    wrap.trigger()
    assert studio.window.panels.output.wrap_button.isChecked()


@of_fonts_and_sizes
async def test_dialogs_fit_the_window(studio: Any, width: int, height: int, zoom: float) -> None:
    from ptc_studio.ui.aliases.actions import open_new_alias
    from ptc_studio.ui.sources.actions import open_add_source

    window = await shaped(studio, width, height, zoom)
    sheet = CheatSheet(window, window.commands)
    source: Any = open_add_source(window.context)
    source.show_form("mcp", {"name": "github", "command": "npx"})
    window.commands["grantsAction"].trigger()
    grants = next(dialog for dialog in window.findChildren(QDialog) if dialog.objectName() == "grantDialog")
    alias: Any = open_new_alias(window.context, "get_expenses")
    for dialog in (sheet, source, grants, alias):
        dialog.show()
        await shaped(studio, width, height, zoom)
        assert dialog.width() <= width, dialog.windowTitle()
        assert dialog.height() <= height, dialog.windowTitle()
        buttons = [
            button for button in dialog.findChildren(QPushButton) if button.text() in ("Cancel", "Close", "Save")
        ]
        assert buttons
        for button in buttons:
            if button.isVisible():
                assert dialog.rect().contains(QRect(button.mapTo(dialog, button.rect().topLeft()), button.size()))
        dialog.close()
        await asyncio.sleep(0.01)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
async def test_the_list_of_commands_grows_with_the_zoom_and_stays_in_the_window(studio: Any) -> None:
    window = await shaped(studio, 1280, 800, 3.0)
    window.commands["paletteAction"].trigger()
    picker = window.findChild(Picker)
    assert picker.width() == 1240
    assert window.frameGeometry().contains(picker.geometry())
    picker.close()


def test_what_is_too_large_is_scrolled_and_what_fits_is_not(qtbot: Any) -> None:
    inner = QLabel("x")
    inner.setMinimumSize(300, 200)
    area = Scrolled(inner)
    qtbot.addWidget(area)
    area.resize(400, 300)
    area.show()
    assert inner.size().toTuple() == (400, 300)
    area.resize(200, 300)
    assert inner.width() == 300
    assert area.horizontalScrollBar().maximum() > 0
    assert area.verticalScrollBar().maximum() == 0
    assert area.minimumSizeHint().width() < 100


def test_a_cut_label_says_all_of_it(qtbot: Any) -> None:
    label = ElidedLabel("a workspace with a very long name", about="The workspace that is open")
    qtbot.addWidget(label)
    label.resize(label.sizeHint())
    label.show()
    assert not label.is_cut
    assert label.toolTip() == "The workspace that is open"
    label.resize(label.minimumSizeHint())
    assert label.is_cut
    assert label.toolTip() == "a workspace with a very long name\nThe workspace that is open"
    label.grab()
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    label.grab()
