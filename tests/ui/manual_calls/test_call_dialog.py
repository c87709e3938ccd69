"""“Call…”: from the tool panel, from the menu, and again from a call of the tree."""

import asyncio
import json
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from ptc_studio.core.registry import Target
from ptc_studio.ui.manual_calls import CallDialog
from ptc_studio.ui.manual_calls.actions import ManualCallActions
from ptc_studio.ui.manual_calls.arguments_form import former_arguments, without_passwords
from ptc_studio.ui.widgets.picker import Picker


def dialogs(window: Any) -> list[CallDialog]:
    return [each for each in window.findChildren(CallDialog) if each.isVisible()]


async def call(studio: Any, dialog: CallDialog) -> dict[str, Any]:
    called = studio.signal(dialog.pane.called)
    QTest.mouseClick(dialog.pane.call_button, Qt.MouseButton.LeftButton)
    return await asyncio.wait_for(called, 30)


@pytest.mark.qt_log_ignore("does not support raise", extend=True)
async def test_the_tool_panel_asks_for_a_dialog_and_gets_the_same_one_twice(trying: Any) -> None:
    window = trying.studio.window
    window.panels.tools.call_requested.emit("ping")
    window.panels.tools.call_requested.emit("ping")
    window.panels.tools.call_requested.emit("greet")
    first, second = dialogs(window)
    assert {first.name, second.name} == {"ping", "greet"}
    assert not first.isModal()
    ping = first if first.name == "ping" else second
    assert ping.windowTitle() == "Call ping"
    assert ping.text.text() == "Answers."
    assert (await call(trying.studio, ping))["result"] == "pong"
    QTest.keyClick(ping, Qt.Key.Key_Escape)
    assert [each.name for each in dialogs(window)] == ["greet"]


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
async def test_the_menu_calls_what_is_selected_or_has_one_picked(trying: Any) -> None:
    window = trying.studio.window
    await trying.studio.until(lambda: any(leaf.label == "greet" for leaf in window.panels.tools.model.root.leaves()))
    window.panels.tools.select("team")
    window.commands["callToolAction"].trigger()
    (dialog,) = dialogs(window)
    assert dialog.name == "team"
    assert dialog.about.text().startswith("alias of people.team_members · ")
    assert len((await call(trying.studio, dialog))["result"]) > 0
    dialog.close()
    window.panels.tools.select("")
    window.commands["callToolAction"].trigger()
    (picker,) = [each for each in window.findChildren(Picker) if each.isVisible()]
    field = picker.findChild(QLineEdit)
    QTest.keyClicks(field, "greet")
    QTest.keyClick(field, Qt.Key.Key_Return)
    (dialog,) = dialogs(window)
    assert dialog.name == "greet"


async def test_a_call_of_the_tree_is_made_again_with_its_arguments(trying: Any) -> None:
    studio, window = trying.studio, trying.studio.window
    await studio.run('greet("Ada", times=2)\n')
    window.panels.calls.select_call("c1")
    actions = window.panels.calls.actions_of_calls
    menu = actions.menu()
    assert actions.again in menu.actions()
    assert actions.again.isEnabled()
    actions.again.trigger()
    (dialog,) = dialogs(window)
    assert dialog.pane.arguments() == {"name": "Ada", "times": 2}
    record = await call(studio, dialog)
    assert record["result"] == ["Hello Ada", "Hello Ada"]
    assert len(window.panels.calls.model.calls()) == 1


async def test_what_the_record_hides_is_left_out_and_said(trying: Any) -> None:
    studio, window = trying.studio, trying.studio.window
    await studio.run('login("ada", password="correct horse")\n')
    window.panels.calls.select_call("c1")
    window.panels.calls.actions_of_calls.again.trigger()
    (dialog,) = dialogs(window)
    assert dialog.pane.arguments() == {"user": "ada"}
    assert dialog.pane.note.text() == "▲ Hidden in the record, so to be filled in again: password"


async def test_what_an_alias_sets_is_not_given_again(trying: Any) -> None:
    target: Target = trying.target("team")
    former = former_arguments({"team": "engineering", "limit": [1, {"key": "x [REDACTED:token]"}]}, target)
    assert former.values == {"limit": [1, {}]}
    assert former.hidden == ("limit",)
    assert former_arguments("{too long", target).values == {}


async def test_several_selected_calls_are_not_made_again(trying: Any) -> None:
    studio, window = trying.studio, trying.studio.window
    await studio.run('greet("Ada")\nping()\n')
    window.panels.calls.tree.selectAll()
    actions = window.panels.calls.actions_of_calls
    actions.menu()
    assert not actions.again.isEnabled()


async def test_a_tool_that_went_is_said_in_the_dialog_and_comes_back(trying: Any) -> None:
    studio, window = trying.studio, trying.studio.window
    window.panels.tools.call_requested.emit("greet")
    (dialog,) = dialogs(window)
    path = studio.workspace / "tools" / "tryable.py"
    text = path.read_text()
    path.unlink()
    window.workbench.load()
    await studio.until(lambda: dialog.target is None)
    assert "greet" in dialog.pane.form.word.text()
    assert not dialog.pane.call_button.isEnabled()
    path.write_text(text.replace("times: int = 1", "times: int = 2"))
    window.workbench.load()
    await studio.until(lambda: dialog.target is not None)


async def test_arguments_used_before_outlive_the_window_and_hold_no_secret(trying: Any) -> None:
    studio = trying.studio
    trying.choose("login")
    trying.fill("user", text="ada")
    trying.fill("password", text="correct horse")
    await trying.call()
    (file,) = (studio.data / "arguments").glob("*.json")
    assert json.loads(file.read_text()) == {"login": [{"user": "ada"}]}
    await studio.close()
    await studio.open()
    controller = studio.window.findChild(ManualCallActions)
    dialog = controller.open("login")
    form = dialog.pane.form.schema_form
    assert [action.text() for action in form.bar.menu.actions()] == ['{"user": "ada"}']


async def test_a_disabled_alias_says_that_it_is(trying: Any) -> None:
    studio, window = trying.studio, trying.studio.window
    file = studio.workspace / "studio.yaml"
    file.write_text(file.read_text() + "    enabled: false\n")
    await window.workbench.studio.reread()
    window.panels.tools.call_requested.emit("team")
    (dialog,) = dialogs(window)
    assert dialog.target is None
    assert dialog.pane.form.word.text() == "The alias 'team' is disabled: enable it to call it."
    assert not dialog.pane.call_button.isEnabled()


@pytest.mark.parametrize(
    ("schema", "arguments", "kept"),
    [
        ({"properties": {"pin": {"type": "string", "format": "password"}, "n": {}}}, {"pin": "1234", "n": 1}, {"n": 1}),
        (
            {"properties": {"a": {"$ref": "#/$defs/p"}}, "$defs": {"p": {"type": "string", "writeOnly": True}}},
            {"a": "x"},
            {},
        ),
        (
            {"properties": {"o": {"anyOf": [{"type": "object", "additionalProperties": {"format": "password"}}]}}},
            {"o": {"k": "x"}},
            {"o": {}},
        ),
        (
            {"properties": {"l": {"type": "array", "items": {"anyOf": [{"format": "password"}, {"type": "integer"}]}}}},
            {"l": ["x", "y"]},
            {"l": []},
        ),
        (
            {"$defs": {"t": {"properties": {"t": {"$ref": "#/$defs/t"}}}}, "$ref": "#/$defs/t"},
            {"t": {"t": {"t": {}}}},
            {"t": {"t": {"t": {}}}},
        ),
    ],
)
def test_what_stands_in_password_fields_is_not_kept(schema: Any, arguments: Any, kept: Any) -> None:
    assert without_passwords(arguments, {"type": "object", **schema}) == kept
