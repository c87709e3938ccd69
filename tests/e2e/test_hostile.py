"""A hundred hostile workspaces, documents, servers and scripts each: a clear sentence, within the limit."""

import itertools
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.core.tools import LoadedTools
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.source import McpSource
from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.source import OpenApiSource
from ptc_studio.sources.references import References
from ptc_studio.sources.source import SourceFailed
from ptc_studio.storage.workspace import WorkspaceError, read_workspace
from tests.support import Engine

HUNDRED = 100
LIMIT = 15.0
"""Seconds for one, on a busy machine."""
ODD: list[Any] = [
    None, True, 0, -1, 1e308, 10**30, "", "\0", "\u202e", "\x1b[2J", "${secret:X}", "/dev/zero", "../../etc/shadow",
    [], {}, [[]], {"": {}}, {"$ref": "#"}, {"$ref": "#/paths"}, {"$ref": "file:///etc/passwd"}, "a" * 100_000,
    {"type": "object", "pattern": "(a+)+$"}, [None] * 50, {"allOf": [{"$ref": "#"}]}, "<img src=x>", "\ud800",
]  # fmt: skip


def mutated(value: Any, rng: random.Random) -> Any:
    """The value with one part of it replaced, doubled or taken away, at random."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(sorted(value))
        kept = {name: part for name, part in value.items() if name != key}
        return kept if rng.random() < 0.15 else {**kept, key: mutated(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], mutated(value[at], rng), *value[at + rng.randrange(2) :]]
    return rng.choice(ODD)


def a_hundred(by_hand: Iterable[Any], make: Callable[[], Any]) -> Iterator[Any]:
    """Those, and made ones up to the number, none of them twice."""
    seen: set[str] = set()
    for one in itertools.chain(by_hand, iter(make, object())):
        text = json.dumps(one, default=repr)
        if text not in seen:
            seen.add(text)
            yield one
        if len(seen) == HUNDRED:
            return


def assert_clear(message: str) -> None:
    """One sentence for a person: no traceback of ours, no screenful, nothing that a terminal obeys."""
    assert message.strip()
    assert "Traceback" not in message
    assert len(message) < 2_500, message[:300]
    assert "\x1b" not in message
    assert "\0" not in message


def within(limit: float, action: Callable[[], Any]) -> Any:
    start = time.monotonic()
    try:
        return action()
    finally:
        assert time.monotonic() - start < limit


WORKSPACE = {
    "version": 1,
    "sources": [
        {"kind": "functions", "path": "tools", "name": "shop"},
        {"kind": "mcp", "name": "m", "command": "node", "args": ["x.js"], "env": {"A": "b"}},
        {"kind": "openapi", "name": "o", "document": "api.json"},
        {"kind": "http", "name": "h", "url": "https://example.com/{x}"},
        {"kind": "command", "name": "c", "argv": ["ls", "{x}"]},
    ],
    "aliases": [{"name": "a", "tool": "shop.price", "preset": {"q": 1}, "permission": "ask"}],
    "grants": {"g": ["a"]},
    "runtimes": {"python": {"network": True, "memory_mb": 100}},
    "limits": {"timeout": 30, "max_depth": 5},
    "redaction": {"keys": ["iban"], "patterns": [{"name": "t", "pattern": "T[0-9]+"}]},
}
LAUGHS = "a: &a [x]\n" + "".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}' if n else '*a'] * 9)}]\n" for n in range(12))
WORKSPACES = [
    b"", b"\0", b"\xff\xfe", b"%", b"[", b"{", b"a: b: c", b"- 1", b"&a [*a]", b"a: &a {<<: *a}", b"? ? ? x", b"!!python/object:os.system x",
    b"version: 2", b"version: '1'", b"version: 1\nversion: 1", b"x" * 3_000_000, b"# c\n" * 1_000_000, b"[" * 5_000, b"{a: " * 5_000,
    b"a: " + b"*b " * 1000, b"sources: " + b"[" * 200 + b"]" * 200, LAUGHS.encode(), b"redaction: {patterns: [{name: a, pattern: '('}]}",
    b"redaction: {patterns: [{name: a, pattern: '(a+)+$'}]}", b"limits: {timeout: .inf}", b"limits: {max_depth: 1e9}", b"grants: {a: [1]}",
    b"aliases: [{name: '', tool: ''}]", b"sources: [{kind: nothing}]", b"a: &a " + b"[x, x]\n" + b"".join(b"- *a\n" for _ in range(9)),
    b"sources:\n" + b"- &s {kind: builtin}\n" + b"- *s\n" * 100_000, b"\xef\xbb\xbfversion: 1", b"---\nversion: 1\n---\nversion: 1",
]  # fmt: skip


def workspaces() -> Iterator[bytes]:
    rng = random.Random(17)
    return a_hundred(WORKSPACES, lambda: json.dumps(mutated(WORKSPACE, rng)).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("content", list(workspaces()), ids=range(HUNDRED))
def test_a_hostile_workspace_is_told_in_a_sentence(content: bytes, tmp_path: Path):
    (tmp_path / "studio.yaml").write_bytes(content)
    try:
        within(LIMIT, lambda: read_workspace(tmp_path))
    except WorkspaceError as error:
        assert_clear(str(error))


OPERATION = {
    "operationId": "get",
    "parameters": [{"name": "q", "in": "query", "schema": {"type": "string", "pattern": "^a+$"}}],
    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}},
    "responses": {"200": {"description": "x", "content": {"application/json": {"schema": {"type": "object"}}}}},
}
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "x", "version": "1"},
    "servers": [{"url": "http://127.0.0.1:1/{v}", "variables": {"v": {"default": "1"}}}],
    "paths": {"/x/{id}": {"get": OPERATION, "post": OPERATION}, "/y": {"$ref": "#/paths/~1x~1{id}"}},
    "components": {
        "schemas": {"S": {"type": "object", "properties": {"s": {"$ref": "#/components/schemas/S"}}}},
        "securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "X"}},
    },
    "security": [{"k": []}],
}


def documents() -> Iterator[Any]:
    rng = random.Random(18)
    loop = {"A": {"allOf": [{"$ref": "#/components/schemas/B"}]}, "B": {"allOf": [{"$ref": "#/components/schemas/A"}]}}
    deep: Any = {}
    for _ in range(400):
        deep = {"type": "object", "properties": {"a": deep}}
    by_hand = [
        {**DOCUMENT, "components": {"schemas": {**loop, "S": {"$ref": "#/components/schemas/A"}}}},
        {**DOCUMENT, "components": {"schemas": {"S": deep}}},
        {**DOCUMENT, "paths": {f"/{number}": {"get": {}} for number in range(3_000)}},
        {**DOCUMENT, "paths": {"/" + "a" * 50_000: {"get": {}}}},
    ]
    return a_hundred(by_hand, lambda: mutated(mutated(DOCUMENT, rng) if rng.random() < 0.5 else DOCUMENT, rng))


@pytest.mark.parametrize("document", list(documents()), ids=range(HUNDRED))
def test_a_hostile_document_is_told_in_a_sentence(document: Any, tmp_path: Path):
    (tmp_path / "api.json").write_bytes(json.dumps(document).encode("utf-8", "surrogatepass"))
    source = OpenApiSource(
        OpenApiEntry(name="api", document="api.json"), folder=tmp_path, references=References({}.get, {})
    )
    try:
        assert_loaded(within(LIMIT, source.refresh))
    except SourceFailed as error:
        assert_clear(str(error))
    finally:
        source.close()


def assert_loaded(loaded: LoadedTools) -> None:
    for error in loaded.errors:
        assert_clear(error.message)


SERVER = """
import json, sys
answers = json.loads(sys.argv[1])
for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        continue
    if "id" not in message:
        continue
    answer = answers.get(message.get("method"), {"raw": "{}"})
    if "raw" in answer:
        sys.stdout.write(answer["raw"])
    else:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}) + chr(10))
    sys.stdout.flush()
"""
GREETING = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}
TOOLS = [{"name": "t", "description": "d", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}]
ANSWERS = {"initialize": {"result": GREETING}, "tools/list": {"result": {"tools": TOOLS}}}
RAW = [
    "",
    "\n" * 1000,
    "null\n",
    "[]\n",
    "{}\n",
    "x" * 200_000 + "\n",
    "\x1b[2J\n",
    "[" * 5000 + "\n",
    '{"id": 1}\n',
    "\0\n",
]


def servers() -> Iterator[dict[str, Any]]:
    rng = random.Random(19)
    rude = {"error": {"code": -1, "message": "\x1b[31mno\u202e" + "y" * 10_000}}
    by_hand = [{**ANSWERS, method: answer} for answer in [*({"raw": raw} for raw in RAW), rude] for method in ANSWERS]

    def made() -> dict[str, Any]:
        answers = mutated(ANSWERS, rng)
        return answers if isinstance(answers, dict) else {}

    return a_hundred(by_hand, made)


@pytest.mark.slow
def test_a_hundred_hostile_servers_are_told_in_a_sentence(tmp_path: Path):
    def meet(answers: dict[str, Any]) -> None:
        text = json.dumps(answers)
        entry = McpEntry(
            name="m", command=sys.executable, args=("-I", "-S", "-c", SERVER, text.replace("\0", "")), start_timeout=3.0
        )
        source = McpSource(entry, folder=tmp_path)
        try:
            assert_loaded(within(3 * LIMIT, source.refresh))
        except SourceFailed as error:
            assert_clear(str(error))
        finally:
            source.close()

    met = list(servers())
    assert len(met) == HUNDRED
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(meet, met))


SCRIPTS = [
    "while True: pass", "x = []\nwhile True: x.append(x)", "import sys; sys.setrecursionlimit(10**9)\ndef f(): f()\nf()", "raise BaseException('\\x1b[2J')",
    "import os; os._exit(7)", "import os; os.kill(os.getpid(), 11)", "import os; os.kill(os.getpid(), 9)", "import sys; sys.stdout.close()", "import os; os.closerange(0, 50)",
    "print('x' * 5_000_000)", "import sys\nsys.stdout.buffer.write(bytes(range(256)) * 100)", "print('\\ud800')", "raise ValueError('\\ud800')", "raise type('\\u202e', (Exception,), {})()",
    "call_tool('\\ud800')", "call_tool('give', {'value': float('nan')})", "call_tool('give', {'value': '\\0'})", "call_tool(1)", "call_tool('give', [])", "give(give)", "give(object())",
    "v = []\nv.append(v)\ngive(v)", "v = 1\nfor _ in range(3000): v = [v]\ngive(v)", "give(10**5000)", "give({1: 2, None: 3})", "give(value='x' * 3_000_000)", "import threading\n[threading.Thread(target=give, args=(1,)).start() for _ in range(50)]",
    "import atexit; atexit.register(lambda: print('late'))", "import sys; sys.exit('\\x1b[2Jbye')", "exit()", "quit(3)", "1/0", "x = ", "\tx\n  y", "return 5", "await 1", "async def f(): pass\nf()", "import signal; signal.raise_signal(signal.SIGTERM)",
    "class E(Exception):\n  def __str__(self): raise ValueError\nraise E", "class E(Exception):\n  def __repr__(self): return 1\nraise E", "raise ExceptionGroup('g', [ValueError(1)] * 50)", "import builtins; del builtins.print", "import sys; sys.modules.clear()",
    "import gc, types\nfor o in gc.get_objects()[:0]: pass\n__import__('ctypes').string_at(0)", "globals().clear()", "__builtins__ = None\nprint(1)", "import os; os.environ.clear(); print(1)", "import socket; socket.socket().connect(('10.0.0.1', 80))", "open('/dev/full', 'w').write('x' * 100000)",
    "import subprocess; subprocess.Popen(['sleep', '1000'])", "x" * 5000, "(" * 3000, "'" * 3001, "#" * 2_000_000, "\0", "\ufeffprint(1)", "# coding: nothing\nprint(1)", "from __future__ import nothing", "lambda: (yield)", "nonlocal x", "print(input())",
]  # fmt: skip


def scripts() -> Iterator[str]:
    rng = random.Random(20)

    def made() -> str:
        text = list("\n".join(rng.sample(SCRIPTS[9:40], 2)))
        for _ in range(rng.randrange(1, 6)):
            text[rng.randrange(len(text))] = rng.choice("()[]{}'\"\\\n\t :=\x00\x1b\u202eé")
        return "".join(text)

    return a_hundred(SCRIPTS, made)


@pytest.mark.slow
async def test_a_hundred_hostile_scripts_end_within_their_limit_in_a_sentence(engine: Engine):
    engine.add(lambda value: value, name="give")
    catalog = RuntimeCatalog(StdioRouter(), spare=2)
    told = list(scripts())
    assert len(told) == HUNDRED
    try:
        catalog.choose("python", "")
        runtime = catalog.get("python")
        for text in told:
            session = Session(engine.executor, limits=Limits(timeout=3))
            start = time.monotonic()
            record = await session.execute(Script(text, "script.py"), runtime)
            assert time.monotonic() - start < 3 + LIMIT, text[:200]
            assert record["status"] in ("ok", "error", "timeout", "crashed"), text[:200]
            if record["error"] is not None:
                assert record["error"]["message"] is not None
                assert "ptc_studio" not in record["error"]["traceback"], text[:200]
            json.dumps(record)
    finally:
        catalog.close()
