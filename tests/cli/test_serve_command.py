"""`ptc-studio serve`: its first line, its options, its end."""

import json
import signal
import socket
import urllib.request
from typing import Any

import pytest

from tests.cli.conftest import only_document
from tests.cli.test_run_command import assert_one_line


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_from_its_first_line_to_a_signal_and_leaves_nothing(project: Any, number: int):
    project.write("tools/wait.py", "import time\n\ndef wait() -> None:\n    '''Waits.'''\n    time.sleep(100)\n")
    with project.started("serve", "--functions", "tools") as process:
        address = json.loads(process.stdout.readline())
        assert set(address) == {"url", "job_id", "token"}
        with urllib.request.urlopen(f"{address['url']}/health", timeout=30) as answer:
            assert json.load(answer) == {"status": "ok"}
        # Neither a call under way nor an open connection holds it up.
        waiting = socket.create_connection(("127.0.0.1", int(address["url"].rpartition(":")[2])), timeout=30)
        body = b'{"tool_name": "wait"}'
        head = f"POST /worker/{address['job_id']}/tools/call HTTP/1.1\r\nHost: {address['url'][7:]}\r\n"
        head += f"Authorization: Bearer {address['token']}\r\nContent-Length: {len(body)}\r\n\r\n"
        waiting.sendall(head.encode() + body)
        process.send_signal(number)
        assert process.wait(20) == 0
        assert process.stdout.read() == ""
        assert process.stderr.read() == ""
        waiting.close()


def test_the_port_can_be_chosen_and_one_that_is_taken_is_an_error(project: Any):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = project.command("serve", "--functions", "tools", "--port", port)
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert f"Port {port} of 127.0.0.1 cannot be used" in done.stderr
    with project.started("serve", "--functions", "tools", "--port", port) as process:
        assert json.loads(process.stdout.readline())["url"] == f"http://127.0.0.1:{port}"


def test_a_port_that_is_none_is_a_usage_error(project: Any):
    done = project.command("serve", "--port", "70000")
    assert done.returncode == 2
    assert_one_line(done.stderr)
    assert "'70000' is not a port from 0 to 65535" in done.stderr


def test_a_grant_that_means_nothing_is_told_on_stderr_and_the_first_line_stays_json(project: Any):
    with project.started("serve", "--functions", "tools", "--grant", "nope") as process:
        assert only_document(process.stdout.readline())["token"]
        process.terminate()
        assert "--grant nope" in process.stderr.read()
