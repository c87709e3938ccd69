"""The tools as an MCP server, tried with clients of others: the official one for Python, and MCP Inspector."""

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.subscriptions import ToolsListChanged

from ptc_studio.serving.client_settings import announce, announced, withdraw
from ptc_studio.serving.mcp_protocol import ToolServer
from ptc_studio.serving.tool_service import Address
from tests.gateway.http.served import TOOLS, Served, environment, serving

INSPECTOR = Path(sys.prefix) / "node" / "node_modules" / ".bin" / "mcp-inspector"
TWENTY = TOOLS + "".join(
    f'\ndef measure_{number}(factor: int = 1) -> int:\n    """Measures site {number}."""\n    return {number} * factor\n'
    for number in range(20)
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "studio.yaml").write_text(
        "sources: []\naliases:\n  - {name: plus-one, tool: calc.add, preset: {b: 1}, description: One more.}\n"
    )
    with serving(folder, "--workspace", ".", tools=TWENTY) as one:
        one.folder = folder  # type: ignore[attr-defined]
        yield one


@contextlib.asynccontextmanager
async def client(served: Any, transport: str, mode: str = "auto") -> AsyncIterator[Client]:
    if transport == "stdio":
        arguments = ["-m", "ptc_studio", "mcp", "--workspace", ".", "--functions", "tools"]
        program = StdioServerParameters(
            command=sys.executable, args=arguments, cwd=str(served.folder), env=environment()
        )
        async with Client(stdio_client(program), mode=mode) as one:  # type: ignore[arg-type]
            yield one
        return
    headers = {"Authorization": f"Bearer {served.token}"}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(f"{served.url}/mcp", http_client=http), mode=mode) as one,  # type: ignore[arg-type]
    ):
        yield one


def text(result: Any) -> str:
    return "".join(part.text for part in result.content)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_the_official_client_lists_and_calls_everything(served: Served, transport: str, mode: str):
    async with client(served, transport, mode) as one:
        listed = {tool.name: tool for tool in (await one.list_tools()).tools}
        assert {"run_script", "search_tools", "add", "plus-one", "measure_19"} <= set(listed)
        assert listed["add"].input_schema["required"] == ["a", "b"]
        assert set(listed["plus-one"].input_schema["properties"]) == {"a"}
        assert text(await one.call_tool("add", {"a": 1, "b": 2})) == "3"
        assert text(await one.call_tool("plus-one", {"a": 41})) == "42"
        for name, arguments, message in (
            ("fail", {"why": "x"}, "KeyError: 'x'"),
            ("add", {"a": "no"}, "Invalid parameters for tool 'add'"),
            ("nope", {}, "Tool not found: nope"),
        ):
            failed = await one.call_tool(name, arguments)
            assert failed.is_error
            assert text(failed).startswith(message)
        found = await one.call_tool("search_tools", {"query": "measure_7 site"})
        assert found.structured_content["tools"][0]["signature"] == "measure_7(factor: int = 1)"


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_script_gives_its_output_value_and_error_and_tells_of_each_call(served: Served, transport: str):
    told: list[Any] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async with client(served, transport) as one:
        code = "for n in range(3):\n    print(add(n, 1))\nadd(40, 2)"
        done = await one.call_tool("run_script", {"code": code}, progress_callback=on_progress)
        assert text(done) == "1\n2\n3\nvalue: 42"
        assert (done.is_error, done.structured_content["value"]) == (False, 42)
        assert [call["tool"] for call in done.structured_content["calls"]] == ["add"] * 4
        assert [progress for progress, _ in told] == [1, 2, 3, 4]
        assert all(re.fullmatch(r"add ok \(\d+ ms\)", message) for _, message in told)
        failed = await one.call_tool("run_script", {"code": "print('before')\nfail('x')"})
        assert failed.is_error
        assert failed.structured_content["stdout"] == "before\n"
        assert failed.structured_content["error"]["type"] == "KeyError"
        for arguments, message in (
            ({"code": "1", "runtime": "cobol"}, "cobol"),
            ({"code": "1", "target": "moon"}, "There is no target 'moon'"),
            ({"code": "1", "timeout": -1}, "'timeout' must be"),
            ({}, "'code' must be"),
            ({"code": "while True: pass", "timeout": 0.5}, "time limit of 0.5 s"),
        ):
            refused = await one.call_tool("run_script", arguments)
            assert refused.is_error
            assert message in text(refused)


async def test_an_agent_that_only_knows_the_description_uses_twenty_tools_in_one_script(served: Served):
    """The loop of an agent, with a program in the place of the model: it reads, writes a script, reads what came."""
    async with client(served, "http") as one:
        run_script = next(tool for tool in (await one.list_tools()).tools if tool.name == "run_script")
        sites = re.findall(r"- (measure_\d+)\(factor: int = 1\)  # Measures site \d+\.", run_script.description or "")
        assert len(sites) == 20
        lines, question = [], "Which site measures most with a factor of 2, and what is the sum?"
        for _turn in range(3):
            if not lines:
                script = "import asyncio\nresults = dict(zip({0}, [{1}]))\nprint(max(results, key=results.get))\nsum(results.values())"
                code = script.format(sites, ", ".join(f"{site}(factor=2)" for site in sites))
                answer = await one.call_tool("run_script", {"code": code})
                lines = text(answer).splitlines()
            else:
                break
        assert question
        assert lines == ["measure_19", f"value: {2 * sum(range(20))}"]
        assert len(answer.structured_content["calls"]) == 20


@pytest.mark.timeout(300)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_mcp_inspector_lists_and_calls(served: Any, transport: str, tmp_path: Path):
    if transport == "stdio":
        target = [sys.executable, "-m", "ptc_studio", "mcp", "--workspace", str(served.folder), "--functions"]
        target.append(str(served.folder / "tools"))
    else:
        target = [f"{served.url}/mcp", "--transport", "http", "--header", f"Authorization: Bearer {served.token}"]

    def inspect(*arguments: str) -> Any:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            [str(INSPECTOR), "--cli", *target, "--connect-timeout", "45000", *arguments],
            env={**environment(), "PATH": path, "HOME": str(tmp_path)}, capture_output=True, text=True, timeout=100, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    assert {"add", "run_script"} <= {tool["name"] for tool in inspect("--method", "tools/list")["tools"]}
    added = inspect("--method", "tools/call", "--tool-name", "add", "--tool-arg", "a=1", "--tool-arg", "b=2")
    assert added["content"][0]["text"] == "3"
    ran = inspect("--method", "tools/call", "--tool-name", "run_script", "--tool-arg", "code=measure_3(factor=14)")
    assert ran["content"][0]["text"] == "value: 42"


async def test_the_calls_of_a_script_are_told_to_listeners_below_its_own(served: Served):
    with served.stream() as stream:
        async with client(served, "http") as one:
            await one.call_tool("run_script", {"code": "measure_4(factor=2)"})
        _, _, script = stream.next_of("run_script")
        inner = stream.take(2, "measure_4")
    assert [(kind, data["parent_id"], data["depth"]) for _, kind, data in inner] == [
        ("job_tool_use", script["call_id"], 2),
        ("job_tool_result", script["call_id"], 2),
    ]
    assert inner[1][2]["output"] == "8"


async def test_without_the_token_nobody_comes_in(served: Served):
    status, document = served.request("POST", "/mcp", {"jsonrpc": "2.0"}, {"Content-Type": "application/json"})
    assert (status, document["success"]) == (401, False)


async def test_a_server_that_a_client_starts_calls_through_the_window_of_its_workspace(
    served: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    address = Address(served.url, served.job_id, served.token)
    assert announce(served.folder, address)
    assert announced(served.folder) == address
    [file] = (tmp_path / "ptc-studio").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    program = StdioServerParameters(
        command=sys.executable, args=["-m", "ptc_studio", "mcp", "--workspace", str(served.folder)], env=environment()
    )
    with served.stream() as stream:
        async with Client(stdio_client(program)) as one:
            assert text(await one.call_tool("add", {"a": 20, "b": 3})) == "23"
            assert (await one.call_tool("run_script", {"code": "add(1, 1)"})).structured_content["value"] == 2
        assert stream.next_of("add")[2]["input"] == {"a": 20, "b": 3}
    withdraw(served.folder)
    assert announced(served.folder) is None
    file.write_text(json.dumps({"url": served.url, "job_id": "j", "token": "t"}))
    file.chmod(0o644)
    assert announced(served.folder) is None


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_calls_go_through_a_window_that_comes_later_and_by_themselves_once_it_is_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mode: str
):
    runtime, folder = tmp_path / "runtime", tmp_path / "workspace"
    runtime.mkdir(mode=0o700)
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    (folder / "studio.yaml").write_text("sources:\n  - {kind: functions, path: tools}\n")
    with serving(folder, "--workspace", ".") as window:
        command = ["-m", "ptc_studio", "mcp", "--workspace", str(folder)]
        program = StdioServerParameters(command=sys.executable, args=command, env=environment())
        async with Client(stdio_client(program), mode=mode) as one:  # type: ignore[arg-type]
            assert text(await one.call_tool("add", {"a": 1, "b": 1})) == "2"
            announce(folder, Address(window.url, window.job_id, window.token))
            with window.stream(**{"Last-Event-ID": "0"}) as stream:
                assert text(await one.call_tool("add", {"a": 2, "b": 2})) == "4"
                # The first call that it sees is the one from after it came.
                assert stream.next()[2]["input"] == {"a": 2, "b": 2}
                slow = asyncio.ensure_future(one.call_tool("slow", {"seconds": 60}))
                await asyncio.to_thread(stream.next_of, "slow")
                window.process.kill()
                lost = await slow
            assert lost.is_error
            assert "whether it was made is not known" in text(lost)
            assert text(await one.call_tool("add", {"a": 3, "b": 3})) == "6"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_is_told_once_of_tools_that_changed_however_often_it_listed_them(mode: str):
    told: list[str] = []

    async def on_message(message: Any) -> None:
        told.append(getattr(message, "method", ""))

    class Nothing:
        async def list_tools(self, *_: Any) -> types.ListToolsResult:
            return types.ListToolsResult(tools=[])

        async def call_tool(self, *_: Any) -> types.CallToolResult:
            return types.CallToolResult(content=[])

    server = ToolServer(Nothing())
    async with Client(server.sdk, mode=mode, message_handler=on_message) as one:  # type: ignore[arg-type]
        assert one.server_capabilities.tools is not None
        assert one.server_capabilities.tools.list_changed
        async with contextlib.AsyncExitStack() as stack:
            heard = await stack.enter_async_context(one.listen(tools_list_changed=True)) if mode == "auto" else None
            for _ in range(3):
                await one.list_tools(cache_mode="bypass")
            server.tell_changed()
            if heard is not None:
                assert await anext(aiter(heard)) == ToolsListChanged()
            else:
                for _ in range(1000):
                    if told:
                        break
                    await asyncio.sleep(0.01)
                await one.list_tools(cache_mode="bypass")
                assert told == ["notifications/tools/list_changed"]


def test_the_entry_to_copy_starts_the_very_program(served: Any):
    command = [sys.executable, "-m", "ptc_studio", "mcp", "--config", "--workspace", "."]
    done = subprocess.run(command, cwd=served.folder, env=environment(), capture_output=True, text=True, check=True)
    [server] = json.loads(done.stdout)["mcpServers"].values()
    assert server == {"command": sys.executable, "args": ["-m", "ptc_studio", "mcp", "--workspace", str(served.folder)]}
