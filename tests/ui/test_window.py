"""The window as a whole: write, run, watch, stop, close."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

NAMES = (
    "codeEditor", "runtimeSelector", "toolPanel", "toolTree", "toolFilter", "callTree",
    "callInspector", "outputView", "problemsView",
)  # fmt: skip


async def test_every_part_has_its_name_and_an_accessible_name(studio):
    studio.type("1")
    assert studio.window.objectName() == "mainWindow"
    for name in NAMES:
        part = studio.window.findChild(QWidget, name)
        assert part is not None, name
        assert part.accessibleName(), name
    for name in ("runAction", "stopAction"):
        assert studio.window.findChild(QAction, name) is not None


async def test_a_script_is_typed_run_and_watched(studio):
    record = await studio.run("people = team()\nprint(len(people))\nadd(1, 2)\n")
    assert record["status"] == "ok"
    assert record["value"] == 3
    window = studio.window
    assert window.panels.calls.model.rowCount() == 2
    assert "20" in window.findChild(QWidget, "outputView").toPlainText()
    assert window.workbench.figures.calls == 2


@pytest.mark.parametrize("runtime", ["python", "python-inprocess"])
async def test_a_loop_is_stopped_by_the_button(studio, runtime: str):
    studio.type("print('on')\nwhile True:\n    pass\n")
    studio.window.run_bar.set_runtime(runtime)
    ended = studio.press_run()
    output = studio.window.findChild(QWidget, "outputView")
    await studio.until(lambda: "on" in output.toPlainText())
    assert not studio.window.commands["runAction"].isEnabled()
    QTest.mouseClick(studio.window.run_bar.stop_button, Qt.MouseButton.LeftButton)
    record = await asyncio.wait_for(ended, 30)
    assert record["status"] == "cancelled"
    assert studio.window.commands["runAction"].isEnabled()


async def test_calls_at_once_are_seen_side_by_side_and_what_they_saved_is_told(studio):
    window = studio.window
    window.panels.bottom.setCurrentWidget(window.panels.timeline)
    names = ("Ada", "Grace", "Ken", "John")
    text = f"import asyncio\nawait asyncio.gather(*(aio.get_expenses(name) for name in {names}))\nadd(1, 2)"
    await studio.run(text)
    await studio.until(lambda: window.panels.timeline.lanes == ["get_expenses", "add"])
    assert " at once · " in window.panels.corner.note.text()
    window.panels.calls.select_call("c2")
    assert window.panels.timeline.chosen.call_id == "c2"
    await studio.run("add(1, 2)")
    await studio.until(lambda: window.panels.timeline.lanes == ["add"])
    assert window.panels.corner.note.text() == ""


async def test_each_panel_below_the_editor_is_reached_by_its_action(studio):
    window = studio.window
    window.panels.docks.bottom.hide()
    for name, panel in (("timelineAction", window.panels.timeline), ("problemsAction", window.panels.problems)):
        window.commands[name].trigger()
        await studio.until(lambda panel=panel: panel.isVisible() and panel.hasFocus())
        assert window.panels.bottom.currentWidget() is panel


@pytest.mark.parametrize("text", ["add(1, 2)", "raise ValueError('x')", "syntax error"])
async def test_a_run_is_told_of_the_loops_turns_and_no_longer_after_it(studio, monkeypatch: pytest.MonkeyPatch, text):
    told = []
    courtesy = studio.window.workbench.studio.executor.ui_priority
    monkeypatch.setattr(courtesy, "had_turn", lambda: told.append("turn"))
    monkeypatch.setattr(courtesy, "needs_no_turns", lambda: told.append("end"))
    await studio.run(text)
    assert told.count("end") == 1
    assert told[-1] == "end"
    assert told.count("turn") > 2
    await asyncio.sleep(0.05)
    assert told[-1] == "end"


async def test_selecting_a_call_shows_its_values_and_marks_its_line(studio):
    await studio.run("x = 1\n\nadd(a=4, b=5)\n")
    shown = []
    studio.window.panels.calls.call_selected.connect(shown.append)
    studio.window.panels.calls.select_call("c1")
    await studio.until(lambda: shown)
    assert shown[-1]["arguments"] == {"a": 4, "b": 5}
    page = studio.window.editors.current()
    assert page.editor.decorations.marked == 3


async def test_an_error_is_shown_in_full_and_its_line_is_marked(studio):
    record = await studio.run("print('a')\n1/0\n")
    assert record["status"] == "error"
    text = studio.window.findChild(QWidget, "outputView").toPlainText()
    assert "ZeroDivisionError" in text
    assert studio.window.editors.current().editor.decorations.marked == 2


async def test_secrets_are_shown_nowhere(studio):
    secret = "sk-proj-abcdefghij0123456789ABCDEFGHIJ"
    record = await studio.run(
        f"print('{secret[:20]}' + '{secret[20:]}')\ncall_tool('add', {{'a': 1, 'b': '{secret}'}})\n"
    )
    assert secret not in str(record)
    assert secret not in studio.window.findChild(QWidget, "outputView").toPlainText()


async def test_what_is_not_ticked_cannot_be_called(studio):
    studio.window.panels.tools.grant_changed.emit(("add",))
    record = await studio.run("call_tool('mul', {'a': 1, 'b': 2})\n")
    assert record["error"]["type"] == "PermissionError"


BAD_INPUTS = {
    "nothing": ("", "ok"),
    "blank lines": ("\n\n\n", "ok"),
    "a syntax error": ("def f(:\n", "error"),
    "an unclosed string": ("x = 'abc\n", "error"),
    "an unknown name": ("nope()\n", "error"),
    "an unknown tool": ("call_tool('nope')\n", "error"),
    "missing arguments": ("add(1)\n", "error"),
    "unknown arguments": ("add(a=1, b=2, c=3)\n", "error"),
    "wrong values": ("add('x', 'y')\n", "error"),
    "an exit status": ("import sys\nsys.exit(3)\n", "error"),
    "a kill": ("import os\nos.kill(os.getpid(), 9)\n", "crashed"),
    "deep recursion": ("def f(): f()\nf()\n", "error"),
    "null characters": ("x = '\\0'\nprint(repr(x))\n", "ok"),
    "unicode": ("print('äöü ✓ 漢字 🙂')\n", "ok"),
    "half a surrogate": ("print('\\ud800')\n", "error"),
    "binary output": ("import sys\nsys.stdout.buffer.write(b'\\xff\\xfe')\n", "ok"),
    "escape codes": ("print('\\x1b[31mred\\x1b[0m \\x1b[999;999H')\n", "ok"),
    "a long line": ("print('x' * 200_000)\n", "ok"),
    "many lines": ("for i in range(20_000): print(i)\n", "ok"),
    "a value without a form": ("object()\n", "ok"),
    "an import that is not there": ("import nowhere_to_be_found\n", "error"),
    "input": ("input()\n", "error"),
}


@pytest.mark.parametrize("case", BAD_INPUTS)
async def test_bad_input_gets_a_clear_end_and_the_window_lives_on(studio, case: str):
    text, status = BAD_INPUTS[case]
    record = await studio.run(text)
    assert record["status"] == status
    assert not studio.window.context.messages.isVisible()
    assert (await studio.run("add(1, 2)\n"))["value"] == 3


async def test_text_is_back_after_a_kill(studio):
    studio.type("print('not saved anywhere')\n")
    buffers = studio.data / "buffers"
    await studio.until(
        lambda: any("not saved anywhere" in p.read_text(errors="replace") for p in buffers.rglob("*") if p.is_file())
    )
    # The first window is not closed before the second is open: it is as if it had been killed.
    await studio.open()
    assert "not saved anywhere" in studio.window.editors.current().text


async def test_closing_during_a_run_asks_and_stops_it(studio, monkeypatch):
    async def yes(*_args, **_options):
        return True

    monkeypatch.setattr("ptc_studio.ui.dialogs.questions.ask", yes)
    studio.type("import time\nprint('on')\ntime.sleep(60)\n")
    ended = studio.press_run()
    output = studio.window.findChild(QWidget, "outputView")
    await studio.until(lambda: "on" in output.toPlainText())
    await studio.close()
    assert (await asyncio.wait_for(ended, 30))["status"] == "cancelled"


async def test_the_appearance_can_be_switched_and_is_remembered(studio):
    studio.window.commands["lightThemeAction"].trigger()
    assert studio.window.commands["lightThemeAction"].isChecked()
    assert '"light"' in (studio.data / "settings.json").read_text()


async def test_the_demo_runs_with_one_click(studio):
    ended = studio.signal(studio.window.workbench.run_ended)
    studio.window.welcome.demo_requested.emit()
    record = await asyncio.wait_for(ended, 30)
    assert record["status"] == "ok"
    assert len(record["calls"]) == 41


async def test_a_file_of_the_sources_that_does_not_load_is_shown(studio):
    (studio.workspace / "tools" / "billing.py").write_text("import nowhere\n")
    studio.window.commands["reloadAction"].trigger()
    bench = studio.window.workbench.studio
    await studio.until(lambda: any(error.file.endswith("billing.py") for error in bench.errors))


async def test_a_demo_whose_tab_is_closed_while_it_runs_ends_in_order(studio):
    window = studio.window
    ended = studio.signal(window.workbench.run_ended)
    window.commands["demoAction"].trigger()
    await studio.until(lambda: window.workbench.is_running)
    window.editors.close_page(window.editors.current())
    await asyncio.sleep(0.05)
    assert (await asyncio.wait_for(ended, 60))["status"] == "ok"
