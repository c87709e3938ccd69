"""A `ptc-studio serve` in a process of its own, and the plainest of clients."""

import contextlib
import http.client
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
SECONDS = 30
TOOLS = '''
import os, subprocess, sys, time

def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b

def echo(message: str) -> str:
    """Gives the message back."""
    return message

def listing() -> dict:
    """Something that is no text."""
    return {"names": ["é", "b"], "none": None}

def slow(seconds: float) -> str:
    """Takes its time."""
    time.sleep(seconds)
    return "slept"

def fail(why: str) -> None:
    """Fails."""
    raise KeyError(why)

def nested(depth: int, _context=None) -> int:
    """Calls itself."""
    return 0 if depth <= 1 else 1 + _context.call_tool("nested", depth=depth - 1)

def touch(path: str) -> str:
    """Leaves a trace, by which a test sees that it was executed."""
    open(path, "a").write("x")
    return path
'''


class Served:
    """One endpoint, by its address."""

    def __init__(self, first_line: str, process: "subprocess.Popen[str]") -> None:
        address = json.loads(first_line)
        assert set(address) == {"url", "job_id", "token"}
        self.url, self.job_id, self.token = address["url"], address["job_id"], address["token"]
        self.port = int(self.url.rpartition(":")[2])
        self.job = f"/worker/{self.job_id}"
        self.process = process

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    def request(self, method: str, path: str, body: Any = None, headers: Any = None) -> tuple[int, Any]:
        """The status and the JSON of an answer; a body that is bytes is sent as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request(method, path, sent, self.headers if headers is None else headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def call(self, tool: str, parameters: Any = None, **more: Any) -> Any:
        """The answer to a call, which must be one."""
        body = {"tool_name": tool, "parameters": parameters or {}, **more}
        status, document = self.request("POST", f"{self.job}/tools/call", body)
        assert status == 200, document
        return document

    def variables(self) -> dict[str, str]:
        """As IronClaw's orchestrator sets them."""
        names = ("IRONCLAW_ORCHESTRATOR_URL", "IRONCLAW_JOB_ID", "IRONCLAW_WORKER_TOKEN")
        return dict(zip(names, (self.url, self.job_id, self.token), strict=True))

    @contextlib.contextmanager
    def stream(self, **headers: str) -> Iterator["EventStream"]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        connection.request("GET", f"{self.job}/events", headers={**self.headers, **headers})
        try:
            yield EventStream(connection.getresponse())
        finally:
            connection.close()


class EventStream:
    """Server-sent events, one by one."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        assert answer.status == 200
        self._answer = answer

    def next(self) -> tuple[int, str, Any]:
        """The number, kind and data of the next event."""
        fields: dict[str, str] = {}
        while True:
            line = self._answer.readline().decode()
            assert line, "the stream ended"
            name, _, value = line.rstrip("\n").partition(": ")
            if not name and "data" in fields:
                return int(fields["id"]), fields["event"], json.loads(fields["data"])
            fields[name] = value

    def next_of(self, tool: str) -> tuple[int, str, Any]:
        """The next of that tool: the last word about an earlier call may come late."""
        while True:
            event = self.next()
            if event[2]["tool_name"] == tool:
                return event

    def take(self, count: int, tool: str) -> list[tuple[int, str, Any]]:
        return [self.next_of(tool) for _ in range(count)]


def environment() -> dict[str, str]:
    shown = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    return {**{name: value for name, value in os.environ.items() if name not in shown}, "PYTHONPATH": str(ROOT)}


@contextlib.contextmanager
def serving(folder: Path, *arguments: str, tools: str = TOOLS) -> Iterator[Served]:
    """The command over a folder of tools, until it is ended by SIGTERM; it must end well, with nothing to complain of."""
    (folder / "tools").mkdir(parents=True, exist_ok=True)
    (folder / "tools" / "calc.py").write_text(textwrap.dedent(tools))
    command = [sys.executable, "-m", "ptc_studio", "serve", "--functions", "tools", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # What is kept of the runs is the test's own.
    own = {**environment(), "XDG_DATA_HOME": str(folder / "data")}
    with subprocess.Popen(command, cwd=folder, env=own, text=True, **pipes) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, process.stderr and process.stderr.read()
            yield Served(line, process)
            if process.poll() is None:
                process.terminate()
                out, err = process.communicate(timeout=SECONDS)
                assert (process.returncode, out, err) == (0, "", "")
        finally:
            process.kill()
