"""Tests of the list of problems."""

from types import SimpleNamespace

from PySide6.QtCore import Qt

from ptc_studio.ui.editor.problems_view import MENDING, ProblemModel, ProblemsView
from ptc_studio.ui.language.problems import Problem

PROBLEMS = [
    SimpleNamespace(line=16, column=4, severity="warning", message="not used"),
    SimpleNamespace(line=3, column=1, severity="error", message="no such tool"),
    SimpleNamespace(line=9, column=1, severity="strange", message="who knows"),
]

UNGRANTED = Problem(20, 1, 9, "warning", "uses `http_get`, not granted", ungranted="http_get")


def test_the_model_keeps_qts_rules(qtmodeltester, qapp) -> None:
    model = ProblemModel()
    for count in range(4):
        model.set_problems(PROBLEMS[:count])
        qtmodeltester.check(model)


def test_the_worst_comes_first_with_its_mark(qapp) -> None:
    model = ProblemModel()
    model.set_problems(PROBLEMS)
    assert [model.index(row, 0).data() for row in range(3)] == ["✕  no such tool", "✕  who knows", "▲  not used"]
    assert model.index(2, 1).data() == "16"


def test_a_problem_leads_to_its_place(qtbot, dressed) -> None:
    view = ProblemsView()
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.set_problems(PROBLEMS)
    view.show()
    assert view.count == 3
    place = view.visualRect(view.model().index(2, 0)).center()
    with qtbot.waitSignal(view.problem_activated) as told:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.args == [16, 4]


def test_what_a_grant_mends_can_be_granted_from_the_list(qtbot, dressed) -> None:
    view = ProblemsView()
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show()
    assert view.isColumnHidden(MENDING)
    view.set_problems([*PROBLEMS, UNGRANTED])
    assert not view.isColumnHidden(MENDING)
    index = view.model().index(3, MENDING)
    assert (index.data(), view.model().index(0, MENDING).data()) == ("Grant it", "")
    with qtbot.waitSignal(view.grant_requested) as told, qtbot.assertNotEmitted(view.problem_activated):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    assert told.args == [["http_get"]]
    view.setCurrentIndex(index)
    with qtbot.waitSignal(view.grant_requested) as told, qtbot.assertNotEmitted(view.problem_activated):
        qtbot.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    assert told.args == [["http_get"]]


def test_a_click_beside_a_problem_that_no_grant_mends_leads_to_its_place(qtbot, dressed) -> None:
    view = ProblemsView()
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.set_problems([*PROBLEMS, UNGRANTED])
    view.show()
    place = view.visualRect(view.model().index(0, MENDING)).center()
    with qtbot.waitSignal(view.problem_activated), qtbot.assertNotEmitted(view.grant_requested):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_without_problems_it_says_so(qtbot, dressed) -> None:
    view = ProblemsView()
    qtbot.addWidget(view)
    view.show()
    empty = next(child for child in view.viewport().children() if getattr(child, "text", lambda: "")() == "No problems")
    assert empty.isVisible()
    view.set_problems(PROBLEMS)
    assert not empty.isVisible()
