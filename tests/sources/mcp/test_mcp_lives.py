"""Starts, lists, restarts and ends of servers over stdio."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.launch import McpServerDown
from ptc_studio.sources.mcp.process import LogLines
from ptc_studio.sources.mcp.server import Pauses, Restarts
from ptc_studio.sources.mcp.server_threads import LoopThread
from ptc_studio.sources.source import SourceFailed
from tests.support import wait_until

from .conftest import Connect, lives, pids


def test_nothing_starts_before_the_first_refresh(rogue: Connect) -> None:
    client = rogue()
    assert client.state == "new"
    client.source.close()
    assert client.state == "closed"


def test_tools_have_names_twins_documentation_and_origin(rogue: Connect) -> None:
    spec = rogue().tools()["echo"].spec
    assert (spec.name, spec.source, spec.description) == ("rogue.echo", "rogue", "Does echo.")
    assert spec.origin == "MCP server rogue"


def test_all_pages_of_a_list_are_read(rogue: Connect) -> None:
    assert list(rogue("pages").tools()) == ["t0", "t1", "t2", "t3", "t4"]


def test_a_list_without_end_is_cut_and_told(rogue: Connect) -> None:
    loaded = rogue("endless").source.refresh()
    assert [error.message for error in loaded.errors] == [
        "The MCP server 'rogue' is left out: the list has no end: the rest of it is left out."
    ]


def test_a_hundred_thousand_tools_are_cut_and_told(rogue: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptc_studio.sources.mcp.listing.TOOLS", 300)
    monkeypatch.setattr("ptc_studio.sources.mcp.listing.TOOLS", 300)
    loaded = rogue("crowd").source.refresh()
    assert len(loaded.tools) == 300
    assert [error.message for error in loaded.errors] == [
        "The MCP server 'rogue' is left out: it lists more than 300 tools: the rest of them is left out."
    ]


def test_a_list_that_takes_too_long_to_check_ends_with_the_start_limit(
    rogue: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = []
    monkeypatch.setattr(
        "ptc_studio.sources.mcp.listing.schema_problem", lambda _: checked.append(1) or time.sleep(0.05)
    )
    with pytest.raises(SourceFailed, match="did not list its tools within 5 s"):
        rogue("group", start_timeout=5).source.refresh()
    assert len(checked) < 2_000


def test_broken_tools_and_second_ones_of_a_name_are_errors_and_the_others_load(rogue: Connect) -> None:
    loaded = rogue("broken").source.refresh()
    assert [tool.spec.name for tool in loaded.tools] == ["rogue.fine", "rogue.twice", "rogue.untyped"]
    assert loaded.tools[1].spec.description == "The first."
    told = "\n".join(error.message for error in loaded.errors)
    assert len(loaded.errors) == 6
    for words in (
        "'without_schema' of the MCP server 'rogue' is left out: 'inputSchema' is wrong",
        "'broken_schema' of the MCP server 'rogue' is left out: its schema is broken",
        "'broken_output' of the MCP server 'rogue' is left out: its output schema is broken",
        "'text_schema'",
        "'twice' of the MCP server 'rogue' is left out: there is one of that name already",
        "'number 8'",
    ):
        assert words in told


def test_a_changed_list_is_told_and_tools_that_stay_are_the_same_objects(rogue: Connect) -> None:
    client = rogue()
    before = client.tools()
    wait_until(lambda: client.changes == 2)  # it starts, it is ready
    client.call("grow")
    wait_until(lambda: client.changes == 3)
    after = client.tools()
    assert "grown" in after
    assert all(after[name] is before[name] for name in before)


def test_a_second_refresh_is_at_once_and_a_reload_starts_anew(rogue: Connect) -> None:
    client = rogue("family")
    first = client.source.refresh()
    wait_until(lambda: "self" in client.log)
    before = pids(client.log)
    assert client.source.refresh() is first
    client.source.reload()
    assert client.state == "new"
    again = client.source.refresh()
    assert again.tools == first.tools
    assert all(new is old for new, old in zip(again.tools, first.tools, strict=True))
    wait_until(lambda: len(pids(client.log)) == 3)
    assert not set(before) & set(pids(client.log))
    wait_until(lambda: not any(map(lives, before)))


def test_a_server_that_never_answers_fails_after_its_time(rogue: Connect) -> None:
    client = rogue("mute", start_timeout=0.3)
    began = time.monotonic()
    with pytest.raises(SourceFailed, match=r"'rogue' did not list its tools within 0.3 s.*[Rr]eload"):
        client.source.refresh()
    assert time.monotonic() - began < 30
    assert client.state == "failed"
    with pytest.raises(SourceFailed):
        client.source.refresh()


def test_what_a_mute_server_printed_is_in_the_error(rogue: Connect) -> None:
    thread = LoopThread()
    loop = thread.hold()
    client = rogue("talks", start_timeout=50, options={"thread": thread})
    with ThreadPoolExecutor(1) as pool:
        refreshed = pool.submit(client.source.refresh)
        wait_until(lambda: "Listening on port 80" in client.log, 40)
        # As if it had taken all its time.
        loop.time = lambda: time.monotonic() + 50  # type: ignore[method-assign]
        loop.call_soon_threadsafe(lambda: None)
        with pytest.raises(SourceFailed, match="within 50 s.*stdout, no message: Listening on port 80"):
            refreshed.result(20)
    client.source.close()
    thread.release()


def test_garbage_on_stdout_is_logged_and_passed_over(rogue: Connect) -> None:
    client = rogue("garbage")
    assert client.call("echo", text="fine") == "fine"
    assert "stdout, no message: Welcome!" in client.log


def test_a_line_without_end_is_an_error_not_a_full_memory(rogue: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ptc_studio.sources.mcp.process.MESSAGE_LIMIT", 1_000_000)
    with pytest.raises(SourceFailed, match="'rogue' sent a message of more than"):
        rogue("endless-line").source.refresh()


@pytest.mark.usefixtures("patience")
def test_a_server_that_ends_at_its_start_says_how_and_why(rogue: Connect) -> None:
    with pytest.raises(SourceFailed, match="'rogue' ended with exit status 7: Error: no configuration"):
        rogue("dies").source.refresh()


def test_a_server_that_refuses_to_begin_says_why(rogue: Connect) -> None:
    with pytest.raises(SourceFailed, match=r"answered with an error: no licence \(code -32000\)"):
        rogue("refuses").source.refresh()


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"command": "no-such-program-anywhere"}, "there is no command 'no-such-program-anywhere'. Install it"),
        ({"command": "sh", "cwd": "no-such-folder"}, "its folder 'no-such-folder' does not exist"),
        ({"command": "sh", "env": {"A": "${secret:B}"}}, "There is no secret 'B'"),
        ({"command": "sh", "args": ["-c", "exit 0"]}, "ended with exit status 0"),
    ],
)
def test_a_server_that_cannot_start_says_what_to_do(connect: Connect, fields: dict[str, Any], words: str) -> None:
    with pytest.raises(SourceFailed, match=words):
        connect(McpEntry(name="x", **fields)).source.refresh()


def test_a_flood_of_lines_and_notices_holds_up_no_call_and_fills_no_memory(rogue: Connect) -> None:
    client, other = rogue("floods"), rogue()
    client.tools(), other.tools()
    for number in range(5):
        assert client.call("echo", text=str(number)) == str(number)
        assert other.call("echo", text=str(number)) == str(number)
    wait_until(lambda: len(client.source.status.log) == 200)
    assert max(map(len, client.source.status.log)) <= 1000


def test_a_server_of_the_newer_protocol_alone_is_understood(rogue: Connect) -> None:
    assert rogue("modern").call("echo", text="new") == "new"


@pytest.mark.usefixtures("patience")
def test_a_server_that_ends_again_and_again_is_given_up_and_says_so(rogue: Connect) -> None:
    client = rogue("short-lived", options={"restarts": Restarts(first=0.02, tries=2)})
    client.tools()
    wait_until(lambda: client.state == "failed", 40)
    assert "'rogue' ended with exit status 4. It ended 3 times in a row" in client.source.status.detail
    assert "reload the source" in client.source.status.detail
    with pytest.raises(SourceFailed, match="3 times"):
        client.source.refresh()
    client.source.reload()
    assert client.tools()


@pytest.mark.usefixtures("patience")
def test_the_status_counts_down_and_a_call_waits_no_longer_than_its_patience(rogue: Connect) -> None:
    client = rogue(options={"restarts": Restarts(first=400, longest=400, patience=0.2)})
    tools = client.tools()
    assert client.source.status.detail == "10 tools over stdio"
    with pytest.raises(McpServerDown):
        client.call("crash")
    wait_until(lambda: client.state == "restarting")
    left = re.search(r"out of memory\. Restarting in (\d+) s", client.source.status.detail)
    assert left is not None
    assert 300 < int(left[1]) <= 400
    assert client.tools() == tools
    with pytest.raises(McpServerDown, match="was not ready within 0.2 s"):
        client.call("echo")
    assert client.state == "restarting"


def test_pauses_double_to_a_bound_and_start_again_after_a_steady_minute() -> None:
    pauses = Pauses(Restarts(tries=9))
    assert [pauses.after(1) for _ in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert pauses.after(61) == 0.5
    assert [pauses.after(0) for _ in range(9)][-1] is None


NODE_WROTE = """node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/x/server.js'
    at Module._load (node:internal:1:1) {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.1.0"""
NPM_WROTE = """npm error code E404
npm error 404 Not Found - GET https://example.org/nope
npm error 404
npm error 404  'nope@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a folder.
npm error A complete log of this run is in: /x.log"""
PYTHON_WROTE = """Traceback (most recent call last):
  File "a.py", line 1
KeyError: 'API_KEY'
Bye."""


@pytest.mark.parametrize(
    ("written", "telling"),
    [
        (NODE_WROTE, "Error: Cannot find module '/x/server.js'"),
        (NPM_WROTE, "npm error 404  'nope@*' is not in this registry."),
        (PYTHON_WROTE, "KeyError: 'API_KEY'"),
        ("Starting up\nListening on 3000", "Listening on 3000"),
        ("", ""),
    ],
)
def test_of_what_a_server_wrote_the_line_is_told_that_matters(written: str, telling: str) -> None:
    log = LogLines()
    for line in written.splitlines():
        log.add(line)
    assert log.telling == telling


def test_a_call_waits_for_a_restart_as_long_as_a_start_may_take(rogue: Connect) -> None:
    client = rogue(start_timeout=3, options={"restarts": Restarts(first=400, longest=400)})
    with pytest.raises(McpServerDown):
        client.call("crash")
    with pytest.raises(McpServerDown, match="was not ready within 3 s"):
        client.call("echo")
