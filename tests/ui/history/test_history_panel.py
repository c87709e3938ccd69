"""Past runs in the real window: found, opened, restored, run again, named, pinned, deleted, compared, exported."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from ptc_studio.storage.cassettes import write_cassette
from ptc_studio.storage.history import History, RunSummary
from ptc_studio.ui.history.panel import HistoryPanel, cell
from ptc_studio.ui.run_bar.figures import Figure
from ptc_studio.ui.trust import TrustBar
from ptc_studio.ui.widgets.picker import Picker
from tests.ui.conftest import WindowStudio

STOCK = "print('stock', stock_level('LMP-01'))\n"
ORDERS = "for number in (1004, 1007):\n    print(get_order(number)['status'])\n"


async def shown(studio: WindowStudio, count: int) -> Any:
    """The panel in front, with so many runs."""
    panel = studio.window.panels.history
    studio.window.commands["historyAction"].trigger()
    await studio.until(lambda: len(panel.model.rows) == count)
    return panel


def texts(panel: Any, column: int = 0) -> list[str]:
    return [cell(run, column) for run in panel.model.rows]


def choose(panel: Any, *rows: int) -> None:
    panel.select({panel.model.rows[row].run_id for row in rows})


def act(panel: Any, name: str) -> None:
    panel.asked.emit(name, panel.chosen())


async def test_runs_and_calls_by_hand_are_listed_searched_and_filtered(studio: WindowStudio):
    await studio.run(STOCK)
    await studio.run(ORDERS)
    await studio.run("1 / 0\n")
    bench = studio.window.workbench.studio
    await bench.call(bench.session(), "stock_level", {"sku": "MUG-01"})
    panel = await shown(studio, 4)
    assert texts(panel, 3) == ["✓ ok", "✕ error", "✓ ok", "✓ ok"]
    assert texts(panel, 2)[0] == "call by hand"
    panel.search.setText("get_order")
    await studio.until(lambda: len(panel.model.rows) == 1)
    assert panel.model.rows[0].calls == 2
    panel.search.clear()
    panel.status.setCurrentText("error")
    await studio.until(lambda: texts(panel, 3) == ["✕ error"])
    panel.status.setCurrentIndex(0)
    panel.tool.setCurrentText("stock_level")
    await studio.until(lambda: len(panel.model.rows) == 2)
    panel.search.setText("nowhere to be found")
    await studio.until(lambda: not panel.model.rows)
    assert panel.empty.isVisible()
    assert "No past run" in panel.empty.text()


async def test_a_past_run_is_opened_with_its_calls_timeline_and_output(studio: WindowStudio):
    first = await studio.run(ORDERS)
    await studio.run("print('something else')\n")
    panel = await shown(studio, 2)
    choose(panel, 1)
    act(panel, "open")
    window = studio.window
    calls = window.panels.calls
    await studio.until(lambda: window.workbench and window.run.page and calls.model.rowCount() > 0)
    await studio.until(lambda: "a past run" in window.status_line.note)
    window.panels.output.flush()
    assert first["stdout"].strip() in window.panels.output.view.toPlainText()
    calls.select_call(first["calls"][1]["id"])
    assert window.panels.inspector.record["result"] == first["calls"][1]["result"]


async def test_a_script_is_restored(studio: WindowStudio):
    await studio.run(STOCK)
    panel = await shown(studio, 1)
    choose(panel, 0)
    studio.type("# something unsaved")
    act(panel, "restore")
    editors = studio.window.editors
    await studio.until(lambda: editors.current().text == STOCK)
    assert any(page.text == "# something unsaved" for page in editors.pages)


async def test_a_run_again_has_the_grant_the_limits_and_the_inputs_of_then_and_is_compared(studio: WindowStudio):
    from ptc_studio.targets import Given

    window = studio.window
    studio.type("print(stock_level(sku))\nlist_skus()\n")
    window.targets.give(window.editors.current(), Given({"sku": "LMP-01"}))
    window.grants.tick(["stock_level"])
    granted = window.workbench.grant
    window.run_bar.set_timeout(17)
    first = await studio.press_run()
    assert (first["error"]["type"], first["stdout"]) == ("NameError", f"{first['calls'][0]['result']}\n")
    window.grants.choose("")
    window.run_bar.set_timeout(60)
    window.editors.close_page(window.editors.current())
    panel = await shown(studio, 1)
    choose(panel, 0)
    ended = studio.signal(window.workbench.run_ended)
    act(panel, "again")
    again = await ended
    assert (again["error"]["type"], again["stdout"]) == ("NameError", first["stdout"])
    kept = History(window.workbench.studio.history.recorder.path)
    then, now = kept.open(first["run_id"]), kept.open(again["run_id"])
    assert (now.grant, now.limits, now.inputs) == (then.grant, then.limits, {"sku": "LMP-01"})
    assert now.grant == granted.patterns
    assert now.limits["timeout"] == 17
    # What is chosen in the window stays as it is.
    assert (window.workbench.grant, window.run_bar.timeout()) == (window.workbench.studio.grant(None), 60)
    messages = window.context.messages
    assert messages.button.text() == "Compare the two"
    QTest.mouseClick(messages.button, Qt.MouseButton.LeftButton)
    await studio.until(lambda: window.panels.is_selected("difference"))
    assert window.panels.difference.summary.text() == "1 call the same"


async def test_a_repeated_run_that_cannot_begin_is_not_taken_for_the_next_one(studio: WindowStudio):
    await studio.run(STOCK)
    path = studio.window.workbench.studio.history.recorder.path
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE runs SET runtime = 'cobol'")
    panel = await shown(studio, 1)
    choose(panel, 0)
    failed = studio.signal(studio.window.workbench.failed)
    act(panel, "again")
    assert "cobol" in await failed
    await studio.run(STOCK)
    assert "ran again" not in studio.window.context.messages.message


async def test_a_hidden_secret_is_asked_for_before_a_run_is_repeated(studio: WindowStudio):
    await studio.run("key = 'ghp_" + "a1B2" * 9 + "'\n")
    panel = await shown(studio, 1)
    choose(panel, 0)
    act(panel, "again")
    messages = studio.window.context.messages
    await studio.until(lambda: "put it in again" in messages.message)
    assert not studio.window.workbench.is_running


async def test_a_run_is_named_pinned_deleted_and_brought_back(studio: WindowStudio):
    await studio.run(STOCK)
    panel = await shown(studio, 1)
    choose(panel, 0)
    panel.model.setData(panel.model.index(0, 0), "the good one")
    await studio.until(lambda: texts(panel) == ["the good one"])
    choose(panel, 0)
    act(panel, "pin")
    await studio.until(lambda: texts(panel) == ["★ the good one"])
    choose(panel, 0)
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_Delete)
    await studio.until(lambda: not panel.model.rows)
    messages = studio.window.context.messages
    assert messages.button.text() == "Undo"
    QTest.mouseClick(messages.button, Qt.MouseButton.LeftButton)
    await studio.until(lambda: texts(panel) == ["★ the good one"])


async def test_what_goes_to_make_room_is_told(studio: WindowStudio):
    await studio.run(STOCK)
    await studio.run(ORDERS)
    panel = await shown(studio, 2)
    choose(panel, 1)
    act(panel, "pin")
    await studio.until(lambda: texts(panel)[1].startswith("★"))
    assert panel.note.isHidden()
    recorder = studio.window.workbench.studio.history.recorder
    recorder.set_limit(1).result(10)
    panel.query_changed.emit()
    await studio.until(lambda: len(panel.model.rows) == 1)
    assert texts(panel)[0].startswith("★")
    assert panel.note.text().startswith("1 old run was removed")
    assert panel.note.isVisible()


async def test_two_runs_are_compared(studio: WindowStudio):
    await studio.run("print(stock_level('LMP-01'))\n")
    await studio.run("print(stock_level('MUG-01'))\nget_order(1004)\n")
    panel = await shown(studio, 2)
    choose(panel, 0, 1)
    act(panel, "compare")
    view = studio.window.panels.difference
    await studio.until(lambda: view.tree.topLevelItemCount() > 0)
    assert studio.window.panels.is_selected("difference")
    rows = [view.tree.topLevelItem(row).text(0) for row in range(view.tree.topLevelItemCount())]
    assert rows[-3:] == ["≠ stock_level", "+ get_order", "≠ output"]
    assert "1 changed · 1 added" in view.summary.text()
    # A figure stands under the name of its column.
    head, call = view.tree.headerItem(), view.tree.topLevelItem(view.tree.topLevelItemCount() - 3)
    assert all(head.textAlignment(column) == call.textAlignment(column) for column in (4, 5))


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
async def test_one_run_is_compared_with_a_cassette(studio: WindowStudio):
    studio.type("print(stock_level('LMP-01'))\n")
    await studio.press_run()
    window = studio.window
    bench = window.workbench
    cassette = bench.studio.cassette_of(bench.trace, "taped", "script.py")
    write_cassette(studio.workspace / "cassettes" / "taped.json", cassette)
    panel = await shown(studio, 1)
    choose(panel, 0)
    act(panel, "compare")
    await studio.until(lambda: window.findChild(Picker) is not None)
    field = window.findChild(Picker).findChild(QLineEdit)
    QTest.keyClicks(field, "taped")
    QTest.keyClick(field, Qt.Key.Key_Return)
    await studio.until(lambda: window.panels.is_selected("difference"))
    assert window.panels.difference.summary.text() == "1 call the same"


async def test_the_last_run_is_compared_with_the_one_before_it(studio: WindowStudio):
    studio.type("print(stock_level('LMP-01'))\n")
    for _ in range(2):
        await studio.press_run()
    studio.window.commands["compareAction"].trigger()
    view = studio.window.panels.difference
    await studio.until(lambda: studio.window.panels.is_selected("difference"))
    assert view.summary.text() == "1 call the same"
    assert view.empty.text() == "The runs are equal"


@pytest.mark.parametrize("form", ["json", "html", "bundle"])
async def test_a_run_is_written_as_a_file(studio: WindowStudio, tmp_path: Path, form: str):
    record = await studio.run(STOCK)
    history = studio.window.history
    file = tmp_path / f"run.{form}"
    past = studio.window.workbench.studio.history.recorder
    history.write_report(History(past.path).open(record["run_id"], with_calls=True), form, file)
    await studio.until(file.exists)
    if form == "json":
        assert json.loads(file.read_text())["run_id"] == record["run_id"]


async def test_the_cost_of_a_run_stands_beside_its_figures(studio: WindowStudio):
    await studio.run("for person in team_members('engineering'):\n    get_expenses(person, quarter='Q3')\n")
    studio.window.resize(1600, 900)
    cost = next(figure for figure in studio.window.run_bar.findChildren(Figure) if figure.caption.text() == "Kept out")
    await studio.until(cost.isVisible)
    assert cost.value.text().startswith("≈ ")
    assert "turns saved" in cost.toolTip()
    assert "tokens in context" in cost.toolTip()
    studio.window.resize(800, 600)
    await studio.until(lambda: not cost.isVisible())


async def test_a_bundle_from_another_home_opens_with_its_run_and_replays_without_tools(
    studio: WindowStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from ptc_studio.reports import report
    from ptc_studio.ui.startup import opening_for

    record = await studio.run(STOCK)
    path = studio.window.workbench.studio.history.recorder.path
    bundle = tmp_path / "run.ptcrun"
    bundle.write_bytes(report(History(path).open(record["run_id"], with_calls=True), "bundle"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other home"))
    opening = opening_for(str(bundle))
    assert opening.workspace.is_relative_to(tmp_path / "other home")
    other = WindowStudio(opening.workspace, tmp_path / "other home" / "data")
    await other.open(opening.script, trusted=False)
    # There is nothing in it to be trusted.
    assert other.window.findChild(TrustBar) is None
    assert not other.window.workbench.studio.registry.tools
    other.window.show_bundle(opening.bundle, opening.replay)
    await other.until(lambda: "as run.ptcrun has it" in other.window.status_line.note)
    await other.until(lambda: other.window.cassettes.replaying.isVisible())
    other.window.panels.output.flush()
    assert "stock" in other.window.panels.output.view.toPlainText()
    replayed = await other.press_run()
    assert (replayed["stdout"], replayed["calls"][0]["answered_by"]) == (record["stdout"], "cassette")
    await other.close()


def test_the_rows_stand_under_the_names_of_their_columns(dressed: QApplication, qtbot: QtBot):
    panel = HistoryPanel()
    qtbot.addWidget(panel)
    panel.resize(800, 200)
    run = RunSummary("r1", "run", None, False, "untitled.py", "python", "plain", "", "ok", 0.0, 12.0, 3, 2, 190)
    panel.show_runs([run])
    panel.show()
    qtbot.waitExposed(panel)
    header, row = panel.view.header(), panel.view.visualRect(panel.model.index(0, 0))
    body = panel.view.viewport()
    for column in range(1, header.count() - 4):
        left, width = header.sectionViewportPosition(column), header.sectionSize(column)
        above = first_ink(header.viewport().grab(QRect(left, 4, width, header.height() - 8)).toImage())
        below = first_ink(body.grab(QRect(left, row.top() + 4, width, row.height() - 8)).toImage())
        assert abs(above - below) <= 2, (column, above, below)


def first_ink(picture: QImage) -> int:
    """How far from the left something stands."""
    ground = picture.pixelColor(0, 0)
    columns = range(picture.width())
    return next(x for x in columns if any(picture.pixelColor(x, y) != ground for y in range(picture.height())))
