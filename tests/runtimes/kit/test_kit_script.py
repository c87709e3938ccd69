"""A script runs as Python would run it."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from ptc_kit import script


def run(source: str, **names: Any) -> script.Ending:
    return script.execute(source, "script.py", {"__name__": "__main__", **names})


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("1 + 1", 2),
        ("x = 1", None),
        ("", None),
        ("# nothing", None),
        ("'only a docstring'", "only a docstring"),
        ("'a docstring'\nx = 1", None),
        ("'a docstring'\n'a value'", "a value"),
        ("if True:\n    5", None),
        ("1; 2", 2),
        ("x = 1;", None),
        ("import asyncio\nawait asyncio.sleep(0, 'slept')", "slept"),
        ("[x async for x in agen()]", [1, 2]),
        ("print", print),
        ("None", None),
        ("lambda: 1\n0", 0),
        ("return 5\n1 / 0", 5),
        ("return", None),
        ("x = 1\nif x:\n    return x + 1\n9", 2),
        ("x = 0\nif x:\n    return x + 1\n9", 9),
        ("for i in range(5):\n    if i == 3:\n        return i", 3),
        ("try:\n    return 1\nexcept:\n    return 2\nfinally:\n    done = 1", 1),
        ("def f():\n    return 2\nf()", 2),
        ("if [x async for x in agen()]:\n    return await one()", 1),
        ("from __future__ import annotations\nif 0: return 1\ndef f(x: nope): ...\nf.__annotations__", {"x": "nope"}),
        ("'a docstring'\nreturn __doc__", "a docstring"),
    ],
)
def test_the_value_is_that_of_a_last_expression(source: str, value: Any):
    async def agen():
        yield 1
        yield 2

    async def one():
        return 1

    ending = run(source, agen=agen, one=one)
    assert (ending.value, ending.code, ending.error) == (value, 0, None)


def test_a_statement_that_may_return_leaves_all_its_names_to_the_script():
    bound = (
        "if True:\n    x: int = 5\n    import os.path\n    def g(): return x\n    class K:\n        y = x\n"
        "    [z := 3 for _ in '1']\n    match [1, 2]:\n        case [a, *b]: pass\n        case {'k': 1, **rest}: pass\n"
        "    global w\n    w = 4\n    if x == 6:\n        return 1\n"
        "(x, os.path.sep, g(), K.y, z, a, b, w, 'g' in globals())"
    )
    ending = run(bound)
    assert (ending.error, ending.value) == (None, (5, "/", 5, 5, 3, 1, [2], 4, True))


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1\n\nif x:\n    return 1 / 0", ("ZeroDivisionError", 4)),
        ("class A:\n    return 1", ("SyntaxError", 2)),
        ("return 1\nif x\n", ("SyntaxError", 2)),
        ("if 1:\n    yield 1\n    return 2", ("SyntaxError", 2)),
    ],
)
def test_a_return_at_the_top_level_moves_no_line(source: str, told: tuple[str, int]):
    error = run(source).error
    assert error is not None
    assert (error["type"], error["line"]) == told
    assert "<module>" in error["traceback"] or told[0] == "SyntaxError"


def test_the_value_leaves_no_name_behind():
    namespace: dict[str, Any] = {}
    script.execute("1 + 1", "script.py", namespace)
    assert script.VALUE not in namespace


@pytest.mark.parametrize(
    ("source", "code", "told"),
    [
        ("import sys; sys.exit()", 0, False),
        ("import sys; sys.exit(0)", 0, False),
        ("import sys; sys.exit(3)", 3, True),
        ("import sys; sys.exit(-1)", 255, True),
        ("raise SystemExit(True)", 1, True),
    ],
)
def test_an_exit_is_the_code(source: str, code: int, told: bool):
    ending = run(source)
    assert ending.code == code
    assert bool(ending.error) is told


def test_an_exit_with_a_text_prints_it(capsys: pytest.CaptureFixture[str]):
    assert run("raise SystemExit('gone')").code == 1
    assert capsys.readouterr().err == "gone\n"


def test_an_error_has_the_scripts_line_and_frames():
    ending = run("def f():\n    return 1 / 0\n\nf()\n")
    assert ending.error is not None
    assert (ending.error["type"], ending.error["line"]) == ("ZeroDivisionError", 2)
    assert ending.error["traceback"].startswith(
        'Traceback (most recent call last):\n  File "script.py", line 4, in <module>\n    f()\n'
    )
    assert "ptc_kit" not in ending.error["traceback"]


def test_the_lines_shown_are_right_though_the_text_holds_what_others_take_for_line_ends():
    ending = run("x = '''\x0c\u2028\x1c'''\nprint(x) if False else 1 / 0\n")
    assert ending.error is not None
    assert "    print(x) if False else 1 / 0\n" in ending.error["traceback"]


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_line_ends_of_all_systems_count(newline: str):
    ending = run(newline.join(["x = 1", "", "1 / 0"]))
    assert ending.error is not None
    assert ending.error["line"] == 3
    assert "    1 / 0\n" in ending.error["traceback"]


def test_a_syntax_error_has_its_line_and_none_of_our_frames():
    ending = run("x = 1\nif x\n")
    assert ending.error is not None
    assert (ending.error["type"], ending.error["line"]) == ("SyntaxError", 2)
    assert "ast.py" not in ending.error["traceback"]
    assert "^" in ending.error["traceback"]


@pytest.mark.parametrize("source", ["x = '\0'", "(" * 5000 + ")" * 5000, "x = 'a\ud800'"], ids=["null", "deep", "half"])
def test_a_text_that_cannot_even_be_read_is_an_error_of_the_script(source: str):
    ending = run(source)
    assert ending.code == 1
    assert ending.error is not None


def test_chained_exceptions_are_told_without_our_frames():
    ending = run("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise KeyError('b') from e\n")
    assert ending.error is not None
    assert ending.error["line"] == 4
    assert "direct cause" in ending.error["traceback"]
    assert "ptc_kit" not in ending.error["traceback"]


def test_an_error_whose_text_fails_is_told_all_the_same():
    ending = run("class Odd(Exception):\n    def __str__(self): return 1 / 0\nraise Odd")
    assert ending.error is not None
    assert ending.error["message"] == "<Odd whose text cannot be shown>"


def test_an_error_in_what_is_awaited_has_its_line():
    ending = run("import asyncio\nasync def f():\n    raise KeyError(1)\nawait f()\n")
    assert ending.error is not None
    assert (ending.error["type"], ending.error["line"]) == ("KeyError", 3)


def test_threads_and_those_they_start_are_waited_for_and_daemons_are_not():
    done, forever = [], threading.Event()
    threads: list[threading.Thread] = []

    def start(target: Any, daemon: bool = False) -> None:
        thread = threading.Thread(target=target, daemon=daemon)
        threads.append(thread)
        thread.start()

    start(forever.wait, daemon=True)
    start(lambda: start(lambda: start(lambda: done.append("third"))))
    script.await_threads(lambda: threads)
    forever.set()
    assert done == ["third"]


def test_a_pool_that_was_not_shut_down_is_not_waited_for_in_vain():
    pool, done, before = ThreadPoolExecutor(2), [], set(threading.enumerate())
    for number in range(10):
        pool.submit(done.append, number)
    threads = list(set(threading.enumerate()) - before)
    assert threads
    script.await_threads(lambda: threads)
    assert sorted(done) == list(range(10))
