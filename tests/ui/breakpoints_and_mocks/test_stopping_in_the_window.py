"""A script that stops at breakpoints of the window, and goes on by its commands."""

import asyncio
from typing import Any

from PySide6.QtWidgets import QMessageBox

from ptc_studio.ui.prompts.controller import Prompts

SCRIPT = "a = 1\nprint(add(1, 2))\nprint(mul(3, 4))\nprint(add(5, 6))\n"


def prompts_of(studio: Any) -> Any:
    return studio.window.findChild(Prompts, "prompts").waiting


async def test_a_run_stops_at_a_line_steps_to_the_next_call_and_goes_on(studio: Any, desk: Any):
    studio.type(SCRIPT)
    desk.click_gutter(2)
    waiting = prompts_of(studio)
    ended = studio.press_run()
    await studio.until(lambda: len(waiting.all) == 1, 30)
    assert waiting.all[0].question.tool == "add"
    studio.window.commands["stepAction"].trigger()
    await studio.until(lambda: [prompt.question.tool for prompt in waiting.all] == ["mul"], 30)
    assert waiting.all[0].question.why == "stopped at the next call"
    studio.window.commands["continueAction"].trigger()
    record = await asyncio.wait_for(ended, 60)
    assert record["stdout"] == "3\n12.0\n11\n"
    assert desk.core.breakpoints.waits_for_next is False


async def test_a_step_after_the_last_call_is_forgotten_with_the_run(studio: Any, desk: Any):
    studio.type("print(add(1, 2))")
    desk.click_gutter(1)
    waiting = prompts_of(studio)
    ended = studio.press_run()
    await studio.until(lambda: len(waiting.all) == 1, 30)
    studio.window.commands["stepAction"].trigger()
    await asyncio.wait_for(ended, 60)
    desk.click_gutter(1)
    assert not desk.core.breakpoints.active
    assert desk.core.executor.answers.members == ()


async def test_the_window_is_closed_while_a_call_waits(studio: Any, desk: Any):
    studio.type(SCRIPT)
    desk.click_gutter(2)
    waiting = prompts_of(studio)
    studio.press_run()
    await studio.until(lambda: len(waiting.all) == 1, 30)
    closing = asyncio.ensure_future(studio.close())
    await studio.until(lambda: studio.window.findChild(QMessageBox))
    box = studio.window.findChild(QMessageBox)
    next(button for button in box.buttons() if button.text() == "Stop and close").click()
    await closing
    assert not studio.window.workbench.is_running
