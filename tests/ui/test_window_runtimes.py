"""The window and its runtimes: found, fitting the file, compiled, and compared."""

import asyncio
import json
import secrets
import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListWidget, QWidget

from ptc_studio.locations import RUNTIMES_VARIABLE
from ptc_studio.runtimes.catalog import UnknownRuntime
from ptc_studio.ui.matrix.panel import ERROR, OUTPUT, RUNTIME, STATUS, VALUE
from ptc_studio.ui.widgets.picker import NOTE_ROLE, Picker
from tests.ui.conftest import every_font
from tests.ui.seen import child, figure

SCRIPT = "people = team()\nprint(len(people), 'people')\ntry:\n    import ctypes\n    print('all')\nexcept ImportError:\n    print('some')\nlen(people)\n"


def words(studio, row: int) -> list[str]:
    model = studio.window.panels.matrix.model
    return [model.index(row, column).data() for column in range(model.columnCount())]


async def test_the_wanted_runtime_is_found_first_and_then_the_others(studio):
    bar = studio.window.run_bar
    assert bar.runtime_id() == "python"
    assert bar.selector.words[1] == studio.window.status_line.isolation
    assert not any(info.sought for info in bar.selector.runtimes.infos)
    assert {"python", "python-inprocess", "monty", "node", "go", "bash"} <= {
        info.id for info in bar.selector.runtimes.infos
    }


async def test_a_run_that_is_asked_for_while_the_runtime_is_looked_for_waits_for_it(studio):
    await studio.close()
    opened = studio.show()
    assert studio.window.run_bar.selector.runtimes.infos[0].sought
    assert (await studio.run("6 * 7\n"))["value"] == 42
    await opened


async def test_a_runtime_that_is_not_there_any_more_is_told_above_the_editor(studio, monkeypatch):
    def choose(*_wanted):
        raise UnknownRuntime("python is gone: get it")

    studio.type("1\n")
    monkeypatch.setattr(studio.window.workbench.studio.runtimes, "choose", choose)
    studio.window.run.run_script()
    await studio.until(studio.window.context.messages.isVisible)
    assert "python is gone" in studio.window.context.messages.message
    assert studio.window.commands["runAction"].isEnabled()


async def test_a_broken_runtime_of_the_users_is_told_once(studio, tmp_path, monkeypatch):
    broken = tmp_path / "mine" / "cobol"
    broken.mkdir(parents=True)
    (broken / "runtime.toml").write_text("id = 'cobol'\n")
    monkeypatch.setenv(RUNTIMES_VARIABLE, str(tmp_path / "mine"))
    await studio.open()
    notice = studio.window.context.messages
    assert notice.isVisible()
    assert str(broken / "runtime.toml") in notice.findChildren(QLabel)[1].text()


async def test_a_file_brings_the_runtime_of_its_ending_and_a_tab_its_last_one(studio):
    window, bar = studio.window, studio.window.run_bar
    for name, text in (("a.py", "1\n"), ("b.sh", "echo 1\n"), ("c.mjs", "1\n")):
        (studio.workspace / name).write_text(text)
        window.editors.open_file(studio.workspace / name)
    assert bar.runtime_id() == "node"
    pages = {page.title: page for page in window.editors.pages}
    window.editors.set_current(pages["a.py"])
    assert bar.runtime_id() == "python"
    bar.set_runtime("monty")
    window.editors.set_current(pages["b.sh"])
    assert (bar.runtime_id(), window.status_line.isolation) == ("bash", "virtual shell")
    window.editors.set_current(pages["a.py"])
    assert bar.runtime_id() == "monty"


async def test_a_page_without_a_file_takes_on_the_language_of_the_chosen_runtime(studio):
    studio.type("echo hello\n")
    page = studio.window.editors.current()
    studio.window.run_bar.set_runtime("bash")
    assert (page.language, page.text) == ("bash", "echo hello\n")
    assert page.script_name.endswith(".sh")
    assert (await studio.press_run())["stdout"] == "hello\n"


async def test_an_empty_page_is_offered_the_example_until_something_is_typed(studio):
    window = studio.window
    window.commands["newAction"].trigger()
    page = window.editors.current()
    window.run_bar.set_runtime("go")
    assert "MustCallTool" in page.text
    window.run_bar.set_runtime("node")
    assert "await tools." in page.text
    assert page.editor.textCursor().hasSelection()
    QTest.keyClick(page.editor, Qt.Key.Key_X)
    window.run_bar.set_runtime("go")
    assert (page.text, page.language) == ("x", "go")


async def test_a_file_keeps_its_language_and_the_status_line_says_that_the_runtime_is_for_another(studio):
    (studio.workspace / "odd.sh").write_text("6 * 7\n")
    studio.window.editors.open_file(studio.workspace / "odd.sh")
    studio.window.run_bar.set_runtime("python")
    assert studio.window.editors.current().language == "bash"
    assert (await studio.press_run())["value"] == 42
    assert studio.window.status_line.note == "▲ odd.sh runs in Python, which is for .py files"
    studio.window.run_bar.set_runtime("bash")
    await studio.press_run()
    assert "odd.sh runs in" not in studio.window.status_line.note


async def test_saving_suggests_the_ending_of_the_language(studio, monkeypatch):
    suggested = []
    monkeypatch.setattr(
        "ptc_studio.ui.command_handlers.choose_target", lambda _window, path, _chosen: suggested.append(path.name)
    )
    studio.type("x")
    for runtime in ("python", "node", "go", "wasm"):
        studio.window.run_bar.set_runtime(runtime)
        studio.window.commands["saveAsAction"].trigger()
    assert suggested == ["untitled-1.py", "untitled-1.mjs", "untitled-1.go", "untitled-1.wat"]


async def test_node_and_bash_run_from_the_window(studio):
    record = await studio.run("console.log(await tools.add({a: 1, b: 2}))\n", "node")
    assert (record["status"], record["stdout"]) == ("ok", "3\n")
    record = await studio.run("add --a 1 --b 2\n", "bash")
    assert (record["status"], record["stdout"]) == ("ok", "3\n")
    assert studio.window.panels.calls.model.rowCount() == 1


@every_font
async def test_while_go_compiles_the_bar_says_so_and_then_what_it_took(studio):
    compiled, seen, pressed = figure(studio.window.run_bar, "Compiled"), set(), time.monotonic()
    studio.type(f'fmt.Println(MustCallTool[int]("add", Args{{"a": 1, "b": 2}}), "{secrets.token_hex(8)}")\n')
    studio.window.run_bar.set_runtime("go")
    ended = studio.press_run()
    while not ended.done():
        seen.add(compiled.caption.text() if compiled.isVisible() else "")
        await asyncio.sleep(0.02)
    assert (await ended)["status"] == "ok"
    assert "Compiling…" in seen
    assert (compiled.isVisible(), compiled.caption.text()) == (True, "Compiled")
    assert compiled.value.text() == f"{ended.result()['prepare_ms'] / 1000:.2f} s"
    # Counted from the beginning of the script, which came after the compiler.
    assert studio.window.workbench.elapsed <= time.monotonic() - pressed - ended.result()["prepare_ms"] / 1000
    assert not (await studio.run("1\n"))["error"]
    assert not compiled.isVisible()


async def test_a_script_is_run_in_all_runtimes_and_the_difference_is_marked(studio):
    window = studio.window
    studio.type(SCRIPT)
    began = []
    window.workbench.matrix_row_began.connect(lambda info: began.append((info.id, words(studio, len(began))[STATUS])))
    ended = studio.signal(window.workbench.matrix_ended)
    QTest.keyClick(window, Qt.Key.Key_F5, Qt.KeyboardModifier.ControlModifier)
    assert not window.commands["runAllAction"].isEnabled()
    await asyncio.wait_for(ended, 60)
    assert began == [(name, "◐ running") for name in ("python", "python-inprocess", "monty")]
    assert window.findChild(QWidget, "matrixView").accessibleName() == "Runs compared"
    assert window.panels.bottom.currentWidget() is window.panels.matrix
    assert [words(studio, row)[RUNTIME] for row in range(3)] == ["Python", "Python in process", "Monty"]
    assert [words(studio, row)[VALUE] for row in range(3)] == ["20", "20", "20"]
    assert [words(studio, row)[OUTPUT] for row in range(3)] == ["20 people …", "20 people …", "≠ 20 people …"]
    assert window.panels.matrix.progress.text() == "≠ 1 of 3 runs differ from the others"
    assert window.commands["runAllAction"].isEnabled()
    window.panels.matrix.copy_json()
    assert json.loads(QGuiApplication.clipboard().text())["differences"] == [{"runtime": "monty", "fields": ["stdout"]}]


async def test_a_run_of_the_table_can_be_seen_again(studio):
    window = studio.window
    studio.type("add(1, 2)\nmul(2, 3)\nprint('x')\n")
    ended = studio.signal(window.workbench.matrix_ended)
    window.commands["runAllAction"].trigger()
    await asyncio.wait_for(ended, 60)
    await studio.run("add(1, 1)\n")
    assert window.panels.bottom.currentWidget() is window.panels.output
    window.panels.matrix.view.activated.emit(window.panels.matrix.model.index(1, 0))
    window.panels.output.flush()
    assert window.panels.calls.model.rowCount() == 2
    assert "Finished" in window.panels.output.view.toPlainText()
    assert "Python in process" in window.status_line.note
    matrix = window.panels.matrix
    matrix.view.selectAll()
    assert not matrix.compare_button.isEnabled()
    matrix.view.clearSelection()
    for row in (0, 2):
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        matrix.view.selectionModel().select(matrix.model.index(row, 0), flags)
    QTest.mouseClick(matrix.compare_button, Qt.MouseButton.LeftButton)
    await studio.until(lambda: window.panels.is_selected("difference"))
    assert window.panels.difference.summary.text().endswith("2 calls the same")


async def test_what_is_missing_is_a_row_with_its_reason(studio, monkeypatch):
    window = studio.window
    runtimes = window.workbench.studio.runtimes
    found = [
        replace(info, available=False, reason="Monty is gone: get it") if info.id == "monty" else info
        for info in runtimes.all_for("x.py")
    ]
    monkeypatch.setattr(runtimes, "all_for", lambda _filename: found)
    studio.type("1\n")
    ended = studio.signal(window.workbench.matrix_ended)
    window.run.run_in_all()
    await asyncio.wait_for(ended, 60)
    assert words(studio, 2)[STATUS] == "– not available"
    assert words(studio, 2)[ERROR] == "Monty is gone: get it"
    assert window.panels.matrix.progress.text() == "✓ 2 runs, all alike"


async def test_stop_ends_the_run_and_those_to_come(studio):
    window = studio.window
    studio.type("print('on')\nwhile True:\n    pass\n")
    ended = studio.signal(window.workbench.matrix_ended)
    window.run.run_in_all()
    await studio.until(lambda: "on" in window.panels.output.view.toPlainText())
    QTest.mouseClick(window.run_bar.stop_button, Qt.MouseButton.LeftButton)
    await asyncio.wait_for(ended, 30)
    assert window.panels.matrix.model.rowCount() == 1
    assert words(studio, 0)[STATUS].endswith("cancelled")
    assert window.panels.matrix.progress.text() == "▲ Stopped after 1 of 3"
    assert (await studio.run("1 + 1\n"))["value"] == 2


async def test_stop_before_the_first_run_has_begun_ends_all(studio):
    studio.type("import time\ntime.sleep(60)\n")
    ended = studio.signal(studio.window.workbench.matrix_ended)
    studio.window.run.run_in_all()
    studio.window.workbench.stop()
    await asyncio.wait_for(ended, 30)
    assert words(studio, 0)[STATUS].endswith("cancelled")


async def test_a_text_that_no_runtime_is_for_is_not_run_in_all(studio):
    (studio.workspace / "notes.txt").write_text("hello\n")
    studio.window.editors.open_file(studio.workspace / "notes.txt")
    studio.window.run.run_in_all()
    assert studio.window.context.messages.isVisible()
    assert not studio.window.workbench.is_running


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
async def test_the_examples_of_all_runtimes_are_offered_quietly(studio):
    window = studio.window
    link = window.welcome.findChild(QLabel, "sameTask")
    assert "Node.js" in link.text()
    link.linkActivated.emit("node")
    assert (window.editors.current().title, window.run_bar.runtime_id()) == ("example.mjs", "node")
    link.linkActivated.emit("bash")
    assert (window.editors.current().title, window.run_bar.runtime_id()) == ("example.sh", "bash")
    window.commands["goToAction"].trigger()
    picker = window.findChild(Picker)
    shown = child(picker, QListWidget)
    items = [shown.item(row) for row in range(shown.count())]
    assert any("example.go" in item.text() and "Go" in item.data(NOTE_ROLE) for item in items)
    picker.close()


@pytest.mark.parametrize(
    ("runtime", "call"),
    [("go", 'MustCallTool[any]("add", Args{"a": , "b": })'), ("node", "await tools.add({a: , b: })")],
)
async def test_a_call_is_inserted_in_the_language_of_the_page(studio, runtime: str, call: str):
    window = studio.window
    studio.type("x")
    window.run_bar.set_runtime(runtime)
    window.panels.tools.select("add")
    window.panels.tools.tree.doubleClicked.emit(window.panels.tools.tree.currentIndex())
    assert call in window.editors.current().text
    assert window.panels.tools.model.mimeData([window.panels.tools.tree.currentIndex()]).text() == call


async def test_every_command_for_runs_has_its_key(studio):
    action = studio.window.findChild(QAction, "runAllAction")
    assert (action.text(), action.shortcut().toString()) == ("Run in all", "Ctrl+F5")
