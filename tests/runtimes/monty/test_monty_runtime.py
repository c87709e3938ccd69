"""What Monty has of its own; what it shares with every runtime is in `test_conformance`."""

import asyncio
import gc
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.registry import Grant
from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes.monty import MontyRuntime
from ptc_studio.runtimes.protocol import CodeRuntime, DirectProjection
from tests.runtimes import stopping
from tests.support import Engine, wait_until

WAITS = {
    "computes": "add(1)\nwhile True:\n    pass",
    "calls": "add(1)\nsleep(30)",
    "awaits a call": "add(1)\nawait aio.sleep(30)",
    "sleeps": "import time\nadd(1)\ntime.sleep(30)",
    "awaits a sleep": "import asyncio\nadd(1)\nawait asyncio.sleep(30)",
}
PRINTS = {
    "a tool in a variable": ("f = add\nprint(f(1), [g(2) for g in [calc.mul and add]])", "3 [4]\n"),
    "a tool in a function": ("def twice(x):\n    return add(add(x))\nprint(twice(1))", "5\n"),
    "a tool in eval": ("print(eval('add(1)'))", "3\n"),
    "async twins of namespaces": ("print(await aio.calc.mul(2, 3), await aio.deep.calc.mul(2, 4))", "6 8\n"),
    "a sync call while others are under way": (
        "import asyncio\nlate = aio.sleep(0.05)\nprint(add(1), await late)",
        "3 0.05\n",
    ),
    "sleeps and calls at once": (
        "import asyncio\nprint(await asyncio.gather(asyncio.sleep(0.01), aio.add(1), aio.sleep(0.02)))",
        "[None, 3, 0.02]\n",
    ),
    "a failure among concurrent calls": (
        "import asyncio\ntry:\n    await asyncio.gather(aio.add(1), aio.fail('key'))\nexcept KeyError as e:\n    print(repr(e))",
        "KeyError('sku')\n",
    ),
    "the nearest built-in type": (
        "try:\n    fail('chain')\nexcept LookupError as e:\n    print(repr(e))",
        "LookupError('none left')\n",
    ),
    "a tool that exits": ("try:\n    fail('exit')\nexcept Exception as e:\n    print(e)", "SystemExit: 9\n"),
    "objects of the script's own": (
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nprint(echo([P(3)]))",
        "[{'x': 3}]\n",
    ),
    "tools awaited by their own names": (
        "import asyncio\nlate = [mul(i, 3) for i in (1, 2)]\nprint('é', await add(1), add(2), await calc.mul(2, 3))\nprint(await call_tool('add', {'a': 3}), await asyncio.gather(add(1), *late))",
        "é 3 4 6\n5 [3, 3, 6]\n",
    ),
    "a path as every other script sends it": ("from pathlib import Path\nprint(echo([Path('a') / 'b']))", "['a/b']\n"),
    "no environment": ("import os\nprint(os.environ, os.getenv('HOME', 'none'))", "{} none\n"),
    "help of a tool": ("help(add)", "add(a, b=2)\n    Adds two numbers.\n"),
}
HINTS = {
    "import statistics": ("ModuleNotFoundError", "sum(values) / len(values)"),
    "import calc": ("ModuleNotFoundError", "need no import"),
    "import nonsense": ("ModuleNotFoundError", "choose the runtime python"),
    "from concurrent.futures import ThreadPoolExecutor": ("ModuleNotFoundError", "asyncio.gather"),
    "import sys\nsys.exit(3)": ("AttributeError", "exit(status)"),
    "import sys\nsys.stdout.write('x')": ("AttributeError", "print(text, end='')"),
    "def f():\n    yield 1": ("NotImplementedError", "in a list"),
    "class E(Exception):\n    pass": ("NotImplementedError", "without bases"),
    "async def f():\n    async with x:\n        pass": ("NotImplementedError", "Await the calls"),
    "list(map(add, [1]))": ("NotImplementedError", "[tool(x) for x in items]"),
    "raise ValueError(1, 2)": ("RuntimeError", "one text"),
    "open('data.csv')": ("PermissionError", "has no files"),
    "from pathlib import Path\nPath('x').read_text()": ("PermissionError", "has no files"),
    "import os\nos.urandom(3)": ("RuntimeError", "not to be had"),
    "input()": ("Exception", "no input"),
    "calc.nope(1)": ("AttributeError", "calc has mul"),
    "nope(1)": ("NameError", "name 'nope' is not defined"),
}


@pytest.mark.parametrize("case", PRINTS)
async def test_a_script_prints(case: str, monty: MontyRuntime, shop: Engine):
    code, printed = PRINTS[case]
    record = await shop.execute(code, monty)
    assert (record["error"], record["stdout"]) == (None, printed)


@pytest.mark.parametrize("code", HINTS)
async def test_what_monty_lacks_comes_with_what_to_do_instead(code: str, monty: MontyRuntime, shop: Engine):
    record = await shop.execute(code, monty)
    kind, hint = HINTS[code]
    assert record["error"]["type"] == kind
    assert hint in record["error"]["message"]


async def test_an_uncaught_failure_keeps_the_tools_own_type_and_traceback(monty: MontyRuntime, shop: Engine):
    record = await shop.execute("def f():\n    fail('chain')\n\nf()", monty)
    error = record["error"]
    assert (error["type"], error["message"], error["line"]) == ("NoneLeft", "none left", 2)
    assert "direct cause" in error["traceback"]
    assert '  File "script.py", line 4, in <module>\n    f()\n  File "script.py", line 2, in f\n' in error["traceback"]


async def test_a_syntax_error_is_shown_with_a_caret(monty: MontyRuntime, shop: Engine):
    record = await shop.execute("x = 1\nif x\n    print(x)\n", monty)
    assert record["error"]["traceback"].startswith('  File "script.py", line 2\n    if x\n        ^\nSyntaxError: ')


async def test_recursion_without_end_is_an_error_and_told_in_short(monty: MontyRuntime, shop: Engine):
    record = await shop.execute("def f(n):\n    return f(n + 1)\n\nf(0)", monty)
    assert (record["error"]["type"], record["error"]["line"]) == ("RecursionError", 2)
    assert "more times]" in record["error"]["traceback"]
    assert len(record["error"]["traceback"]) < 1000


async def test_the_memory_that_a_script_may_have_is_bounded(shop: Engine):
    small = MontyRuntime(memory_mb=20)
    record = await shop.execute("print('on')\nx = []\nwhile True:\n    x.append('a' * 100_000)", small)
    small.close()
    assert (record["stdout"], record["error"]["type"]) == ("on\n", "MemoryError")


async def test_without_tools_a_script_is_told_so(monty: MontyRuntime, shop: Engine):
    record = await shop.execute("add(1)", monty, grant=Grant(()))
    assert record["error"]["message"] == "name 'add' is not defined; no tools are granted to this script"


async def test_a_built_in_function_keeps_its_name_and_the_tool_has_one_beside_it(monty: MontyRuntime, engine: Engine):
    engine.add(lambda a, b: f"{a} and {b}", name="sum")
    record = await engine.execute("(sum([1, 2]), sum_(1, 2), call_tool('sum', {'a': 3, 'b': 4}))", monty)
    assert record["value"] == [3, "1 and 2", "3 and 4"]


async def test_a_tool_can_be_a_namespace_too(monty: MontyRuntime, engine: Engine):
    engine.add(lambda sku: 5, name="price")
    engine.add(lambda sku: [4, 5], name="price.history")
    record = await engine.execute("[price('a'), price.history('a'), [p('a') for p in [price]]]", monty)
    assert record["value"] == [5, [4, 5], [5]]


async def test_more_calls_than_may_be_under_way_wait_their_turn(monty: MontyRuntime, engine: Engine):
    lock, now, most, barrier = threading.Lock(), [0], [0], threading.Barrier(3, timeout=10)

    def count() -> None:
        with lock:
            now[0] += 1
            most[0] = max(now[0], most[0])
        barrier.wait()
        with lock:
            now[0] -= 1

    engine.add(count)
    code = "import asyncio\nlen(await asyncio.gather(*[aio.count() for _ in range(21)]))"
    record = await engine.execute(code, monty, concurrent_calls=3)
    assert (record["value"], most[0]) == (21, 3)


@pytest.mark.parametrize("case", WAITS)
async def test_a_script_is_stopped_at_once_whatever_it_does(case: str, monty: MontyRuntime, shop: Engine):
    record, seconds = await _stopped(WAITS[case], monty, shop)
    assert seconds < 20
    assert (record["status"], record["calls"][0]["status"]) == ("cancelled", "ok")
    assert record["error"]["line"] == (None if case == "computes" else WAITS[case].count("\n") + 1)
    assert (await shop.execute("add(1)", monty))["value"] == 3


async def test_a_tool_that_is_stuck_does_not_hold_up_the_script(monty: MontyRuntime, shop: Engine):
    release, ended = threading.Event(), []
    shop.add(lambda: ended.append(release.wait(30)), name="stuck")
    code = "try:\n    call_tool('stuck', {}, timeout=0.05)\nexcept TimeoutError:\n    print(add(1))"
    record = await shop.execute(code, monty)
    assert (record["stdout"], ended) == ("3\n", [])
    release.set()


async def test_a_worker_that_is_killed_is_a_crash_and_is_replaced(monty: MontyRuntime, shop: Engine):
    shop.add(lambda: [os.kill(int(worker), signal.SIGKILL) for worker in _workers()], name="kill")
    record = await shop.execute("print('before')\nkill()", monty)
    assert (record["status"], record["stdout"]) == ("crashed", "before\n")
    assert "SIGKILL" in record["error"]["message"]
    assert (await shop.execute("add(1)", monty))["value"] == 3


async def test_many_runs_leave_nothing_behind(shop: Engine):
    runtime, others = MontyRuntime(), set(_workers())
    codes = ("add(1)", "1 / 0", "while True:\n    pass", "import asyncio\nawait asyncio.gather(aio.add(1), aio.add(2))")

    async def run_all(times: int) -> None:
        for number in range(times):
            await shop.execute(codes[number % 4], runtime, timeout=0.02 if number % 4 == 2 else 30)

    await run_all(8)
    before = _open_files()
    await run_all(200)
    gc.collect()
    wait_until(lambda: _open_files() <= before + 3)
    assert len(set(_workers()) - others) <= 1
    runtime.close()
    wait_until(lambda: not set(_workers()) - others)


async def test_a_closed_runtime_starts_again_when_it_is_used(shop: Engine):
    runtime = MontyRuntime()
    runtime.warm()
    assert (await shop.execute("add(1)", runtime))["value"] == 3
    runtime.close()
    runtime.close()
    assert (await shop.execute("add(2)", runtime))["value"] == 4
    runtime.close()


async def test_a_missing_worker_program_is_told(shop: Engine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MONTY_BIN", "/nowhere/monty")
    runtime = MontyRuntime()
    record = await shop.execute("add(1)", runtime)
    assert (record["status"], record["error"]["type"]) == ("crashed", "RuntimeUnavailable")
    assert "/nowhere/monty" in record["error"]["message"]


async def test_it_is_a_code_runtime(monty: MontyRuntime):
    assert isinstance(monty, CodeRuntime)
    tools = {"add": DirectProjection("add", lambda a, b: a + b)}
    result = await monty.execute("print(add(base, 2))", tools, extra_globals={"base": 1, "add": 5})
    assert (result.stdout, result.return_code, result.error) == ("3\n", 0, None)


async def _stopped(code: str, runtime: Any, shop: Engine) -> tuple[dict[str, Any], float]:
    session = Session(shop.executor, limits=Limits(timeout=60))
    task = asyncio.ensure_future(session.execute(Script(code), runtime))
    waits_in_call = code.count("sleep") == 1 and "import" not in code
    await stopping.until(lambda: stopping.finished(shop), shop, task)
    if waits_in_call:
        await stopping.until(lambda: stopping.entered(session, "sleep"), shop, task)
    await asyncio.sleep(0.05)
    began = time.monotonic()
    session.stop()
    return await task, time.monotonic() - began


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def _workers() -> list[str]:
    """The living worker processes of this process."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            name, _, rest = (entry / "stat").read_text().partition(") ")
        except OSError:
            continue
        state, parent = rest.split()[:2]
        if entry.name.isdigit() and name.endswith("(monty") and parent == str(os.getpid()) and state != "Z":
            found.append(entry.name)
    return found
