"""The permission of a tool, an alias or a source: who decided, and another choice, in the tool panel."""

from typing import Any

import pytest

from ptc_studio.core.tools import Permission
from tests.ui.prompts.conftest import FILE, Desk
from tests.ui.prompts.test_permission_prompts import changes


async def choose(desk: Desk, permission: Permission | None) -> None:
    """Presses the choice, and waits until the file and the panel have it."""
    before = desk.file
    row = desk.window.panels.tools.details.permission
    desk.press(row.button(permission))
    await desk.studio.until(lambda: desk.file != before and row.button(permission).isChecked())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("add", "✓ Allowed by default"),
        ("ship", "◆ Asks first, by source 'shop'"),
        ("give_back", "◆ Asks first, by source 'shop'"),
    ],
)
async def test_it_is_said_who_decided(desk: Desk, name: str, said: str):
    await desk.studio.until(lambda: desk.window.panels.tools.model.root.count)
    desk.window.panels.tools.select(name)
    row = desk.window.panels.tools.details.permission
    await desk.studio.until(lambda: row.said.text() == said)
    assert row.button(None).isChecked()


@pytest.mark.parametrize(
    ("name", "who", "diff"),
    [
        ("ship", "tool 'ship'", ["+    permissions: {ship: deny}"]),
        ("give_back", "alias 'give_back'", ["+    permission: deny"]),
        ("team", "alias 'team'", ["+    permission: deny"]),
    ],
)
async def test_a_tool_or_alias_is_denied_and_left_to_others_again(desk: Desk, name: str, who: str, diff: list[str]):
    tools = desk.window.panels.tools
    tools.select(name)
    await choose(desk, "deny")
    assert tools.details.permission.said.text() == f"▲ Denied by {who}"
    assert changes(FILE, desk.file) == diff
    record = await desk.studio.run(f"call_tool('{name}', {{'order': 1}})\n")
    assert record["error"]["message"] == f"Tool '{name}' is denied by {who}."
    tools.select(name)
    await choose(desk, None)
    assert desk.file == FILE


async def test_a_source_speaks_for_its_tools_and_the_change_is_undone(desk: Desk):
    tools = desk.window.panels.tools
    node = next(node for node in tools.model.root.children if node.label == "shop")
    tools.tree.setCurrentIndex(tools.model.index_of(node))
    row = tools.details.permission
    assert row.said.text() == "◆ Asks first, unless a tool says otherwise"
    await choose(desk, "deny")
    assert changes(FILE, desk.file) == ["-    permission: ask  # always", "+    permission: deny  # always"]
    record = await desk.studio.run("ship(1)\n")
    assert record["error"]["message"] == "Tool 'ship' is denied by source 'shop'."
    desk.press(desk.window.context.messages.button)
    await desk.studio.until(lambda: desk.file == FILE and row.button("ask").isChecked())


async def test_without_a_workspace_file_nothing_can_be_chosen_and_it_is_said_why(desk: Desk, monkeypatch: Any):
    monkeypatch.setattr(desk.window.workbench.studio, "has_workspace", False)
    desk.window.panels.tools.select("ship")
    row = desk.window.panels.tools.details.permission
    assert not row.button("allow").isEnabled()
    assert "No folder is open" in row.button("allow").toolTip()
