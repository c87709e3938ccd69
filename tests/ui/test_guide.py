"""The guide: every page and link of it is there, names what the window has, and is shown offline."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QWidget

from ptc_studio.locations import GUIDE
from ptc_studio.ui.commands import Actions
from ptc_studio.ui.guide import FIRST, Guide, PictureView, open_guide, page_for, picture_of, topics
from ptc_studio.ui.language.names import EXTENSIONS, PLAIN
from ptc_studio.ui.panels import panel_commands
from ptc_studio.ui.theme import theme

PAGES = sorted(GUIDE.glob("*.md"))


pytestmark = pytest.mark.qt_log_ignore("does not support raise", extend=True)


@pytest.fixture
def guide(qtbot, dressed) -> Iterator[Guide]:
    parent = QWidget()
    parent.resize(1280, 800)
    qtbot.addWidget(parent)
    guide = Guide(parent)
    guide.show_page(FIRST)
    yield guide
    parent.close()


def test_every_page_is_a_topic_and_every_topic_a_page() -> None:
    named = [page for _, page in topics() if page]
    assert sorted(named) == sorted(path.name for path in PAGES if path.name != "README.md")
    assert len(set(named)) == len(named)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links_and_pictures_lead_somewhere(path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\[[^\]]+\]\(([^)]+)\)", text.partition("```")[0]):
        if target.startswith("pictures/"):
            for mode in ("dark", "light"):
                name = target.removeprefix("pictures/").replace("dark", mode)
                assert (GUIDE / "pictures" / name).is_file(), name
                assert (GUIDE / "pictures" / "large" / name).is_file(), name
        else:
            assert (GUIDE / target).is_file(), target


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_commands_and_keys_that_are_named_are_there(path, qtbot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    commands = Actions(window, panel_commands())
    text = path.read_text(encoding="utf-8")
    known = {f"{each.menu}, {each.text.rstrip('…')}" for each in commands.all}
    named = re.findall(r"\*\*((?:File|Edit|View|Run|Tools|Help), [^*]+)\*\*", text)
    assert [each for each in named if each not in known] == []
    keys = {QKeySequence(key).toString() for each in commands.all for key in each.keys}
    pressed = re.findall(r"`((?:Ctrl\+|Shift\+)*(?:F\d+|(?<=\+)\w))`", text)
    assert [each for each in pressed if QKeySequence(each).toString() not in keys] == []


def test_a_page_is_chosen_from_the_list_and_by_a_link(guide: Guide) -> None:
    assert "programmatic tool calling" in guide.page.toPlainText().lower()
    guide.page.anchorClicked.emit(QUrl("first_hour.md"))
    assert guide.page.page == "first_hour.md"
    assert guide.list.currentItem().text() == "The first hour"
    for row in range(guide.list.count()):
        guide.list.setCurrentRow(row)
        assert len(guide.page.toPlainText()) > 100


def test_pictures_are_those_of_the_appearance_and_fit_the_page(guide: Guide) -> None:
    guide.show_page("first_hour.md")
    shown = guide.page.loadResource(2, "pictures/start-dark.png")
    assert isinstance(shown, QImage)
    assert 600 < shown.width() < guide.page.viewport().width(), "made to fit, so that letters stay smooth"
    assert guide.page.document().idealWidth() <= guide.page.viewport().width()
    theme().set_mode("light")
    assert guide.page.loadResource(2, "pictures/start-dark.png") != shown


def test_a_picture_is_seen_large_by_a_click_and_by_the_keyboard(guide: Guide, qtbot) -> None:
    guide.show_page("first_hour.md")
    block = guide.page.document().begin()
    while not (spot := block.begin()).fragment().charFormat().isImageFormat():
        block = block.next()
    format_ = spot.fragment().charFormat()
    assert format_.isAnchor()
    guide.page.anchorClicked.emit(QUrl(format_.anchorHref()))
    view = guide.findChild(PictureView)
    assert view is not None
    small, large = (picture_of("pictures/start-dark.png", large=each) for each in (False, True))
    assert large.width() > small.width()
    shown, screen = view.picture.pixmap(), guide.screen().availableSize()
    assert shown.width() <= screen.width()
    wanted = large if large.width() < screen.width() else small
    assert shown.width() * wanted.height() == pytest.approx(shown.height() * wanted.width(), rel=0.01)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not view.isVisible())


@pytest.mark.parametrize("name", ["/etc/passwd", "../../icons/app.svg", "pictures/../../../README.md", "x.png"])
def test_nothing_else_is_read(guide: Guide, name: str) -> None:
    assert guide.page.loadResource(2, QUrl(name)).width() == 1


def test_there_is_one_guide_a_window(guide: Guide) -> None:
    assert open_guide(guide.parentWidget(), "python.md") is guide
    assert guide.page.page == "python.md"


def test_each_language_has_its_page() -> None:
    # Endings that were learnt from a runtime may be of a text that the editor does not know, or of another language.
    assert {page_for(language) for language in EXTENSIONS.values() if language != PLAIN} >= {
        "python.md", "javascript.md", "typescript.md", "bash.md", "go.md", "rust.md", "csharp.md", "wasm.md",
    }  # fmt: skip
    assert page_for("cobol") == FIRST
