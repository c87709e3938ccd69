"""The studio as a whole, over workspaces that the tests write."""

import asyncio
import contextlib
import os
import textwrap
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.core.trace import CallRecord, RunRecord
from ptc_studio.storage import workspace_watcher
from ptc_studio.storage.workspace import WorkspaceError, WorkspaceFile, read_workspace

TOOLS = '''
import os
import time

def price(item: str, qty: int = 1, currency: str = "USD") -> str:
    """The price."""
    return f"{item} {qty} {currency}"

def account() -> dict:
    """An account."""
    return {"iban": "DE89370400440532013000", "ticket": "TCK-123456", "owner": "Ada"}

def variable(name: str) -> str:
    """Of the environment."""
    return os.environ[name]

def spin() -> None:
    """Takes long; not for ever, for its thread cannot be ended."""
    for _ in range(2000):
        time.sleep(0.001)

def forever() -> None:
    """Never ends."""
    while True:
        pass

def vanish() -> None:
    """Ends its process."""
    os._exit(7)

def down(n: int, _context=None) -> int:
    """Calls itself."""
    return _context.call_tool("down", {"n": n - 1}) + 1 if n else 0
'''
SOURCES = "sources: [{kind: functions, name: shop, path: tools}]\n"


class Bench:
    """A workspace and the studio that is open over it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._studio: Studio | None = None
        self.write("tools/shop.py", TOOLS)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))

    async def open(self, file: str, **setup: Any) -> Studio:
        """Opens and loads the workspace with that file."""
        self.write("studio.yaml", file)
        studio = self.make(**setup)
        await studio.load()
        return studio

    def make(self, **setup: Any) -> Studio:
        """Opens it as the folder stands there, and loads nothing yet."""
        self._studio = Studio(Setup(self.folder, spare_processes=0, **setup))
        return self._studio

    @property
    def studio(self) -> Studio:
        assert self._studio is not None
        return self._studio

    async def call(self, name: str, /, **arguments: Any) -> CallRecord:
        return await self.studio.call(self.studio.session(), name, arguments)

    async def run(self, code: str, **session: Any) -> RunRecord:
        runtime = self.studio.runtimes.choose("python-inprocess", "script.py")
        return await self.studio.run(self.studio.session(**session), Script(code), runtime)

    def told(self) -> list[tuple[str, int | None, str]]:
        """The errors: the file's name, the line and the message."""
        return [(Path(error.file).name, error.line, error.message) for error in self.studio.errors]

    async def close(self) -> None:
        if self._studio is not None:
            await self._studio.close()


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    await bench.close()


# Names


async def test_a_source_that_has_a_name_is_a_namespace_too(bench: Bench):
    bench.write("tools/prices.py", "def discount(qty: int) -> int:\n    return qty * 2\n")
    await bench.open(SOURCES)
    for name in ("discount", "prices.discount", "shop.discount", "shop.prices.discount"):
        assert (await bench.call(name, qty=2))["result"] == 4
    record = await bench.run("shop.discount(1) + shop.prices.discount(2)")
    assert record["value"] == 6


# Aliases


async def test_an_alias_fixes_presets_and_fills_in_defaults(bench: Bench):
    await bench.open(
        SOURCES + "aliases: [{name: cheap, tool: shop.price, preset: {qty: 3}, defaults: {currency: EUR}}]"
    )
    record = await bench.call("cheap", item="mug")
    assert (record["tool"], record["alias"], record["result"]) == ("price", "cheap", "mug 3 EUR")
    assert (await bench.call("cheap", item="mug", currency="CHF"))["result"] == "mug 3 CHF"
    refused = await bench.call("cheap", item="mug", qty=1)
    assert (refused["status"], refused["error"]["type"]) == ("invalid", "TypeError")


async def test_an_alias_that_is_switched_off_is_not_there(bench: Bench):
    await bench.open(SOURCES + "aliases: [{name: cheap, tool: price, enabled: false}]")
    assert (await bench.call("cheap", item="mug"))["status"] == "not_found"
    assert bench.told() == []


async def test_an_alias_has_a_timeout_a_permission_and_a_redaction_of_its_own(bench: Bench):
    await bench.open(
        SOURCES
        + """aliases:
  - {name: brief, tool: spin, timeout: 0.1}
  - {name: closed, tool: price, permission: deny}
  - {name: discreet, tool: account, redact: [owner]}
"""
    )
    assert (await bench.call("brief"))["status"] == "timeout"
    assert (await bench.call("closed", item="mug"))["status"] == "denied"
    assert (await bench.call("discreet"))["result"]["owner"] == "[REDACTED:owner]"
    assert (await bench.call("account"))["result"]["owner"] == "Ada"


async def test_each_alias_that_cannot_be_is_told_with_its_line_and_the_others_work(bench: Bench):
    await bench.open(
        SOURCES
        + """aliases:
  - {name: early, tool: fine}
  - {name: fine, tool: price}
  - {name: late, tool: fine}
  - {name: a, tool: b}
  - {name: b, tool: a}
  - {name: account, tool: price}
  - {name: account2, tool: account}
  - {name: nowhere, tool: prise}
  - {name: fine, tool: account}
  - {name: wrong, tool: price, preset: {colour: red}}
"""
    )
    expected = {
        3: "The alias 'early' leads to the alias 'fine'; name the tool itself: 'price'.",
        5: "The alias 'late' leads to the alias 'fine'; name the tool itself: 'price'.",
        6: "The aliases a -> b -> a lead round in a circle; name a tool.",
        7: "The aliases b -> a -> b lead round in a circle; name a tool.",
        8: "The alias 'account' would shadow the tool of that name",
        10: "The alias 'nowhere' leads nowhere.",
        11: "There are two aliases named 'fine'; rename one.",
        12: "The alias 'wrong' sets 'colour', but 'price' takes item, qty, currency.",
    }
    assert [(file, line) for file, line, _ in bench.told()] == [("studio.yaml", line) for line in expected]
    for (_, _, message), begin in zip(bench.told(), expected.values(), strict=True):
        assert message.startswith(begin)
    assert (await bench.call("fine", item="mug"))["result"] == "mug 1 USD"
    assert (await bench.call("account2"))["status"] == "ok"
    assert {error.source for error in bench.studio.errors} == {"aliases"}


# Grants, limits, permissions, timeouts


async def test_grant_sets_of_the_file_are_granted_by_name(bench: Bench):
    studio = await bench.open(SOURCES + "grants: {readonly: [price, 'acc*'], none: []}")
    code = "[name for name in ('price', 'account', 'spin') if name in globals()]"
    assert (await bench.run(code, grant=studio.grant(["readonly"])))["value"] == ["price", "account"]
    assert (await bench.run(code, grant=studio.grant(["readonly", "spin"])))["value"] == ["price", "account", "spin"]
    assert (await bench.run(code, grant=studio.grant(["none"])))["value"] == []
    assert len((await bench.run(code, grant=studio.grant([])))["value"]) == 3


async def test_limits_of_the_file_hold_unless_a_session_says_otherwise(bench: Bench):
    studio = await bench.open(SOURCES + "limits: {timeout: 30, max_depth: 2, call_timeout: 0.1, output_bytes: 10}")
    assert (studio.session().run.limits.timeout, studio.session().run.limits.max_depth) == (30, 2)
    assert studio.session(timeout=5, max_depth=3).run.limits.timeout == 5
    assert (await bench.call("spin"))["status"] == "timeout"
    # The other calls may take their time, as they do on a busy machine.
    studio.limits = replace(studio.limits, call_timeout=60)
    assert (await bench.run("down(1)"))["value"] == 1
    assert (await bench.run("down(2)"))["error"]["type"] == "RecursionError"
    assert (await bench.run("down(2)", max_depth=3))["value"] == 2
    assert (await bench.run("print('x' * 20, end='')"))["stdout"].startswith("x" * 10 + "\n[cut here: 10 more")


async def test_permissions_hold_for_a_source_and_for_its_tools(bench: Bench):
    await bench.open(
        """
        sources:
          - kind: functions
            path: tools
            permission: deny
            permissions: {price: allow, "shop.acc*": ask}
        """
    )
    assert (await bench.call("price", item="mug"))["status"] == "ok"
    assert "no terminal to ask on" in (await bench.call("account"))["error"]["message"]
    denied = await bench.call("variable", name="HOME")
    assert (denied["status"], denied["error"]["type"]) == ("denied", "PermissionError")


async def test_a_source_may_have_a_timeout(bench: Bench):
    await bench.open("sources: [{kind: functions, path: tools, timeout: 0.1}]")
    assert (await bench.call("spin"))["status"] == "timeout"


# Redaction


async def test_keys_and_patterns_of_the_file_are_redacted_in_records_only(bench: Bench):
    await bench.open(SOURCES + "redaction: {keys: [iban], patterns: [{name: ticket, pattern: 'TCK-[0-9]{6}'}]}")
    record = await bench.run("found = account()\nprint(len(found['iban']), found['ticket'])\n")
    (call,) = record["calls"]
    assert call["result"] == {"iban": "[REDACTED:iban]", "ticket": "[REDACTED:ticket]", "owner": "Ada"}
    assert sorted(redaction["rule"] for redaction in call["redactions"]) == ["iban", "ticket"]
    assert record["stdout"] == "22 [REDACTED:ticket]\n"


async def test_the_script_gets_the_redacted_copy_if_the_file_says_so(bench: Bench):
    await bench.open(SOURCES + "redaction: {keys: [iban], to_script: true}")
    assert (await bench.run("len(account()['iban'])"))["value"] == len("[REDACTED:iban]")


async def test_a_bad_pattern_is_an_error_that_names_the_file_and_the_line(bench: Bench):
    with pytest.raises(WorkspaceError, match=r"studio\.yaml:2: redaction\.patterns\.0\.pattern: Pattern 'x' cannot"):
        await bench.open("redaction:\n  patterns: [{name: x, pattern: '('}]\n")


@pytest.mark.parametrize("name", ["MY_API_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "PGPASSWORD", "CLIENT_SECRET"])
async def test_secrets_of_the_environment_are_redacted(bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setenv(name, "zebra-crossing-77")
    await bench.open(SOURCES)
    record = await bench.run(f"text = variable({name!r})\nprint('it is', text)\nraise ValueError(text)")
    assert record["stdout"] == f"it is [REDACTED:secret:{name}]\n"
    assert record["calls"][0]["result"] == f"[REDACTED:secret:{name}]"
    assert record["error"]["message"] == f"[REDACTED:secret:{name}]"
    assert "zebra-crossing" not in str(record)


async def test_harmless_variables_are_not_redacted(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOKENIZER", "zebra-crossing-77")
    await bench.open(SOURCES)
    assert (await bench.call("variable", name="TOKENIZER"))["result"] == "zebra-crossing-77"


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
