"""Pictures of every form of a source, light and dark. usage: python -m tests.ui.sources.pictures FOLDER"""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SERVERS = """\
{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": {"GITHUB_TOKEN": "ghp_abcdefghij0123456789ABCDEFGHIJabcdef"}
    },
    "docs": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer <your key>"}},
    "old": {"command": "uvx", "args": ["mcp-server-time"], "disabled": true}
  }
}
"""
FORMS: dict[str, dict[str, Any]] = {
    "functions": {"path": "tools", "tools": ["shop:All", "people:team_members"], "isolation": "process"},
    "mcp": {
        "name": "github",
        "command": "npx",
        "args": ["-y", "@modelcontextprotocol/server-github"],
        "env": {"GITHUB_TOKEN": "${secret:GITHUB_TOKEN}"},
    },
    "mcp-address": {"name": "docs", "url": "https://example.com/mcp", "headers": {"X-Team": "engineering"}},
    "openapi": {"name": "petstore", "document": "petstore.yaml", "auth": {"api_key": "${secret:PETSTORE}"}},
    "http": {"name": "get_user", "url": "https://api.example.com/users/{id}", "query": {"full": "{full}"}},
    "http-several": {
        "name": "users",
        "base_url": "https://api.example.com",
        "requests": [{"name": "get", "url": "/users/{id}"}, {"name": "all", "url": "/users", "expect": [200]}],
    },
    "command": {"name": "git_log", "argv": ["git", "log", "--oneline", "-n", "{count}"], "output": "lines"},
    "script": {"name": "report.monthly", "path": "report.py", "parameters": {"month": {"type": "integer"}}},
    "wasm": {"name": "resize", "path": "resize.wasm"},
    "toolregistry": {"name": "agents", "module": "agents/tools.py"},
    "builtin": {"tools": ["read_file", "list_files", "time"], "timeout": 10},
}
WORKSPACE = """\
version: 1
sources:
  - kind: functions
    path: tools
  - kind: mcp
    name: issues
    url: https://example.com/mcp
    headers: {Authorization: "Bearer ${secret:ISSUES_KEY}"}
"""


async def take_readme(window: Any, shoot: Callable[[str, Any], None], pause: Callable[[], Awaitable[None]]) -> None:
    """The two pictures for the README: the cards, and a form with what its source brings."""
    from ptc_studio.ui.sources.actions import open_add_source

    dialog = open_add_source(window.context)
    await pause()
    shoot("add-source", dialog)
    dialog.show_form("functions", {"path": "tools"})
    dialog.trial.test()
    while dialog.trial.is_busy:
        await asyncio.sleep(0.02)
    await pause()
    shoot("source-form", dialog)
    dialog.reject()


async def take_all(folder: Path, data: Path) -> None:
    """Every dialog, in both appearances."""
    from ptc_studio.app import Setup, Studio
    from ptc_studio.locations import SAMPLE_TOOLS
    from ptc_studio.storage.secrets import Secrets
    from ptc_studio.storage.settings import Settings
    from ptc_studio.ui.main_window import MainWindow
    from ptc_studio.ui.theme import theme
    from ptc_studio.ui.workbench import Workbench

    workspace = data / "workspace"
    shutil.copytree(SAMPLE_TOOLS, workspace / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (workspace / "studio.yaml").write_text(WORKSPACE)
    secrets = Secrets(workspace, data=data)
    secrets.passphrase.unlock("correct horse battery")
    secrets.set("GITHUB_TOKEN", "not a real one")
    window = MainWindow(Settings(data / "settings.json"), data / "buffers", workspace)
    window.add_panels(Workbench(Studio(Setup(workspace=workspace, secrets=secrets))))
    window.resize(1280, 800)
    window.show()
    window.start(None)

    async def pause() -> None:
        await asyncio.sleep(0.25)

    await asyncio.sleep(2.0)
    for mode in ("dark", "light"):
        theme().set_mode(mode)

        def shoot(name: str, widget: Any, mode: str = mode) -> None:
            widget.grab().save(str(folder / f"{name}-{mode}.png"))

        await pause()
        await take_readme(window, shoot, pause)
        await _take_forms(window, shoot, pause)
        await _take_others(window, shoot, pause)
    closed = asyncio.Event()
    window.closed.connect(closed.set)
    window.close()
    await closed.wait()


async def _take_forms(window: Any, shoot: Callable[[str, Any], None], pause: Callable[[], Awaitable[None]]) -> None:
    from ptc_studio.ui.sources.actions import open_add_source

    for name, values in FORMS.items():
        dialog = open_add_source(window.context)
        dialog.show_form(name.partition("-")[0], values)
        await pause()
        shoot(f"form-{name}", dialog)
        dialog.reject()
    dialog = open_add_source(window.context)
    dialog.show_form("mcp", {"name": "my server", "command": "node", "args": ["server.js"]})
    dialog.form.main.field("args").setText('server.js "--port')
    await pause()
    shoot("form-faults", dialog)
    dialog.show_form("mcp", {"name": "broken", "command": "no-such-program"})
    dialog.trial.test()
    while dialog.trial.is_busy:
        await asyncio.sleep(0.02)
    await pause()
    shoot("form-failed", dialog)
    dialog.reject()


async def _take_others(window: Any, shoot: Callable[[str, Any], None], pause: Callable[[], Awaitable[None]]) -> None:
    from ptc_studio.ui.secrets.editor import SecretEditor
    from ptc_studio.ui.sources.actions import open_definitions, open_import, open_secrets
    from ptc_studio.ui.sources.form_help import FunctionChooser

    dialog = open_import(window.context)
    await pause()
    shoot("import-empty", dialog)
    dialog.text.setPlainText(SERVERS)
    await pause()
    shoot("import", dialog)
    dialog.reject()
    dialog = open_secrets(window.context)
    await pause()
    shoot("secrets", dialog)
    editor = SecretEditor(window.context, dialog)
    editor.open()
    await pause()
    shoot("secret-editor", editor)
    editor.reject()
    dialog.accept()
    dialog = open_definitions(window.context, ["add"])
    await pause()
    shoot("definitions", dialog)
    dialog.formats.button(4).click()
    dialog.scope.button(1).click()
    await pause()
    shoot("definitions-pyi", dialog)
    dialog.reject()
    chooser = FunctionChooser(window, ["shop:All"], lambda _names: None)
    chooser.open()
    chooser.fill(["shop:All", "people:All", "shop:price", "people:team_members"])
    await pause()
    shoot("functions-chooser", chooser)
    chooser.reject()


def main(folder: Path) -> None:
    from PySide6.QtWidgets import QApplication

    from ptc_studio.ui.qt_loop import WindowLoop

    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(["pictures"])
    application.setStyle("Fusion")
    application.setQuitOnLastWindowClosed(False)
    with (
        tempfile.TemporaryDirectory() as data,
        asyncio.Runner(loop_factory=lambda: WindowLoop(application)) as runner,
    ):
        runner.run(take_all(folder, Path(data)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
