"""Calls that ask for permission, in the real window, answered as a user would."""

import asyncio
import difflib
import threading
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS
from tests.ui.prompts.conftest import FILE, Desk

SECRET = "sk-proj-abcdefghij0123456789ABCDEFGHIJ"


def changes(before: str, after: str) -> list[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[0] in "+-" and line[:3] not in ("+++", "---")]


async def test_a_call_that_asks_is_told_in_banner_tree_and_panel_and_takes_no_keyboard(desk: Desk):
    record = desk.start("ship(7)\n")
    editor = desk.window.editors.current().editor
    editor.setFocus()
    await desk.until_waiting()
    banner, calls = desk.prompts.banner, desk.window.panels.calls
    assert banner is not None
    assert banner.isVisible()
    assert banner.line.text == "ship waits for you  (order=7)"
    assert banner.time.text().startswith("denied in ")
    row = calls.model.index(0, 0).data()
    assert row.startswith(MARKS["waiting"])
    assert "waits for you" in row
    assert desk.view.why.text() == "Asked by source 'shop' · line 1"
    assert desk.window.focusWidget() is editor
    QTest.keyClicks(editor, "x = 1")
    assert "x = 1" in editor.toPlainText()
    desk.press(banner.allow)
    ended = await desk.ended(record)
    assert ended["value"] == "shipped 7"
    assert not banner.isVisible()
    assert "waits" not in calls.model.index(0, 0).data()


async def test_allowed_once_the_next_call_asks_again(desk: Desk):
    record = desk.start("print(ship(1))\nprint(ship(2))\n")
    await desk.until_waiting()
    body = await desk.open()
    desk.press(body.allow)
    await desk.studio.until(lambda: [prompt.question.call_id for prompt in desk.waiting] == ["c2"])
    await desk.until_unguarded()
    body = await desk.open()
    desk.press(body.allow)
    assert (await desk.ended(record))["stdout"] == "shipped 1\nshipped 2\n"
    assert desk.file == FILE


async def test_allowed_for_the_run_it_asks_again_in_the_next(desk: Desk):
    record = desk.start("print(ship(1), ship(2), refund(3)['order'])\n")
    await desk.until_waiting()
    assert desk.prompts.banner is not None
    desk.press(desk.prompts.banner.for_run)
    await desk.studio.until(lambda: [prompt.name for prompt in desk.waiting] == ["refund"])
    await desk.until_unguarded()
    desk.press(desk.prompts.banner.for_run)
    assert (await desk.ended(record))["stdout"] == "shipped 1 shipped 2 3\n"
    again = desk.start("ship(1)\n")
    await desk.until_waiting()
    desk.window.workbench.stop()
    assert (await desk.ended(again))["status"] == "cancelled"
    assert desk.file == FILE


@pytest.mark.parametrize(
    ("call", "added"),
    [
        ("ship(1)", ["+    permissions: {ship: allow}"]),
        ("give_back(1)", ["+    permission: allow"]),
    ],
)
async def test_allowed_always_is_written_down_and_nothing_else(desk: Desk, call: str, added: list[str]):
    record = desk.start(f"{call}\n{call}\n")
    await desk.until_waiting()
    body = await desk.open()
    desk.press(body.always)
    assert (await desk.ended(record))["status"] == "ok"
    notice = desk.window.context.messages
    await desk.studio.until(notice.isVisible)
    assert changes(FILE, desk.file) == added
    assert (await desk.ended(desk.start(f"{call}\n")))["status"] == "ok"
    desk.press(notice.button)
    await desk.studio.until(lambda: desk.file == FILE)
    again = desk.start(f"{call}\n")
    await desk.until_waiting()
    desk.window.workbench.stop()
    await desk.ended(again)


async def test_a_denial_reaches_the_script_with_its_reason(desk: Desk):
    record = desk.start("try:\n    ship(1)\nexcept PermissionError as error:\n    print('caught:', error)\n")
    await desk.until_waiting()
    assert desk.prompts.banner is not None
    desk.press(desk.prompts.banner.deny)
    await desk.studio.until(lambda: desk.prompts.is_open)
    body = desk.view.body
    assert desk.window.focusWidget() is body.reason
    QTest.keyClicks(body.reason, "not before Friday")
    QTest.keyClick(body.reason, Qt.Key.Key_Return)
    ended = await desk.ended(record)
    assert ended["stdout"] == "caught: not before Friday\n"
    assert ended["calls"][0]["status"] == "denied"


async def test_arguments_are_edited_and_what_is_hidden_is_kept(desk: Desk):
    record = desk.start(f"r = refund(4, 20.0, '{SECRET}')\nprint(r['amount'], r['key_length'])\n")
    await desk.until_waiting()
    body = await desk.open()
    assert SECRET not in str(desk.waiting[0].question)
    assert body.page.form.field("api_key").chip.text() == "[REDACTED:api_key]"
    amount = body.page.form.field("amount").target()
    amount.selectAll()
    QTest.keyClicks(amount, "15")
    assert body.allow.text() == "Allow edited"
    theme().set_mode("light")
    assert body.page.form.value()["amount"] == 15
    desk.press(body.allow)
    ended = await desk.ended(record)
    assert ended["stdout"] == f"15.0 {len(SECRET)}\n"
    assert ended["calls"][0]["arguments"] == {"order": 4, "amount": 15, "api_key": "[REDACTED:api_key]"}
    row = desk.window.panels.calls.model.index(0, 0).data()
    assert "edited" in row
    assert "amount=15" in row
    assert "Edited: a person changed the arguments" in desk.window.panels.inspector.summary.status.text()


async def test_a_hidden_argument_may_be_replaced_and_put_back(desk: Desk):
    record = desk.start(f"print(refund(4, 20.0, '{SECRET}')['key_length'])\n")
    await desk.until_waiting()
    body = await desk.open()
    desk.press(body.page.form.field("api_key").button)
    QTest.keyClicks(body.page.form.field("api_key").target(), "mine")
    assert body.page.edited["api_key"] == "mine"
    desk.press(body.page.reset_button)
    assert not body.page.is_changed
    desk.press(body.page.form.field("api_key").button)
    QTest.keyClicks(body.page.form.field("api_key").target(), "mine")
    desk.press(body.allow)
    assert (await desk.ended(record))["stdout"] == "4\n"


async def test_edited_arguments_that_do_not_fit_are_not_sent(desk: Desk):
    record = desk.start("ship(4)\n")
    await desk.until_waiting()
    body = await desk.open()
    order = body.page.form.field("order").target()
    order.selectAll()
    QTest.keyClicks(order, "four")
    desk.press(body.allow)
    assert len(desk.waiting) == 1
    order.selectAll()
    QTest.keyClicks(order, "5")
    desk.press(body.allow)
    assert (await desk.ended(record))["value"] == "shipped 5"


async def test_without_an_answer_in_time_the_call_is_denied_and_the_prompt_is_gone(desk: Desk):
    desk.set_patience(0.4)
    record = desk.start("try:\n    ship(1)\nexcept PermissionError as error:\n    print(error)\n")
    ended = await desk.ended(record)
    assert ended["stdout"] == "Nobody answered within 0.4 s whether 'ship' may be called.\n"
    await desk.studio.until(lambda: not desk.waiting and not desk.prompts.is_open)
    assert desk.prompts.banner is not None
    assert not desk.prompts.banner.isVisible()


TEN = """\
import asyncio
async def main():
    return await asyncio.gather(*(aio.refund(i) for i in range(7)), *(aio.ship(i) for i in range(3)))
print(len(await main()))
"""


async def test_ten_calls_that_wait_at_once_are_a_list_with_one_answer_for_all_alike(desk: Desk):
    record = desk.start(TEN)
    await desk.until_waiting(10)
    banner, panel = desk.prompts.banner, desk.prompts.panel
    assert banner is not None
    assert panel is not None
    assert banner.line.text == "10 calls wait for you:  refund ×7, ship ×3"
    assert not banner.allow.isVisible()
    desk.press(banner.open)
    assert panel.view is None
    tree = panel.list.tree
    groups = [tree.topLevelItem(row).text(0) for row in range(tree.topLevelItemCount())]  # type: ignore[union-attr]
    assert sorted(groups) == ["◆ refund  ×7", "◆ ship  ×3"]
    tree.setCurrentItem(next(line for line in panel.list.lines() if "refund" in line.text(0)))
    assert panel.list.allow_all.text() == "Allow all 7 like this"
    desk.press(panel.list.allow_all)
    await desk.until_waiting(3)
    assert {prompt.name for prompt in desk.waiting} == {"ship"}
    desk.press(banner.allow)
    assert (await desk.ended(record))["stdout"] == "10\n"


async def test_one_after_the_other_the_next_comes_by_itself_and_no_click_answers_two(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    record = desk.start(TEN)
    await desk.until_waiting(10)
    desk.window.panels.calls.select_call("c1")
    # However slow the machine is: the moment ends when the test says so.
    monkeypatch.setattr("ptc_studio.ui.prompts.banner.GUARD_SECONDS", 1_000.0)
    for left in range(9, -1, -1):
        before = desk.view
        desk.press(before.body.allow)
        assert len(desk.waiting) == left
        if left:
            await desk.studio.until(lambda before=before: desk.prompts.panel.view not in (None, before))
            desk.press(desk.view.body.allow)
            assert len(desk.waiting) == left, "the second click was meant for the former call"
            desk.prompts.panel.guard.release()
    assert (await desk.ended(record))["stdout"] == "10\n"


async def test_a_waiting_call_that_is_selected_shows_its_prompt_and_another_its_values(desk: Desk):
    record = desk.start("add(1, 2)\nship(1)\n")
    await desk.until_waiting()
    calls = desk.window.panels.calls
    calls.select_call("c1")
    await desk.studio.until(lambda: not desk.prompts.is_open)
    assert desk.window.panels.inspector.isVisible()
    calls.select_call("c2")
    await desk.studio.until(lambda: desk.prompts.is_open)
    assert desk.view.prompt.name == "ship"
    desk.press(desk.view.body.allow)
    assert (await desk.ended(record))["value"] == "shipped 1"
    await desk.studio.until(desk.window.panels.inspector.isVisible)


async def test_what_a_tool_calls_asks_too(desk: Desk):
    record = desk.start("print(settle(9))\n")
    await desk.until_waiting()
    body = await desk.open()
    desk.press(body.allow)
    await desk.studio.until(lambda: [prompt.name for prompt in desk.waiting] == ["ship"])
    await desk.until_unguarded()
    assert desk.waiting[0].question.depth == 2
    body = await desk.open()
    assert "depth 2" in desk.view.why.text()
    desk.press(body.allow)
    assert (await desk.ended(record))["stdout"] == "shipped 9\n"


async def test_a_run_that_is_stopped_withdraws_its_questions(desk: Desk):
    record = desk.start(TEN)
    await desk.until_waiting(10)
    QTest.mouseClick(desk.window.run_bar.stop_button, Qt.MouseButton.LeftButton)
    assert (await desk.ended(record))["status"] == "cancelled"
    await desk.studio.until(lambda: not desk.waiting and not desk.prompts.is_open)
    assert not any(call.waits for call in desk.window.panels.calls.model.calls())


@pytest.mark.parametrize("runtime", ["python", "python-inprocess"])
async def test_the_window_closes_while_calls_wait_and_nobody_is_left(
    desk: Desk, runtime: str, monkeypatch: pytest.MonkeyPatch
):
    async def yes(*_args: Any, **_options: Any) -> bool:
        return True

    monkeypatch.setattr("ptc_studio.ui.dialogs.questions.ask", yes)
    record = desk.start("ship(1)\n", runtime)
    await desk.until_waiting()
    answers = [prompt.answer for prompt in desk.waiting]
    await desk.studio.close()
    assert (await asyncio.wait_for(record, 30))["status"] == "cancelled"
    assert all(answer.cancelled() for answer in answers)
    assert not [thread.name for thread in threading.enumerate() if "ask" in thread.name]


async def test_a_call_by_hand_asks_and_does_not_keep_the_window_open(desk: Desk):
    bench = desk.window.workbench
    task = bench.start(bench.studio.call(bench.studio.session(), "ship", {"order": 1}))
    await desk.studio.until(lambda: len(desk.waiting) == 1)
    await asyncio.wait_for(desk.studio.close(), 30)
    assert task.result()["status"] == "cancelled"


async def test_the_keyboard_alone_is_enough(desk: Desk):
    record = desk.start("ship(1)\n")
    await desk.until_waiting()
    desk.window.commands["answerAction"].trigger()
    focused = desk.window.focusWidget()
    assert focused is desk.view.body.allow
    QTest.keyClick(focused, Qt.Key.Key_Space)
    assert (await desk.ended(record))["value"] == "shipped 1"
    assert not desk.window.commands["answerAction"].isEnabled()


async def test_everything_has_a_name_for_screen_readers(desk: Desk):
    record = desk.start("ship(1)\n")
    await desk.until_waiting()
    for name in ("promptBanner", "promptPanel", "promptList"):
        part = desk.window.findChild(QWidget, name)
        assert part is not None, name
        assert part.accessibleName(), name
    assert desk.view.accessibleName() == "ship waits for you"
    desk.window.workbench.stop()
    await desk.ended(record)
