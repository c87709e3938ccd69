"""The inspector of one call."""

import json
import re
from collections.abc import Iterator
from typing import Any, SupportsIndex

import pytest
from PySide6.QtTest import QAbstractItemModelTester

from ptc_studio.core.trace import call_record
from ptc_studio.ui.calls.inspector import ARGUMENTS, ERROR, RAW, REDACTIONS, RESULT
from ptc_studio.ui.calls.value_view import ValueModel
from ptc_studio.ui.calls.values import STEP, find, preview, preview_parts
from ptc_studio.ui.theme import theme
from tests.ui.seen import seen_texts


@pytest.fixture
def record(run):
    def make(result: Any = None, arguments: Any = None, error: str | None = None) -> dict[str, Any]:
        started = run.start("get_expenses", arguments=arguments or {"person": "Ada"})
        return call_record(started, run.fail(started, error) if error else run.end(started, result, ms=612))

    return make


def opened(view, *path) -> str:
    return view.model.index_of_path(path).data()


class Watched(list[Any]):
    """Counts how many of its items are looked at."""

    looked_at = 0

    def __iter__(self) -> Iterator[Any]:
        for item in super().__iter__():
            self.looked_at += 1
            yield item

    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        self.looked_at += 1
        return super().__getitem__(place)


def test_previews_are_one_short_line():
    assert preview({"amount": 184.2, "category": "travel"}) == '{amount: 184.2, category: "travel"}'
    assert preview(["Ada", "Grace"] + ["x"] * 18, 16) == '["Ada", "Grace", … 18 more]'
    assert preview({"a": {"b": {"c": 1}}}) == "{a: {b: {…}}}"
    assert len(preview("x" * 1_000_000)) < 70
    assert len(preview({"k" * 500: ["y" * 500] * 500})) < 200
    assert preview("a\nb") == '"a\\nb"'
    assert preview(10**5000).startswith("an integer of")
    assert ("redacted", "[REDACTED:card]") in preview_parts({"card": "[REDACTED:card]"})


def test_nothing_selected_says_what_to_do(inspector, record):
    assert seen_texts(inspector) == ["Select a call to see its values"]
    inspector.show_record(record(1))
    inspector.show_record(None)
    assert seen_texts(inspector) == ["Select a call to see its values"]
    assert inspector.accessibleName()


def test_a_call_shows_its_words_status_and_result(inspector, record):
    inspector.show_record(record([{"amount": 184.2, "category": "travel"}, {"amount": 22}]))
    status = inspector.summary.status.text().replace("&nbsp;", " ")
    assert re.search(r"✓ ok · 612 ms · answer ≈ \d+ tokens? · depth 1 · line 8", status)
    assert "get_expenses" in inspector.summary.call.text()
    view = inspector.result
    assert opened(view) == "[2 items]"
    assert opened(view, 0) == '0: {amount: 184.2, category: "travel"}'
    assert opened(view, 0, "category") == 'category: "travel"'


def test_what_was_opened_stays_so_in_another_appearance(inspector, record, qtbot):
    inspector.show_record(record([{"amount": number, "lines": [1, 2]} for number in range(80)]))
    view = inspector.result
    lines = view.model.index_of_path((3, "lines"))
    view.tree.expand(lines.parent())
    view.tree.expand(lines)
    high = view.tree.visualRect(lines).height()
    theme().set_mode("light" if theme().is_dark else "dark")
    theme().set_zoom(2.0)
    try:
        assert view.tree.isExpanded(view.model.index_of_path((3, "lines")))
        assert view.tree.isExpanded(view.model.index_of_path((3,)))
        qtbot.waitUntil(lambda: view.tree.visualRect(view.model.index_of_path((3, "lines"))).height() > 1.5 * high)
    finally:
        theme().set_zoom(1.0)
        theme().set_mode("system")


def test_a_failed_call_opens_on_its_error_and_a_good_one_on_its_result(inspector, record):
    inspector.show_record(record(error="no <b>such</b> thing"))
    assert inspector.tabs.currentIndex() == ERROR
    assert "KeyError" in inspector.error.kind.text()
    assert inspector.error.text.view.toPlainText() == "no <b>such</b> thing"
    inspector.show_record(record(1))
    assert inspector.tabs.currentIndex() == RESULT


def test_a_traceback_is_shown_if_there_is_one(inspector, record):
    failed = record(error="oh")
    failed["error"]["traceback"] = "Traceback: line 3"
    inspector.show_record(failed)
    assert inspector.error.text.view.toPlainText() == "oh\n\nTraceback: line 3"


def test_redactions_are_counted_and_listed(inspector, record):
    inspector.show_record(record({"card": "4111-8841"}, {"card": "4111-8841"}))
    assert inspector.badge.text() == "2"
    assert inspector.badge.isVisible()
    inspector.tabs.setCurrentIndex(REDACTIONS)
    rows = [inspector.redactions.model.item(row, 2).text() for row in range(2)]
    assert rows == ["$.card", "$.card"]
    assert opened(inspector.result) == "{1 key}"
    inspector.redactions.tree.activated.emit(inspector.redactions.model.index(0, 0))
    assert inspector.tabs.currentIndex() == ARGUMENTS
    inspector.show_record(record(1))
    assert not inspector.badge.isVisible()


def test_a_running_call_has_no_result_yet(inspector, run):
    inspector.show_record(call_record(run.start(), None))
    assert any("not ended" in text for text in seen_texts(inspector))
    assert not inspector.result.isVisibleTo(inspector)
    assert "◐ running" in inspector.summary.status.text()


def test_the_raw_record_is_valid_json(inspector, record):
    inspector.tabs.setCurrentIndex(RAW)
    shown = record({"ü": [1, None, True]})
    inspector.show_record(shown)
    inspector.raw.filling.finish()
    assert json.loads(inspector.raw.view.toPlainText()) == shown


def test_a_huge_raw_record_is_cut_but_copied_whole(inspector, record, clipboard):
    inspector.tabs.setCurrentIndex(RAW)
    shown = record(["x" * 1_000] * 2_000)
    inspector.show_record(shown)
    inspector.raw.filling.finish()
    assert len(inspector.raw.view.toPlainText()) == 1_000_000
    assert "first 1,000,000" in inspector.raw.note.text()
    inspector.raw.copy.click()
    inspector.raw.copying.finish()
    assert json.loads(clipboard.text()) == shown


def test_a_huge_value_is_shown_and_searched_without_holding_up_the_window(inspector, record, qtbot):
    rows = Watched(
        {"number": number, "text": f"line {number} of a long answer", "tags": ["a", "b"]} for number in range(120_000)
    )
    shown = record({})
    shown["result"] = {"rows": rows}
    inspector.show_record(shown)
    assert rows.looked_at < len(rows) / 10
    search = inspector.result.search
    search.open()
    search.field.setText("line 119999")
    search.search()
    assert search.work.busy
    search.work.finish()
    assert search.count.text() == "1 of 1"
    current = inspector.result.tree.currentIndex()
    assert current.data() == 'text: "line 119999 of a long answer"'
    assert current.parent().parent().data() == "119,500 … 119,999"


def test_searching_goes_round_through_keys_and_values(inspector, record):
    inspector.show_record(record([{"name": "Ada"}, {"other": "the name"}, 5]))
    search = inspector.result.search
    search.open()
    search.field.setText("NAME")
    search.search()
    search.work.finish()
    assert search.count.text() == "1 of 2"
    search.go()
    assert inspector.result.tree.currentIndex().data() == 'other: "the name"'
    search.go()
    assert search.count.text() == "1 of 2"
    search.go(back=True)
    assert search.count.text() == "2 of 2"
    search.field.setText("nowhere")
    search.search()
    search.work.finish()
    assert search.count.text() == "Nothing found"
    assert [path for path in find([{"a": 5}], "5") if path is not None] == [(0, "a")]


def test_a_long_string_is_shown_whole_and_copied(inspector, record, clipboard, qtbot):
    text = "word " * 100 + "\nsecond line"
    inspector.show_record(record({"note": text, "short": "x"}))
    view = inspector.result
    view.go_to(("note",))
    assert view.whole.isVisible()
    assert view.whole.view.toPlainText() == text
    view.copy_current()
    qtbot.waitUntil(lambda: clipboard.text() == text)
    view.go_to(("short",))
    assert not view.whole.isVisible()
    view.go_to(())
    view.copy_current()
    qtbot.waitUntil(lambda: clipboard.text().startswith("{"))
    assert json.loads(clipboard.text()) == {"note": text, "short": "x"}


@pytest.mark.parametrize("value", [None, 5, "text", [], {}, [1, [2, {"a": None}]], list(range(STEP * 2 + 3))])
def test_the_value_model_is_sound(value):
    model = ValueModel()
    model.set_value(value)
    # The tester itself fetches more, and takes that for a mistake while a reset is being told.
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    waiting = [model.index(0, 0)]
    while waiting:
        index = waiting.pop()
        model.fetchMore(index)
        waiting += [model.index(row, 0, index) for row in range(model.rowCount(index))]
    tester.deleteLater()
    assert model.value == value


def test_no_list_of_rows_is_longer_than_a_step():
    model = ValueModel()
    model.set_value({str(number): number for number in range(STEP * 3 + 1)})
    top = model.index(0, 0)
    model.fetchMore(top)
    assert [model.index(row, 0, top).data() for row in range(4)][::3] == ["0 … 499", "1,500 … 1,500"]
    assert model.index_of_path(("1500",)).data() == "1500: 1500"
