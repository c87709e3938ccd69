"""Sources that come, change and go, runs side by side, and the end."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.trace import RunRecord

from .conftest import SOURCES, Bench

ROGUE = str(Path(__file__).parents[1] / "sources/mcp/rogue_server.py")

# Sources


async def test_tools_in_processes_may_end_them_or_never_return(bench: Bench):
    await bench.open(
        """
        sources: [{kind: functions, path: tools, isolation: process}]
        aliases: [{name: brief, tool: forever, timeout: 0.5}]
        """
    )
    crashed = await bench.call("vanish")
    assert (crashed["status"], crashed["error"]["type"]) == ("error", "RuntimeError")
    assert "crashed its process" in crashed["error"]["message"]
    assert (await bench.call("price", item="mug"))["result"] == "mug 1 USD"
    stuck = await bench.call("brief")
    assert stuck["status"] == "timeout"
    assert 500 <= stuck["duration_ms"] < 30_000
    assert (await bench.call("price", item="mug"))["result"] == "mug 1 USD"


async def test_changed_files_are_read_before_the_next_run(bench: Bench):
    studio = await bench.open(SOURCES)
    bench.write("tools/new.py", "def number() -> int:\n    return 1\n")
    assert (await bench.run("number()"))["value"] == 1
    bench.write("tools/new.py", "def number() -> int:\n    return 22\n")
    assert (await bench.run("number()"))["value"] == 22
    bench.write("tools/new.py", "def number( -> int:\n")
    assert (await bench.run("number()"))["error"]["type"] == "NameError"
    assert [(Path(error.file).name, error.line) for error in studio.errors] == [("new.py", 1)]
    (bench.folder / "tools/new.py").unlink()
    assert (await bench.run("price('mug')"))["value"] == "mug 1 USD"
    assert bench.told() == []


async def test_an_alias_comes_and_goes_with_its_tool(bench: Bench):
    await bench.open(SOURCES + "aliases: [{name: mine, tool: number}]")
    assert [line for _, line, _ in bench.told()] == [2]
    bench.write("tools/new.py", "def number() -> int:\n    return 1\n")
    assert (await bench.call("mine"))["result"] == 1
    assert bench.told() == []
    (bench.folder / "tools/new.py").unlink()
    assert (await bench.call("mine"))["status"] == "not_found"
    assert "leads nowhere" in bench.told()[0][2]


async def test_a_new_tool_with_the_name_of_an_alias_goes_first(bench: Bench):
    await bench.open(SOURCES + "aliases: [{name: number, tool: price}]")
    bench.write("tools/new.py", "def number() -> int:\n    return 1\n")
    assert (await bench.call("number"))["result"] == 1
    assert "would shadow the tool" in bench.told()[0][2]


async def test_of_two_sources_with_one_name_the_first_has_it_and_the_second_is_told(bench: Bench):
    bench.write("more/other.py", "\ndef price() -> int:\n    return 5\n\ndef extra() -> int:\n    return 6\n")
    sources = "sources: [{kind: functions, name: one, path: more}, {kind: functions, name: two, path: tools}]"
    await bench.open(sources)
    ((file, line, message),) = bench.told()
    assert (file, line) == ("shop.py", 5)
    assert "'price' is taken: one" in message
    assert "two" in message
    assert (await bench.call("price"))["result"] == 5
    assert (await bench.call("extra"))["result"] == 6
    bench.write("more/other.py", "def extra() -> int:\n    return 7\n")
    assert (await bench.call("price", item="mug"))["result"] == "mug 1 USD"
    assert bench.told() == []


async def test_tools_that_did_not_change_stay_the_same_while_others_do(bench: Bench):
    studio = await bench.open(SOURCES)
    before = studio.registry.resolve("price").tool
    bench.write("tools/new.py", "def number() -> int:\n    return 1\n")
    await studio.load()
    assert studio.registry.resolve("price").tool is before


async def test_a_missing_folder_is_told_and_the_rest_works(bench: Bench):
    await bench.open("sources: [{kind: functions, name: gone, path: nosuch}, {kind: functions, path: tools}]")
    ((file, _, _),) = bench.told()
    assert file == "nosuch"
    assert (await bench.call("price", item="mug"))["status"] == "ok"


async def test_a_source_that_fails_is_told_with_its_line_and_the_others_load(bench: Bench):
    await bench.open("sources:\n  - {kind: functions, path: tools}\n  - {kind: mcp, name: files, command: /no/such}\n")
    (error,) = bench.studio.errors
    assert (error.source, error.line) == ("files", 3)
    assert "/no/such" in error.message
    assert (await bench.call("price", item="mug"))["status"] == "ok"


async def test_functions_may_be_named_without_a_workspace_or_beside_one(bench: Bench):
    bench.write("more/other.py", "def extra() -> int:\n    return 6\n")
    await bench.open(SOURCES, functions=bench.folder / "more")
    assert (await bench.call("extra"))["source"] == "functions"
    assert (await bench.call("price", item="mug"))["source"] == "shop"


# Runs side by side, and the end


async def test_runs_at_the_same_time_keep_their_output_apart(bench: Bench):
    await bench.open(SOURCES)
    code = "import time\nfor n in range(20):\n    print({name!r}, price({name!r}))\n"
    records = await asyncio.gather(*(bench.run(code.format(name=name)) for name in ("mug", "lamp", "towel")))
    for record, name in zip(records, ("mug", "lamp", "towel"), strict=True):
        assert record["stdout"] == f"{name} {name} 1 USD\n" * 20
        assert len(record["calls"]) == 20


async def test_observers_are_told_of_runs_until_they_leave(bench: Bench):
    studio = await bench.open(SOURCES)
    seen: list[str] = []
    unwatch = studio.watch(lambda batch: seen.extend(type(event).__name__ for event in batch))
    await bench.run("price('mug')")
    assert [seen[0], seen[-1]] == ["RunStarted", "RunFinished"]
    assert seen.count("CallStarted") == seen.count("CallFinished") == 1
    unwatch()
    seen.clear()
    await bench.run("price('mug')")
    assert seen == []


async def test_closing_leaves_no_process_behind(bench: Bench, children: Callable[[], set[int]]):
    before = children()
    await bench.open("sources: [{kind: functions, path: tools, isolation: process}]")
    runtime = bench.studio.runtimes.choose("python", "script.py")
    await bench.studio.run(bench.studio.session(), Script("price('mug')"), runtime)
    assert children() - before
    await bench.studio.close()
    assert not children() - before


@pytest.fixture
def children() -> Callable[[], set[int]]:
    """The processes that this one has started and that still live."""

    def living() -> set[int]:
        found: set[int] = set()
        for entry in Path("/proc").iterdir():
            # Any of them may end while it is looked at.
            with contextlib.suppress(OSError):
                if entry.name.isdigit():
                    state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                    found |= {int(entry.name)} if int(parent) == os.getpid() and state != "Z" else set()
        return found

    if not Path("/proc/self/stat").is_file():
        pytest.skip("needs /proc")
    return living


# Sources that are loaded when something names them


def server_that_tells(bench: Bench, name: str) -> str:
    """The entry of a server that leaves a file behind when it is started."""
    program = f"open({str(bench.folder / name)!r}, 'w'); import runpy; runpy.run_path({ROGUE!r})"
    return f"- {{kind: mcp, name: {name}, command: {sys.executable}, args: [-S, -c, {json.dumps(program)}]}}"


async def lazily(bench: Bench, *, script: str = "print(1)", more: str = "") -> tuple[RunRecord, list[str]]:
    """What comes of a script beside two servers, and which of these were started for it."""
    entries = "\n".join(server_that_tells(bench, name) for name in ("near", "far"))
    studio = await bench.open(f"sources:\n{entries}\n{more}", on_demand=True)
    text = Script(script, "script.py")
    await studio.want(text, "python")
    assert not await studio.load()
    record = await studio.run(studio.session(), text, await studio.choose_runtime("python", "script.py"))
    return record, [name for name in ("near", "far") if (bench.folder / name).exists()]


async def test_a_script_that_names_no_server_starts_none(bench: Bench):
    record, started = await lazily(bench)
    assert (record["stdout"], started) == ("1\n", [])


async def test_a_script_starts_the_server_that_it_names(bench: Bench):
    record, started = await lazily(bench, script="print(near.echo(text='a'))")
    assert (record["stdout"], started) == ("a\n", ["near"])


async def test_a_name_that_is_made_at_run_time_starts_its_server(bench: Bench):
    record, started = await lazily(bench, script="print(call_tool('fa' + 'r.echo', {'text': 'b'}))")
    call = record["calls"][0]
    assert (record["stdout"], started) == ("b\n", ["far"])
    assert (call["tool"], call["source"], call["status"]) == ("far.echo", "far", "ok")


async def test_an_alias_starts_the_server_that_it_leads_to_and_is_no_error_before(bench: Bench):
    aliases = "aliases: [{name: say, tool: near.echo}, {name: shout, tool: far.echo}]\n"
    record, started = await lazily(bench, script="print(say(text='c'))", more=aliases)
    assert (record["stdout"], started) == ("c\n", ["near"])


async def test_a_tool_whose_server_does_not_start_is_missed_with_the_reason(bench: Bench):
    entry = f"{{kind: mcp, name: broken, command: {sys.executable}, args: [-S, -c, 'raise SystemExit(\"no key\")']}}"
    studio = await bench.open(f"sources: [{entry}]\n", on_demand=True)
    text = Script("call_tool('bro' + 'ken.echo')", "script.py")
    await studio.want(text, "python")
    record = await studio.run(studio.session(), text, await studio.choose_runtime("python", "script.py"))
    assert record["calls"][0]["status"] == "not_found"
    assert "Tool not found: broken.echo. The MCP server 'broken' ended with exit status 1: no key." in str(record)


async def test_two_requests_of_one_name_are_told_in_one_line_without_an_address_for_a_file(bench: Bench):
    requests = "".join(f"- {{kind: http, name: ask, url: 'http://127.0.0.1:{port}'}}\n" for port in (8001, 8002))
    await bench.open(f"sources:\n{requests}")
    [(place, line, told)] = bench.told()
    assert (place, line) == ("ask", None)
    assert told.startswith("The name 'ask' is taken: ask (GET http://127.0.0.1:8001) and ask (GET http://")


async def test_a_source_that_is_named_twice_is_told_in_one_line(bench: Bench):
    server = f"- {{kind: mcp, name: std, command: {sys.executable}, args: [-S, {ROGUE}]}}\n"
    studio = await bench.open(f"sources:\n{server}{server}")
    assert bench.told() == [
        (
            "studio.yaml",
            3,
            "There is a source named 'std' already in line 2: this one's tools are left out; rename one.",
        )
    ]
    assert studio.registry.find("std.echo")
