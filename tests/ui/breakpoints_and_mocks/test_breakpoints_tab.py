"""Breakpoints in the window: the gutter, the list, the form, and runs that stop."""

import asyncio
import json
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ptc_studio.core.permissions import Decision, Question, Reply
from ptc_studio.core.responders.breakpoints import Breakpoint
from ptc_studio.ui.editor.page import LineMark

SCRIPT = "a = 1\nprint(add(1, 2))\nprint(add(3, 4))\n"


class Decider:
    """Answers in place of the window's prompts."""

    def __init__(self, decision: Decision) -> None:
        self.questions: list[Question] = []
        self._decision = decision

    def ask(self, question: Question) -> "Future[Decision]":
        self.questions.append(question)
        answer: Future[Decision] = Future()
        answer.set_result(self._decision)
        return answer


async def test_a_click_beside_a_line_stops_its_calls(studio: Any, desk: Any):
    decider = desk.core.executor.asker = Decider(Decision(allowed=True, reply=Reply(100)))
    studio.type(SCRIPT)
    desk.click_gutter(3)
    assert desk.rows("breakpoints") == [(f"{desk.page.title}:3", "print(add(3, 4))", True)]
    assert desk.said == "1 breakpoint"
    studio.window.run_bar.set_runtime("python")
    record = await asyncio.wait_for(studio.press_run(), 60)
    assert record["stdout"] == "3\n100\n"
    assert [question.line for question in decider.questions] == [3]
    assert [call["answered_by"] for call in record["calls"]] == ["tool", "person"]
    desk.click_gutter(3)
    assert desk.rows("breakpoints") == []
    assert desk.said == ""


async def test_a_breakpoint_moves_with_its_line(studio: Any, desk: Any):
    studio.type(SCRIPT)
    page = desk.page
    page.editor.go_to(2)
    QTest.keyClick(page.editor, Qt.Key.Key_F9)
    assert [mark.line for mark in page.marks.all] == [2]
    page.editor.go_to(1)
    QTest.keyClick(page.editor, Qt.Key.Key_Return)
    assert [mark.line for mark in page.marks.all] == [3]
    page.editor.go_to(3)
    QTest.keyClick(page.editor, Qt.Key.Key_Return)
    assert [mark.line for mark in page.marks.all] == [4]
    page.editor.undo()
    page.editor.undo()
    assert [mark.line for mark in page.marks.all] == [2]
    assert desk.core.breakpoints.all == (Breakpoint(line=2),)
    page.editor.replace_text("one\ntwo\nthree\n")
    assert [mark.line for mark in page.marks.all] == [2]
    page.editor.replace_text("one")
    assert [mark.line for mark in page.marks.all] == [1]


async def test_two_marks_that_meet_are_one(studio: Any, desk: Any):
    studio.type(SCRIPT)
    page = desk.page
    page.marks.set([LineMark(2), LineMark(3, "a == 3")])
    page.editor.go_to(3)
    QTest.keyClick(page.editor, Qt.Key.Key_Backspace)
    assert page.marks.all == (LineMark(2),)


async def test_lines_count_for_the_text_that_runs_alone(studio: Any, desk: Any):
    studio.type(SCRIPT)
    first = desk.page
    first.marks.toggle(2)
    studio.type("print(add(5, 5))")
    assert desk.core.breakpoints.all == ()
    assert desk.said == ""
    assert len(desk.rows("breakpoints")) == 1
    studio.window.editors.set_current(first)
    assert desk.core.breakpoints.all == (Breakpoint(line=2),)


async def test_a_breakpoint_is_added_by_its_form_with_a_condition(studio: Any, desk: Any):
    dialog = desk.answers.breakpoints.edit()
    dialog.form.set_value({"name": "add"})
    QTest.keyClicks(dialog.form.field("condition").target(), "a >")
    assert not dialog.form.is_valid()
    dialog.save()
    assert "invalid syntax" in dialog.form.faults()[0].message
    QTest.keyClicks(dialog.form.field("condition").target(), " 2")
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert desk.rows("breakpoints") == [("add", "if a > 2", True)]
    decider = desk.core.executor.asker = Decider(Decision(allowed=True))
    await studio.run(SCRIPT)
    assert [question.arguments.value for question in decider.questions] == [{"a": 3, "b": 4}]


async def test_a_line_is_given_by_the_form_and_its_condition_changed(studio: Any, desk: Any):
    studio.type(SCRIPT)
    dialog = desk.answers.breakpoints.edit()
    QTest.keyClicks(dialog.form.field("line").target(), "2")
    dialog.save()
    assert desk.page.marks.all == (LineMark(2),)
    dialog = desk.answers.breakpoints.edit(0)
    QTest.keyClicks(dialog.form.field("condition").target(), "a == 1")
    dialog.save()
    assert desk.page.marks.all == (LineMark(2, "a == 1"),)
    assert desk.rows("breakpoints")[0][1] == "if a == 1"


async def test_breakpoints_are_ticked_removed_and_brought_back(studio: Any, desk: Any):
    desk.answers.breakpoints.break_on("add")
    desk.answers.breakpoints.break_on("mul")
    desk.tick("breakpoints", 0, False)
    assert desk.core.breakpoints.enabled == (Breakpoint("mul"),)
    assert desk.said == "1 breakpoint"
    QTest.mouseClick(desk.answers.breakpoints.all_button, Qt.MouseButton.LeftButton)
    assert not desk.core.breakpoints.enabled
    QTest.mouseClick(desk.answers.breakpoints.all_button, Qt.MouseButton.LeftButton)
    assert len(desk.core.breakpoints.enabled) == 2
    view = desk.panel.breakpoints.list
    view.selectAll()
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert desk.rows("breakpoints") == []
    assert studio.window.context.messages.isVisible()
    QTest.mouseClick(studio.window.context.messages.button, Qt.MouseButton.LeftButton)
    assert [row[0] for row in desk.rows("breakpoints")] == ["add", "mul"]


async def test_the_next_call_stops_once(studio: Any, desk: Any):
    decider = desk.core.executor.asker = Decider(Decision(allowed=True))
    studio.window.commands["nextCallAction"].trigger()
    await studio.until(lambda: desk.said == "stops at the next call")
    assert desk.answers.breakpoints.next_button.isChecked()
    record = await studio.run(SCRIPT)
    assert record["status"] == "ok"
    assert len(decider.questions) == 1
    await studio.until(lambda: desk.said == "")
    assert not studio.window.commands["nextCallAction"].isChecked()


async def test_breakpoints_are_there_again_after_a_start(studio: Any, desk: Any, tmp_path: Any):
    script = studio.workspace / "one.py"
    script.write_text(SCRIPT)
    studio.window.editors.open_file(script)
    desk.page.marks.toggle(3)
    desk.answers.breakpoints.break_on("add")
    await studio.close()
    await studio.open(script)
    window = studio.window
    assert [row.one for row in window.answers.breakpoints.book.entries] == [Breakpoint("add"), Breakpoint(line=3)]
    assert [mark.line for mark in window.editors.current().marks.all] == [3]
    assert window.workbench.studio.breakpoints.all == (Breakpoint("add"), Breakpoint(line=3))


async def test_a_text_that_is_saved_takes_its_breakpoints_with_it(studio: Any, desk: Any):
    studio.type(SCRIPT)
    page = desk.page
    page.marks.toggle(2)
    page.save(studio.workspace / "saved.py")
    assert desk.rows("breakpoints") == [("saved.py:2", "print(add(1, 2))", True)]
    studio.window.editors.close_page(page)
    assert [row[0] for row in desk.rows("breakpoints")] == ["saved.py:2"]
    studio.window.editors.open_file(studio.workspace / "saved.py")
    assert [mark.line for mark in desk.page.marks.all] == [2]


async def test_the_menu_of_a_tool_breaks_on_it(studio: Any, desk: Any):
    studio.window.panels.tools.answer_requested.emit("break", "add")
    assert desk.rows("breakpoints") == [("add", "", True)]
    assert studio.window.panels.bottom.currentWidget() is desk.panel
    section = desk.panel.breakpoints
    section.list.selectAll()
    assert [action.text() for action in section.menu_for([0]).actions()] == ["Edit…", "Disable", "", "Remove"]


async def test_a_breakpoint_that_cannot_be_read_back_is_nothing(studio: Any, desk: Any):
    desk.answers.breakpoints.break_on("add")
    desk.answers.breakpoints.book.save()
    await studio.close()
    path = studio.data / "settings.json"
    kept = json.loads(path.read_text())
    assert kept["breakpoints"]
    kept["breakpoints"] = {place: {"general": [{"name": 1}], "lines": {}} for place in kept["breakpoints"]}
    path.write_text(json.dumps(kept))
    await studio.open()
    assert studio.window.answers.breakpoints.book.entries == ()
