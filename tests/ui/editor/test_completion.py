"""The list under the cursor."""

from collections.abc import Iterator
from threading import Event

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QListView
from pytestqt.qtbot import QtBot

from ptc_studio.ui.editor.background import CompletionWorker
from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.editor.completion import LOOK_AFTER, Completion, CompletionPopup
from ptc_studio.ui.language.suggestions import Suggestion
from tests.ui.editor.conftest import HINTS
from tests.ui.seen import child


class FakeJedi:
    """Answers what it is told, when it is told."""

    def __init__(self) -> None:
        self.answer: list[Suggestion] = []
        self.asked: list[str] = []
        self.go = Event()
        self.go.set()

    def complete(self, code: str, *_: object) -> list[Suggestion]:
        self.asked.append(code)
        assert self.go.wait(30)
        return self.answer


@pytest.fixture
def jedi() -> FakeJedi:
    return FakeJedi()


@pytest.fixture
def completion(editor: CodeEditor, jedi: FakeJedi) -> Iterator[Completion]:
    completion = Completion(editor, complete=jedi.complete)
    completion.set_hints(HINTS)
    yield completion
    jedi.go.set()
    child(completion, CompletionWorker).close(30)


def type_in(qtbot: QtBot, completion: Completion, text: str) -> None:
    """Types, and waits until what can be offered at once has been looked for."""
    qtbot.keyClicks(completion.parent(), text)
    [look] = [timer for timer in completion.findChildren(QTimer) if timer.interval() == LOOK_AFTER]
    qtbot.waitUntil(lambda: not look.isActive())


def offered(editor: CodeEditor) -> list[str]:
    popup = editor.findChild(CompletionPopup)
    if popup is None or not popup.isVisible():
        return []
    rows = child(popup, QListView).model()
    return [rows.index(row, 0).data() for row in range(rows.rowCount())]


def test_two_letters_open_the_list_and_enter_accepts(qtbot: QtBot, editor: CodeEditor, completion: Completion) -> None:
    type_in(qtbot, completion, "g")
    assert not completion.is_open
    type_in(qtbot, completion, "e")
    assert offered(editor) == ["get_order", "get_orders"]
    qtbot.keyClick(editor, Qt.Key.Key_Down)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert (editor.text, completion.is_open) == ("get_orders", False)


def test_parameters_are_offered_inside_the_brackets(qtbot: QtBot, editor: CodeEditor, completion: Completion) -> None:
    type_in(qtbot, completion, "get_order(")
    assert offered(editor) == ["number=", "full="]
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text == "get_order(number=)"
    type_in(qtbot, completion, "1, ")
    assert offered(editor) == ["full="]


def test_in_typescript_a_tool_is_given_an_object(qtbot: QtBot, editor: CodeEditor, completion: Completion) -> None:
    editor.set_language("typescript")
    type_in(qtbot, completion, "await tools.")
    assert offered(editor) == ["get_order", "get_orders"]
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    type_in(qtbot, completion, "(")
    assert offered(editor) == ["{ number: ", "{ full: "]
    popup = editor.findChild(CompletionPopup)
    assert popup is not None
    assert child(popup, QLabel, "signature").text() == "tools.get_order({ number?: any; full?: any }): Promise<any>"
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    type_in(qtbot, completion, "7, ")
    assert editor.text == "await tools.get_order({ number: 7,  })"
    assert offered(editor) == ["full: "]


def test_a_call_of_anything_else_opens_nothing(qtbot: QtBot, editor: CodeEditor, completion: Completion) -> None:
    type_in(qtbot, completion, "print(")
    assert not completion.is_open


def test_escape_closes_and_control_space_opens(qtbot: QtBot, editor: CodeEditor, completion: Completion) -> None:
    type_in(qtbot, completion, "ge")
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not completion.is_open
    qtbot.keyClick(editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert completion.is_open
    qtbot.keyClick(editor, Qt.Key.Key_Left)
    qtbot.keyClick(editor, Qt.Key.Key_Home)
    editor.clearFocus()
    assert not completion.is_open


def test_what_jedi_answers_joins_the_list(
    qtbot: QtBot, editor: CodeEditor, completion: Completion, jedi: FakeJedi
) -> None:
    jedi.answer = [Suggestion("getattr", "function"), Suggestion("get_order", "function")]
    type_in(qtbot, completion, "get")
    qtbot.waitUntil(lambda: offered(editor) == ["get_order", "get_orders", "getattr"])


def test_an_answer_to_an_older_text_is_dropped(
    qtbot: QtBot, editor: CodeEditor, completion: Completion, jedi: FakeJedi
) -> None:
    jedi.go.clear()
    jedi.answer = [Suggestion("zebra", "name")]
    type_in(qtbot, completion, "ze")
    qtbot.waitUntil(lambda: jedi.asked == ["ze"])
    editor.set_text("other")
    jedi.go.set()
    assert child(completion, CompletionWorker).wait(30)
    QApplication.processEvents()
    assert offered(editor) == []


def test_nothing_is_offered_in_strings_and_comments(qtbot: QtBot, editor: CodeEditor, completion: Completion) -> None:
    type_in(qtbot, completion, "# get_or")
    assert not completion.is_open
    editor.set_text("")
    type_in(qtbot, completion, "call_tool('get")
    assert offered(editor) == ["get_order", "get_orders"]


def test_who_types_quickly_accepts_what_the_last_letter_asked_for(
    qtbot: QtBot, editor: CodeEditor, completion: Completion
) -> None:
    type_in(qtbot, completion, "ge")
    qtbot.keyClicks(editor, "t_orders")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text == "get_orders\n"
    editor.set_text("")
    type_in(qtbot, completion, "ge")
    qtbot.keyClicks(editor, "t_orde")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text == "get_order"


def test_return_after_a_whole_word_is_a_new_line_unless_another_one_was_chosen(
    qtbot: QtBot, editor: CodeEditor, completion: Completion
) -> None:
    type_in(qtbot, completion, "get_order")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text == "get_order\n"
    editor.set_text("")
    type_in(qtbot, completion, "get_order")
    qtbot.keyClick(editor, Qt.Key.Key_Down)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.text == "get_orders"
