"""Types are checked in the background, and late answers are dropped."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ptc_studio.ui.editor.background import BackgroundWorker, TypeWorker
from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.editor.page import ProblemFinder
from ptc_studio.ui.language.problems import Findings, Problem
from ptc_studio.ui.language.target_problems import ScriptTypes, TypeCheckInput
from tests.ui.editor.conftest import HINTS
from tests.ui.seen import child


class FakeTypes(ScriptTypes):
    """Takes its time over each text until it is let go or told that the answer is not wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.looks: list[TypeCheckInput] = []
        self.given_up: list[str] = []
        self.begun, self.go = Event(), Event()

    def findings(self, look: TypeCheckInput, unwanted: Callable[[], bool] = lambda: False) -> Findings:
        self.looks.append(look)
        self.begun.set()
        while not self.go.wait(0.005):
            if unwanted():
                self.given_up.append(look.code)
                break
        return Findings([Problem(1, 1, 2, "error", f"about {look.code!r}")], note="a note")


@pytest.fixture
def types() -> FakeTypes:
    return FakeTypes()


@pytest.fixture
def finder(editor: CodeEditor, types: FakeTypes) -> Iterator[ProblemFinder]:
    editor.set_language("typescript")
    worker = TypeWorker(editor, types)
    finder = ProblemFinder(editor, types=worker, folder=lambda: Path("/scripts"))
    finder.set_hints(HINTS)
    yield finder
    worker.close(30)
    child(finder, BackgroundWorker).close(30)


def test_the_compiler_is_asked_in_the_background(
    qtbot: QtBot, editor: CodeEditor, types: FakeTypes, finder: ProblemFinder
) -> None:
    types.go.set()
    with qtbot.waitSignal(finder.found) as told:
        qtbot.keyClicks(editor, "let x")
    assert [problem.message for problem in told.args[1]] == ["about 'let x'"]
    assert types.looks[-1] == TypeCheckInput("let x", "typescript", HINTS, Path("/scripts"))
    assert (finder.known, finder.note) == (told.args[1], "a note")
    assert editor.decorations.problem_at(0) == told.args[1][0]


def test_a_text_that_was_changed_meanwhile_is_given_up(
    qtbot: QtBot, editor: CodeEditor, types: FakeTypes, finder: ProblemFinder
) -> None:
    answers: list[str] = []
    finder.found.connect(lambda _, problems: answers.extend(problem.message for problem in problems))
    editor.insertPlainText("one")
    finder.refresh()
    qtbot.waitUntil(types.begun.is_set)
    editor.insertPlainText("two")
    finder.refresh()
    qtbot.waitUntil(lambda: len(types.looks) > 1 and types.given_up[:1] == ["one"])
    types.go.set()
    qtbot.waitUntil(lambda: bool(answers))
    # On a busy machine the pause after the last key may be over by then, and the text looked at once more.
    assert set(answers) == {"about 'onetwo'"}


def test_another_language_is_not_the_compilers(
    qtbot: QtBot, editor: CodeEditor, types: FakeTypes, finder: ProblemFinder
) -> None:
    editor.insertPlainText("get_ordr(1)")
    finder.refresh()
    qtbot.waitUntil(types.begun.is_set)
    editor.set_language("python")
    with qtbot.waitSignal(finder.found) as told:
        finder.refresh()
    types.go.set()
    assert child(editor, TypeWorker).wait(30)
    # The late answer is on its way to this thread.
    QApplication.processEvents()
    assert [problem.message for problem in told.args[1]] == ["no tool 'get_ordr': did you mean get_order?"]
    assert (finder.known, finder.note) == (told.args[1], "")


def test_closing_gives_up_what_is_being_checked(
    qtbot: QtBot, editor: CodeEditor, types: FakeTypes, finder: ProblemFinder
) -> None:
    finder.refresh()
    qtbot.waitUntil(types.begun.is_set)
    child(editor, TypeWorker).close(30)
    assert set(types.given_up) == {""}
