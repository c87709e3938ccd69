"""An alias is filled in, tried and put right in a form."""

import asyncio
import json
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from ptc_studio.ui.aliases.actions import open_edit_alias
from ptc_studio.ui.aliases.alias_dialog import AliasDialog
from ptc_studio.ui.aliases.parameter_table import WAYS
from ptc_studio.ui.dialogs.framed_dialog import RECALLED
from ptc_studio.ui.theme import theme
from tests.ui.seen import seen_texts

from .conftest import choose


async def test_a_name_that_cannot_be_is_gone_to_when_it_is_to_be_saved(aliases: Any):
    dialog = aliases.new("add")
    form = dialog.form
    form.notes.setFocus()
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert dialog.note.text() == "✕ Not saved. It has no name yet."
    assert form.name_verdict.text() == "✕ It has no name yet."
    assert dialog.focusWidget() is form.name
    for name, said in (("class", "keyword of Python"), ("mul", "already a tool"), ("team", "already an alias")):
        aliases.type(form.name, name)
        assert said in form.name_verdict.text()
        assert form.name.property("mark") == "fault"
        QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
        assert said in dialog.note.text()
    aliases.type(form.name, "plus")
    assert form.name_verdict.check.line == "✓ free, and a valid name in every runtime"
    assert form.name_verdict.accessibleName() == form.name_verdict.check.line
    assert dialog.note.text().startswith("Will be saved to ")
    for mode in ("light", "dark"):
        # In a form that is open, too.
        theme().set_mode(mode)
        stars = [label.text() for label in form.findChildren(QLabel) if label.text().endswith("*</span>")]
        assert stars
        assert all(theme().colours.error in star for star in stars)
    dialog.reject()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
async def test_the_tool_is_searched_for_by_any_of_its_words(aliases: Any):
    dialog = aliases.new(name="mine")
    form = dialog.form
    aliases.type(form.calls.line, "nonsense")
    assert form.calls_verdict.check.line == "✕ There is no tool 'nonsense'."
    aliases.type(form.calls.line, "team_memb")
    completer = form.calls.completer()
    assert completer.completionCount() == 1
    QTest.keyClick(completer.popup(), Qt.Key.Key_Down)
    QTest.keyClick(completer.popup(), Qt.Key.Key_Return)
    assert form.calls.tool() == "team_members"
    assert list(form.parameters.lines) == ["team"]
    assert "team" in form.description.placeholderText().lower()
    dialog.reject()


async def test_a_required_parameter_cannot_be_hidden(aliases: Any):
    dialog = aliases.new("get_expenses", "mine")
    lines = dialog.form.parameters.lines
    hidden = WAYS.index("hidden")
    assert not lines["person"].way.model().item(hidden).isEnabled()
    assert lines["quarter"].way.model().item(hidden).isEnabled()
    assert "string · the script gives it" in seen_texts(lines["person"])
    assert "one of Q1, Q2, Q3, Q4 · default Q3" in seen_texts(lines["quarter"])
    choose(dialog, "quarter", "hidden")
    assert 'the tool\'s own, "Q3"' in seen_texts(lines["quarter"])
    assert dialog.values()["hidden"] == ["quarter"]
    dialog.reject()


async def test_a_preset_that_does_not_fit_is_told_at_its_field(aliases: Any):
    dialog = aliases.new("price", "mine")
    line = choose(dialog, "sku", "preset")
    assert dialog.form.problem() == "'sku' has no preset yet."
    line = choose(dialog, "qty", "preset", "many")
    choose(dialog, "sku", "preset", "MUG-01")
    assert dialog.form.problem().startswith("'qty': ")
    assert line.field.row.fault.text
    choose(dialog, "qty", "preset", "3")
    assert dialog.values()["preset"] == {"sku": "MUG-01", "qty": 3}
    dialog.reject()


async def test_another_tool_keeps_what_was_said_of_parameters_that_it_has_too(aliases: Any):
    dialog = aliases.new("price", "mine")
    choose(dialog, "sku", "preset", "MUG-01")
    dialog.form.calls.set_tool("stock_level")
    assert dialog.values()["preset"] == {"sku": "MUG-01"}
    dialog.form.calls.set_tool("add")
    assert "preset" not in dialog.values()
    dialog.form.calls.set_tool("price")
    assert dialog.values()["preset"] == {"sku": "MUG-01"}
    dialog.reject()


async def test_what_becomes_of_it_is_shown_while_it_is_typed(aliases: Any):
    dialog = aliases.new("get_expenses", "q3_expenses")
    choose(dialog, "quarter", "preset", "Q3")
    dialog.show_previews()
    assert dialog.previews.script.signature.toPlainText() == "q3_expenses(person: str)"
    dialog.previews.tabs.setCurrentIndex(1)
    shown = json.loads(dialog.previews.model.text.toPlainText())
    assert shown["name"] == "q3_expenses"
    assert list(shown["input_schema"]["properties"]) == ["person"]
    assert "quarter" not in dialog.previews.model.text.toPlainText().replace(shown["description"], "")
    aliases.press(dialog.previews.model.formats.button(2))
    assert "inputSchema" in dialog.previews.model.text.toPlainText()
    dialog.reject()


async def test_the_signature_is_in_the_language_of_the_open_script(aliases: Any):
    aliases.studio.type("")
    aliases.window.editors.current().set_language("javascript")
    dialog = aliases.new("price", "mine")
    dialog.show_previews()
    told = "tools.mine({ sku: string, qty?: number })\n    : Promise<any>"
    assert dialog.previews.script.signature.toPlainText() == told
    dialog.reject()


async def test_it_is_tried_before_it_is_saved(aliases: Any):
    before = aliases.file
    dialog = aliases.new("price", "two_mugs")
    choose(dialog, "sku", "preset", "MUG-01")
    dialog.show_previews()
    trial = dialog.previews.trial
    trial.set_arguments({"qty": 2})
    called = aliases.studio.signal(trial.called)
    aliases.press(trial.call_button)
    record = await asyncio.wait_for(called, 30)
    assert (record["alias"], record["tool"], record["status"]) == ("two_mugs", "price", "ok")
    assert record["arguments"] == {"sku": "MUG-01", "qty": 2}
    called = aliases.studio.signal(trial.called)
    QTest.keyClick(trial.form.schema_form.field("qty").target(), Qt.Key.Key_Return)
    assert (await asyncio.wait_for(called, 30))["status"] == "ok"
    assert dialog.isVisible(), "Return calls, and does not save"
    assert aliases.file == before
    aliases.type(dialog.form.name, "class")
    dialog.show_previews()
    assert trial.target is None
    dialog.reject()


async def test_ctrl_return_tries_it_from_any_field(aliases: Any):
    dialog = aliases.new("add", "one_more")
    choose(dialog, "a", "preset", "1")
    choose(dialog, "b", "default", "41")
    dialog.previews.tabs.setCurrentIndex(1)
    dialog.activateWindow()
    await aliases.studio.until(dialog.isActiveWindow)
    dialog.form.name.setFocus()
    called = aliases.studio.signal(dialog.previews.trial.called)
    QTest.keyClick(dialog.form.name, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    record = await asyncio.wait_for(called, 30)
    assert record["result"] == 42
    assert dialog.previews.trial.isVisible()
    dialog.reject()


async def test_escape_loses_nothing_that_was_typed(aliases: Any):
    dialog = aliases.new("add", "plus_one")
    choose(dialog, "b", "preset", "1")
    typed = dialog.values()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert aliases.told() == "The new alias was not saved."
    aliases.press(aliases.window.context.messages.button)
    again = aliases.window.findChild(AliasDialog)
    await aliases.studio.until(lambda: any(each.isVisible() for each in aliases.window.findChildren(AliasDialog)))
    again = next(each for each in aliases.window.findChildren(AliasDialog) if each.isVisible())
    assert again.values() == typed
    assert again.note.text() == RECALLED
    await aliases.save(again)
    fresh = aliases.new("add")
    assert fresh.values() == {"name": "", "tool": "add"}
    fresh.reject()


async def test_changes_that_were_left_are_there_again(aliases: Any):
    dialog = aliases.edit("cheap")
    aliases.type(dialog.form.time.line, "5 s")
    dialog.reject()
    assert aliases.told() == "The changes to the alias 'cheap' were not saved."
    again = aliases.edit("cheap")
    assert again.values()["timeout"] == 5
    again.reject()


async def test_a_form_that_nobody_touched_closes_without_a_word(aliases: Any):
    aliases.edit("cheap").reject()
    aliases.new("add").reject()
    assert aliases.told() == ""


async def test_return_saves_and_the_keyboard_goes_from_field_to_field(aliases: Any):
    dialog = aliases.new("add", "plus")
    assert dialog.save_button.isDefault()
    form = dialog.form
    choose(dialog, "a", "preset", "1")
    form.name.setFocus()
    visited: list[Any] = []
    others = [form.permission.segments.button(place) for place in (1, 2, 3)]
    for _ in range(15):
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        # A window that is in front has only the chosen one of them take the keyboard.
        if dialog.focusWidget() not in others:
            visited.append(dialog.focusWidget())
    lines = form.parameters.lines
    assert visited[:4] == [form.calls, form.description, lines["a"].way, lines["a"].field.row.field.target()]
    assert visited[4:6] == [lines["b"].way, form.permission.segments.button(0)]
    assert visited[6:10] == [form.time.line, form.redact.line, form.notes, form.enabled]
    assert visited[10] is dialog.previews.tabs
    saved = aliases.studio.signal(dialog.saved)
    QTest.keyClick(dialog.form.name, Qt.Key.Key_Return)
    await asyncio.wait_for(saved, 30)
    assert "plus" in aliases.file


async def test_every_field_has_a_name_for_screen_readers(aliases: Any):
    dialog = aliases.new("get_expenses", "mine")
    form = dialog.form
    fields: list[QWidget] = [form.name, form.calls, form.description, form.time.line, form.redact.line, form.notes]
    fields += [form.enabled, *(line.way for line in form.parameters.lines.values()), dialog.previews.tabs]
    assert all(field.accessibleName() for field in fields)
    dialog.reject()


async def test_a_broken_alias_can_be_mended(aliases: Any):
    text = aliases.file.replace("tool: price", "tool: no_such_tool")
    (aliases.studio.workspace / "studio.yaml").write_text(text)
    await aliases.window.workbench.studio.reread()
    dialog = aliases.edit("cheap")
    assert dialog.form.calls_verdict.check.tone == "error"
    assert list(dialog.form.parameters.lines) == ["qty"]
    dialog.form.calls.set_tool("price")
    await aliases.save(dialog)
    assert aliases.changed(text) == ["-     tool: no_such_tool", "+     tool: price"]
    await aliases.studio.until(lambda: aliases.is_callable("cheap"))


async def test_an_argument_that_the_tool_no_longer_has_can_be_dropped(aliases: Any):
    text = aliases.file.replace("{qty: 1}", "{qty: 1, colour: red}")
    (aliases.studio.workspace / "studio.yaml").write_text(text)
    await aliases.window.workbench.studio.reread()
    dialog = aliases.edit("cheap")
    assert dialog.form.problem() == "The tool takes no 'colour': choose As is to drop it."
    choose(dialog, "colour", "as_is")
    await aliases.save(dialog)
    assert aliases.changed(text) == ["-     defaults: {qty: 1, colour: red}", "+     defaults: {qty: 1}"]


async def test_an_alias_that_is_gone_is_told(aliases: Any):
    assert open_edit_alias(aliases.window.context, "nobody") is None
    assert aliases.told() == "There is no alias 'nobody' in the workspace file any more."


async def test_a_tool_of_hundreds_of_parameters_scrolls(aliases: Any):
    (aliases.studio.workspace / "tools" / "wide.py").write_text(
        f"def wide({', '.join(f'p{n}: int = {n}' for n in range(60))}) -> int:\n    'Many.'\n    return 1\n"
    )
    await aliases.window.workbench.studio.load()
    dialog = aliases.new("wide", "mine")
    assert len(dialog.form.parameters.lines) == 60
    await aliases.studio.until(lambda: dialog.form.verticalScrollBar().maximum() > 0)
    assert dialog.save_button.isVisible()
    dialog.reject()
