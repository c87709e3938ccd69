"""The switch "Serve tools": scripts elsewhere call, and the window shows it."""

import asyncio
import contextlib
import json
import os
import shlex
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from PySide6.QtGui import QGuiApplication

from ptc_studio.serving.client_settings import announced
from ptc_studio.ui.single_instance import SingleInstance
from tests.ui.conftest import WindowStudio

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _runtime_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


@contextlib.asynccontextmanager
async def served(studio: WindowStudio) -> AsyncIterator[Any]:
    """The panel, while the tools are served. Between a test and what follows no loop runs, and nothing may be served."""
    studio.window.commands["serveAction"].trigger()
    panel = studio.window.panels.serving
    await studio.until(lambda: panel.is_served)
    yield panel
    if panel.is_served:
        panel.stop_button.click()
        await studio.until(lambda: not panel.is_served)


def call(panel: Any, tool: str, parameters: Any) -> Any:
    request = urllib.request.Request(
        f"{panel.address.text()}/worker/{panel.job.text()}/tools/call",
        json.dumps({"tool_name": tool, "parameters": parameters}).encode(),
        {"Authorization": f"Bearer {panel.token.text()}", "User-Agent": "a worker"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


async def test_calls_of_scripts_elsewhere_appear_in_the_tree_and_in_the_list_of_clients(studio: WindowStudio):
    async with served(studio) as panel:
        names = [tool.spec.name for tool in studio.window.workbench.studio.registry.tools]
        answer = await asyncio.to_thread(call, panel, names[0], {})
        assert "duration_ms" in answer
        await studio.until(lambda: studio.window.panels.calls.model.rowCount() == 1)
        await studio.until(lambda: panel.clients.topLevelItemCount() == 1)
        assert panel.clients.topLevelItem(0).text(0) == "a worker"
        assert studio.window.commands["runAction"].isEnabled()


async def test_what_is_served_and_called_is_seen_beside_the_welcome_page_too(studio: WindowStudio):
    docks = studio.window.panels.docks
    docks.set_resting(True)
    async with served(studio) as panel:
        assert panel.isVisible()
    # Nobody pressed anything here: a client asked for it.
    docks.set_resting(True)
    studio.window.serve_tools()
    await studio.until(lambda: panel.is_served)
    await asyncio.to_thread(call, panel, "nope", {})
    await studio.until(lambda: docks.calls.isVisible() and docks.bottom.isVisible())
    panel.stop_button.click()
    await studio.until(lambda: not panel.is_served)


async def test_a_run_of_the_editor_takes_the_tree_and_the_next_call_gives_it_back_with_the_earlier_ones(
    studio: WindowStudio,
):
    async with served(studio) as panel:
        await asyncio.to_thread(call, panel, "nope_1", {})
        await studio.until(lambda: studio.window.panels.calls.model.rowCount() == 1)
        record = await studio.run("print(1)")
        assert record["status"] == "ok"
        assert studio.window.panels.calls.model.rowCount() == 0
        await asyncio.to_thread(call, panel, "nope_2", {})
        await studio.until(lambda: studio.window.panels.calls.model.rowCount() == 2)


async def test_a_script_of_an_mcp_client_hangs_below_its_call(studio: WindowStudio):
    async with served(studio) as panel:
        headers = {"Authorization": f"Bearer {panel.token.text()}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(f"{panel.address.text()}/mcp", http_client=http)) as client,
        ):
            code = "for n in range(2):\n    try: call_tool(f'nope{n}', {})\n    except LookupError: pass\n42"
            done = await client.call_tool("run_script", {"code": code})
        assert done.structured_content["value"] == 42
        model = studio.window.panels.calls.model
        await studio.until(lambda: model.rowCount() == 1 and model.rowCount(model.index(0, 0)) == 2)


async def test_an_mcp_server_that_a_client_starts_calls_through_the_open_window(
    studio: WindowStudio, monkeypatch: pytest.MonkeyPatch
):
    # The path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="ptc-s-") as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        instance = SingleInstance(studio.workspace)
        assert instance.claim()
        instance.serve_requested.connect(studio.window.serve_tools)
        program = StdioServerParameters(
            command=sys.executable,
            args=["-m", "ptc_studio", "mcp", "--workspace", str(studio.workspace)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        async with Client(stdio_client(program)) as client:
            done = await client.call_tool("add", {"a": 20, "b": 3})
            assert done.content[0].text == "23"
            await studio.until(lambda: studio.window.panels.calls.model.rowCount() == 1)
            clients = studio.window.panels.serving.clients
            await studio.until(lambda: clients.topLevelItemCount() == 1)
            assert clients.topLevelItem(0).text(0) == "ptc-studio mcp"
            assert "MCP client" in studio.window.context.messages.message
        panel = studio.window.panels.serving
        panel.stop_button.click()
        await studio.until(lambda: not panel.is_served)
        instance.release()


async def test_the_lines_to_copy_have_what_a_script_needs_and_the_token_is_hidden_from_view(studio: WindowStudio):
    async with served(studio) as panel:
        token, job, url = panel.token.text(), panel.job.text(), panel.address.text()
        assert panel.token.displayText() != token
        panel.copy_lines()
        *variables, sdk = QGuiApplication.clipboard().text().splitlines()
        assert variables == [f"export PTC_URL={url}", f"export PTC_JOB_ID={job}", f"export PTC_TOKEN={token}"]
        assert Path(shlex.split(sdk, comments=True)[1]).name == "ptc_tools.py"
        assert Path(shlex.split(sdk, comments=True)[1]).is_file()
        assert token not in panel.lines.toPlainText()
        panel.reveal.click()
        assert (panel.token.displayText(), token in panel.lines.toPlainText()) == (token, True)
        for position, expected in ((1, "docker run"), (2, f"IRONCLAW_WORKER_TOKEN={token}"), (3, '"mcpServers"')):
            panel.choice.button(position).click()
            assert expected in panel.lines.toPlainText()
        assert sys.executable in panel.lines.toPlainText()


async def test_stopping_ends_the_job_forgets_the_token_and_withdraws_the_announcement(studio: WindowStudio):
    async with served(studio) as panel:
        url = panel.address.text()
        assert announced(studio.workspace).url == url  # type: ignore[union-attr]
        panel.stop_button.click()
        await studio.until(lambda: not panel.is_served)
        assert (panel.token.text(), panel.lines.toPlainText()) == ("", "")
        assert announced(studio.workspace) is None
        with pytest.raises(OSError):  # noqa: PT011 - refused, by whatever name
            await asyncio.to_thread(urllib.request.urlopen, f"{url}/health", timeout=5)
        # It can be served again, elsewhere and with another token.
        panel.start_button.click()
        await studio.until(lambda: panel.is_served)


async def test_a_flood_of_calls_leaves_the_window_responsive(studio: WindowStudio):
    async with served(studio) as panel:
        # Of this thread's own work: what others on the machine take is no fault of the window's.
        gaps: list[float] = []
        flood = asyncio.gather(
            *(asyncio.to_thread(lambda: [call(panel, "nope", {}) for _ in range(75)]) for _ in range(4))
        )
        last = time.thread_time()
        while not flood.done():
            await asyncio.sleep(0.005)
            now = time.thread_time()
            gaps.append(now - last)
            last = now
        await flood
        await studio.until(lambda: studio.window.workbench.figures.calls == 300)
        assert max(gaps) < 0.25


async def test_closing_the_window_ends_what_is_served(studio: WindowStudio):
    studio.window.commands["serveAction"].trigger()
    panel = studio.window.panels.serving
    await studio.until(lambda: panel.is_served)
    url = panel.address.text()
    await studio.close()
    assert announced(studio.workspace) is None
    with pytest.raises(OSError):  # noqa: PT011 - refused, by whatever name
        await asyncio.to_thread(urllib.request.urlopen, f"{url}/health", timeout=5)
