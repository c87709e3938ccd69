"""No word of a server's or a script's is taken for markup, wherever the window shows it."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import Qt, QTextDocument
from PySide6.QtWidgets import QLabel, QTabWidget, QWidget

import ptc_studio.ui
from ptc_studio.core.python_text import parsed
from ptc_studio.ui.widgets.buttons import TabCorner
from ptc_studio.ui.widgets.labels import ElidedLabel, EmptyState, PlainLabel, plain_tip
from ptc_studio.ui.widgets.pages import StillBrowser, WholeLinesBrowser

ROOT = Path(ptc_studio.ui.__file__).parent
OWN = {ROOT / "widgets" / "labels.py", ROOT / "widgets" / "pages.py"}
TIPS = {"setToolTip": -1, "setStatusTip": -1, "setWhatsThis": -1, "showText": 1}


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    """A picture that whoever wants to show it waits for until the end of time."""
    path = tmp_path / "picture.png"
    os.mkfifo(path)
    return f'<b>Reads</b> <img src="{path}"> & more\nthan one line'


@pytest.mark.parametrize("make", [PlainLabel, ElidedLabel, EmptyState])
def test_a_label_shows_markup_as_it_is(qtbot: Any, hostile: str, make: Any) -> None:
    label: QLabel = make(hostile)
    qtbot.addWidget(label)
    label.show()
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text() == hostile
    label.grab()


def test_a_tooltip_shows_markup_as_it_is(qtbot: Any, hostile: str) -> None:
    shown = QTextDocument()
    shown.setHtml(plain_tip(hostile))
    assert shown.toPlainText() == hostile


@pytest.mark.parametrize("text", ["", "plain", "a < b", "list[int] -> dict & more", "two\nlines"])
def test_a_tooltip_that_is_no_markup_stays_as_it_is(text: str) -> None:
    assert plain_tip(text) == text


def test_a_page_reads_no_file_whatever_it_shows(qtbot: Any, hostile: str) -> None:
    page = StillBrowser()
    qtbot.addWidget(page)
    page.setHtml(f"<p>before {hostile} after</p>")
    page.show()
    page.grab()
    assert "before Reads" in page.toPlainText()


def test_a_page_that_is_too_long_for_its_room_ends_below_a_line(qtbot: Any) -> None:
    page = WholeLinesBrowser()
    qtbot.addWidget(page)
    page.setHtml(
        "<div>price(sku, qty)</div><p>" + "What it does. " * 20 + "</p><table><tr><td>a</td><td>b<br>c</td></table>"
    )
    page.show()
    bands = set[tuple[int, int]]()
    for height in range(60, 200, 3):
        page.resize(180, height)
        end = page.viewport().height()
        cursor = page.cursorForPosition(QPoint(4, end - 1))
        assert page.cursorRect(cursor).bottom() <= end, height
        bands.add((height, end))
    assert len({end for _, end in bands}) < len(bands) / 3, "it ends at lines, and not where the room does"


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(parsed(path.read_text())):
            if isinstance(node, ast.Call) and path not in OWN:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def _is_ours(node: ast.expr) -> bool:
    """Whether the text is written in this program, or has been through `plain_tip`."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name.isupper()
        case ast.IfExp(body=body, orelse=other):
            return _is_ours(body) and _is_ours(other)
        case ast.Call(func=ast.Name(id="plain_tip")):
            return True
        case _:
            return False


def test_every_label_and_page_is_a_plain_one() -> None:
    found = [
        place for place, call in _calls() if getattr(call.func, "id", "") in ("QLabel", "QTextBrowser", "QTextEdit")
    ]
    bases = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in ROOT.rglob("*.py")
        for node in ast.walk(parsed(path.read_text()))
        if isinstance(node, ast.ClassDef) and path not in OWN
        for base in node.bases
        if getattr(base, "id", "") in ("QLabel", "QTextBrowser", "QTextEdit")
    ]
    assert found + bases == []


def test_every_tooltip_is_ours_or_plain() -> None:
    found = [
        place
        for place, call in _calls()
        if isinstance(call.func, ast.Attribute) and call.func.attr in TIPS
        if not _is_ours(call.args[TIPS[call.func.attr]])
    ]
    assert found == []


def test_every_tooltip_of_a_models_item_is_plain() -> None:
    """What follows a question for the role, up to the next one, gives nothing else."""
    found = []
    for path in ROOT.rglob("*.py"):
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            if "ToolTipRole" in line and "def " not in line:
                answer = next((each for each in lines[number:] if "return" in each or "setData" in each), "")
                if "plain_tip(" not in answer and "plain_tip(" not in line:
                    found.append(f"{path.relative_to(ROOT)}:{number + 1}")
    assert found == []


def test_every_box_says_what_its_text_is_before_it_has_one() -> None:
    for path in ROOT.rglob("*.py"):
        text = path.read_text()
        if "QMessageBox(" in text:
            assert text.index("setTextFormat(Qt.TextFormat.PlainText)") < text.index("box.setText("), path
            assert all(len(call.args) <= 1 for place, call in _calls() if getattr(call.func, "id", "") == "QMessageBox")


def test_a_note_beside_tabs_gives_way_to_them(qtbot) -> None:
    tabs = QTabWidget(documentMode=True)
    qtbot.addWidget(tabs)
    for name in ("Output", "Timeline", "Problems"):
        tabs.addTab(QWidget(), name)
    corner = TabCorner(tabs)
    note = corner.note
    tabs.resize(900, 200)
    tabs.show()
    corner.show_message("40 at once · 6.9 s of waiting saved")
    assert note.isVisible()
    tabs.resize(320, 200)
    assert not note.isVisible()
    tabs.resize(900, 200)
    assert note.isVisible()
    corner.show_message("")
    assert not note.isVisible()
