"""Finding and replacing."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.editor.find_bar import FindBar
from tests.ui.seen import child


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[FindBar]:
    window = QWidget()
    qtbot.addWidget(window)
    editor = CodeEditor("Order order\norders 😀 order", "python", window)
    bar = FindBar(editor)
    column = QVBoxLayout(window)
    column.addWidget(bar)
    column.addWidget(editor)
    window.show()
    bar.field.setText("order")
    bar.open()
    yield bar
    del window  # it has to live as long as its bar


def editor_of(bar: FindBar) -> CodeEditor:
    return child(bar.window(), CodeEditor)


def chosen(bar: FindBar) -> tuple[int, int]:
    cursor = editor_of(bar).textCursor()
    return cursor.selectionStart(), cursor.selectionEnd()


def test_matches_are_counted_under_each_option(bar: FindBar) -> None:
    assert (bar.match_count, bar.count.text()) == (4, "4 matches")
    bar.case.setChecked(True)
    assert bar.match_count == 3
    bar.word.setChecked(True)
    assert bar.match_count == 2
    bar.regex.setChecked(True)
    bar.field.setText("^o.")
    bar.search()
    assert bar.match_count == 0


def test_enter_goes_round_and_shift_enter_back(qtbot: QtBot, bar: FindBar) -> None:
    places = []
    for _ in range(5):
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
        places.append(chosen(bar))
    assert places == [(0, 5), (6, 11), (12, 17), (22, 27), (0, 5)]
    assert bar.count.text() == "1 of 4"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert chosen(bar) == (22, 27)


def test_replace_all_is_one_step(bar: FindBar) -> None:
    bar.regex.setChecked(True)
    bar.field.setText(r"(ord)er")
    bar.replace_field.setText(r"\1")
    bar.replace_all()
    assert editor_of(bar).text == "Ord ord\nords 😀 ord"
    assert bar.count.text() == "4 replaced"
    editor_of(bar).undo()
    assert editor_of(bar).text == "Order order\norders 😀 order"


def test_replace_takes_the_chosen_one_and_goes_on(bar: FindBar) -> None:
    bar.replace_field.setText(r"\1")
    bar.replace()
    assert editor_of(bar).text.startswith("Order")
    bar.replace()
    assert editor_of(bar).text == "\\1 order\norders 😀 order"
    assert chosen(bar) == (3, 8)


def test_what_is_wrong_is_said_beside_the_field(bar: FindBar) -> None:
    bar.regex.setChecked(True)
    bar.field.setText("(a")
    bar.search()
    assert bar.wrong.text() == "▲ missing ): (a"
    assert bar.wrong.isVisible()
    bar.field.setText("order")
    bar.replace_field.setText(r"\9")
    bar.replace_all()
    assert "replacement" in bar.wrong.text()
    bar.search()
    assert not bar.wrong.isVisible()


def test_a_hostile_expression_does_not_hang(bar: FindBar) -> None:
    editor_of(bar).set_text("a" * 5000)
    bar.regex.setChecked(True)
    bar.field.setText("(a+)+$b")
    bar.search()
    assert bar.match_count == 0


def test_escape_closes_and_the_text_can_be_edited(qtbot: QtBot, bar: FindBar) -> None:
    with qtbot.waitSignal(bar.closed):
        qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert not editor_of(bar).decorations.has_matches
