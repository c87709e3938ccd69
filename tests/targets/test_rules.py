"""Rules of targets that need tools of another kind than the shop's, or that several targets have in common."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from ptc_studio.core.calls import Call
from ptc_studio.core.registry import Target
from ptc_studio.core.responders import Answer
from ptc_studio.core.scripts import Script, Visible
from ptc_studio.core.session import Session
from ptc_studio.runtimes.monty.runtime import MontyRuntime
from ptc_studio.targets import Destination, check, deploy, find_target, target_ids
from tests.support import Engine, FakeTool
from tests.targets.conftest import Deployed

SECONDS = {
    "anthropic": 90, "cloudflare": 60, "cloudflare-mcp": 60, "deepagents": 5, "fastmcp": 30, "ironclaw": 120, "pctx": 10,
    "pydantic-ai": 30, "smolagents": 30, "tanstack": 30, "toolregistry": 30, "utcp": 30, "utcp-python": 30, "vercel": 30,
}  # fmt: skip
CALLS = {"deepagents": 256, "fastmcp": 50, "pydantic-ai": 100, "vercel": 256}
MEGABYTES = {
    "anthropic": 5120, "deepagents": 64, "fastmcp": 95, "pydantic-ai": 256, "tanstack": 128, "utcp": 128, "vercel": 64,
}  # fmt: skip
CHARACTERS = {
    "deepagents": 4_000, "ironclaw": 65_536, "pydantic-ai": 10 << 20, "smolagents": 50_000, "vercel": 64 << 10,
}  # fmt: skip


@pytest.mark.parametrize(
    ("limit", "known"),
    [("seconds", SECONDS), ("calls", CALLS), ("memory_mb", MEGABYTES), ("output", CHARACTERS)],
)
def test_every_target_has_the_limits_that_are_known_of_it_and_no_others(limit: str, known: dict[str, int]):
    """100 MB, FastMCP's, are 95 MiB."""
    found = {name: getattr(find_target(name).limits, limit) for name in target_ids()}
    assert {name: most for name, most in found.items() if most is not None} == known


@pytest.mark.asyncio(loop_scope="module")
async def test_anthropic_a_script_and_what_it_starts_have_one_processor(deployed: Deployed):
    code = (
        "import os, subprocess, sys\nprint(len(os.sched_getaffinity(0)))\n"
        "print(subprocess.run([sys.executable, '-c', 'import os; print(len(os.sched_getaffinity(0)))'], "
        "capture_output=True, text=True).stdout)"
    )
    assert (await deployed.sees("anthropic", code))["stdout"].split() == ["1", "1"]
    everywhere = await deployed.run("plain", "import os\nlen(os.sched_getaffinity(0))")
    assert everywhere["value"] == len(os.sched_getaffinity(0))


@pytest.mark.asyncio(loop_scope="module")
async def test_anthropic_and_pctx_have_no_network_and_pctx_no_files(deployed: Deployed):
    """The address is one that nobody has: a connection would hang, not fail."""
    code = "import socket\nsocket.create_connection(('192.0.2.1', 80), 30)"
    assert "OSError: [Errno" in (await deployed.sees("anthropic", code))["stderr"]
    for attempt in ("await fetch('http://192.0.2.1')", "await Deno.readTextFile('/etc/hostname')"):
        record = await deployed.run("pctx", f"async function run() {{\n  {attempt};\n}}")
        assert (record["error"]["type"], record["error"]["line"]) == ("NotCapable", 2), record["error"]


class Noted:
    """Answers no call itself, and remembers for how long each was asked."""

    kind, rank = "noted", 1

    def __init__(self) -> None:
        self.seconds: list[float | None] = []

    def answer(self, call: Call, rest: Answer) -> Any:
        self.seconds.append(call.request.timeout)
        return rest(call)


@pytest.mark.asyncio(loop_scope="module")
async def test_ironclaw_a_run_and_a_call_get_300_seconds_at_most(deployed: Deployed):
    target, noted = find_target("ironclaw"), Noted()
    asked = {None: 120, 200: 200, 1000: 300}
    assert {each: deployed.studio.session(target=target, timeout=each).run.limits.timeout for each in asked} == asked
    assert deployed.studio.session(target=find_target("plain"), timeout=1000).run.limits.timeout == 1000
    forget = deployed.studio.executor.answers.add(noted)
    calls = "".join(
        f"call_tool('add', {{'a': 1, 'b': 2}}{more})\n" for more in ("", ", timeout_secs=299", ", timeout_secs=999")
    )
    record = await deployed.run("ironclaw", calls)
    forget()
    assert (record["error"], noted.seconds) == (None, [60, 299, 300])


def visible(name: str, function: Callable[..., Any] = lambda: 1, **spec: Any) -> Visible:
    tool = FakeTool(function, name=name, **spec)
    return Visible((name,), Target(tool, tool.spec))


@pytest.mark.parametrize(
    ("target", "name", "there"),
    [
        ("utcp", "a.b.c", "a.b_c"),
        ("utcp", "my-manual.get-it", "my_manual.get_it"),
        ("utcp", "2x", "_2x"),
        ("utcp-python", "a.b.c", "a.b_c"),
        ("openai", "get it", "get_it"),
        ("openai-codex", "get-it", "get_it"),
        ("vercel", "get-it", "get-it"),
        ("tanstack", "get-it", "external_get_it"),
        ("deepagents", "get_it", "getIt"),
        ("deepagents", "get-it", "getIt"),
        ("mcp-files", "google-drive.get_document", "google-drive.getDocument"),
        ("pctx", "google-drive.get_document", "GoogleDrive.getDocument"),
        ("goose", "developer.shell", "developer.shell"),
    ],
)
def test_a_tool_is_called_there_by_its_own_rule(target: str, name: str, there: str):
    assert there in find_target(target).names([visible(name)])


def test_anthropic_a_result_that_is_no_text_is_worth_a_word():
    tool = visible("rows", output={"type": "array"})
    told = [each.message for each in check(find_target("anthropic"), Script("await rows({})", "s.py"), [tool])]
    assert any("The result of `rows` is no text here" in message for message in told)


async def in_monty(engine: Engine, target_id: str, code: str) -> Any:
    runtime, script = MontyRuntime(), Script(code, "script.py")
    deployment = deploy(Destination(find_target(target_id)), script, engine.executor.workers.submit)
    try:
        return (await Session(engine.executor).execute(script, runtime, deployment=deployment))["model_sees"]
    finally:
        runtime.close()


async def test_pydantic_ai_decimal_uuid_and_datetime_become_text(engine: Engine):
    odd = [Decimal("1.50"), UUID(int=5), datetime(2026, 1, 2, tzinfo=UTC)]
    engine.add(lambda: odd, name="odd")
    assert await in_monty(engine, "pydantic-ai", "[[type(x).__name__, x] for x in await odd()]") == [
        ["str", "1.50"],
        ["str", "00000000-0000-0000-0000-000000000005"],
        ["str", "2026-01-02T00:00:00Z"],
    ]


async def test_fastmcp_a_result_is_the_structured_content_if_there_is_any_else_the_text(engine: Engine):
    engine.add(lambda: "joined text", name="spoken", origin="MCP server x")
    engine.add(lambda: "7", name="structured", origin="MCP server x", output={"type": "string"})
    engine.add(lambda: {"a": 1}, name="row")
    code = "return [await call_tool(name, {}) for name in ['spoken', 'structured', 'row']]"
    assert await in_monty(engine, "fastmcp", code) == ["joined text", {"result": "7"}, {"a": 1}]
