"""What every runtime that runs Python does, in each of them."""

import asyncio
import socket
import threading
import time
from typing import Any

import pytest

from ptc_studio.core import codec
from ptc_studio.core.calls import MOST_WAITING
from ptc_studio.core.registry import Grant
from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes import guest_process
from ptc_studio.runtimes.python_inprocess import PythonInProcess
from tests.runtimes import stopping
from tests.support import Engine

CASES = {
    "prints": ("print('héllo ✓')", "héllo ✓\n", None),
    "an empty file": ("", "", None),
    "only a comment": ("# nothing\n", "", None),
    "only a docstring": ('"""Says something."""', "", "Says something."),
    "the last expression is the value": ("x = 2\nx * 21", "", 42),
    "a value without a JSON form is shown": ("object", "", "<class 'object'>"),
    "positional, named and mixed arguments": (
        "print(add(1, 2), add(a=1, b=3), add(1, b=4), add(1))",
        "3 4 5 3\n",
        None,
    ),
    "namespaced tools": ("print(calc.mul(2, 3), deep.calc.mul(a=2, b=4), mul(3, 3))", "6 8 9\n", None),
    "call_tool": ("print(call_tool('add', {'a': 1, 'b': 5}), call_tool('calc.mul', {'a': 2, 'b': 2}))", "6 4\n", None),
    "an identifier-safe twin": ("print(server.get_sum(), call_tool('server.get-sum'))", "1 1\n", None),
    "from __future__": ("from __future__ import annotations\nx: Nonsense = 1\nx", "", 1),
    "a docstring is kept": ('"""Doc."""\nprint(__doc__)', "Doc.\n", None),
    "triple quotes": ("text = '''a\n  b\n'''\nprint(text, end='')", "a\n  b\n", None),
    "if main": ("if __name__ == '__main__':\n    print('main')", "main\n", None),
    "top-level await": ("value = await aio.add(1, 2)\nvalue", "", 3),
    "await call_tool_async": ("await call_tool_async('add', {'a': 4})", "", 6),
    "async for and comprehension": ("[await aio.add(i) for i in range(3)]", "", [2, 3, 4]),
    "asyncio.run in the script": (
        "import asyncio\nasync def main():\n    return await aio.add(1)\nasyncio.run(main())",
        "",
        3,
    ),
    "functions and classes": (
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(p):\n    return add(p.x)\nf(P(3))",
        "",
        5,
    ),
    "a KeyError is a KeyError": (
        "try:\n    fail('key')\nexcept KeyError as e:\n    print(repr(e), e.args)",
        "KeyError('sku') ('sku',)\n",
        None,
    ),
    "a foreign error is its built-in base": (
        "try:\n    fail('chain')\nexcept LookupError as e:\n    print(type(e).__name__, type(e).__mro__[1].__name__, e)",
        "NoneLeft OutOfStock none left\n",
        None,
    ),
    "an OSError has its errno": (
        "try:\n    fail('os')\nexcept FileNotFoundError as e:\n    print(e.errno)",
        "2\n",
        None,
    ),
    "an error that cannot be rebuilt is an Exception": (
        "try:\n    fail('unicode')\nexcept Exception as e:\n    print('bad' in str(e))",
        "True\n",
        None,
    ),
    "missing arguments are a TypeError": (
        "try:\n    mul(1, 2, 3)\nexcept TypeError as e:\n    print(str(e)[:31])",
        "Invalid parameters for tool 'mu\n",
        None,
    ),
    "an unknown tool is a LookupError": (
        "try:\n    call_tool('nope')\nexcept LookupError as e:\n    print(e)",
        "Tool not found: nope\n",
        None,
    ),
    "NaN, infinity and large integers": (
        "v = echo([float('nan'), float('inf'), 2**100, -1])\nprint(v)",
        f"[nan, inf, {2**100}, -1]\n",
        None,
    ),
    "nested tools": ("outer()", "", 3),
    "sys.exit(0)": ("import sys\nprint('a')\nsys.exit()", "a\n", None),
    "atexit and threads": (
        "import threading\nthreading.Thread(target=lambda: print(add(1))).start()",
        "3\n",
        None,
    ),
    "threads that start threads": (
        """
import threading, time
def first():
    time.sleep(0.05)
    threading.Thread(target=second).start()
def second():
    time.sleep(0.05)
    print(add(1))
threading.Thread(target=first).start()
""",
        "3\n",
        None,
    ),
    "a thread pool that is not shut down": (
        "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor()\npool.submit(add, 1).result()",
        "",
        3,
    ),
    "a dataclass with a field unset": (
        "from dataclasses import dataclass, field\n@dataclass(repr=False)\nclass P:\n    x: int = field(init=False)\nP()\nlen(P.__name__)",
        "",
        1,
    ),
    "a deeply nested value": ("v = 1\nfor _ in range(230): v = [v]\nlen(str(echo(v)))", "", 461),
    "arguments that are no dict": (
        "try:\n    call_tool('add', [1])\nexcept TypeError as e:\n    print(e)",
        "Invalid parameters for tool 'add': they must be a dict, not list\n",
        None,
    ),
    "a timeout of nothing": (
        "try:\n    call_tool('add', {'a': 1}, timeout=0)\nexcept ValueError as e:\n    print(e)",
        "the timeout of a call must be above 0\n",
        None,
    ),
    "half a surrogate pair is a TypeError": (
        "try:\n    echo('a\\ud800')\nexcept TypeError as e:\n    print(str(e)[:20])",
        "The result of tool '\n",
        None,
    ),
    "a thread pool": (
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(4) as p:\n    r = list(p.map(add, range(8)))\nr",
        "",
        [2, 3, 4, 5, 6, 7, 8, 9],
    ),
}


@pytest.mark.parametrize("case", CASES)
async def test_a_script_does_what_python_does(case: str, runtime: Any, shop: Engine):
    code, stdout, value = CASES[case]
    record = await shop.execute(code, runtime)
    assert (record["error"], record["status"], record["return_code"]) == (None, "ok", 0)
    assert (record["stdout"], record["stderr"]) == (stdout, "")
    assert record["value"] == value


async def test_help_shows_signature_and_docstring(runtime: Any, shop: Engine):
    record = await shop.execute("help(add)", runtime)
    assert "add(a, b=2)" in record["stdout"]
    assert "Adds two numbers." in record["stdout"]


async def test_an_uncaught_error_has_the_users_line_and_frames_only(runtime: Any, shop: Engine):
    code = "print('before')\nadd(1)\n\ndef f():\n    fail('key')\n\nf()\n"
    record = await shop.execute(code, runtime)
    assert (record["status"], record["return_code"]) == ("error", 1)
    assert record["stdout"] == "before\n"
    error = record["error"]
    assert (error["type"], error["message"], error["line"]) == ("KeyError", "'sku'", 5)
    assert 'File "script.py", line 7, in <module>' in error["traceback"]
    assert "    fail('key')" in error["traceback"]
    assert "ptc_kit" not in error["traceback"]
    assert "ptc_studio" not in error["traceback"]
    assert [call["status"] for call in record["calls"]] == ["ok", "error"]
    assert [call["line"] for call in record["calls"]] == [2, 5]


async def test_a_syntax_error_has_its_line_and_caret(runtime: Any, shop: Engine):
    record = await shop.execute("x = 1\nif x\n    print(x)\n", runtime)
    assert record["status"] == "error"
    assert (record["error"]["type"], record["error"]["line"]) == ("SyntaxError", 2)
    assert "^" in record["error"]["traceback"]
    assert "ast.py" not in record["error"]["traceback"]


async def test_exit_with_a_number_is_the_return_code(runtime: Any, shop: Engine):
    record = await shop.execute("import sys\nprint('x')\nadd(1)\nsys.exit(3)\n", runtime)
    assert (record["status"], record["return_code"], record["stdout"]) == ("error", 3, "x\n")
    assert (record["error"]["type"], record["error"]["line"]) == ("SystemExit", 4)
    assert len(record["calls"]) == 1


async def test_exit_with_a_text_is_printed(runtime: Any, shop: Engine):
    record = await shop.execute("import sys\nsys.exit('gone wrong')\n", runtime)
    assert (record["return_code"], record["stderr"]) == (1, "gone wrong\n")


async def test_a_loop_is_stopped_in_time_with_its_line_and_all_output(
    runtime: Any, shop: Engine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(guest_process, "POSITION_SECONDS", 10.0)
    # A busy machine may pause between two writes of the report.
    monkeypatch.setattr(guest_process, "POSITION_SILENCE", 1.0)
    code = "print('on')\nadd(1)\nn = 0\nwhile True:\n    n += 1\n    n == 9 and print('round')\n"
    session = Session(shop.executor)
    record = await stopping.out_of_time(lambda: "round" in stopping.written(shop), shop, session, Script(code), runtime)
    assert (record["status"], record["stdout"], len(record["calls"])) == ("timeout", "on\nround\n", 1)
    assert record["error"]["type"] == "TimeoutError"
    assert record["error"]["line"] in (4, 5, 6)


async def test_a_script_has_all_the_time_that_it_is_given_and_no_more(runtime: Any, shop: Engine):
    record = await shop.execute("while True:\n    pass\n", runtime, timeout=0.2)
    assert (record["status"], record["duration_ms"] >= 200) == ("timeout", True)


async def test_a_slow_tool_does_not_hold_up_the_timeout(runtime: Any, shop: Engine):
    session, script = Session(shop.executor), Script("print('on')\nsleep(30)\n")
    record = await stopping.out_of_time(lambda: stopping.entered(session, "sleep"), shop, session, script, runtime)
    assert record["status"] == "timeout"
    assert record["calls"][0]["status"] == "timeout"
    assert record["error"]["line"] == 2


async def test_a_tools_own_timeout_can_be_caught_and_the_script_goes_on(runtime: Any, shop: Engine):
    code = "try:\n    call_tool('sleep', {'seconds': 30}, timeout=0.2)\nexcept TimeoutError as e:\n    print(e)\nprint(add(1))"
    record = await shop.execute(code, runtime)
    assert record["stdout"].startswith("Tool execution timed out: sleep")
    assert record["stdout"].endswith("3\n")
    assert [call["status"] for call in record["calls"]] == ["timeout", "ok"]
    assert 190 <= record["calls"][0]["duration_ms"] < 20_000


async def test_async_twins_are_concurrent(runtime: Any, shop: Engine):
    code = "import asyncio\nawait asyncio.gather(*(aio.meet() for _ in range(5)))"
    record = await shop.execute(code, runtime)
    assert record["value"] == [True] * 5
    assert {call["line"] for call in record["calls"]} == {2}


async def test_calls_without_end_wait_in_the_script_and_end_with_it(runtime: Any, shop: Engine):
    release = threading.Event()
    shop.add(lambda: release.wait(60), name="slow")
    code = "import asyncio\nawait asyncio.gather(*[aio.slow() for _ in range(30_000)])"
    threads = threading.active_count()
    record = await shop.execute(code, runtime, timeout=3)
    # Thousands of threads that all want the interpreter leave nothing of it to the window.
    assert threading.active_count() <= threads + Limits().concurrent_calls + 20
    release.set()
    assert record["status"] == "timeout"
    # Each call that is given up is reported: what a run may end by is the number of those that are under way.
    assert len(record["calls"]) <= MOST_WAITING + Limits().concurrent_calls
    assert record["duration_ms"] < 30_000


async def test_threads_are_concurrent(runtime: Any, shop: Engine):
    code = "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(5) as pool:\n    r = list(pool.map(lambda _: meet(), range(5)))\nr"
    record = await shop.execute(code, runtime)
    assert record["value"] == [True] * 5


async def test_a_sync_call_on_a_loop_with_calls_under_way_works(runtime: Any, shop: Engine):
    code = """
import asyncio
slow = asyncio.ensure_future(aio.sleep(0.1))
await asyncio.sleep(0.01)
first = add(1)
[first, await slow]
"""
    record = await shop.execute(code, runtime)
    assert record["value"] == [3, 0.1]


async def test_a_cancelled_task_cancels_its_call(runtime: Any, shop: Engine):
    code = """
import asyncio
try:
    await asyncio.wait_for(aio.sleep(2), 0.1)
except asyncio.TimeoutError:
    print('given up')
add(1)
"""
    record = await shop.execute(code, runtime)
    assert (record["stdout"], record["value"]) == ("given up\n", 3)
    assert [call["status"] for call in record["calls"]] == ["cancelled", "ok"]


async def test_a_tool_that_calls_itself_stops_at_the_limit(runtime: Any, shop: Engine):
    code = "try:\n    again()\nexcept RecursionError as e:\n    print(e)\nadd(1)"
    record = await shop.execute(code, runtime)
    assert (record["stdout"], record["value"]) == ("Nesting depth exceeded (max 5)\n", 3)
    assert [call["depth"] for call in record["calls"]] == [1, 2, 3, 4, 5, 6, 1]


async def test_what_is_not_granted_is_not_there(runtime: Any, shop: Engine):
    code = "try:\n    call_tool('mul', {'a': 1, 'b': 1})\nexcept PermissionError as e:\n    print(e)\nmul"
    record = await shop.execute(code, runtime, grant=Grant(("add",)))
    assert record["stdout"].startswith("Tool 'mul' is not granted")
    assert record["error"]["type"] == "NameError"


async def test_a_large_value_goes_there_and_back(runtime: Any, shop: Engine):
    record = await shop.execute("s = 'ä' * 3_000_000\nlen(echo(s))", runtime)
    assert record["value"] == 3_000_000


async def test_output_beyond_the_limit_is_counted(runtime: Any, shop: Engine):
    record = await shop.execute("print('x' * 5000)\nadd(1)", runtime, output_bytes=1000)
    assert record["stdout"].startswith("x" * 1000 + "\n[cut here: 4001 more characters")
    assert record["value"] == 3


async def test_a_secret_in_two_writes_is_caught(runtime: Any, shop: Engine):
    code = "import sys\nsys.stdout.write('key sk-proj-abcdefghij01234')\nsys.stdout.flush()\nprint('56789ABCDEFGHIJabcdefgh end')"
    record = await shop.execute(code, runtime)
    assert record["stdout"] == "key [REDACTED:openai_key] end\n"


async def test_the_raw_value_reaches_the_script_and_the_record_is_redacted(runtime: Any, shop: Engine):
    record = await shop.execute("len(echo({'password': 'hunter2canary'})['password'])", runtime)
    assert record["value"] == 13
    assert "canary" not in str(record)


async def test_five_thousand_calls_are_all_recorded_in_order(runtime: Any, shop: Engine):
    record = await shop.execute("s = 0\nfor i in range(5000):\n    s = add(s, 1)\ns", runtime)
    assert record["value"] == 5000
    assert [call["result"] for call in record["calls"]] == list(range(1, 5001))


async def test_a_tool_that_exits_does_not_end_anything(runtime: Any, shop: Engine):
    code = "try:\n    fail('exit')\nexcept BaseException as e:\n    print(type(e).__name__)\nadd(1)"
    record = await shop.execute(code, runtime)
    assert record["value"] == 3
    assert record["calls"][0]["error"]["type"] == "SystemExit"


async def test_values_and_errors_that_json_cannot_carry_end_the_script_as_they_should(runtime: Any, shop: Engine):
    record = await shop.execute("['a\\ud800']", runtime)
    assert (record["status"], len(str(record["value"])) > 2) == ("ok", True)
    assert codec.encode(record)
    record = await shop.execute("raise ValueError('a\\ud800')", runtime)
    assert (record["error"]["type"], record["error"]["line"]) == ("ValueError", 1)
    assert codec.encode(record)
    record = await shop.execute("class P:\n    def __repr__(self): return 1 / 0\nP()", runtime)
    assert record["value"] == "<P whose repr fails>"


async def test_a_run_that_was_stopped_before_it_starts_does_nothing(runtime: Any, shop: Engine):
    ran: list[int] = []
    shop.add(lambda: ran.append(1), name="mark")
    session = Session(shop.executor)
    session.run.stop("cancelled")
    record = await session.execute(Script("mark()\nprint('x')"), runtime)
    assert (record["status"], record["stdout"], ran) == ("cancelled", "", [])


async def test_after_it_was_stopped_a_script_starts_no_more_calls(runtime: Any, shop: Engine):
    ran, release = [], threading.Event()
    shop.add(lambda: ran.append(1) or release.wait(10), name="mail")
    session = Session(shop.executor, limits=Limits(concurrent_calls=3))
    code = "import asyncio\nawait asyncio.gather(*(aio.mail() for _ in range(30)))"
    task = asyncio.ensure_future(session.execute(Script(code), runtime))
    while len(session.run.active) < 30 or len(ran) < 3:
        await asyncio.sleep(0.005)
    session.stop()
    record = await task
    before = len(ran)
    release.set()
    assert [call["status"] for call in record["calls"]] == ["cancelled"] * 30
    assert len(ran) == before


# Of the script's own coroutine Python says so rightly.
@pytest.mark.filterwarnings("ignore:coroutine .f. was never awaited")
@pytest.mark.parametrize("code", ["await aio.add(1)", "import asyncio\nasync def f():\n    pass\nasyncio.run(f())"])
@pytest.mark.parametrize("moment", ["opens", "closes"])
async def test_a_script_that_is_stopped_while_its_loop_opens_or_closes_leaves_none(
    moment: str, code: str, shop: Engine, monkeypatch: pytest.MonkeyPatch
):
    session, sockets = Session(shop.executor), list[socket.socket]()
    make_pair, set_loop = socket.socketpair, asyncio.events.set_event_loop

    def let_it_be_stopped() -> None:
        threading.Thread(target=session.stop).start()
        for _ in range(20):
            # What stops a thread arrives between two steps of Python.
            time.sleep(0.01)

    def pair(*arguments: Any) -> Any:
        made = make_pair(*arguments)
        if threading.current_thread().name == "ptc-script":
            sockets.extend(made)
            if moment == "opens":
                let_it_be_stopped()
        return made

    def set_to(loop: Any) -> None:
        set_loop(loop)
        if threading.current_thread().name == "ptc-script" and loop is None and moment == "closes":
            let_it_be_stopped()

    monkeypatch.setattr(socket, "socketpair", pair)
    monkeypatch.setattr(asyncio.events, "set_event_loop", set_to)
    record = await session.execute(Script(code), PythonInProcess())
    assert record["status"] == "cancelled"
    assert [each.fileno() for each in sockets] == [-1, -1]
