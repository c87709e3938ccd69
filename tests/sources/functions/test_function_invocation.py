"""How functions are called: context, async functions, output, and giving up."""

import asyncio
import contextlib
import sys
import threading
import types
from pathlib import Path

import pytest

from ptc_studio.core.errors import UnfitArguments
from ptc_studio.sources.async_thread import WATCH
from tests.support import wait_until


@pytest.fixture(autouse=True)
def shared(monkeypatch):
    """Functions reach these as `import ptc_test_gates`."""
    module = types.ModuleType("ptc_test_gates")
    module.started, module.release, module.ended = threading.Event(), threading.Event(), threading.Event()
    monkeypatch.setitem(sys.modules, "ptc_test_gates", module)
    yield module
    module.release.set()


def test_the_context_has_keys_that_are_attributes_too(folder, load, tmp_path):
    folder.write(
        "a.py",
        """
        def look(a: int, _context) -> dict:
            assert _context["run_id"] == _context.run_id
            store = _context.attachment_store
            record = store.register_bytes(b"x", display_name="x.txt")
            return {"a": a, "root": _context.python_workspace_root, "graph": _context.graph_directory,
                    "ids": [_context.run_id, _context.call_id], "file": record.path, "none": hasattr(_context, "none")}
        """,
    )
    asked = []

    def directories(run_id: str) -> tuple[Path, Path]:
        asked.append(run_id)
        return tmp_path / "work", tmp_path / "graph"

    found = load(directories=directories).call("look", {"a": 1})
    assert asked == ["run-1"]
    assert (found["a"], found["root"], found["graph"]) == (1, tmp_path / "work", tmp_path / "graph")
    assert (found["ids"], found["none"]) == (["run-1", "call-1"], False)
    assert found["file"].is_relative_to(tmp_path / "work" / "attachments" / "run-1")


def test_a_script_cannot_set_the_context(folder, load):
    folder.write("a.py", "def look(_context=None): ...\n")
    with pytest.raises(UnfitArguments, match="unexpected '_context'"):
        load().tools["look"].bind({"_context": {}})


def test_functions_call_other_tools_sync_and_async(folder, load, make_ticket):
    folder.write(
        "a.py",
        """
        import asyncio

        def one(_context) -> int:
            return _context.call_tool("add", {"a": 1}, b=2)

        async def many(_context) -> list[int]:
            calls = [_context.call_tool("add", a=i, b=i) for i in range(3)]
            return await asyncio.gather(*calls)
        """,
    )
    loading, ticket = load(), make_ticket({"add": lambda a, b: a + b})
    assert loading.call("one", ticket=ticket) == 3
    assert loading.call("many", ticket=ticket) == [0, 2, 4]


def test_whatever_a_function_raises_comes_out_as_it_is(folder, load):
    folder.write(
        "a.py",
        """
        class Own(KeyError): ...

        def sync(): raise Own("x")
        async def later(): raise Own("x")
        def leave(): raise SystemExit(3)
        async def leave_later(): raise SystemExit(3)
        async def fine(): return 1
        """,
    )
    loading = load()
    for name in ("sync", "later"):
        with pytest.raises(KeyError) as caught:
            loading.call(name)
        assert type(caught.value).__name__ == "Own"
    for name in ("leave", "leave_later"):
        with pytest.raises(SystemExit):
            loading.call(name)
    assert loading.call("fine") == 1


def test_a_coroutine_from_a_plain_function_is_awaited(folder, load):
    folder.write(
        "a.py",
        """
        async def _inner(): return 4
        def outer(): return _inner()
        """,
    )
    assert load().call("outer") == 4


def test_a_wrapped_async_function_gets_the_async_context(folder, load, make_ticket):
    folder.write(
        "a.py",
        """
        import functools

        def plain(function):
            return functools.wraps(function)(lambda *args, **kwargs: function(*args, **kwargs))

        @plain
        async def hidden(_context):
            return await _context.call_tool("seven")
        """,
    )
    assert load().call("hidden", ticket=make_ticket({"seven": lambda: 7})) == 7


def test_async_functions_share_one_loop_that_is_not_the_callers(folder, load):
    folder.write("a.py", "import asyncio\n\nasync def loop():\n    return id(asyncio.get_running_loop())\n")
    loading = load()

    async def main() -> tuple[int, int, int]:
        first = await asyncio.to_thread(loading.call, "loop")
        return first, await asyncio.to_thread(loading.call, "loop"), id(asyncio.get_running_loop())

    first, second, own = asyncio.run(main())
    assert first == second != own


def test_output_goes_where_the_hook_says(folder, load):
    entered: list[str] = []

    @contextlib.contextmanager
    def stdio(run_id: str):
        entered.append(f"in {run_id}")
        yield
        entered.append(f"out {run_id}")

    folder.write("a.py", "def one(): ...\n\nasync def two(): ...\n")
    loading = load(stdio=stdio)
    loading.call("one")
    loading.call("two")
    assert entered == ["in run-1", "out run-1"] * 2


def test_an_abandoned_async_function_is_cancelled(folder, load, make_ticket, in_thread, shared):
    folder.write(
        "a.py",
        """
        import asyncio
        import ptc_test_gates as gates

        async def wait():
            gates.started.set()
            try:
                await asyncio.Event().wait()
            finally:
                gates.ended.set()

        async def fine():
            return 1
        """,
    )
    loading, ticket = load(), make_ticket()
    work = in_thread(lambda: loading.call("wait", ticket=ticket))
    assert shared.started.wait(10)
    ticket.abandon()
    assert isinstance(work.wait().error, asyncio.CancelledError)
    assert shared.ended.wait(10)
    assert loading.call("fine") == 1


def test_a_loop_that_a_function_blocks_is_left_to_it(folder, load, make_ticket, in_thread, shared):
    folder.write(
        "a.py",
        """
        import threading
        import ptc_test_gates as gates

        async def block():
            gates.started.set()
            gates.release.wait(20)

        async def thread():
            return threading.current_thread().ident
        """,
    )
    loading, ticket = load(), make_ticket()
    before = loading.call("thread")
    work = in_thread(lambda: loading.call("block", ticket=ticket))
    assert shared.started.wait(10)
    [blocked] = [thread for thread in threading.enumerate() if thread.ident == before]
    ticket.abandon()
    work.wait()
    wait_until(lambda: WATCH not in {thread.name for thread in threading.enumerate()})
    assert loading.call("thread") != before
    shared.release.set()
    blocked.join(10)
    assert not blocked.is_alive()


def test_a_call_abandoned_before_it_starts_leaves_no_warning(folder, load, make_ticket):
    folder.write("a.py", "import asyncio\n\nasync def f(end: bool):\n    return end or await asyncio.Event().wait()\n")

    class GivenUp(make_ticket):
        def on_abandon(self, stop):
            stop()

    loading = load()
    with pytest.raises(asyncio.CancelledError):
        loading.call("f", {"end": False}, GivenUp())
    assert loading.call("f", {"end": True}) is True


def test_a_task_left_behind_that_exits_does_not_end_the_loop(folder, load, shared):
    folder.write(
        "a.py",
        """
        import asyncio
        import ptc_test_gates as gates

        async def _leave():
            gates.ended.set()
            raise SystemExit

        KEPT = []

        async def spawn():
            KEPT.append(asyncio.create_task(_leave()))

        async def fine():
            KEPT[0].exception()
            return 1
        """,
    )
    loading = load()
    loading.call("spawn")
    assert shared.ended.wait(10)
    assert loading.call("fine") == 1
