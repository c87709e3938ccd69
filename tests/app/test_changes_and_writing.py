"""The workspace file when others change it, and what scripts may write."""

import asyncio
import threading
from typing import Any

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.storage import workspace_watcher
from ptc_studio.storage.workspace import WorkspaceError, WorkspaceFile, read_workspace

from .conftest import Bench

# The file, when others change it


async def test_of_two_who_read_the_file_the_later_one_says_what_holds(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    studio = await bench.open("limits: {timeout: 1}\n")
    has_read, may_go_on = threading.Event(), threading.Event()

    def read_and_wait(*given: Any) -> WorkspaceFile:
        file = read_workspace(*given)
        if not has_read.is_set():
            has_read.set()
            assert may_go_on.wait(20)
        return file

    monkeypatch.setattr(workspace_watcher, "read_workspace", read_and_wait)
    bench.write("studio.yaml", "limits: {timeout: 2}\n")
    first = asyncio.ensure_future(studio.reread())
    assert await asyncio.to_thread(has_read.wait, 20)
    bench.write("studio.yaml", "limits: {timeout: 3}\n")
    second = asyncio.ensure_future(studio.reread())
    # It would be over by then, and the first would have the last word.
    await asyncio.wait({second}, timeout=0.2)
    may_go_on.set()
    await asyncio.gather(first, second)
    assert studio.limits.timeout == 3


async def test_what_was_read_and_not_taken_over_is_a_change_still(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    studio = await bench.open("limits: {timeout: 1}\n")
    has_read, may_go_on = threading.Event(), threading.Event()

    def read_and_wait(*given: Any) -> WorkspaceFile:
        has_read.set()
        assert may_go_on.wait(20)
        return read_workspace(*given)

    bench.write("studio.yaml", "limits: {timeout: 2}\n")
    with monkeypatch.context() as patched:
        patched.setattr(workspace_watcher, "read_workspace", read_and_wait)
        given_up = asyncio.ensure_future(studio.reread())
        assert await asyncio.to_thread(has_read.wait, 20)
        given_up.cancel()
        await asyncio.wait({given_up})
    may_go_on.set()
    assert studio.limits.timeout == 1
    assert await studio.reread_if_changed() is not None
    assert studio.limits.timeout == 2
    assert await studio.reread_if_changed() is None


async def test_what_the_program_wrote_itself_is_no_change_and_what_it_could_not_write_changes_nothing(bench: Bench):
    studio = await bench.open("limits: {timeout: 1}\n")
    said: list[float] = []
    await studio.rewrite(
        lambda: bench.write("studio.yaml", "limits: {timeout: 2}\n"), lambda: said.append(studio.limits.timeout)
    )
    assert (said, studio.limits.timeout) == ([1], 2)
    assert await studio.reread_if_changed() is None

    def fail() -> None:
        raise WorkspaceError("It is read-only.")

    with pytest.raises(WorkspaceError):
        await studio.rewrite(fail, lambda: said.append(0))
    bench.write("studio.yaml", "limits: {timeout: 3}\n")
    before = await studio.reread_if_changed()
    assert before is not None
    assert (before[0].limits.timeout, studio.limits.timeout, said) == (2, 3, [1])


# What scripts may write


BELIEVED = {
    "studio.yaml": "studio.yaml", "a tool": "tools/shop.py", "a new tool": "tools/new.py", "mocks": "mocks.yaml",
    "a cassette": "cassettes/a.json", "a hook of git's": ".git/hooks/pre-commit", "a command's program": "bin/hello",
    "what lies beside a server": "servers/json.py", "a document": "api.json", "a module": "agents.py",
    "a package in a module's place": "agents/__init__.py",
}  # fmt: skip


GRANTED = """
sources:
  - {kind: functions, name: shop, path: tools}
  - {kind: command, name: hello, argv: [./bin/hello]}
  - {kind: mcp, name: own, command: python3, args: [servers/main.py], start_timeout: 1}
  - {kind: openapi, name: api, document: api.json}
  - {kind: toolregistry, name: agents, module: agents.tools}
  - {kind: builtin, name: std, permissions: {write_file: allow}}
runtimes: {python: {workspace: write}}
"""


@pytest.mark.parametrize("way", ["the script itself", "a tool"])
async def test_a_workspace_may_be_written_but_for_what_the_studio_executes_or_believes(bench: Bench, way: str):
    for name in ("bin/hello", "servers/main.py", "api.json", "notes.txt", "data/old.txt"):
        bench.write(name, "as it was")
    (bench.folder / "bin" / "hello").chmod(0o755)
    bench.write("studio.yaml", GRANTED)
    studio = bench.make()
    await studio.refresh()
    before = {path: path.read_bytes() for path in bench.folder.rglob("*") if path.is_file()}
    write = (
        "import os\ndef write(p):\n    os.makedirs(os.path.dirname(p) or '.', exist_ok=True)\n    open(p, 'w').write('new')"
        if way == "the script itself"
        else "write = lambda p: call_tool('std.write_file', {'path': p, 'content': 'new'})"
    )
    names = [*BELIEVED.values(), "notes.txt", "new.txt", "data/new.txt", "fresh/new.txt"]
    code = f"{write}\nfor name in {names}:\n    try:\n        write(name)\n        print(name)\n    except OSError:\n        pass\n"
    runtime = studio.runtimes.choose("python", "")
    record = await studio.run(studio.session(), Script(code, "s.py", str(bench.folder)), runtime)
    assert record["error"] is None
    assert record["stdout"].split() == ["notes.txt", "new.txt", "data/new.txt", "fresh/new.txt"]
    assert record["isolation"] == "bubblewrap, workspace writable"
    after = {path: path.read_bytes() for path in bench.folder.rglob("*") if path.is_file() and "new" not in path.name}
    assert after == {**before, bench.folder / "notes.txt": b"new"}
    assert not any((bench.folder / name).exists() for name in (".git", "mocks.yaml", "cassettes", "agents"))


async def test_a_source_that_is_added_is_protected_at_once(bench: Bench):
    studio = await bench.open("sources: [{kind: builtin, name: std, permissions: {write_file: allow}}]\n")
    write = {"path": "more/tool.py", "content": "new"}
    assert (await bench.call("std.write_file", **write))["status"] == "ok"
    bench.write(
        "studio.yaml",
        "sources: [{kind: builtin, name: std, permissions: {write_file: allow}}, {kind: functions, path: more}]\n",
    )
    await studio.reread()
    assert (await bench.call("std.write_file", **write))["error"]["type"] == "Outside"
