"""Tests of the sources in the tool panel: their states, and lines that come and go."""

import random

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tools.model import ToolModel, ToolSpinner
from ptc_studio.ui.tools.panel import EmptyTools, ToolPanel
from ptc_studio.ui.tools.rows import ErrorRow, SourceRow, ToolRow
from tests.ui.seen import child

CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
TICK = Qt.ItemDataRole.CheckStateRole
SPOKEN = Qt.ItemDataRole.AccessibleTextRole
REASON = "The MCP server 'mail' ended with exit status 3: TOKEN is missing. Mend it, then reload the source."
READY = SourceRow("github", "mcp", "ready", "2 tools over stdio", "/w/studio.yaml", 4)
LOADING = SourceRow("github", "mcp", "loading", "Starting node", "/w/studio.yaml", 4)
FAILED = SourceRow("mail", "mcp", "failed", REASON, "/w/studio.yaml", 6, loaded_source="the seat")
GITHUB = (ToolRow("github.search", "github"), ToolRow("github.create", "github"))


@pytest.fixture
def panel(qtbot, dressed) -> ToolPanel:
    made = ToolPanel([QAction("Add source…")])
    qtbot.addWidget(made)
    made.resize(280, 600)
    made.show()
    return made


def top(model: ToolModel, name: str) -> QModelIndex:
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    return next(index for index in rows if model.node(index).label == name)


def below(model: ToolModel, index: QModelIndex) -> list[str]:
    return [model.index(row, 0, index).data() for row in range(model.rowCount(index))]


def tools(source: str, count: int, module: str = "") -> list[ToolRow]:
    lead = f"{source}.{module}." if module else f"{source}."
    return [ToolRow(f"{lead}tool_{number:04}", source, module, f"Number {number}.") for number in range(count)]


def test_a_script_is_a_note_below_its_source_and_no_error(panel) -> None:
    script = ErrorRow("shop", "/w/report.py", 3, "`print(x)` at its top level makes it a script.", script=True)
    panel.set_tools([ToolRow("price", "shop")], (), [script], [SourceRow("shop")])
    model = panel.model
    source = top(model, "shop")
    assert below(model, source) == ["price", "report.py is a script"]
    note = model.index(1, 0, source)
    assert note.data(TICK) is None
    assert note.data(Qt.ItemDataRole.ForegroundRole) == theme().colour("muted")
    assert "`print(x)`" in note.data(Qt.ItemDataRole.ToolTipRole)
    assert model.node(source).count == 1
    assert model.grant is None
    panel.tree.setCurrentIndex(note)
    assert "▲" not in panel.details.text.toPlainText()
    assert "line 3" in panel.details.text.toPlainText()


def test_the_model_keeps_qts_rules_while_lines_come_and_go(qtmodeltester, qapp) -> None:
    model = ToolModel()
    qtmodeltester.check(model)
    resets: list[object] = []
    model.modelReset.connect(lambda: resets.append(None))
    dice = random.Random(7)
    everything = [*tools("github", 12, "repos"), *tools("github", 12, "issues"), *tools("mail", 9)]
    for _ in range(120):
        some = sorted(dice.sample(everything, dice.randrange(len(everything) + 1)), key=lambda row: row.name)
        sources = dice.sample((READY, LOADING, FAILED, SourceRow("tools")), dice.randrange(5))
        failed = dice.sample("abc", dice.randrange(4))
        errors = [ErrorRow("tools", f"/x/{name}.py", 1, "oh", script=dice.random() < 0.5) for name in failed]
        model.set_tools(some, (), errors, sources)
        shown = {leaf.label for leaf in model.root.leaves()}
        assert shown == {row.name for row in some}
        assert all(node.location == place for place, node in enumerate(model.root.shown))
    assert resets == []


def test_a_source_without_tools_has_its_line(panel) -> None:
    panel.set_tools((), sources=[LOADING, FAILED])
    assert [panel.model.index(row, 0).data() for row in range(2)] == ["github", "mail"]
    assert top(panel.model, "github").data(SPOKEN) == "github, MCP, loading, Starting node"
    assert "failed" in top(panel.model, "mail").data(SPOKEN)
    assert REASON in top(panel.model, "mail").data(Qt.ItemDataRole.ToolTipRole)


def test_a_state_is_told_by_a_mark_and_in_few_words() -> None:
    assert (READY.mark, READY.brief) == ("✓", "")
    assert (LOADING.mark, LOADING.brief) == ("◐", "Starting node")
    assert FAILED.mark == "✕"
    assert FAILED.brief.startswith("ended with exit status 3: TOKEN is missing")
    restarting = SourceRow("x", "mcp", "restarting", "The MCP server 'x' ended. Restarting in 4 s")
    assert (restarting.mark, restarting.brief) == ("▲", "Restarting in 4 s")


def test_the_mark_turns_while_something_loads_and_rests_afterwards(panel, qtbot) -> None:
    panel.set_tools((), sources=[LOADING])
    phase = panel.tree.itemDelegate().phase
    qtbot.waitUntil(lambda: panel.tree.itemDelegate().phase > phase)
    panel.set_tools(GITHUB, sources=[READY])
    assert not child(panel.tree, ToolSpinner).turns


def test_names_are_shown_without_those_of_their_groups(panel) -> None:
    panel.set_tools([*GITHUB, *tools("github", 1, "repos")], sources=[READY])
    assert below(panel.model, top(panel.model, "github")) == ["repos", "search", "create"]
    panel.select("github.repos.tool_0000")
    assert panel.selected().name == "github.repos.tool_0000"
    assert panel.tree.currentIndex().data() == "tool_0000"


def test_tools_that_arrive_move_nothing_that_is_looked_at(panel) -> None:
    many = tools("shop", 50)
    panel.set_tools(many, sources=[LOADING, SourceRow("shop")])
    panel.select("shop.tool_0030")
    panel.tree.verticalScrollBar().setValue(20)
    seen = panel.tree.indexAt(QPoint(1, 1)).data()
    panel.set_tools([*GITHUB, *many], sources=[READY, SourceRow("shop")])
    assert panel.tree.indexAt(QPoint(1, 1)).data() == seen
    assert panel.selected().name == "shop.tool_0030"
    assert panel.tree.isExpanded(top(panel.model, "github"))


def test_what_the_user_closed_stays_closed_when_a_server_is_back(panel) -> None:
    panel.set_tools(GITHUB, sources=[READY])
    panel.tree.collapse(top(panel.model, "github"))
    panel.set_tools((), sources=[LOADING])
    panel.set_tools(GITHUB, sources=[READY])
    assert not panel.tree.isExpanded(top(panel.model, "github"))


def test_a_tool_that_goes_is_not_replaced_by_its_neighbour(panel) -> None:
    panel.set_tools(GITHUB, sources=[READY])
    panel.select("github.search")
    panel.set_tools(GITHUB[1:], sources=[READY])
    assert panel.selected() is None
    assert not panel.details.isVisible()
    panel.set_tools(GITHUB, sources=[READY])
    assert panel.selected().name == "github.search"


def test_a_server_that_is_back_has_its_tools_ticked_as_they_were(panel, qtbot) -> None:
    panel.set_tools(GITHUB, sources=[READY])
    panel.model.setData(panel.model.index(0, 0, top(panel.model, "github")), UNCHECKED, TICK)
    with qtbot.waitSignal(panel.grant_changed) as told:
        panel.set_tools((), sources=[LOADING])
    assert told.args == [None]
    with qtbot.waitSignal(panel.grant_changed) as told:
        panel.set_tools(GITHUB, sources=[READY])
    assert told.args == [("github.create",)]


def test_tools_of_a_source_that_was_unticked_before_they_came_are_not_granted(panel) -> None:
    panel.set_tools((), sources=[LOADING])
    panel.model.setData(top(panel.model, "github"), UNCHECKED, TICK)
    assert panel.model.grant == ()
    panel.set_tools(GITHUB, sources=[READY])
    assert panel.model.grant == ()


def test_a_grant_counts_for_tools_that_are_yet_to_come(panel) -> None:
    panel.set_tools((), sources=[LOADING])
    panel.set_grant(["github.search"])
    panel.set_tools(GITHUB, sources=[READY])
    assert panel.model.grant == ("github.search",)


def test_a_failed_source_says_why_and_offers_what_to_do(panel, qtbot) -> None:
    panel.set_tools((), sources=[FAILED])
    panel.tree.setCurrentIndex(top(panel.model, "mail"))
    details = panel.details
    assert "TOKEN is missing" in details.text.toPlainText()
    assert "studio.yaml, line 6" in details.text.toPlainText()
    for button, verb in ((details.edit, "edit"), (details.reload, "reload"), (details.log, "log")):
        with qtbot.waitSignal(panel.source_requested) as told:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert told.args == [verb, "the seat"]


def test_a_source_that_stands_in_no_file_cannot_be_edited(panel) -> None:
    panel.set_tools((), sources=[SourceRow("functions")])
    panel.tree.setCurrentIndex(top(panel.model, "functions"))
    assert not panel.details.edit.isEnabled()
    entries = {action.text(): action.isEnabled() for action in panel.menu_for(top(panel.model, "functions")).actions()}
    assert (entries["Edit…"], entries["Reload"], entries["Remove"]) == (False, True, False)


def test_a_load_error_shows_its_file_at_its_line(panel, qtbot) -> None:
    panel.set_tools((), errors=[ErrorRow("functions", "/x/billing.py", 3, "ImportError: no stripe")])
    panel.tree.setCurrentIndex(panel.model.index(0, 0))
    assert "no stripe" in panel.details.text.toPlainText()
    with qtbot.waitSignal(panel.file_requested) as told:
        qtbot.mouseClick(panel.details.file, Qt.MouseButton.LeftButton)
    assert told.args == ["/x/billing.py", 3]


def test_the_menu_of_a_source_copies_the_definitions_of_its_tools(panel, qtbot) -> None:
    panel.set_tools(GITHUB, sources=[READY])
    menu = panel.menu_for(top(panel.model, "github"))
    copy = next(action for action in menu.actions() if action.text() == "Copy definitions…")
    with qtbot.waitSignal(panel.definitions_requested) as told:
        copy.trigger()
    assert told.args == [["github.search", "github.create"]]


def test_an_empty_panel_has_a_button_that_adds_a_source(qtbot, dressed) -> None:
    action = QAction("Add source…")
    panel = ToolPanel([action])
    qtbot.addWidget(panel)
    panel.show()
    assert child(panel, EmptyTools).button.isVisible()
    with qtbot.waitSignal(action.triggered):
        qtbot.mouseClick(child(panel, EmptyTools).button, Qt.MouseButton.LeftButton)
    panel.wait()
    assert not child(panel, EmptyTools).button.isVisible()


def test_the_groups_of_a_large_api_are_closed_and_open_on_demand(panel, qtbot) -> None:
    many = [row for module in ("repos", "issues", "pulls") for row in tools("forge", 300, module)]
    panel.set_tools(many, sources=[SourceRow("forge", "openapi")])
    forge = top(panel.model, "forge")
    assert below(panel.model, forge) == ["issues", "pulls", "repos"]
    assert panel.tree.isExpanded(forge)
    assert not any(panel.tree.isExpanded(panel.model.index(row, 0, forge)) for row in range(3))
    qtbot.keyClicks(panel.findChild(QLineEdit, "toolFilter"), "repos tool_0123")
    assert panel.model.root.count == 1
    assert panel.tree.isExpanded(panel.model.index(0, 0, top(panel.model, "forge")))


def test_tools_that_arrive_while_a_filter_is_set_are_filtered(panel) -> None:
    panel.set_tools((), sources=[LOADING])
    panel.filter.setText("create")
    panel.set_tools(GITHUB, sources=[READY])
    assert below(panel.model, top(panel.model, "github")) == ["create"]
    panel.filter.clear()
    assert below(panel.model, top(panel.model, "github")) == ["search", "create"]


def test_20_sources_with_2000_tools_open_at_once_and_one_that_hangs_changes_nothing(panel, qapp) -> None:
    names = [f"source{number:02}" for number in range(20)]
    many = [row for name in names for module in ("a", "b") for row in tools(name, 50, module)]
    rest = [row for row in many if row.source != "source07"]
    states = [SourceRow(name, "mcp", "loading" if name == "source07" else "ready") for name in names]
    steps: list[object] = []
    for step in (panel.model.rowsInserted, panel.model.rowsRemoved, panel.model.modelReset):
        step.connect(lambda *_: steps.append(None))
    panel.set_tools(rest, sources=states)
    qapp.processEvents()
    assert len(steps) == 1
    assert [panel.model.index(row, 0).data() for row in range(panel.model.rowCount())] == names
    panel.tree.setCurrentIndex(top(panel.model, "source03"))
    steps.clear()
    panel.set_tools(many, sources=[SourceRow(name, "mcp") for name in names])
    qapp.processEvents()
    assert len(steps) == 1
    assert panel.model.root.count == 2000
    assert panel.tree.currentIndex().data() == "source03"
