"""Everything can be read and reached without eyes or mouse: names and roles, focus, contrast, no motion of its own."""

import ast
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor, QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import ptc_studio.ui
from ptc_studio.core.python_text import parsed
from ptc_studio.ui.main_window import desktop_zoom
from ptc_studio.ui.present.stage import Stage
from ptc_studio.ui.settings.dialog import SettingsDialog
from ptc_studio.ui.tokens import DARK, LIGHT, Colours
from ptc_studio.ui.widgets.notice_bar import NoticeBar
from ptc_studio.ui.widgets.picker import Picker
from tests.ui.conftest import WindowStudio

MOST_CHILDREN = 60
"""Of a table or a text: the cells are alike."""


def interfaces(widget: QWidget) -> list[Any]:
    """Every visible part below the widget, as a screen reader walks it."""
    found: list[Any] = []
    waiting = [QAccessible.queryAccessibleInterface(widget)]
    while waiting:
        each = waiting.pop()
        if each is None or not each.isValid() or each.state().invisible:
            continue
        found.append(each)
        waiting += [each.child(number) for number in range(min(each.childCount(), MOST_CHILDREN))]
    return found


def nameless(widget: QWidget) -> list[str]:
    """What can have the keyboard and says neither what it is nor what it is for."""
    missing = []
    for each in interfaces(widget):
        thing = each.object()
        if not each.state().focusable or not isinstance(thing, QWidget) or not thing.isVisible():
            continue
        if each.role() == QAccessible.Role.NoRole or not each.text(QAccessible.Text.Name).strip():
            missing.append(f"{type(thing).__name__} {thing.objectName()!r} in {type(thing.parent()).__name__}")
    return missing


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
async def test_whatever_has_the_keyboard_has_a_name_and_a_role(studio: WindowStudio):
    await studio.run("for sku in ('LMP-01', 'MUG-01'):\n    print(stock_level(sku))\n1 / 0\n")
    window = studio.window
    assert len(interfaces(window)) > 100
    for panel in ("output", "timeline", "problems", "history", "difference", "matrix", "answers"):
        window.panels.select_tab(panel)
        await studio.until(window.panels[panel].isVisible)
        assert nameless(window) == [], panel
    window.commands["settingsAction"].trigger()
    dialog = window.findChild(SettingsDialog)
    assert nameless(dialog) == []
    dialog.close()
    for command, kind in (("exportAction", Picker), ("presentAction", Stage)):
        window.commands[command].trigger()
        await studio.until(lambda kind=kind: window.findChild(kind) is not None)
        shown = window.findChild(kind)
        assert nameless(shown) == [], kind
        assert shown.accessibleName()
        shown.close()


async def test_the_keyboard_goes_round_the_whole_window(studio: WindowStudio):
    window = studio.window
    window.activateWindow()
    window.panels.history.search.setFocus()
    seen: list[QWidget] = []
    for _ in range(200):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        here = QApplication.focusWidget()
        assert here is not None
        # A label with links has the keyboard once for each of them.
        if seen and here is seen[0] and len(set(map(id, seen))) > 1:
            break
        seen.append(here)
    names = {widget.objectName() for widget in seen}
    told = " ".join(f"{type(widget).__name__}:{widget.objectName()}" for widget in seen)
    assert {"toolFilter", "toolTree", "runtimeSelector", "timeLimit"} <= names, told


@pytest.mark.parametrize("name", ["toolFilter", "toolTree", "callTree", "historySearch", "runtimeSelector"])
async def test_where_the_keyboard_is_can_be_seen(studio: WindowStudio, name: str):
    window = studio.window
    await studio.run("stock_level('LMP-01')\n")
    window.panels.select_tab("history")
    widget = window.findChild(QWidget, name)
    window.editors.setFocus()
    before = widget.grab().toImage()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    await studio.until(widget.hasFocus)
    QTest.keyClick(widget, Qt.Key.Key_Down)
    assert widget.grab().toImage() != before


def luminance(colour: str) -> float:
    parts = [
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4
        for value in QColor(colour).getRgbF()[:3]
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


WORDS = ("text", "muted", "accent", "ok", "error", "warning", "tool", "comment", "keyword", "string", "number")


@pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
def test_words_stand_out_from_what_they_stand_on(colours: Colours):
    pairs = [(word, "panel") for word in WORDS] + [("text", ground) for ground in ("ground", "raised", "selection")]
    pairs += [("muted", "ground"), ("muted", "raised"), ("on_accent", "accent"), ("redacted", "redacted_ground")]
    weak = {pair: round(contrast(getattr(colours, pair[0]), getattr(colours, pair[1])), 2) for pair in pairs}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 4.5} == {}


def test_nothing_moves_but_the_notice_that_fades():
    root = Path(ptc_studio.ui.__file__).parent
    moving = {"QPropertyAnimation", "QVariantAnimation", "QTimeLine", "QMovie", "QSequentialAnimationGroup"}
    found = {
        (path.name, node.id)
        for path in root.rglob("*.py")
        for node in ast.walk(parsed(path.read_text()))
        if isinstance(node, ast.Name) and node.id in moving
    }
    assert found == {("notice_bar.py", "QPropertyAnimation")}


async def test_where_the_desktop_wants_no_motion_a_notice_goes_at_once(
    studio: WindowStudio, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ptc_studio.ui.widgets.notice_bar.FADE_AFTER", 1)
    monkeypatch.setattr("ptc_studio.ui.widgets.notice_bar.wants_no_motion", lambda _widget: True)
    notice = NoticeBar(studio.window)
    notice.lie_over(studio.window.centralWidget())
    notice.show_message("done", "done")
    assert notice.isVisible()
    await studio.until(lambda: not notice.isVisible())
    assert notice.graphicsEffect() is None


class BareApplication:
    """An application as the desktop gives it, with a font of that size."""

    def __init__(self, pixels: int) -> None:
        self._font = QFont()
        self._font.setPixelSize(pixels)

    def styleSheet(self) -> str:
        return ""

    def font(self) -> QFont:
        return self._font


@pytest.mark.parametrize(("pixels", "zoom"), [(11, 1.0), (13, 1.0), (15, 1.0), (20, 1.5), (26, 2.0)])
def test_a_desktop_with_large_type_gets_a_large_window(qapp: QApplication, pixels: int, zoom: float):
    assert desktop_zoom(BareApplication(pixels)) == zoom
