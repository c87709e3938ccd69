"""Real runs that stop at breakpoints, taken further from the window, in every Python runtime."""

from typing import Any

import pytest
from PySide6.QtTest import QTest

from ptc_studio.ui.breakpoints_and_mocks.breakpoints import BreakpointsPresenter
from tests.ui.prompts.conftest import FILE, Desk

RUNTIMES = ["python", "python-inprocess", "monty"]
SCRIPT = """\
def tried(name, **arguments):
    try:
        return call_tool(name, arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
print(tried("refund", order=1))
print(tried("refund", order=2))
print(tried("refund", order=3))
print(tried("refund", order=4))
"""


@pytest.fixture
async def stopping(desk: Desk) -> Desk:
    """Asks nobody for permission, and stops at every refund."""
    (desk.studio.workspace / "studio.yaml").write_text(FILE.replace("permission: ask  # always", "permission: allow"))
    studio = desk.window.workbench.studio
    await studio.reread()
    display = desk.window.findChild(BreakpointsPresenter)
    assert display is not None
    display.break_on("refund")
    return desk


async def stopped(desk: Desk, order: int, kind: str = "breakpoint") -> Any:
    """The body of the prompt for that order, once it is there."""

    def is_there() -> bool:
        waiting = [prompt.question for prompt in desk.waiting]
        return bool(waiting) and waiting[0].kind == kind and waiting[0].arguments.value["order"] == order

    await desk.studio.until(is_there, 30)
    await desk.studio.until(lambda: desk.prompts.panel.view is not None and desk.view.prompt is desk.waiting[0])
    await desk.until_unguarded()
    return desk.view.body


def write(field: Any, text: str) -> None:
    field.target().selectAll()
    QTest.keyClicks(field.target(), text)


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_edit_the_call_edit_the_result_answer_and_fail(stopping: Desk, runtime: str):
    record = stopping.start(SCRIPT, runtime)
    body = await stopped(stopping, 1)
    write(body.page.form.field("amount"), "2")
    stopping.press(body.go_on)
    body = await stopped(stopping, 2)
    stopping.press(body.look)
    body = await stopped(stopping, 2, "result")
    body.page.form.show_json(True)
    body.page.form.json.text.setPlainText('{"order": 22}')
    stopping.press(body.go_on)
    body = await stopped(stopping, 3)
    body.tabs.setCurrentIndex(1)
    body.answer_page.form.show_json(True)
    body.answer_page.form.json.text.setPlainText('"mine"')
    stopping.press(body.go_on)
    body = await stopped(stopping, 4)
    body.tabs.setCurrentIndex(2)
    body.fail_page.kind.setCurrentText("LookupError")
    QTest.keyClicks(body.fail_page.message, "gone")
    stopping.press(body.go_on)
    ended = await stopping.ended(record)
    assert ended["stdout"].splitlines() == [
        "{'order': 1, 'amount': 2.0, 'key_length': 0}",
        "{'order': 22}",
        "mine",
        "LookupError: gone",
    ]
    assert [call["answered_by"] for call in ended["calls"]] == ["tool", "person", "person", "person"]
    rows = [stopping.window.panels.calls.model.call(call["id"]) for call in ended["calls"]]
    assert [bool(row and row.notes) for row in rows] == [True, False, False, False]


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_step_stops_at_the_next_call_whatever_it_is_and_stop_ends_the_run(stopping: Desk, runtime: str):
    record = stopping.start("refund(1)\nadd(1, 2)\nship(3)\nprint('end')\n", runtime)
    body = await stopped(stopping, 1)
    stopping.press(body.step)
    await stopping.studio.until(lambda: [prompt.name for prompt in stopping.waiting] == ["add"])
    stopping.window.commands["stepAction"].trigger()
    body = await stopped(stopping, 3)
    stopping.press(body.stop)
    ended = await stopping.ended(record)
    assert ended["status"] == "cancelled"
    assert ended["stdout"] == ""
