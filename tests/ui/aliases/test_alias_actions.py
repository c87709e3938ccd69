"""Aliases are copied, switched off and on, and deleted, one or several at once; each step can be undone."""

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, QMimeData, QModelIndex, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QMenu

from ptc_studio.ui.aliases.alias_dialog import AliasDialog
from ptc_studio.ui.tools.header import TOOLS_FORMAT, HeaderButton
from ptc_studio.ui.widgets.picker import Picker
from tests.ui.seen import child


def line_of(aliases: Any, name: str) -> QModelIndex:
    tools = aliases.window.panels.tools
    node = next(node for node in tools.model.root.walk() if node.label == name and node.kind in ("tool", "alias"))
    return tools.model.index_of(node)


def select(aliases: Any, *names: str) -> None:
    tree = aliases.window.panels.tools.tree
    tree.selectionModel().clear()
    for name in names:
        tree.selectionModel().setCurrentIndex(line_of(aliases, name), QItemSelectionModel.SelectionFlag.Select)


def menu(aliases: Any, name: str) -> QMenu:
    return aliases.window.panels.tools.menu_for(line_of(aliases, name))


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if action.text()]


async def choose(aliases: Any, name: str, text: str) -> None:
    """Takes an entry of the menu of a line, and waits until it is done."""
    loaded = aliases.studio.signal(aliases.window.workbench.tools_loaded)
    next(action for action in menu(aliases, name).actions() if action.text() == text).trigger()
    await asyncio.wait_for(loaded, 30)


async def opened(aliases: Any) -> AliasDialog:
    def visible() -> list[AliasDialog]:
        return [each for each in aliases.window.findChildren(AliasDialog) if each.isVisible()]

    await aliases.studio.until(visible)
    return visible()[0]


async def shown(aliases: Any, name: str) -> None:
    nodes = aliases.window.panels.tools.model.root.walk
    await aliases.studio.until(lambda: any(node.label == name for node in nodes()))


async def test_ctrl_n_opens_the_form_for_the_tool_that_is_selected(aliases: Any):
    action = aliases.window.commands["addAliasAction"]
    assert action.shortcut() == QKeySequence("Ctrl+Shift+A")
    assert (action.text(), action.iconText()) == ("Add alias…", "+ Alias")
    action.trigger()
    dialog = await opened(aliases)
    assert dialog.values() == {"name": "", "tool": ""}
    dialog.reject()
    await asyncio.sleep(0)
    aliases.window.panels.tools.select("price")
    action.trigger()
    dialog = await opened(aliases)
    assert dialog.values()["tool"] == "price"
    dialog.reject()


async def test_the_menu_of_a_tool_offers_an_alias_and_a_call(aliases: Any):
    told: list[str] = []
    aliases.window.panels.tools.call_requested.disconnect()
    aliases.window.panels.tools.call_requested.connect(told.append)
    assert {"Insert call", "Call…", "Make an alias…"} <= set(texts(menu(aliases, "price")))
    entries = {action.text(): action for action in menu(aliases, "price").actions()}
    entries["Call…"].trigger()
    assert told == ["price"]
    entries["Make an alias…"].trigger()
    dialog = await opened(aliases)
    assert dialog.values()["tool"] == "price"
    dialog.reject()


async def test_the_menu_of_an_alias_has_all_that_is_done_with_one(aliases: Any):
    offered = texts(menu(aliases, "team"))
    assert offered[:2] == ["Insert call", "Call…"]
    assert [text for text in offered if text in ("Edit…", "Duplicate", "Disable", "Enable", "Delete")] == [
        "Edit…",
        "Duplicate",
        "Disable",
        "Delete",
    ]


async def test_an_alias_is_switched_off_and_on_again(aliases: Any):
    before = aliases.file
    await choose(aliases, "team", "Disable")
    assert aliases.changed(before) == ["+     enabled: false"]
    assert aliases.told() == "The alias 'team' was disabled."
    assert not aliases.is_callable("team")
    await aliases.studio.until(lambda: "Enable" in texts(menu(aliases, "team")))
    assert "Insert call" not in texts(menu(aliases, "team"))
    await choose(aliases, "team", "Enable")
    assert aliases.changed(before) == ["+     enabled: true"]
    assert aliases.is_callable("team")


async def test_switching_off_is_undone_to_the_letter(aliases: Any):
    before = aliases.file
    await choose(aliases, "team", "Disable")
    await aliases.undo()
    assert aliases.file == before
    assert aliases.is_callable("team")


async def test_a_copy_stands_behind_the_original(aliases: Any):
    before = aliases.file
    await choose(aliases, "team", "Duplicate")
    assert [line.strip("+ ") for line in aliases.changed(before)] == [
        "- name: team_copy",
        "tool: people.team_members",
        "preset: {team: engineering}",
    ]
    assert aliases.file.index("team_copy") < aliases.file.index("name: cheap")
    await shown(aliases, "team_copy")
    await aliases.studio.until(lambda: aliases.window.panels.tools.selected().name == "team_copy")
    await choose(aliases, "team", "Duplicate")
    assert "name: team_copy_2" in aliases.file
    await aliases.undo()
    assert "name: team_copy_2" not in aliases.file


async def test_deleting_takes_away_just_that_and_undo_brings_it_back(aliases: Any):
    before = aliases.file
    await choose(aliases, "team", "Delete")
    gone = aliases.changed(before)
    assert all(line.startswith("-") for line in gone)
    assert [line.strip("- ") for line in gone] == [
        "name: team",
        "tool: people.team_members",
        "preset: {team: engineering}   # never another one",
    ]
    assert not aliases.is_callable("team")
    await aliases.undo()
    assert aliases.file == before
    assert aliases.is_callable("team")


async def test_several_are_dealt_with_at_once_and_undone_at_once(aliases: Any):
    before = aliases.file
    select(aliases, "team", "cheap")
    assert texts(menu(aliases, "team")) == ["Duplicate", "Disable", "Delete"]
    await choose(aliases, "team", "Disable")
    assert aliases.changed(before) == ["+     enabled: false", "+     enabled: false"]
    assert aliases.told() == "2 aliases were disabled."
    await aliases.undo()
    assert aliases.file == before
    await aliases.studio.until(lambda: aliases.is_callable("team"))
    select(aliases, "team", "cheap")
    await choose(aliases, "team", "Duplicate")
    assert aliases.told() == "2 aliases were copied: 'cheap_copy', 'team_copy'."
    await aliases.undo()
    select(aliases, "team", "cheap")
    await choose(aliases, "cheap", "Delete")
    assert "tool: price" not in aliases.file
    assert "team_members" not in aliases.file
    await aliases.undo()
    assert aliases.file == before


async def test_a_step_of_several_that_fails_changes_nothing(aliases: Any):
    before = aliases.file
    aliases.window.panels.tools.alias_requested.emit("delete", ["team", "nobody"])
    await aliases.studio.until(aliases.told)
    assert "nobody" in aliases.told() or "aliases, and none" in aliases.told()
    assert aliases.file == before


async def test_undo_after_somebody_else_changed_the_file_says_so(aliases: Any):
    await aliases.ask("disable", "team")
    path = aliases.studio.workspace / "studio.yaml"
    path.write_text(path.read_text() + "# mine\n")
    aliases.press(aliases.window.context.messages.button)
    await aliases.studio.until(lambda: "changed outside" in aliases.told())
    assert path.read_text().endswith("# mine\n")


async def test_keys_of_the_tree_edit_and_delete(aliases: Any):
    before = aliases.file
    tree = aliases.window.panels.tools.tree
    aliases.window.activateWindow()
    tree.setFocus()
    aliases.window.panels.tools.select("team")
    QTest.keyClick(tree, Qt.Key.Key_F2)
    dialog = await opened(aliases)
    assert dialog.values()["name"] == "team"
    dialog.reject()
    loaded = aliases.studio.signal(aliases.window.workbench.tools_loaded)
    QTest.keyClick(tree, Qt.Key.Key_Delete)
    await asyncio.wait_for(loaded, 30)
    assert "name: team" not in aliases.file
    await aliases.undo()
    assert aliases.file == before
    aliases.window.panels.tools.select("price")
    QTest.keyClick(tree, Qt.Key.Key_Delete)
    QTest.keyClick(tree, Qt.Key.Key_F2)
    assert aliases.file == before


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
async def test_commands_go_to_what_is_selected_or_have_one_picked(aliases: Any):
    before, commands = aliases.file, aliases.window.commands
    aliases.window.panels.tools.select("team")
    loaded = aliases.studio.signal(aliases.window.workbench.tools_loaded)
    commands["toggleAliasAction"].trigger()
    await asyncio.wait_for(loaded, 30)
    assert aliases.changed(before) == ["+     enabled: false"]
    await aliases.studio.until(lambda: "Enable" in texts(menu(aliases, "team")))
    loaded = aliases.studio.signal(aliases.window.workbench.tools_loaded)
    commands["toggleAliasAction"].trigger()
    await asyncio.wait_for(loaded, 30)
    assert aliases.changed(before) == ["+     enabled: true"]
    aliases.window.panels.tools.select("add")
    commands["editAliasAction"].trigger()
    picker = aliases.window.findChild(Picker)
    choices, field = child(picker, QListWidget), child(picker, QLineEdit)
    assert [choices.item(row).toolTip() for row in range(2)] == ["team  → people.team_members", "cheap  → price"]
    QTest.keyClicks(field, "cheap")
    QTest.keyClick(field, Qt.Key.Key_Return)
    dialog = await opened(aliases)
    assert dialog.values()["name"] == "cheap"
    dialog.reject()


async def test_commands_without_any_alias_say_how_to_make_one(aliases: Any):
    await aliases.ask("delete", "team", "cheap")
    for verb in ("edit", "duplicate", "toggle", "delete"):
        aliases.window.context.messages.hide()
        aliases.window.commands[f"{verb}AliasAction"].trigger()
        assert aliases.told() == "There are no aliases yet: make one with Ctrl+Shift+A."


def dropped(aliases: Any, widget: Any, data: QMimeData) -> None:
    """A drag that ends on the widget."""
    for kind in (QDragEnterEvent, QDropEvent):
        place = widget.rect().center()
        event = kind(
            place if kind is QDragEnterEvent else QPointF(place),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(widget, event)


async def test_a_tool_that_is_dropped_on_the_button_becomes_an_alias(aliases: Any):
    tools = aliases.window.panels.tools
    data = tools.model.mimeData([line_of(aliases, "price")])
    button = next(each for each in tools.findChildren(HeaderButton) if each.text() == "+ Alias")
    dropped(aliases, button, data)
    dialog = await opened(aliases)
    assert dialog.values()["tool"] == "price"
    dialog.reject()
    await asyncio.sleep(0)
    other = next(each for each in tools.findChildren(HeaderButton) if each.text() == "+ Source")
    assert not other.acceptDrops()


async def test_a_tool_that_is_dropped_where_the_aliases_are_becomes_one(aliases: Any):
    model = aliases.window.panels.tools.model
    data = model.mimeData([line_of(aliases, "price")])
    group = model.index_of(next(node for node in model.root.children if node.holds_aliases))
    copy = Qt.DropAction.CopyAction
    assert model.canDropMimeData(data, copy, -1, -1, group)
    assert model.canDropMimeData(data, copy, -1, -1, line_of(aliases, "team"))
    assert not model.canDropMimeData(data, copy, -1, -1, line_of(aliases, "add"))
    assert not model.canDropMimeData(QMimeData(), copy, -1, -1, group)
    assert not model.dropMimeData(data, copy, -1, -1, group)
    dialog = await opened(aliases)
    assert dialog.values()["tool"] == "price"
    dialog.reject()


async def test_an_alias_is_dragged_as_its_tool(aliases: Any):
    data = aliases.window.panels.tools.model.mimeData([line_of(aliases, "cheap")])
    assert bytes(data.data(TOOLS_FORMAT).data()) == b"price"
    assert data.text() == "cheap(sku=)"


async def test_aliases_that_are_off_or_broken_are_seen_with_the_reason(aliases: Any):
    text = aliases.file.replace("tool: price", "tool: no_such_tool").replace(
        "preset: {team: engineering}", "enabled: false"
    )
    (aliases.studio.workspace / "studio.yaml").write_text(text)
    await aliases.window.workbench.studio.reread()
    tools = aliases.window.panels.tools

    def rows() -> dict[str, Any]:
        return {node.label: node.row for node in tools.model.root.walk() if node.kind == "alias"}

    await aliases.studio.until(lambda: rows().get("cheap") and rows()["cheap"].fault)
    assert not rows()["team"].enabled
    assert "leads nowhere" in rows()["cheap"].fault
    assert [node.kind for node in tools.model.root.children] == ["source", "source"]
    for name in ("team", "cheap"):
        index = line_of(aliases, name)
        assert index.data(Qt.ItemDataRole.CheckStateRole) is None
        assert not tools.model.flags(index) & Qt.ItemFlag.ItemIsDragEnabled
    assert line_of(aliases, "team").data(Qt.ItemDataRole.AccessibleTextRole).endswith("disabled")
    assert "no_such_tool" in line_of(aliases, "cheap").data(Qt.ItemDataRole.ToolTipRole)
    tools.select("cheap")
    assert "leads nowhere" in tools.details.text.toPlainText()
    assert not tools.details.insert.isVisible()
    assert "Copy reason" in texts(menu(aliases, "cheap"))
    tools.tree.doubleClicked.emit(line_of(aliases, "cheap"))
    dialog = await opened(aliases)
    assert dialog.values()["name"] == "cheap"
    dialog.reject()
    assert tools.model.grant is None


async def test_two_of_one_name_are_both_seen(aliases: Any):
    text = aliases.file.replace("name: cheap", "name: team")
    (aliases.studio.workspace / "studio.yaml").write_text(text)
    await aliases.window.workbench.studio.reread()

    def faults() -> list[str]:
        nodes = aliases.window.panels.tools.model.root.walk()
        return sorted(node.row.fault for node in nodes if node.kind == "alias" and node.label == "team")

    await aliases.studio.until(lambda: len(faults()) == 2)
    assert faults()[0] == ""
    assert "two aliases named 'team'" in faults()[1]


@pytest.mark.parametrize("count", [1, 3])
async def test_the_panel_with_the_real_file_keeps_qts_rules(aliases: Any, qtmodeltester: Any, count: int):
    qtmodeltester.check(aliases.window.panels.tools.model)
    for _ in range(count):
        await aliases.ask("duplicate", "team")
        await aliases.ask("disable", "team")
    nodes = aliases.window.panels.tools.model.root.walk
    await aliases.studio.until(lambda: sum(node.kind == "alias" for node in nodes()) == 2 + count)
    qtmodeltester.check(aliases.window.panels.tools.model)
