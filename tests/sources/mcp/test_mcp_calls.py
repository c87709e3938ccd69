"""Calls of a server over stdio, and what comes back."""

import sys
import threading

import pytest

from ptc_studio.core.errors import UnfitValues
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.launch import McpProtocolError, McpServerDown, McpToolError
from ptc_studio.sources.mcp.server import Restarts
from ptc_studio.sources.references import References
from tests.support import wait_until

from .conftest import Connect, FakeTicket


def test_a_single_text_is_given_as_text_also_where_it_looks_like_json(rogue: Connect) -> None:
    assert rogue().call("echo", text='{"a": 1}') == '{"a": 1}'


def test_several_blocks_are_a_list_with_images_and_resources_as_dictionaries(rogue: Connect) -> None:
    assert rogue().call("blocks") == [
        "[1]",
        {"type": "image", "mimeType": "image/png", "data": "aGk="},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "A"}},
    ]


def test_a_failed_tool_raises_the_servers_own_words(rogue: Connect) -> None:
    with pytest.raises(McpToolError, match="^the disk is full$"):
        rogue().call("fail")


def test_a_refused_call_names_server_words_and_code(rogue: Connect) -> None:
    with pytest.raises(McpProtocolError, match=r"'rogue' refused the call: no such thing \(code -32602\)") as caught:
        rogue().call("refuse")
    assert caught.value.code == -32602


def test_an_answer_that_is_none_fails_the_call_at_once(rogue: Connect) -> None:
    client = rogue()
    with pytest.raises(McpProtocolError, match="none that the protocol knows"):
        client.call("wrong")
    assert client.call("echo", text="still there") == "still there"


def test_fifty_megabytes_reach_the_caller_whole(rogue: Connect) -> None:
    client = rogue()
    client.tools()
    assert len(client.call("big", bytes=50_000_000)) == 50_000_000


def test_the_frames_of_the_library_are_not_in_the_traceback(rogue: Connect) -> None:
    with pytest.raises(McpProtocolError) as caught:
        rogue().call("refuse")
    files = [str(entry.path) for entry in caught.traceback]
    assert not any("site-packages" in file or "concurrent" in file for file in files)


@pytest.mark.parametrize(("tool", "value"), [("structured", {"n": 1}), ("as_text", {"n": 2})])
def test_a_tool_with_an_output_schema_gives_structured_content(rogue: Connect, tool: str, value: object) -> None:
    assert rogue("output").call(tool) == value


@pytest.mark.parametrize(
    ("tool", "words"), [("unfit", r"does not fit its own output schema at \['n'\]"), ("nothing", "gave no structured")]
)
def test_a_result_that_breaks_the_tools_own_promise_is_an_error(rogue: Connect, tool: str, words: str) -> None:
    with pytest.raises(McpProtocolError, match=words):
        rogue("output").call(tool)


def test_progress_is_told_while_the_call_runs_and_a_given_up_call_is_cancelled(rogue: Connect) -> None:
    client, ticket = rogue(), FakeTicket()
    client.tools()
    ended: list[BaseException] = []

    def work() -> None:
        try:
            client.call("wait", ticket)
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(lambda: len(ticket.reported) >= 2)
    ticket.abandon()
    thread.join(10)
    assert ended
    assert ticket.reported[0][:2] == (1.0, 1000.0)
    wait_until(lambda: "was cancelled" in client.log)
    assert client.call("echo", text="on") == "on"


def test_a_server_that_ignores_the_cancel_holds_up_nobody(rogue: Connect) -> None:
    client, ticket = rogue("deaf"), FakeTicket()
    client.tools()
    ended = threading.Event()

    def work() -> None:
        try:
            client.call("wait", ticket)
        except BaseException:
            ended.set()

    threading.Thread(target=work, daemon=True).start()
    wait_until(lambda: ticket.reported)
    ticket.abandon()
    # It answers, to nobody, only after the next call.
    assert ended.wait(20)
    assert client.call("echo", text="meanwhile") == "meanwhile"
    wait_until(lambda: "answered late" in client.log)
    assert client.call("echo", text="after") == "after"


def test_many_calls_are_under_way_at_once(rogue: Connect) -> None:
    client = rogue()
    echo = client.tools()["echo"]
    given: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: given.append(echo.invoke({"text": str(n)}, FakeTicket())))
        for n in range(30)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(given, key=int) == [str(n) for n in range(30)]


def test_arguments_are_checked_before_the_server_sees_them(rogue: Connect) -> None:
    with pytest.raises(UnfitValues, match="rogue.echo.*'text': 5 is not of type 'string'"):
        rogue().call("echo", text=5)


def test_secrets_reach_the_server_and_no_log(rogue: Connect) -> None:
    references = References(secret={"T": "hush-hush-123"}.get)
    client = rogue(env={"TOKEN": "${secret:T}"}, options={"references": references})
    assert client.call("secret") == "hush-hush-123"
    wait_until(lambda: "my token is" in client.log)
    assert "hush" not in client.log
    assert "hush" not in repr(vars(client.source))


@pytest.mark.usefixtures("patience")
def test_a_crash_during_a_call_names_server_exit_status_and_last_line(rogue: Connect) -> None:
    client = rogue(options={"restarts": Restarts(first=0.01, patience=40)})
    with pytest.raises(McpServerDown, match="'rogue' ended with exit status 3: out of memory") as caught:
        client.call("crash")
    assert isinstance(caught.value, ConnectionError)
    # It comes back by itself, and a call that comes meanwhile waits for it.
    assert client.call("echo", text="again") == "again"
    assert client.state == "ready"


def test_a_tool_that_is_called_as_a_task_alone_is_called_so(rogue: Connect) -> None:
    ticket = FakeTicket()
    assert rogue("tasks").call("job", ticket) == "done t1"
    assert ticket.reported[0][2] == "now working"


OWN_SERVER = """
from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("own")

@server.tool(title="Count words", annotations=ToolAnnotations(destructive_hint=True))
def count(text: str) -> int:
    return len(text.split())

@server.tool()
def about(text: str) -> dict[str, int]:
    return {"length": len(text)}

server.run()
"""


def test_what_the_official_server_says_of_its_tools_is_kept_and_its_wrapped_value_arrives_bare(
    connect: Connect,
) -> None:
    client = connect(McpEntry(name="own", command=sys.executable, args=("-c", OWN_SERVER)))
    count, about = client.tools()["count"].spec, client.tools()["about"].spec
    assert (count.title, count.annotations, count.is_destructive) == ("Count words", {"destructiveHint": True}, True)
    assert (count.output or {})["type"] == "integer"
    assert client.call("count", text="a b c") == 3
    assert (about.is_destructive, client.call("about", text="abc")) == (False, {"length": 3})
