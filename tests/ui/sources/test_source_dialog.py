"""Sources are added, tried, changed and removed in the window, and `studio.yaml` says just that."""

import asyncio
import difflib
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from ptc_studio.ui.secrets.editor import SecretEditor
from ptc_studio.ui.sources.actions import open_add_source, open_edit_source, remove_source
from ptc_studio.ui.sources.form_help import FunctionChooser
from tests.ui.seen import seen_texts

from .conftest import with_source

TESTS = Path(__file__).parents[2]


SERVER = TESTS / "sources/mcp/rogue_server.py"


REGISTRY = """\
from toolregistry import ToolRegistry

registry = ToolRegistry()

@registry.register
def double(a: int) -> int:
    "Twice as much."
    return 2 * a
"""


MODULE = """\
(module
  (memory (export "memory") 1)
  (func (export "allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "run") (param i32 i32) (result i64) (i64.const 0)))
"""


def added(before: str, after: str) -> list[str]:
    """The lines that are new, without quotes; none may be gone."""
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    assert not [line for line in lines if line.startswith("- ")]
    return [line[2:].replace('"', "").replace("'", "") for line in lines if line.startswith("+ ")]


def prepare(workspace: Path) -> None:
    """Files for every kind of source."""
    (workspace / "more").mkdir()
    (workspace / "more" / "greetings.py").write_text(
        'def greet(name: str) -> str:\n    "Says hello."\n    return name\n'
    )
    shutil.copy(TESTS / "sources/openapi/petstore.yaml", workspace / "petstore.yaml")
    (workspace / "report.py").write_text('"""Reports."""\n1 + 1\n')
    (workspace / "module.wat").write_text(MODULE)
    (workspace / "registry.py").write_text(REGISTRY)


KINDS: dict[str, tuple[str, int, dict[str, str], str, list[str]]] = {
    "functions": ("functions", 0, {"path": "more"}, "greet", ["  - kind: functions", "    path: more"]),
    "mcp": (
        "mcp",
        0,
        {"name": "rogue", "command": sys.executable, "args": f"-S {SERVER} plain"},
        "rogue.",
        ["  - kind: mcp", "    name: rogue", f"    command: {sys.executable}", f"    args: [-S, {SERVER}, plain]"],
    ),
    "openapi": (
        "openapi",
        0,
        {"name": "pets", "document": "petstore.yaml"},
        "pets.",
        ["  - kind: openapi", "    name: pets", "    document: petstore.yaml"],
    ),
    "http": (
        "http",
        0,
        {"name": "get_user", "url": "https://api.example.com/users/{id}"},
        "get_user",
        ["  - kind: http", "    name: get_user", "    url: https://api.example.com/users/{id}"],
    ),
    "command": (
        "command",
        0,
        {"name": "say", "argv": "echo 'two words' {what}"},
        "say",
        ["  - kind: command", "    name: say", "    argv: [echo, two words, {what}]"],
    ),
    "script": (
        "script",
        0,
        {"name": "report.monthly", "path": "report.py"},
        "report.monthly",
        ["  - kind: script", "    name: report.monthly", "    path: report.py"],
    ),
    "wasm": (
        "wasm",
        0,
        {"name": "resize", "path": "module.wat"},
        "resize",
        ["  - kind: wasm", "    name: resize", "    path: module.wat"],
    ),
    "toolregistry": (
        "toolregistry",
        0,
        {"name": "agents", "module": "registry.py"},
        "agents.double",
        ["  - kind: toolregistry", "    name: agents", "    module: registry.py"],
    ),
    "builtin": ("builtin", 0, {"name": "box"}, "box.read_file", ["  - kind: builtin", "    name: box"]),
}


@pytest.mark.parametrize("case", KINDS)
async def test_a_source_of_each_kind_is_typed_tried_and_saved(studio: Any, forms: Any, case: str):
    prepare(studio.workspace)
    kind, way, texts, tool, lines = KINDS[case]
    before = forms.file
    dialog = forms.add(kind, way, **texts)
    said = await forms.test(dialog)
    assert said.startswith("✓"), said
    assert tool in said
    assert forms.file == before
    await forms.save(dialog)
    assert added(before, forms.file) == lines
    await studio.until(lambda: any(name.startswith(tool) for name in forms.names))


async def test_several_requests_are_the_other_way_to_describe_http(studio: Any, forms: Any):
    dialog = forms.add("http", 1, name="users", base_url="https://api.example.com")
    requests = dialog.form.main.field("requests")
    forms.press(requests.add_button)
    QTest.keyClicks(dialog.form.main.field("requests", 0, "name").target(), "get")
    QTest.keyClicks(dialog.form.main.field("requests", 0, "url").target(), "/users/{id}")
    await forms.save(dialog)
    await studio.until(lambda: "users.get" in forms.names)
    assert '[{name: get, url: "/users/{id}"}]' in forms.file


async def test_what_was_typed_is_kept_when_the_way_is_changed_and_changed_back(forms: Any):
    dialog = forms.add("mcp", 0, name="server", command="node", args="server.js")
    dialog.form.choose_way(1)
    assert dialog.form.main.value() == {"name": "server"}
    forms.type(dialog, "url", "https://example.com/mcp")
    assert dialog.values() == {"kind": "mcp", "name": "server", "url": "https://example.com/mcp"}
    dialog.form.choose_way(0)
    assert dialog.values() == {"kind": "mcp", "name": "server", "command": "node", "args": ["server.js"]}


@pytest.mark.parametrize(
    ("kind", "texts", "place", "message"),
    [
        ("mcp", {"name": "my server"}, "name", "A name cannot have a blank in it: write 'my_server'."),
        ("mcp", {"name": "a*"}, "name", "A name cannot have '*' in it: write 'a'."),
        ("mcp", {"name": "taken"}, "name", "There is already a source 'taken': choose another name."),
        ("script", {"name": "a..b"}, "name", "A dot stands between two names."),
        ("mcp", {"name": "a", "command": "x", "args": '"open'}, "args", "A quotation mark is not closed."),
        (
            "command",
            {"name": "a", "argv": "{what} x"},
            "argv",
            "Must begin with the program, which cannot be a parameter.",
        ),
        ("builtin", {"http_hosts": "http://a/b"}, "http_hosts", "'http://a/b' is no host: write"),
        (
            "openapi",
            {"name": "a", "document": "x", "base_url": "ftp://x"},
            "base_url",
            "'ftp://x' is no web address: write",
        ),
        ("http", {"name": "a", "url": "ftp://x"}, "url", "'ftp://x' is no web address"),
    ],
)
async def test_bad_input_is_told_as_it_is_typed(
    studio: Any, forms: Any, kind: str, texts: dict[str, str], place: str, message: str
):
    taken = await with_source(studio, forms, "builtin", name="taken")
    dialog = forms.add(kind, **texts)
    assert message.removeprefix("It ") in forms.faults(dialog)[place]
    forms.press(dialog.save_button)
    assert dialog.note.text().startswith("✕ Not saved. ")
    assert not dialog.trial.is_busy
    forms.press(dialog.trial.button)
    assert not dialog.trial.is_busy
    assert forms.file == taken


async def test_an_address_needs_a_url_and_a_program_a_command(forms: Any):
    dialog = forms.add("mcp", 0, name="server")
    forms.press(dialog.save_button)
    assert dialog.note.text() == "✕ Not saved. Command: Required."
    assert dialog.focusWidget() is dialog.form.main.field("command").target()
    dialog.form.choose_way(1)
    forms.type(dialog, "url", "example.com")
    assert "'example.com' is no web address" in forms.faults(dialog)["url"]
    forms.type(dialog, "url", "https://example.com")
    assert dialog.form.is_valid()


async def test_a_test_that_hangs_shows_progress_and_is_cancelled(studio: Any, forms: Any):
    dialog = forms.add("mcp", name="slow", command=sys.executable, args="-c 'import time; time.sleep(60)'")
    forms.press(dialog.trial.button)
    await studio.until(dialog.trial.progress.isVisible)
    assert dialog.trial.button.text() == "Cancel"
    forms.press(dialog.trial.button)
    await studio.until(lambda: not dialog.trial.is_busy)
    assert "Cancelled" in dialog.trial.said.text()
    assert dialog.save_button.isEnabled()


async def test_closing_the_dialog_ends_the_test(studio: Any, forms: Any):
    dialog = forms.add("mcp", name="slow", command=sys.executable, args="-c 'import time; time.sleep(60)'")
    forms.press(dialog.trial.button)
    trial = dialog.trial
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    await studio.until(lambda: not trial.is_busy)


async def test_a_test_that_fails_says_why_and_shows_the_last_lines(forms: Any):
    program = "-c 'import sys; print(\"no licence found\", file=sys.stderr); sys.exit(3)'"
    dialog = forms.add("mcp", name="broken", command=sys.executable, args=program)
    said = await forms.test(dialog)
    assert said.startswith("✕ It did not work")
    assert "no licence found" in said
    forms.type(dialog, "command", "no-such-program")
    assert "Press Test" in dialog.trial.said.text()
    assert "no command 'no-such-program'" in await forms.test(dialog)


async def test_a_document_that_was_tried_has_fields_for_its_security_schemes(studio: Any, forms: Any):
    shutil.copy(TESTS / "sources/openapi/petstore.yaml", studio.workspace / "petstore.yaml")
    dialog = forms.add("openapi", name="pets", document="petstore.yaml")
    before = dialog.values()
    assert "tools" in (said := await forms.test(dialog))
    # What was typed and what was found stay.
    assert dialog.values() == before
    assert dialog.trial.said.text() in said
    # A field of its own, where before there was a name to type and a text to compose; it is seen without a click.
    assert dialog.form.main.row("auth").is_open
    field = dialog.form.main.field("auth", "key", "key")
    field.set_value("${secret:PETS}")
    assert dialog.values()["auth"] == {"key": "${secret:PETS}"}


async def test_a_file_that_does_not_load_is_shown_beside_what_does(studio: Any, forms: Any):
    (studio.workspace / "tools" / "billing.py").write_text("import nowhere\n")
    said = await forms.test(forms.add("functions", path="tools"))
    assert "1 part did not load" in said
    assert "billing.py" in said
    assert "No module named 'nowhere'" in said


async def test_a_source_is_changed_and_only_its_own_lines_differ(studio: Any, forms: Any):
    path = studio.workspace / "studio.yaml"
    path.write_text(
        "version: 1\n# the tools\nsources:\n  - kind: builtin # ours\n    name: box\n    timeout: 9\n"
        "  - {kind: functions, path: tools}\n"
    )
    studio.window.workbench.load()
    await studio.window.workbench.studio.reread()
    dialog = open_edit_source(studio.window.context, studio.window.workbench.studio.source_set.loaded_sources[0])
    assert dialog.form.more.isChecked()
    assert not dialog.back.isVisible()
    forms.type(dialog, "name", "chest")
    dialog.form.rare.field("timeout").target().clear()
    dialog.form.main.field("tools").boxes["echo"].click()
    await forms.save(dialog)
    assert forms.file == (
        "version: 1\n# the tools\nsources:\n  - kind: builtin # ours\n    name: chest\n"
        "    tools: [read_file, write_file, list_files, http_get, time, sleep, json_query]\n"
        "  - {kind: functions, path: tools}\n"
    )
    await studio.until(lambda: "chest.time" in forms.names)
    assert "box.time" not in forms.names


async def test_a_source_is_removed_and_the_notice_brings_it_back(studio: Any, forms: Any):
    before, window = forms.file, studio.window
    remove_source(window.context, window.workbench.studio.source_set.loaded_sources[0])
    await studio.until(lambda: "add" not in forms.names)
    assert "functions" not in forms.file
    await studio.until(window.context.messages.isVisible)
    assert window.context.messages.button.text() == "Undo"
    forms.press(window.context.messages.button)
    await studio.until(lambda: "add" in forms.names)
    assert forms.file == before
    assert not window.context.messages.isVisible()


async def test_a_file_that_cannot_be_written_is_told_in_the_dialog_and_nothing_is_lost(studio: Any, forms: Any):
    dialog = forms.add("builtin", name="box")
    await studio.until(lambda: not studio.window.workbench.is_running)
    path = studio.workspace / "studio.yaml"
    path.chmod(0o444)
    forms.press(dialog.save_button)
    await studio.until(lambda: "cannot be saved" in dialog.note.text())
    assert dialog.isVisible()
    assert dialog.values()["name"] == "box"
    path.chmod(0o644)
    await forms.save(dialog)
    assert "name: box" in forms.file


async def test_a_change_from_outside_in_the_same_place_is_not_overwritten(studio: Any, forms: Any):
    await with_source(studio, forms, "builtin", name="box")
    dialog = open_edit_source(studio.window.context, studio.window.workbench.studio.source_set.loaded_sources[1])
    await asyncio.sleep(0)
    await studio.until(lambda: dialog.has_read)
    path = studio.workspace / "studio.yaml"
    path.write_text(path.read_text().replace("name: box", "name: crate"))
    forms.type(dialog, "name", "chest")
    forms.press(dialog.save_button)
    await studio.until(lambda: "changed outside" in dialog.note.text())
    assert "crate" in forms.file
    assert dialog.isVisible()


async def test_without_a_workspace_saving_makes_one(studio: Any, forms: Any, tmp_path: Path, monkeypatch):
    opened: list[Path] = []
    monkeypatch.setattr("ptc_studio.ui.command_handlers.open_workspace", opened.append)
    studio.window.workbench.studio.has_workspace = False
    folder = tmp_path / "fresh"
    folder.mkdir()
    dialog = forms.add("functions", path="tools")
    assert "No folder is open" in dialog.note.text()
    saved = studio.signal(dialog.saved)
    dialog.save_in(folder)
    await asyncio.wait_for(saved, 30)
    assert opened == [folder]
    assert f"path: {studio.workspace / 'tools'}" in (folder / "studio.yaml").read_text()


async def test_functions_are_chosen_from_what_the_folder_has(studio: Any, forms: Any):
    prepare(studio.workspace)
    dialog = forms.add("functions", path="more")
    forms.press(dialog.form.main.field("tools").button)
    chooser = dialog.findChild(FunctionChooser)
    await studio.until(lambda: chooser.list.count() > 0)
    assert chooser.list.item(0).text() == "greetings:All"
    chooser.list.item(1).setCheckState(Qt.CheckState.Checked)
    forms.press(chooser.accept_button)
    assert dialog.values()["tools"] == ["greetings:greet"]


async def test_functions_of_a_folder_that_is_not_there_are_no_choice(studio: Any, forms: Any):
    dialog = forms.add("functions", path="nowhere")
    forms.press(dialog.form.main.field("tools").button)
    chooser = dialog.findChild(FunctionChooser)
    await studio.until(lambda: any("✕" in text for text in seen_texts(chooser)))
    assert not chooser.accept_button.isEnabled()


@pytest.mark.qt_log_ignore("grabbing the keyboard|support raise", extend=True)
async def test_a_secret_is_made_from_the_form_and_used_at_once(studio: Any, forms: Any):
    script = "import os, sys; print(len(os.environ['TOKEN']), file=sys.stderr); sys.exit(3)"
    dialog = forms.add("mcp", name="a", command=sys.executable)
    dialog.form.main.field("args").set_value(f"-c {json.dumps(script)}")
    env = dialog.form.main.field("env")
    forms.press(env.add_button)
    row = env.labelled_rows()[-1]
    QTest.keyClicks(row.editor, "TOKEN")
    forms.press(row.field.button)
    menu = await _menu(studio)
    menu.actions()[-1].trigger()
    menu.close()
    editor = dialog.findChild(SecretEditor)
    assert editor.value.echoMode() == editor.value.EchoMode.Password
    QTest.keyClicks(editor.name, "MY_TOKEN")
    QTest.keyClicks(editor.value, "seventeen letters")
    forms.press(editor.save_button)
    await studio.until(lambda: row.value() == "${secret:MY_TOKEN}")
    assert "17" in await forms.test(dialog)
    await forms.save(dialog)
    assert "seventeen" not in forms.file
    assert 'TOKEN: "${secret:MY_TOKEN}"' in forms.file


async def test_the_dialog_fits_a_small_window(studio: Any):
    studio.window.resize(1024, 700)
    dialog = open_add_source(studio.window.context, "http")
    assert dialog.width() <= 1024
    assert dialog.height() <= 700
    assert dialog.minimumSizeHint().width() <= 976


async def test_what_was_typed_before_escape_is_there_again(studio: Any, forms: Any):
    dialog = forms.add("mcp", name="server", command="true", args='"open')
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    again = open_add_source(studio.window.context, "mcp")
    assert again.values() == {"kind": "mcp", "name": "server", "command": "true"}
    assert "typed before" in again.note.text()
    await forms.save(again)
    assert open_add_source(studio.window.context, "mcp").values() == {"kind": "mcp"}


async def test_the_window_closes_while_a_test_hangs(studio: Any, forms: Any):
    dialog = forms.add("mcp", name="slow", command=sys.executable, args="-c 'import time; time.sleep(60)'")
    forms.press(dialog.trial.button)
    trial = dialog.trial
    await asyncio.wait_for(studio.close(), 30)
    assert not trial.is_busy


async def test_a_secret_that_a_server_prints_is_hidden_in_what_the_test_shows(studio: Any, forms: Any):
    studio.window.workbench.studio.secrets.set("KEY", "open sesame 123")
    script = "import os, sys; print('key is ' + os.environ['KEY'], file=sys.stderr); sys.exit(3)"
    dialog = forms.add("mcp", name="a", command=sys.executable)
    values = {"name": "a", "command": sys.executable, "args": ["-c", script], "env": {"KEY": "${secret:KEY}"}}
    dialog.show_form("mcp", values)
    said = await forms.test(dialog)
    assert "key is" in said
    assert "sesame" not in said


async def _menu(studio: Any) -> QMenu:
    def shown() -> list[QMenu]:
        found = QApplication.topLevelWidgets()
        return [each for each in found if isinstance(each, QMenu) and each.objectName() == "secretMenu"]

    await studio.until(lambda: shown())
    return shown()[0]
