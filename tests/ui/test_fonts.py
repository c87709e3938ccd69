"""The fonts that come with the program: there, used, the same everywhere, with every mark; and the user's own choice."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QFont, QFontInfo, QFontMetrics, QRawFont
from PySide6.QtWidgets import QApplication

from ptc_studio.locations import FONTS
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.run_bar.figures import Figure
from ptc_studio.ui.theme import CODE_FONT, FIRST_FACES, INTERFACE_FONT, OTHER_FACES, theme
from ptc_studio.ui.widgets.item_views import tabular

SOURCES = Path(__file__).parents[2] / "ptc_studio" / "ui"
FACES = [*FIRST_FACES, *OTHER_FACES]
MOST_BYTES = 2_500_000


def test_every_face_has_its_licence_beside_it_and_all_are_small():
    families = {face.partition("-")[0] for face in FACES}
    assert {path.name for path in FONTS.iterdir()} == {*FACES, *(f"{family}-LICENSE.txt" for family in families)}
    for licence in FONTS.glob("*-LICENSE.txt"):
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence.read_text()
    assert sum(path.stat().st_size for path in FONTS.iterdir()) < MOST_BYTES


MEASURE = """
from PySide6.QtGui import QFontInfo, QFontMetrics
from PySide6.QtWidgets import QApplication
from ptc_studio.ui.theme import theme
application = QApplication(["measure"])
theme().load_other_faces()
for zoom in (0.6, 1.0, 3.0):
    theme().set_zoom(zoom)
    for font in (theme().text_font(), theme().text_font(bold=True), theme().code_font()):
        metrics = QFontMetrics(font)
        print(QFontInfo(font).family(), metrics.horizontalAdvance("Run 0123456789 … ◐✕"), metrics.height(), sep=":")
"""
FONTCONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <cachedir>{folder}/cache</cachedir>
  <match target="font"><edit name="hintstyle" mode="assign"><const>{hints}</const></edit></match>
  {fonts}
</fontconfig>
"""
MEASURED = """\
Inter:88:10
Inter:89:10
JetBrains Mono:93:10
Inter:142:16
Inter:145:16
JetBrains Mono:152:17
Inter:428:47
Inter:434:47
JetBrains Mono:456:52
"""
SYSTEM = "<dir>/usr/share/fonts</dir>"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere fonts are not fontconfig's")
@pytest.mark.parametrize(("hints", "fonts"), [("hintfull", SYSTEM), ("hintnone", SYSTEM), ("hintfull", "")])
def test_the_window_measures_the_same_on_every_machine(tmp_path: Path, hints: str, fonts: str):
    (tmp_path / "fonts.conf").write_text(FONTCONFIG.format(folder=tmp_path, hints=hints, fonts=fonts))
    environment = os.environ | {
        "FONTCONFIG_FILE": str(tmp_path / "fonts.conf"),
        "PYTHONPATH": str(SOURCES.parents[1]),
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == MEASURED


@pytest.mark.parametrize(
    ("weight", "italic", "face"),
    [
        (QFont.Weight.Normal, False, "JetBrainsMono-Regular"),
        (QFont.Weight.Bold, False, "JetBrainsMono-Bold"),
        (QFont.Weight.Normal, True, "JetBrainsMono-Italic"),
        (QFont.Weight.Bold, True, "JetBrainsMono-BoldItalic"),
    ],
)
def test_bold_and_italic_output_have_faces_of_their_own(qapp: QApplication, weight: Any, italic: bool, face: str):
    font = theme().code_font()
    font.setWeight(weight)
    font.setItalic(italic)
    drawn, own = QRawFont.fromFont(font), QRawFont(str(FONTS / f"{face}.ttf"), font.pixelSize())
    assert (drawn.familyName(), drawn.styleName()) == (own.familyName(), own.styleName())


def test_all_digits_are_equally_wide(qtbot: Any):
    figure = Figure("Elapsed")
    qtbot.addWidget(figure)
    for font in (figure.value.font(), tabular(theme().text_font()), theme().code_font()):
        assert len({QFontMetrics(font).horizontalAdvance(digit * 8) for digit in "0123456789"}) == 1


def test_every_mark_of_the_window_is_in_the_fonts_that_come_with_it(qapp: QApplication):
    own = [QRawFont(str(FONTS / face), 13) for face in FACES if "Regular" in face]
    text = "".join(path.read_text() for path in SOURCES.rglob("*.py"))
    marks = set(re.findall(r"[^\x00-\x7f]", text)) - {"�"}
    assert [mark for mark in sorted(marks) if not any(font.supportsCharacter(ord(mark)) for font in own)] == []


async def test_the_fonts_that_the_settings_name_are_used(studio: Any):
    await studio.close()
    settings = Settings(studio.data / "settings.json")
    settings.set("interface_font", CODE_FONT.lower())
    settings.set("code_font", INTERFACE_FONT)
    await studio.open()
    bar = studio.window.run_bar
    assert QFontInfo(bar.limit.font()).family() == CODE_FONT
    assert QFontInfo(theme().code_font()).family() == INTERFACE_FONT
    assert not studio.window.context.messages.isVisible()


async def test_a_font_that_is_not_installed_is_told_and_the_usual_used(studio: Any):
    await studio.close()
    Settings(studio.data / "settings.json").set("code_font", "Nowhere Mono")
    await studio.open()
    told = studio.window.context.messages.message
    assert f"The font 'Nowhere Mono' that {studio.data / 'settings.json'} names is not installed" in told
    assert QFontInfo(theme().code_font()).family() == CODE_FONT


async def test_a_choice_that_is_no_name_is_told(studio: Any):
    await studio.close()
    Settings(studio.data / "settings.json").set("interface_font", 12)
    await studio.open()
    assert "'interface_font' must be the name of a font" in studio.window.context.messages.message
    assert QFontInfo(theme().text_font()).family() == INTERFACE_FONT
