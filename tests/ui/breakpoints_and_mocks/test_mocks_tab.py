"""Mocks in the window: the list, the form with its preview, the file, and runs that are answered by them."""

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ptc_studio.app import Setup, Studio
from ptc_studio.core.responders.mocks import Mock
from ptc_studio.storage.mock_store import MockEntry
from ptc_studio.ui.breakpoints_and_mocks.mocks import KINDS, file_values, form_values, kind_of, schema_for
from ptc_studio.ui.forms import SchemaForm


async def saved(studio: Any, dialog: Any) -> None:
    """Presses the button, and waits until the file is written."""
    told = studio.signal(dialog.accepted)
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    await asyncio.wait_for(told, 30)


async def test_a_mock_is_added_answers_a_run_and_is_seen_to_do_so(studio: Any, desk: Any):
    dialog = desk.answers.mocks.edit()
    dialog.form.set_value({"name": "add", "value": {"sum": 7}})
    await saved(studio, dialog)
    await studio.until(lambda: desk.rows("mocks") == [("add", '{"sum":7}', True)])
    assert desk.said == "1 mock"
    assert "name: add" in desk.file
    record = await studio.run("print(add(1, 2)['sum'])")
    assert record["stdout"] == "7\n"
    assert record["calls"][0]["answered_by"] == "mock"


@pytest.mark.parametrize(
    ("kind", "filled", "shown", "mock"),
    [
        ("value", {"value": [1, None]}, "1,", Mock("add", "value", [1, None])),
        ("expression", {"expression": "a * 2", "delay": 0.5}, "", Mock("add", "expression", expression="a * 2", delay=0.5)),
        ("error", {"error_type": "KeyError", "error_message": "sku"}, "KeyError: sku", Mock("add", "error", error="KeyError", message="sku")),
        ("schema", {"seed": 3}, "", Mock("add", "schema", seed=3)),
        ("tool", {"failure_rate": 0.5, "failure_type": "OSError"}, "", Mock("add", "tool", error="OSError", failure_rate=0.5)),
    ],
)  # fmt: skip
async def test_every_kind_has_its_own_fields_and_preview(
    studio: Any, desk: Any, kind: str, filled: dict[str, Any], shown: str, mock: Mock
):
    dialog = desk.answers.mocks.mock({"name": "add"})
    QTest.mouseClick(dialog.kinds.button(list(KINDS).index(kind)), Qt.MouseButton.LeftButton)
    assert dialog.form.value()["name"] == "add"
    dialog.form.set_value({"name": "add", **filled})
    dialog.form.changed.emit()
    assert shown in dialog.preview.text.toPlainText()
    await saved(studio, dialog)
    await studio.until(lambda: desk.core.mocks.all == (mock,))


async def test_the_preview_of_a_schema_fits_it_and_that_of_an_expression_has_example_arguments(studio: Any, desk: Any):
    dialog = desk.answers.mocks.mock({"name": "team_members", "from_schema": True})
    text = dialog.preview.text.toPlainText()
    assert text.startswith(("[", "{")) or "does not say" in dialog.preview.caption.text()
    dialog.choose("expression")
    dialog.form.set_value({"name": "add", "expression": "[a, b]"})
    dialog.form.changed.emit()
    assert dialog.preview.caption.text().startswith("For example, with {")
    dialog.form.set_value({"name": "add", "expression": "a.b"})
    dialog.form.changed.emit()
    assert "a dot cannot be used here" in dialog.preview.caption.text()
    assert not dialog.form.faults() or all("dot" not in fault.message for fault in dialog.form.faults())


async def test_what_is_wrong_is_said_and_not_written(studio: Any, desk: Any):
    dialog = desk.answers.mocks.mock({"name": "add"})
    dialog.choose("expression")
    dialog.form.set_value({"name": "add", "expression": "a +"})
    dialog.save()
    assert "invalid syntax" in dialog.form.faults()[0].message
    dialog.choose("tool")
    dialog.save()
    assert "delay or a failure rate" in dialog.form.faults()[0].message
    dialog.choose("value")
    dialog.form.set_value({"name": "nowhere", "value": 1})
    assert [fault.message for fault in dialog.form.faults()] == ["No tool or alias has that name now."]
    assert dialog.form.is_valid()
    assert desk.file == ""


async def test_mocks_are_ticked_changed_deleted_and_brought_back_with_comments_intact(studio: Any, desk: Any):
    path = studio.workspace / "mocks.yaml"
    path.write_text("# Mine.\nmocks:\n  - {name: add, value: 1}  # one\n  # Below.\n  - name: mul\n    value: 2\n")
    await desk.core.reread_mocks()
    await studio.until(lambda: len(desk.rows("mocks")) == 2)
    desk.tick("mocks", 1, False)
    await studio.until(lambda: desk.said == "1 mock")
    assert desk.file.endswith("    value: 2\n    enabled: false\n")
    dialog = desk.answers.mocks.edit(0)
    assert dialog.form.value() == {"name": "add", "value": 1}
    dialog.form.set_value({"name": "add", "value": 5})
    await saved(studio, dialog)
    assert "{name: add, value: 5}  # one" in desk.file
    before = desk.file
    view = desk.panel.mocks.list
    view.selectAll()
    QTest.keyClick(view, Qt.Key.Key_Delete)
    await studio.until(lambda: desk.rows("mocks") == [])
    await studio.until(lambda: studio.window.context.messages.isVisible() and desk.said == "")
    assert "name" not in desk.file
    QTest.mouseClick(studio.window.context.messages.button, Qt.MouseButton.LeftButton)
    await studio.until(lambda: len(desk.rows("mocks")) == 2)
    assert desk.file == before


async def test_all_are_switched_at_once(studio: Any, desk: Any):
    (studio.workspace / "mocks.yaml").write_text(
        "mocks: [{name: add, value: 1}, {name: mul, value: 2, enabled: false}]\n"
    )
    await desk.core.reread_mocks()
    await studio.until(lambda: len(desk.rows("mocks")) == 2)
    button = desk.answers.mocks.all_button
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await studio.until(lambda: desk.core.mocks.enabled == () and button.text() == "All on")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await studio.until(lambda: len(desk.core.mocks.enabled) == 2)


async def test_a_file_that_is_broken_is_told_and_left_alone(studio: Any, desk: Any):
    (studio.workspace / "mocks.yaml").write_text("mocks: [{name: add, value: 1}]\n")
    await desk.core.reread_mocks()
    await studio.until(lambda: desk.rows("mocks") != [])
    (studio.workspace / "mocks.yaml").write_text("mocks: [{name: add, valu: 1}]\n")
    desk.tick("mocks", 0, False)
    await studio.until(lambda: studio.window.context.messages.isVisible())
    assert "unknown key 'valu'" in studio.window.context.messages.message
    assert desk.file == "mocks: [{name: add, valu: 1}]\n"


async def test_a_file_that_somebody_breaks_is_told_once_with_its_line(studio: Any, desk: Any):
    (studio.workspace / "mocks.yaml").write_text("mocks:\n  - name: add\n    valu: 1\n")
    await desk.core.reread_mocks()
    await studio.until(lambda: studio.window.context.messages.isVisible())
    assert "mocks.yaml:3: mocks.0.valu: unknown key 'valu'" in studio.window.context.messages.message
    studio.window.context.messages.hide()
    (studio.workspace / "mocks.yaml").write_text("mocks:\n  - name: add\n    value: 1\n")
    await desk.core.reread_mocks()
    await studio.until(lambda: desk.said == "1 mock")
    assert not studio.window.context.messages.isVisible()


async def test_a_finished_call_is_mocked_with_its_result_or_its_error(studio: Any, desk: Any):
    await studio.run("add(1, 2)\ntry:\n    add(1)\nexcept TypeError:\n    pass")
    tree, window = studio.window.panels.calls.tree, studio.window
    window.panels.calls.select_call("c1")
    await studio.until(lambda: len(tree.selected_calls()) == 1)
    menu = window.panels.calls.actions_of_calls.menu()
    texts = {action.text(): action for action in menu.actions()}
    assert "Break on this tool" in texts
    texts["Mock with this result…"].trigger()
    dialog = studio.window.findChild(object, "mockDialog")
    assert dialog.values() == {"name": "add", "value": 3}
    dialog.reject()
    studio.window.panels.calls.tree.answer_requested.emit(
        "mock", {"alias": None, "tool": "add", "status": "error", "error": {"type": "KeyError", "message": "x"}}
    )


async def test_a_mock_that_is_there_is_opened_instead_of_a_second(studio: Any, desk: Any):
    (studio.workspace / "mocks.yaml").write_text("mocks: [{name: add, value: 1}]\n")
    await desk.core.reread_mocks()
    studio.window.panels.tools.answer_requested.emit("mock", "add")
    dialog = studio.window.findChild(object, "mockDialog")
    assert dialog.windowTitle() == "Mock of add"


async def test_without_a_workspace_mocks_last_as_long_as_the_studio(studio: Any, desk: Any):
    # The window's own studio has a workspace; this one has none.
    free = Studio(Setup())
    try:
        free.kept_mocks.hold([{"name": "add", "value": 1}])
        assert free.mocks.all == (Mock("add", value=1),)
    finally:
        await free.close()


@pytest.mark.parametrize(
    "values",
    [
        {"name": "a", "value": None},
        {"name": "a", "value": {"x": [1]}, "delay": 1.5, "failure_rate": 0.1, "seed": 4, "notes": "two\nlines"},
        {"name": "a", "value": 1, "failure_rate": 0.5, "error": {"type": "OSError", "message": "down"}},
        {"name": "a", "from_schema": True, "enabled": False},
        {"name": "a", "expression": "b + 1"},
        {"name": "a", "error": {"type": "KeyError", "message": "x"}, "delay": 2.0},
        {"name": "a", "delay": 1.0},
        {"name": "a", "failure_rate": 0.5, "error": {"type": "OSError"}},
    ],
)
def test_an_entry_goes_through_the_form_and_comes_back(values: dict[str, Any], qtbot: Any):
    form = SchemaForm(schema_for(kind_of(values)), form_values(values))
    qtbot.addWidget(form)
    again = file_values(kind_of(values), form.value(), values.get("enabled", True))
    assert MockEntry(**again).mock() == MockEntry(**values).mock()
    assert again.get("notes") == values.get("notes")
