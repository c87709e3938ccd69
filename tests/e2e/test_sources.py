"""A workspace with a source of every kind, from the command line: listed, called from a script, and in one tree."""

import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import PROGRAM

NODE = Path(sys.prefix) / "node" / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"

STUDIO = """\
version: 1
sources:
  - {{kind: functions, path: tools}}
  - {{kind: mcp, name: everything, command: node, args: ["{everything}", stdio]}}
  - {{kind: openapi, name: shop, document: shop.yaml, base_url: "http://127.0.0.1:{port}"}}
  - {{kind: http, name: weather, url: "http://127.0.0.1:{port}/weather/{{city}}", extract: "$.path"}}
  - {{kind: command, name: shout, argv: [tr, a-z, A-Z], stdin: "{{text}}"}}
  - kind: script
    name: total
    path: total.py
    parameters: {{numbers: {{type: array, items: {{type: integer}}}}}}
  - {{kind: toolregistry, name: reg, module: registry.py}}
  - {{kind: builtin}}
aliases:
  - {{name: hi, tool: everything.echo, preset: {{message: hello}}}}
"""
OPENAPI = """\
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /items/{id}:
    get:
      operationId: get-item
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: currency, in: query, schema: {type: string}}
      responses: {"200": {description: An item.}}
"""
SCRIPT = """\
print(double(4))
print(everything.echo(message="hi"))
print(hi())
print(shop.get_item(id=7, currency="EUR")["path"])
print(weather(city="Oslo"))
print(shout(text="quiet"))
print(total(numbers=[1, 2, 3]))
print(reg.mul(2, 3))
print(std.echo(value=[1, None]))
print(std.read_file(path="notes.txt")["content"])
"""


class _Mirror(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = json.dumps({"path": self.path}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Mirror) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.fixture
def workspace(tmp_path: Path, port: int) -> Path:
    files = {
        "studio.yaml": STUDIO.format(everything=NODE, port=port),
        "shop.yaml": OPENAPI,
        "tools/numbers.py": "def double(x: int) -> int:\n    return 2 * x\n",
        "total.py": "# Adds up the doubles.\nsum(double(n) for n in numbers)\n",
        "registry.py": "from toolregistry import ToolRegistry\nr = ToolRegistry()\n\n\n@r.register\ndef mul(a: int, b: int) -> int:\n    return a * b\n",
        "notes.txt": "a note",
        "script.py": SCRIPT,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def studio(workspace: Path, *arguments: str) -> Any:
    command = [*PROGRAM, *arguments, "--workspace", str(workspace), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_every_kind_of_source_is_called_from_one_script(workspace: Path):
    record = studio(workspace, "run", str(workspace / "script.py"))
    assert (record["error"], record["status"]) == (None, "ok")
    assert record["stdout"].splitlines() == [
        "8", "Echo: hi", "Echo: hello", "/items/7?currency=EUR", "/weather/Oslo", "QUIET", "12", "6", "[1, None]", "a note",
    ]  # fmt: skip
    calls = record["calls"]
    assert [call["source"] for call in calls if call["depth"] == 1] == [
        "functions", "everything", "everything", "shop", "weather", "shout", "total", "reg", "std", "std",
    ]  # fmt: skip
    outer = next(call for call in calls if call["tool"] == "total")
    inner = [call for call in calls if call["parent_id"] == outer["id"]]
    assert [(call["tool"], call["depth"], call["result"]) for call in inner] == [("double", 2, n) for n in (2, 4, 6)]
    assert all(
        outer["started_ms"] <= call["started_ms"]
        and call["started_ms"] + call["duration_ms"] <= outer["started_ms"] + outer["duration_ms"]
        for call in inner
    )


@pytest.mark.slow
def test_all_tools_are_listed_and_what_fails_is_told_beside_them(workspace: Path):
    text = (workspace / "studio.yaml").read_text()
    (workspace / "studio.yaml").write_text(
        text.replace("aliases:", "  - {kind: mcp, name: gone, command: /no/such}\naliases:")
    )
    listing = studio(workspace, "tools")
    names = {tool["name"] for tool in listing["tools"]}
    assert {
        "double",
        "everything.echo",
        "everything.get-sum",
        "shop.get_item",
        "weather",
        "shout",
        "total",
        "reg.mul",
        "std.read_file",
    } <= names
    (error,) = listing["errors"]
    assert error["source"] == "gone"
    assert error["line"] == 14


@pytest.mark.slow
def test_a_tool_is_called_by_hand(workspace: Path):
    record = studio(workspace, "call", "everything.get_sum", "--args", '{"a": 2, "b": 3}')
    assert record["status"] == "ok"
    assert "5" in str(record["result"])
