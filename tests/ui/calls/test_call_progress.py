"""How far long calls say they are, in the tree and in the inspector."""

import pytest

from ptc_studio.core.events import CallProgressed
from ptc_studio.core.redaction import Redactor
from ptc_studio.ui.calls.filter import CallFilter
from ptc_studio.ui.calls.values import progress_share, progress_text

REDACTOR = Redactor()


def progress(call, done: float, total: float | None = None, message: str = "") -> CallProgressed:
    return CallProgressed(call.run_id, call.call_id, done, total, REDACTOR.text(message, "progress"))


def row_of(panel, started) -> str:
    return panel.model.index_of(panel.model.call(started.call_id)).data()


@pytest.mark.parametrize(
    ("done", "total", "message", "text"),
    [
        (40, 100, "", "40 %"),
        (0.4, 1, "", "40 %"),
        (3, 10, "reading\npages", "3 of 10 · reading pages"),
        (2.5, 10, "", "25 %"),
        (1200, None, "", "1,200"),
        (12, 10, "", "12 of 10"),
        (5, 0, "", "5"),
    ],
)
def test_progress_is_told_as_people_say_it(panel, run, done, total, message, text) -> None:
    started = run.start()
    panel.apply([started, progress(started, done, total, message)])
    assert progress_text(panel.model.call(started.call_id)) == text
    assert text in row_of(panel, started)


def test_the_share_stays_between_nothing_and_all(panel, run) -> None:
    started = run.start()
    panel.apply([started, progress(started, 12, 10)])
    assert progress_share(panel.model.call(started.call_id)) == 1.0
    panel.apply([progress(started, 12, None)])
    assert progress_share(panel.model.call(started.call_id)) is None


def test_a_call_that_ends_says_no_more_of_its_progress(panel, run) -> None:
    started = run.start()
    panel.apply([started, progress(started, 3, 10)])
    panel.apply([run.end(started, "done"), progress(started, 4, 10)])
    assert "of 10" not in row_of(panel, started)


def test_the_inspector_follows_the_progress_of_the_call_it_shows(panel, inspector, run) -> None:
    panel.call_selected.connect(inspector.show_record)
    panel.progress_told.connect(inspector.show_progress)
    first, second = run.start("slow", line=1), run.start("other", line=2)
    panel.apply([first, second, progress(first, 1, 10)])
    panel.select_call(first.call_id)
    assert "running · 1 of 10" in inspector.summary.status.text()
    panel.apply([progress(first, 2, 10), progress(second, 9, 10)])
    assert "running · 2 of 10" in inspector.summary.status.text()
    panel.select_call(second.call_id)
    assert "9 of 10" in inspector.summary.status.text()
    panel.apply([run.end(second)])
    assert "of 10" not in inspector.summary.status.text()


def test_progress_is_shown_under_a_filter_too(panel, run) -> None:
    started = run.start("slow")
    panel.apply([started, progress(started, 1, 10)])
    panel.model.set_filter(CallFilter(text="slow"))
    panel.model.filtering.finish()
    shown = panel.model.index(0, 0)
    assert "1 of 10" in shown.data()
    panel.apply([progress(started, 2, 10)])
    assert "2 of 10" in panel.model.index(0, 0).data()


def test_a_flood_of_progress_changes_a_row_once_a_batch(panel, run, qtbot) -> None:
    started = run.start()
    panel.apply([started])
    told: list[object] = []
    panel.model.dataChanged.connect(lambda *_: told.append(None))
    flood = [progress(started, number, 100_000) for number in range(20_000)]
    panel.apply(flood)
    assert len(told) == 1
    assert "19,999 of 100,000" in row_of(panel, started)
