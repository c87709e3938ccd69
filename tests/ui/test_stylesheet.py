"""Tests of how the application looks."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QIcon, QImage
from PySide6.QtWidgets import QCheckBox, QWidget

from ptc_studio.ui.stylesheet import palette, ratio, readable, rgb, stylesheet
from ptc_studio.ui.theme import ICONS, app_icon, icon, set_icon, theme
from ptc_studio.ui.tokens import DARK, LIGHT, Colours

APPEARANCES = pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
ON_PANEL = (
    "text",
    "muted",
    "accent",
    "ok",
    "error",
    "warning",
    "tool",
    "redacted",
    "comment",
    "keyword",
    "string",
    "number",
)


@APPEARANCES
@pytest.mark.parametrize("name", ON_PANEL)
def test_text_on_a_panel_can_be_read(colours: Colours, name: str) -> None:
    assert ratio(rgb(getattr(colours, name)), rgb(colours.panel)) >= 4.5


@APPEARANCES
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("text", "ground"),
        ("text", "raised"),
        ("text", "selection"),
        ("muted", "ground"),
        ("muted", "raised"),
        ("on_accent", "accent"),
        ("redacted", "redacted_ground"),
        ("error", "raised"),
        ("ok", "raised"),
    ],
)
def test_text_on_other_grounds_can_be_read(colours: Colours, text: str, ground: str) -> None:
    assert ratio(rgb(getattr(colours, text)), rgb(getattr(colours, ground))) >= 4.5


@APPEARANCES
def test_any_colour_is_made_readable(colours: Colours) -> None:
    panel = rgb(colours.panel)
    for colour in ((0, 0, 0), (255, 255, 255), (20, 20, 90), (255, 255, 0), (128, 128, 128)):
        assert ratio(readable(colour, panel), panel) >= 4.5


@pytest.mark.parametrize("mode", ["dark", "light"])
@pytest.mark.parametrize("zoom", [1.0, 2.5])
def test_qt_understands_the_whole_sheet(qapp, qtlog, mode, zoom) -> None:
    theme().set_mode(mode)
    theme().set_zoom(zoom)
    try:
        sheet = stylesheet(theme())
        assert "$" not in sheet
        widget = QWidget()
        widget.setStyleSheet(sheet)
        QCheckBox("Ticked", widget)
        widget.show()
        assert [record.message for record in qtlog.records if "parse" in record.message.lower()] == []
        assert palette(theme()).window().color().name() == theme().colours.ground
    finally:
        theme().set_zoom(1.0)
        theme().set_mode("system")


@pytest.mark.parametrize("name", ["für später", "Projekte (neu)", "it's", 'a "quoted" one', "semi;colon"])
def test_its_images_are_found_whatever_the_folder_is_called(qapp, qtbot, monkeypatch, tmp_path, name: str) -> None:
    def drawn() -> QImage:
        box = QCheckBox("Ticked")
        qtbot.addWidget(box)
        box.setStyleSheet(stylesheet(theme()))
        box.setChecked(True)
        return box.grab().toImage()

    usual = drawn()
    (tmp_path / name).mkdir()
    monkeypatch.setattr("ptc_studio.ui.theme._folder", lambda: tmp_path / name)
    assert drawn() == usual


def test_every_icon_draws_something(qapp) -> None:
    for file in ICONS.glob("*.svg"):
        image = icon(file.stem).pixmap(QSize(16, 16)).toImage()
        assert any(image.pixelColor(x, y).alpha() for x in range(16) for y in range(16)), file.name


def test_an_icon_is_as_sharp_as_the_screen(qapp) -> None:
    assert icon("run").pixmap(QSize(16, 16), 2.0).size() == QSize(32, 32)
    assert not app_icon().isNull()


def test_an_icon_follows_the_theme(qapp) -> None:
    theme().set_mode("dark")
    action = QAction("Run")
    set_icon(action, "run", "text")
    before = action.icon().cacheKey()
    theme().set_mode("light")
    assert action.icon().cacheKey() != before
    theme().set_mode("system")


def test_what_is_disabled_has_a_fainter_icon(qapp) -> None:
    def strength(mode: QIcon.Mode) -> int:
        return icon("stop").pixmap(QSize(16, 16), 1.0, mode).toImage().pixelColor(8, 8).alpha()

    assert strength(QIcon.Mode.Disabled) < strength(QIcon.Mode.Normal)
