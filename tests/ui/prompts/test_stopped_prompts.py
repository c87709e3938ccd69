"""Calls that are stopped at a breakpoint: questions made by hand, answered at the window."""

from concurrent.futures import Future
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ptc_studio.core.permissions import Decision, Question, QuestionKind, Reply
from ptc_studio.ui.forms import ABSENT
from tests.ui.prompts.conftest import Desk

SECRET = "sk-proj-abcdefghij0123456789ABCDEFGHIJ"
OUTPUT = {"type": "object", "properties": {"order": {"type": "integer"}, "token": {"type": "string"}}}


class Stop:
    """Puts questions as a call's thread would."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.executor = desk.window.workbench.studio.executor

    async def ask(self, kind: QuestionKind = "breakpoint", **more: Any) -> Future[Decision]:
        shown = self.executor.redactor.value
        arguments = shown({"order": 4, "amount": 2.5, "api_key": SECRET}, "arguments")
        spec = self.executor.registry.resolve("refund").spec
        result = shown({"order": 4, "token": SECRET}, "result") if kind == "result" else None
        options = {"output": OUTPUT, "line": 3, **more}
        question = Question(
            "r", "c1", "refund", None, arguments, kind, "breakpoint: refund", spec.parameters, result=result, **options
        )
        answer = self.executor.asker.ask(question)
        await self.desk.studio.until(lambda: self.desk.waiting)
        await self.desk.until_unguarded()
        return answer

    @property
    def body(self) -> Any:
        return self.desk.view.body


@pytest.fixture
def stop(desk: Desk) -> Stop:
    return Stop(desk)


async def test_a_stopped_call_is_shown_at_once_and_waits_for_as_long_as_it_takes(stop: Stop):
    answer = await stop.ask()
    assert stop.desk.prompts.is_open
    assert stop.desk.view.why.text() == "Breakpoint: refund · line 3"
    assert stop.desk.view.time.text() == ""
    assert [stop.body.tabs.tabText(tab) for tab in range(3)] == ["Arguments", "Answer with", "Fail with"]
    stop.desk.press(stop.body.go_on)
    assert answer.result(0) == Decision(allowed=True)


async def test_it_goes_on_with_edited_arguments(stop: Stop):
    answer = await stop.ask()
    order = stop.body.page.form.field("order").target()
    order.selectAll()
    QTest.keyClicks(order, "5")
    stop.desk.press(stop.body.step)
    arguments = {"order": 5, "amount": 2.5, "api_key": "[REDACTED:api_key]"}
    assert answer.result(0) == Decision(allowed=True, arguments=arguments, step=True)


async def test_the_tool_answers_and_its_result_is_asked_about(stop: Stop):
    answer = await stop.ask()
    stop.desk.press(stop.body.look)
    assert answer.result(0) == Decision(allowed=True, look=True)


async def test_a_person_answers_in_a_form_of_the_result(stop: Stop):
    answer = await stop.ask()
    stop.body.tabs.setCurrentIndex(1)
    assert stop.body.go_on.text() == "Answer"
    QTest.keyClicks(stop.body.answer_page.form.field("order").target(), "9")
    stop.desk.press(stop.body.go_on)
    assert answer.result(0).reply == Reply({"order": 9})


async def test_a_person_answers_in_json_where_nothing_is_known_of_the_result(stop: Stop):
    answer = await stop.ask(output=None)
    stop.body.tabs.setCurrentIndex(1)
    form = stop.body.answer_page.form
    assert form.value() is None
    form.show_json(True)
    form.json.text.setPlainText('{"any": ')
    stop.desk.press(stop.body.go_on)
    assert not answer.done()
    form.json.text.setPlainText('{"any": [1, null]}')
    stop.desk.press(stop.body.go_on)
    assert answer.result(0).reply == Reply({"any": [1, None]})


async def test_a_person_has_the_call_fail(stop: Stop):
    answer = await stop.ask()
    stop.body.tabs.setCurrentIndex(2)
    page = stop.body.fail_page
    page.kind.setCurrentText("TimeoutError")
    QTest.keyClicks(page.message, "too slow")
    stop.desk.press(stop.body.go_on)
    assert answer.result(0).reply == Reply(error="TimeoutError", message="too slow")


async def test_to_stop_the_run_is_to_refuse(stop: Stop):
    answer = await stop.ask()
    stop.desk.press(stop.body.stop)
    assert answer.result(0).allowed is False


@pytest.mark.parametrize(("command", "step"), [("continueAction", False), ("stepAction", True)])
async def test_keys_go_on_and_step(stop: Stop, command: str, step: bool):
    commands = stop.desk.window.commands
    assert not commands[command].isEnabled()
    answer = await stop.ask()
    commands[command].trigger()
    assert answer.result(0) == Decision(allowed=True, step=step)
    assert not commands[command].isEnabled()


async def test_a_result_is_left_alone_or_edited_and_its_hidden_part_is_named_as_shown(stop: Stop):
    answer = await stop.ask("result")
    assert [stop.body.tabs.tabText(tab) for tab in range(2)] == ["Result", "Fail with"]
    stop.desk.press(stop.body.go_on)
    assert answer.result(0).reply is None
    answer = await stop.ask("result")
    order = stop.body.page.form.field("order").target()
    order.selectAll()
    QTest.keyClicks(order, "8")
    stop.desk.press(stop.body.go_on)
    assert answer.result(0).reply == Reply({"order": 8, "token": "[REDACTED:token]"})


async def test_a_result_that_is_no_object_is_edited_as_json(stop: Stop):
    shown = stop.executor.redactor.value
    answer = await stop.ask("result", output=None)
    stop.desk.press(stop.body.go_on)
    question = Question("r", "c2", "refund", None, shown({}, "arguments"), "result", "", result=shown(None, "result"))
    answer = stop.executor.asker.ask(question)
    await stop.desk.studio.until(lambda: stop.desk.waiting)
    await stop.desk.until_unguarded()
    assert stop.body.page.form.value() is None
    assert not stop.body.page.is_changed
    stop.body.page.form.show_json(True)
    stop.body.page.form.json.text.setPlainText("[1]")
    stop.desk.press(stop.body.go_on)
    assert answer.result(0).reply == Reply([1])


async def test_a_withdrawn_question_disappears(stop: Stop):
    answer = await stop.ask()
    answer.cancel()
    await stop.desk.studio.until(lambda: not stop.desk.waiting and not stop.desk.prompts.is_open)


async def test_a_changed_text_never_carries_the_mark_of_a_hidden_part(stop: Stop):
    shown = stop.executor.redactor.value({"note": f"key {SECRET} is old"}, "arguments")
    schema = {"type": "object", "properties": {"note": {"type": "string"}}}
    answer = stop.executor.asker.ask(Question("r", "c3", "refund", None, shown, "breakpoint", "", schema))
    await stop.desk.studio.until(lambda: stop.desk.waiting)
    await stop.desk.until_unguarded()
    note = stop.body.page.form.field("note").target()
    QTest.keyClick(note, Qt.Key.Key_End)
    QTest.keyClicks(note, "er")
    stop.desk.press(stop.body.go_on)
    assert not answer.done()
    assert "hidden" in {fault.rule for fault in stop.body.page.form.faults()}
    stop.body.page.reset()
    assert stop.body.page.edited is ABSENT
    stop.desk.press(stop.body.go_on)
    assert answer.result(0) == Decision(allowed=True)
