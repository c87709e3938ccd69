"""Tests of the tool panel and its model."""

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QLineEdit, QTreeView

from ptc_studio.core.registry import Alias, Registry
from ptc_studio.core.tools import LoadError, Parameter, ToolSpec
from ptc_studio.ui.tools.details import details_html
from ptc_studio.ui.tools.model import ToolModel
from ptc_studio.ui.tools.panel import ToolPanel
from ptc_studio.ui.tools.rows import ErrorRow, ParameterRow, ToolRow, rows_from
from tests.ui.seen import seen_texts

TOOLS = (
    ToolRow(
        "get_expenses",
        "functions",
        "finance",
        "Expense lines.",
        (ParameterRow("person", "str"), ParameterRow("q", "str", False, '"Q3"')),
    ),
    ToolRow("get_budget", "functions", "finance", "Budget of a person."),
    ToolRow("members", "functions", "people", "Members of a team.", file="/x/people.py", line=7),
    ToolRow("search-issues", "github", "", "Search.", permission="ask"),
)
ALIASES = (ToolRow("team", "functions", "people", "", target="members"),)
ERRORS = (ErrorRow("functions", "/x/billing.py", 3, "ImportError: no stripe"),)
CHECKED, PARTLY, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.PartiallyChecked, Qt.CheckState.Unchecked
TICK = Qt.ItemDataRole.CheckStateRole


@pytest.fixture
def model(qapp) -> ToolModel:
    made = ToolModel()
    made.set_tools(TOOLS, ALIASES, ERRORS)
    return made


@pytest.fixture
def panel(qtbot, dressed) -> ToolPanel:
    made = ToolPanel()
    qtbot.addWidget(made)
    made.resize(260, 700)
    made.set_tools(TOOLS, ALIASES, ERRORS)
    made.show()
    return made


def index_of(model: ToolModel, *path: str) -> QModelIndex:
    found = QModelIndex()
    for label in path:
        children = [model.index(row, 0, found) for row in range(model.rowCount(found))]
        found = next(child for child in children if child.data() == label)
    return found


def labels(model: ToolModel, parent: QModelIndex | None = None) -> list[str]:
    parent = parent or QModelIndex()
    return [model.index(row, 0, parent).data() for row in range(model.rowCount(parent))]


def test_the_model_keeps_qts_rules(qtmodeltester, qapp) -> None:
    model = ToolModel()
    qtmodeltester.check(model)
    for count in range(len(TOOLS) + 1):
        model.set_tools(TOOLS[:count], ALIASES[: count % 2], ERRORS)
        qtmodeltester.check(model)
    model.set_filter("get")
    model.setData(index_of(model, "functions"), UNCHECKED, TICK)
    qtmodeltester.check(model)


def test_tools_stand_in_their_modules_and_sources(model) -> None:
    assert labels(model) == ["functions", "github", "Aliases", "billing.py did not load"]
    assert labels(model, index_of(model, "functions", "finance")) == ["get_expenses", "get_budget"]
    assert labels(model, index_of(model, "github")) == ["search-issues"]


def test_everything_is_granted_at_first(model) -> None:
    assert model.grant is None
    assert index_of(model, "functions").data(TICK) == CHECKED


def test_unticking_a_tool_marks_its_groups(model, qtbot) -> None:
    with qtbot.waitSignal(model.grant_changed) as told:
        model.setData(index_of(model, "functions", "finance", "get_budget"), UNCHECKED, TICK)
    assert told.args == [("get_expenses", "members", "search-issues", "team")]
    assert index_of(model, "functions", "finance").data(TICK) == PARTLY
    assert index_of(model, "functions").data(TICK) == PARTLY
    assert index_of(model, "github").data(TICK) == CHECKED


def test_ticking_a_group_ticks_what_is_in_it(model) -> None:
    model.set_grant(())
    assert model.grant == ()
    model.setData(index_of(model, "functions"), CHECKED, TICK)
    assert model.grant == ("get_expenses", "get_budget", "members")
    model.setData(index_of(model, "github"), CHECKED, TICK)
    model.setData(index_of(model, "Aliases"), CHECKED, TICK)
    assert model.grant is None


def test_ticking_a_group_leaves_what_the_filter_hides(model) -> None:
    model.set_filter("budget")
    model.setData(index_of(model, "functions"), UNCHECKED, TICK)
    model.set_filter("")
    assert "get_expenses" in (model.grant or ())
    assert "get_budget" not in (model.grant or ())


def test_what_was_unticked_stays_so_after_a_reload(model) -> None:
    model.setData(index_of(model, "github"), UNCHECKED, TICK)
    model.set_tools((*TOOLS, ToolRow("new", "functions")), ALIASES)
    assert "new" in (model.grant or ())
    assert "search-issues" not in (model.grant or ())


def test_a_failure_cannot_be_ticked_and_says_why(model) -> None:
    error = index_of(model, "billing.py did not load")
    assert error.data(TICK) is None
    assert not model.setData(error, CHECKED, TICK)
    assert "no stripe" in error.data(Qt.ItemDataRole.ToolTipRole)


def test_a_drag_carries_the_text_of_a_call(model) -> None:
    tool = index_of(model, "functions", "finance", "get_expenses")
    assert model.flags(tool) & Qt.ItemFlag.ItemIsDragEnabled
    assert model.mimeData([tool]).text() == "get_expenses(person=)"
    assert model.mimeData([index_of(model, "github", "search-issues")]).text() == "search_issues()"


@pytest.mark.parametrize(("wanted", "left"), [("GET bud", ["get_budget"]), ("finance.get_e", ["get_expenses"])])
def test_the_filter_wants_every_word(panel, qtbot, wanted, left) -> None:
    qtbot.keyClicks(panel.findChild(QLineEdit, "toolFilter"), wanted)
    assert labels(panel.model, index_of(panel.model, "functions", "finance")) == left
    assert panel.tree.isExpanded(index_of(panel.model, "functions", "finance"))


def test_a_filter_that_leaves_nothing_says_so(panel) -> None:
    panel.filter.setText("nothing like it")
    assert any("nothing like it" in text for text in seen_texts(panel))
    panel.filter.clear()
    assert panel.tree.isExpanded(index_of(panel.model, "functions"))


def test_the_panel_has_its_names(panel) -> None:
    assert panel.objectName() == "toolPanel"
    assert panel.findChild(QTreeView, "toolTree") is panel.tree
    assert panel.filter.placeholderText() == "Filter 4 tools…"


def test_without_tools_the_panel_says_what_to_do(qtbot, dressed) -> None:
    panel = ToolPanel()
    qtbot.addWidget(panel)
    panel.show()
    assert any("folder" in text for text in seen_texts(panel))


def test_a_double_click_asks_for_a_call(panel, qtbot) -> None:
    panel.select("get_expenses")
    place = panel.tree.visualRect(panel.tree.currentIndex()).center()
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(panel.insert_requested) as told:
        qtbot.mouseDClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.args == ["get_expenses(person=)"]


def test_a_click_on_the_box_changes_the_grant(panel, qtbot) -> None:
    row = panel.tree.visualRect(index_of(panel.model, "functions", "finance", "get_budget"))
    with qtbot.waitSignal(panel.grant_changed) as told:
        qtbot.mouseClick(
            panel.tree.viewport(),
            Qt.MouseButton.LeftButton,
            pos=row.center() - (row.center() - row.topLeft()) + type(row.center())(10, row.height() // 2),
        )
    assert "get_budget" not in told.args[0]


def test_the_selected_tool_is_described(panel) -> None:
    panel.select("get_expenses")
    assert panel.details.isVisible()
    assert 'get_expenses(person: str, q: str = "Q3")' in panel.details.text.toPlainText()
    panel.select("no such tool")
    assert not panel.details.isVisible()


def test_a_failure_offers_its_file(panel, qtbot) -> None:
    menu = panel.menu_for(index_of(panel.model, "billing.py did not load"))
    show = next(action for action in menu.actions() if action.text() == "Show file")
    with qtbot.waitSignal(panel.file_requested) as told:
        show.trigger()
    assert told.args == ["/x/billing.py", 3]


def test_text_of_a_tool_is_not_taken_for_html(qapp) -> None:
    assert "<b>" not in details_html(ToolRow("x", "s", description="<b>bold</b>"))


def test_2000_tools_are_filtered_in_one_go_a_letter(panel) -> None:
    many = [
        ToolRow(f"tool_{n}", f"source{n % 4}", f"module{n % 40}", f"Does the thing number {n}.") for n in range(2000)
    ]
    panel.set_tools(many)
    resets, others = [], []
    panel.model.modelReset.connect(lambda: resets.append(None))
    for one_by_one in (panel.model.rowsInserted, panel.model.rowsRemoved, panel.model.dataChanged):
        one_by_one.connect(others.append)
    for end in range(1, len("tool_1999") + 1):
        panel.filter.setText("tool_1999"[:end])
        assert (len(resets), others) == (end, [])
    assert panel.model.root.count == 1


class _Tool:
    def __init__(self, spec: ToolSpec) -> None:
        self.spec = spec
        self.bind = self.invoke = None


def test_rows_are_made_from_the_registry() -> None:
    schema = {
        "type": "object",
        "properties": {"sku": {"type": "string", "description": "The article."}, "qty": {"type": "integer"}},
        "required": ["sku"],
    }
    signature = (Parameter("sku", annotation="str"), Parameter("qty", False, 1))
    registry = Registry()
    registry.register(
        _Tool(
            ToolSpec("reserve", "Reserve.", schema, "shop", signature, also=("stock.reserve",), origin="/x/stock.py:9")
        )
    )
    registry.register_alias(Alias("hold", "reserve", preset={"qty": 2}))
    rows = rows_from(registry, [LoadError("shop", "/x/a.py", None, "SyntaxError")])
    tool, alias = rows.tools[0], rows.aliases[0]
    assert (tool.module, tool.file, tool.line, tool.call) == ("stock", "/x/stock.py", 9, "reserve(sku=)")
    assert tool.parameters[0] == ParameterRow("sku", "str", True, "", "The article.")
    assert (tool.parameters[1].type, tool.parameters[1].default) == ("integer", "1")
    assert (alias.name, alias.target, [p.name for p in alias.parameters]) == ("hold", "reserve", ["sku"])
    assert rows.errors[0].title == "a.py did not load"
