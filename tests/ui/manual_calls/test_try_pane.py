"""The pane that tries a tool or an alias."""

import asyncio
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ptc_studio.core.registry import Alias, Target, spec_through


async def test_a_tool_is_called_with_what_the_form_holds(trying: Any) -> None:
    trying.choose("tryable.greet")
    trying.fill("name", text="Ada")
    trying.fill("times", text="3")
    record = await trying.call()
    assert record["arguments"] == {"name": "Ada", "times": 3}
    assert record["status"] == "ok"
    assert record["result"] == ["Hello Ada"] * 3
    assert trying.pane.result.isVisible()
    assert trying.pane.result.said.text().startswith("✓ 3 items · ")
    assert trying.pane.result.said.text().endswith(" ms")
    assert "the tool greet" in trying.pane.result.by.text()
    assert trying.pane.result.value.model.rowCount() == 1


async def test_ctrl_enter_calls_from_within_a_field(trying: Any) -> None:
    trying.choose("tryable.greet")
    trying.fill("name", text="Bo")
    called = trying.studio.signal(trying.pane.called)
    trying.pane.activateWindow()
    await trying.studio.until(trying.pane.isActiveWindow)
    field = trying.pane.form.schema_form.field("name").target()
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    record = await asyncio.wait_for(called, 30)
    assert record["result"] == ["Hello Bo"]


async def test_an_alias_that_is_not_kept_yet_is_tried_through_the_executor(trying: Any) -> None:
    tool = trying.target("greet").tool
    alias = Alias("shout", "greet", preset={"times": 2})
    trying.pane.set_target(Target(tool, spec_through(alias, tool.spec), alias))
    assert "times" not in trying.pane.form.schema_form.root.field.rows()
    trying.fill("name", text="Cy")
    record = await trying.call()
    assert (record["alias"], record["tool"]) == ("shout", "greet")
    assert record["arguments"] == {"name": "Cy", "times": 2}
    assert record["result"] == ["Hello Cy", "Hello Cy"]


async def test_what_does_not_fit_is_said_at_its_field_and_not_called(trying: Any) -> None:
    trying.choose("greet")
    trying.fill("name", text="Ada")
    trying.fill("times", text="many")
    trying.press(trying.pane.call_button)
    assert not trying.pane.is_busy
    assert trying.pane.note.text() == "▲ Not called: the arguments do not fit yet."
    row = trying.pane.form.schema_form.row("times")
    assert row.fault.text
    trying.fill("times", text="2")
    assert trying.pane.note.text() == ""
    assert (await trying.call())["status"] == "ok"


async def test_without_a_target_the_problem_stands_in_the_place_of_the_form(trying: Any) -> None:
    trying.pane.set_target(None, "The alias leads nowhere.")
    assert trying.pane.form.word.isVisible()
    assert trying.pane.form.word.text() == "The alias leads nowhere."
    assert not trying.pane.call_button.isEnabled()
    trying.choose("greet")
    assert not trying.pane.form.word.isVisible()
    assert trying.pane.call_button.isEnabled()


async def test_a_tool_without_arguments_says_so_and_is_called(trying: Any) -> None:
    trying.choose("ping")
    assert trying.pane.form.word.text() == "It takes no arguments."
    record = await trying.call()
    assert record["arguments"] == {}
    assert trying.pane.result.said.text().startswith('✓ "pong" · ')


async def test_an_error_says_what_and_where(trying: Any) -> None:
    trying.choose("fail")
    trying.fill("why", text="the moon is full")
    record = await trying.call()
    assert record["status"] == "error"
    assert trying.pane.result.said.text().startswith("✕ Failed · ")
    assert "ValueError" in trying.pane.result.error.kind.text()
    await trying.studio.until(lambda: "the moon is full" in trying.pane.result.error.text.view.toPlainText())
    assert "tryable.py" in trying.pane.result.by.text()


async def test_values_that_still_fit_are_kept_when_the_schema_changes(trying: Any) -> None:
    trying.choose("greet")
    trying.fill("name", text="Ada")
    trying.fill("times", text="4")
    tool = trying.target("greet").tool
    alias = Alias("twice", "greet", preset={"times": 2})
    trying.pane.set_target(Target(tool, spec_through(alias, tool.spec), alias))
    assert trying.pane.arguments() == {"name": "Ada"}
    # A word between two schemas loses nothing, and what had no place for a while comes back.
    trying.pane.set_target(None, "Two aliases have this name.")
    trying.choose("greet")
    assert trying.pane.arguments() == {"name": "Ada", "times": 4}


async def test_an_alias_s_new_default_is_not_taken_for_something_typed(trying: Any) -> None:
    tool = trying.target("greet").tool

    def show(default: str) -> None:
        alias = Alias("to", "greet", defaults={"name": default})
        trying.pane.set_target(Target(tool, spec_through(alias, tool.spec), alias))

    show("Ada")
    show("Bo")
    record = await trying.call()
    assert record["result"] == ["Hello Bo"]


async def test_a_long_call_shows_progress_and_can_be_cancelled(trying: Any) -> None:
    trying.choose("wait")
    assert not trying.pane.cancel_button.isVisible()
    called = trying.studio.signal(trying.pane.called)
    trying.press(trying.pane.call_button)
    assert trying.pane.cancel_button.isVisible()
    assert not trying.pane.call_button.isEnabled()
    await trying.studio.until(trying.pane.progress.isVisible)
    assert trying.pane.note.text().startswith("◐ Calling…")
    trying.press(trying.pane.cancel_button)
    record = await asyncio.wait_for(called, 30)
    assert record["status"] == "cancelled"
    assert trying.pane.result.said.text().startswith("▲ Cancelled")
    assert not trying.pane.progress.isVisible()
    assert trying.pane.call_button.isEnabled()


async def test_a_call_does_not_disturb_the_run_that_goes_on(trying: Any) -> None:
    studio = trying.studio
    studio.type("print(wait())\n")
    studio.window.run_bar.set_runtime("python")
    ended = studio.press_run()
    await studio.until(lambda: studio.window.workbench.figures.calls == 1, 30)
    trying.choose("ping")
    assert (await trying.call())["result"] == "pong"
    assert studio.window.workbench.is_running
    assert studio.window.workbench.figures.calls == 1
    trying.choose("open_gate")
    await trying.call()
    record = await asyncio.wait_for(ended, 30)
    assert record["stdout"] == "open\n"
    assert [call["tool"] for call in record["calls"]] == ["wait"]


async def test_a_pane_that_goes_gives_its_call_up(trying: Any) -> None:
    studio = trying.studio.window.workbench.studio
    trying.choose("wait")
    trying.press(trying.pane.call_button)
    ended: list[Any] = []
    unwatch = studio.watch(lambda batch: ended.extend(event for event in batch if hasattr(event, "answered_by")))
    trying.pane.deleteLater()
    await trying.studio.until(lambda: ended)
    unwatch()
    assert ended[0].status == "cancelled"


async def test_the_window_closes_while_a_call_by_hand_goes_on(trying: Any) -> None:
    trying.choose("wait")
    called = trying.studio.signal(trying.pane.called)
    trying.press(trying.pane.call_button)
    await trying.studio.close()
    assert (await asyncio.wait_for(called, 30))["status"] == "cancelled"


async def test_a_tool_that_changed_since_is_called_as_it_is_now(trying: Any) -> None:
    trying.choose("ping")
    path = trying.studio.workspace / "tools" / "tryable.py"
    path.write_text(path.read_text().replace('"pong"', '"another pong"'))
    assert (await trying.call())["result"] == "another pong"
    path.unlink()
    record = await trying.call()
    assert record["status"] == "not_found"
    assert "ping" in record["error"]["message"]


async def test_what_is_redacted_is_shown_so(trying: Any) -> None:
    trying.choose("login")
    trying.fill("user", text="ada")
    trying.fill("password", text="correct horse")
    record = await trying.call()
    assert record["arguments"]["password"].startswith("[REDACTED:")
    assert record["result"]["token"].startswith("[REDACTED:")
    assert " hidden" in trying.pane.result.said.text()


async def test_arguments_used_before_are_offered_again_without_their_secrets(trying: Any) -> None:
    trying.choose("login")
    trying.fill("user", text="ada")
    trying.fill("password", text="correct horse")
    await trying.call()
    trying.choose("greet")
    for name in ("Ada", "Bo", "Ada"):
        trying.fill("name", text=name)
        await trying.call()
    menu = trying.pane.form.schema_form.bar.menu
    assert [action.text() for action in menu.actions()] == ['{"name": "Ada"}', '{"name": "Bo"}']
    menu.actions()[1].trigger()
    assert trying.pane.arguments() == {"name": "Bo"}
    trying.choose("login")
    trying.pane.form.schema_form.bar.menu.actions()[0].trigger()
    assert trying.pane.arguments() == {"user": "ada"}
