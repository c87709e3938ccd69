"""The table of runs compared: rows that come, differences, and what can be copied."""

import json
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from ptc_studio.runtimes.catalog import RuntimeInfo
from ptc_studio.ui.matrix.panel import COMPILED, ERROR, OUTPUT, RUNTIME, STATUS, TIME, VALUE, MatrixModel, MatrixPanel
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.labels import EmptyOverlay


def runtime(name: str, *, available: bool = True) -> RuntimeInfo:
    reason = None if available else f"{name} is not installed: get it"
    return RuntimeInfo(name.lower(), name, "python", ".py", available, "1.2", None, "process", reason)


def record(info: RuntimeInfo, **changes: Any) -> dict[str, Any]:
    usual = {
        "run_id": info.id, "runtime": info.id, "status": "ok", "stdout": "one\ntwo\n", "stderr": "", "return_code": 0,
        "error": None, "value": 3, "duration_ms": 120.0, "prepare_ms": None, "isolation": "process", "calls": [],
    }  # fmt: skip
    return {**usual, **changes}


A, B, C, GONE = runtime("Alpha"), runtime("Beta"), runtime("Gamma"), runtime("Gone", available=False)


@pytest.fixture
def panel(qtbot, dressed) -> MatrixPanel:
    made = MatrixPanel()
    qtbot.addWidget(made)
    made.resize(900, 300)
    made.show()
    return made


def text(panel: MatrixPanel, row: int, column: int) -> str:
    return panel.model.index(row, column).data()


def test_the_model_keeps_qts_rules_while_rows_arrive(qtmodeltester, qapp) -> None:
    model = MatrixModel()
    qtmodeltester.check(model)
    for info in (A, B, C):
        model.start_row(info)
        qtmodeltester.check(model)
        model.set_elapsed(0.5)
        model.end_row(info, record(info))
        qtmodeltester.check(model)
    model.end_row(GONE, None)
    model.set_rows([])
    qtmodeltester.check(model)


def test_before_the_first_run_it_says_what_to_do(panel) -> None:
    assert "Ctrl+F5" in panel.view.findChild(EmptyOverlay).text()
    assert panel.view.findChild(EmptyOverlay).isVisible()


def test_a_row_comes_when_its_run_starts_and_its_time_runs(panel) -> None:
    panel.begin(2)
    panel.start_row(A)
    panel.model.set_elapsed(0.5)
    assert (text(panel, 0, RUNTIME), text(panel, 0, STATUS), text(panel, 0, TIME)) == ("Alpha", "◐ running", "0.50 s")
    assert panel.progress.text() == "◐ Running in Alpha, 1 of 2"
    panel.end_row(A, record(A))
    assert (text(panel, 0, STATUS), text(panel, 0, TIME)) == ("✓ ok", "0.120 s")


def test_what_is_unlike_the_others_is_marked_by_sign_and_colour(panel) -> None:
    panel.begin(3)
    for info, changes in ((A, {}), (B, {"value": 4}), (C, {})):
        panel.start_row(info)
        panel.end_row(info, record(info, **changes))
    panel.end()
    assert [text(panel, row, VALUE) for row in range(3)] == ["3", "≠ 4", "3"]
    assert panel.model.index(1, VALUE).data(Qt.ItemDataRole.ForegroundRole) == theme().colour("warning")
    assert panel.progress.text() == "≠ 1 of 3 runs differ from the others"


def test_a_runtime_that_is_not_there_is_a_row_with_its_reason(panel) -> None:
    panel.begin(2)
    panel.start_row(A)
    panel.end_row(A, record(A))
    panel.end_row(GONE, None)
    panel.end()
    assert (text(panel, 1, STATUS), text(panel, 1, ERROR)) == ("– not available", "Gone is not installed: get it")
    assert panel.summary().startswith("Ran in one runtime")


def test_long_output_is_a_line_here_and_whole_in_the_tooltip(panel) -> None:
    panel.begin(1)
    panel.end_row(A, record(A, stderr="oh\n"))
    index = panel.model.index(0, OUTPUT)
    assert index.data() == "one …"
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "one\ntwo\n\nstderr:\noh"


def test_the_time_of_compiling_has_a_column_only_where_something_was_compiled(panel) -> None:
    panel.begin(2)
    panel.end_row(A, record(A))
    assert panel.view.isColumnHidden(COMPILED)
    panel.end_row(B, record(B, prepare_ms=421.0))
    assert not panel.view.isColumnHidden(COMPILED)
    assert text(panel, 1, COMPILED) == "0.421 s"


def test_it_is_copied_as_text_and_as_json(panel) -> None:
    panel.begin(3)
    for info, changes in ((A, {}), (B, {}), (C, {"stdout": "other\n"})):
        panel.end_row(info, record(info, **changes))
    panel.copy_text()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Runtime  Version")
    assert "≠ other" in lines[3]
    panel.copy_json()
    copied = json.loads(QGuiApplication.clipboard().text())
    assert [run["runtime"] for run in copied["runs"]] == ["alpha", "beta", "gamma"]
    assert copied["differences"] == [{"runtime": "gamma", "fields": ["stdout"]}]


def test_return_on_a_run_asks_for_all_of_it_and_on_a_missing_runtime_for_nothing(panel) -> None:
    asked = []
    panel.row_activated.connect(asked.append)
    panel.begin(2)
    panel.end_row(A, record(A))
    panel.end_row(GONE, None)
    for row in (0, 1):
        panel.view.activated.emit(panel.model.index(row, 0))
    assert [row.info for row in asked] == [A]


def test_two_runs_that_are_chosen_are_compared_call_by_call(panel, qtbot) -> None:
    asked = []
    panel.compare_asked.connect(lambda a, b: asked.append((a.info, b.info)))
    panel.begin(3)
    for info in (A, B, C):
        panel.end_row(info, record(info))
    assert not panel.compare_button.isEnabled()
    select = panel.view.selectionModel().SelectionFlag
    for row in (2, 0):
        panel.view.selectionModel().select(panel.model.index(row, 0), select.Select | select.Rows)
    qtbot.mouseClick(panel.compare_button, Qt.MouseButton.LeftButton)
    assert asked == [(A, C)]
