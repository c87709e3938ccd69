"""That no process is left of a server, however it or the studio ends."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from ptc_studio.sources.mcp.launch import McpServerDown
from ptc_studio.sources.mcp.server import Restarts
from ptc_studio.sources.mcp.server_threads import LoopThread
from tests.support import wait_until

from .conftest import ROGUE, ROOT, Client, Connect, FakeTicket, lives, pids


def _family_of(client: Client) -> list[int]:
    client.tools()
    wait_until(lambda: len(pids(client.log)) == 3)
    found = pids(client.log)
    assert all(map(lives, found))
    return found


def test_closing_ends_a_server_and_its_children_also_those_in_a_session_of_their_own(rogue: Connect) -> None:
    client = rogue("family")
    family = _family_of(client)
    client.source.close()
    wait_until(lambda: not any(map(lives, family)))
    assert client.state == "closed"


def test_a_server_that_ignores_the_end_of_its_input_and_the_signal_is_killed(rogue: Connect) -> None:
    client = rogue("stubborn")
    family = _family_of(client)
    client.source.close()
    wait_until(lambda: not any(map(lives, family)))


@pytest.mark.usefixtures("patience")
def test_children_of_a_server_that_crashed_are_ended_too(rogue: Connect) -> None:
    client = rogue("family", options={"restarts": Restarts(first=400, longest=400)})
    family = _family_of(client)
    os.kill(family[-1], signal.SIGKILL)
    wait_until(lambda: client.state == "restarting")
    assert "was ended by SIGKILL" in client.source.status.detail
    wait_until(lambda: not any(map(lives, family)))


def test_calls_under_way_fail_when_the_source_is_closed(rogue: Connect) -> None:
    client, ticket = rogue(), FakeTicket()
    echo = client.tools()["echo"]
    ended: list[BaseException] = []

    def work() -> None:
        try:
            client.call("wait", ticket)
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(lambda: ticket.reported)
    client.source.close()
    thread.join(20)
    assert isinstance(ended[0], McpServerDown)
    with pytest.raises(McpServerDown, match="closed"):
        echo.invoke({"text": "late"}, ticket)


def test_the_loop_and_its_warden_end_with_the_last_source(rogue: Connect) -> None:
    thread, before = LoopThread(), set(threading.enumerate())
    first, second = rogue(options={"thread": thread}), rogue(options={"thread": thread})
    first.tools(), second.tools()
    [loop_thread] = [new for new in set(threading.enumerate()) - before if new.name == "ptc-mcp"]
    shell = thread.reaper.pid
    assert shell is not None
    assert lives(shell)
    first.source.close()
    assert second.call("echo", text="on") == "on"
    second.source.close()
    loop_thread.join(20)
    assert not loop_thread.is_alive()
    wait_until(lambda: not lives(shell))


def test_nothing_is_left_when_the_studio_itself_is_killed(tmp_path: Path) -> None:
    studio = tmp_path / "studio.py"
    studio.write_text(
        textwrap.dedent(
            f"""
            import sys, time
            from ptc_studio.sources.mcp.entry import McpEntry
            from ptc_studio.sources.mcp.source import McpSource

            source = McpSource(McpEntry(name="r", command=sys.executable, args=("-S", {str(ROGUE)!r}, "stubborn")))
            source.refresh()
            while sum(line.startswith(("child", "self")) for line in source.status.log) < 3:
                time.sleep(0.01)
            print("\\n".join(source.status.log), flush=True)
            print("done", flush=True)
            time.sleep(60)
            """
        )
    )
    process = subprocess.Popen([sys.executable, str(studio)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        lines = list(iter(process.stdout.readline, "done\n"))
        family = pids("".join(lines))
        assert len(family) == 3
        assert all(map(lives, family))
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    wait_until(lambda: not any(map(lives, family)))
