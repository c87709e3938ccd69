"""Problems appear by themselves a moment after the last key."""

from pytestqt.qtbot import QtBot

from ptc_studio.ui.editor.background import BackgroundWorker
from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.editor.page import ProblemFinder
from tests.ui.editor.conftest import HINTS
from tests.ui.seen import child


def test_problems_are_found_after_the_last_key(qtbot: QtBot, editor: CodeEditor) -> None:
    finder = ProblemFinder(editor)
    finder.set_hints(HINTS)
    with qtbot.waitSignal(finder.found) as told:
        qtbot.keyClicks(editor, "get_ordr(1)")
    revision, problems = told.args
    assert revision == editor.document().revision()
    assert [problem.message for problem in problems] == ["no tool 'get_ordr': did you mean get_order?"]
    assert editor.decorations.problem_at(2) == problems[0]
    child(finder, BackgroundWorker).close(30)
