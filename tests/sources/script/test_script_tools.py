"""Scripts as tools: what they are given, what they give back, and how they fail, in every language."""

from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.redaction import Redactor
from ptc_studio.runtimes.catalog import RuntimeCatalog
from tests.sources.script.conftest import STDIO, Bench
from tests.support import Engine

CITY = {"city": {"type": "string"}, "days": {"type": "integer", "default": 3}}
ANSWER = {"city": "Rome", "days": 3}
WAT = """
(module
  (import "ptc" "tool_invoke" (func $invoke (param i32 i32 i32 i32) (result i32)))
  (import "ptc" "tool_result" (func $result (param i32)))
  (import "ptc" "print" (func $print (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "arguments")
  (func (export "_start") (local $length i32)
    (local.set $length (call $invoke (i32.const 0) (i32.const 9) (i32.const 0) (i32.const 0)))
    (call $result (i32.const 100))
    (call $print (i32.const 100) (local.get $length))))
"""
ECHOES = {
    "python": ("echo.py", "{'city': city, 'days': arguments['days']}"),
    "python-inprocess": ("echo.py", "{'city': city, 'days': arguments['days']}"),
    "monty": ("echo.py", "{'city': city, 'days': arguments['days']}"),
    "node": ("echo.mjs", "export default { city, days: arguments.days };"),
    "deno": ("echo.mjs", "export default { city, days: arguments.days };"),
    "typescript": ("echo.ts", "const n: number = days;\nexport default { city, days: n };"),
    "bash": ("echo.sh", 'printf \'{"city": "%s", "days": %d}\' "$city" "$(echo $arguments | jq .days)"'),
    "wasm": ("echo.wat", WAT),
}
GO = """
given := MustCallTool[map[string]any]("arguments")
text, _ := json.Marshal(given)
fmt.Println(string(text))
"""
CSHARP = """
var given = CallTool<Dictionary<string, object>>("arguments");
Console.WriteLine("{\\"city\\": \\"" + given["city"] + "\\", \\"days\\": " + given["days"] + "}");
"""
BY_CALL = {
    "python": ("echo.py", "call_tool('arguments')"),
    "node": ("echo.mjs", "export default await call_tool('arguments');"),
    "bash": ("echo.sh", "call_tool arguments"),
    "go": ("echo.go", GO),
    "rust": ("echo.rs", 'let given: Value = call_tool("arguments", args! {})?;\nprintln!("{}", given);\n'),
    "csharp": ("echo.cs", CSHARP),
}


@pytest.mark.parametrize("runtime", ECHOES)
def test_parameters_are_variables(bench: Bench, runtime: str):
    path, code = ECHOES[runtime]
    bench.add(path, code, parameters=CITY, runtime=runtime)
    assert bench.engine.call("echo", city="Rome") == ANSWER


@pytest.mark.parametrize("runtime", BY_CALL)
def test_every_language_can_ask_for_its_arguments(bench: Bench, runtime: str):
    path, code = BY_CALL[runtime]
    bench.add(path, code, parameters=CITY, runtime=runtime)
    assert bench.engine.call("echo", city="Rome") == ANSWER
    # It is no use of a tool: the tree holds the script's own call and nothing else.
    assert [record["tool"] for record in bench.engine.records()] == ["echo"]


def test_asking_for_the_arguments_works_at_the_deepest_level(bench: Bench):
    bench.add("echo.mjs", "export default (await call_tool('arguments')).city;", parameters=CITY)
    assert bench.engine.call("echo", city="Rome", run=bench.engine.run(max_depth=1)) == "Rome"


def test_other_scripts_know_no_arguments(bench: Bench):
    bench.engine.add(lambda ticket: ticket.call("arguments", {}), name="outer")
    with pytest.raises(LookupError, match="Tool not found: arguments"):
        bench.engine.call("outer")


def test_a_parameter_wins_over_a_tool_of_its_name(bench: Bench):
    bench.engine.add(lambda: "the tool", name="city")
    bench.add("both.py", "[city, call_tool('city')]", parameters=CITY)
    assert bench.engine.call("both", city="Rome") == ["Rome", "the tool"]


@pytest.mark.parametrize(
    ("code", "options", "value"),
    [
        ("1 + 1", {}, 2),
        ("print('said')\n[1]", {}, [1]),
        ("print('{\"a\": 1}')", {}, {"a": 1}),
        ("print('two')\nprint('lines')", {}, "two\nlines"),
        ("print(42)", {}, 42),
        ("print(42)", {"output": {"type": "string"}}, "42"),
        ("x = 1", {}, None),
        ("import sys\nprint('no result', file=sys.stderr)", {}, None),
    ],
)
def test_the_result_is_the_value_else_what_was_printed(bench: Bench, code: str, options: Any, value: Any):
    bench.add("result.py", code, **options)
    assert bench.engine.call("result") == value


def test_a_result_that_was_printed_has_a_bound(bench: Bench):
    bench.add("long.py", "print('x' * 2000)")
    with pytest.raises(ValueError, match="printed 2001 characters, more than a result may have"):
        bench.engine.call("long", run=bench.engine.run(output_bytes=1000))


@pytest.mark.parametrize(
    ("path", "code", "kind", "message"),
    [
        ("bad.py", "{}['sku']", KeyError, "'sku'"),
        ("bad.py", "raise ValueError('no good')", ValueError, "no good"),
        ("bad.py", "open('/nowhere/x')", FileNotFoundError, "[Errno 2] No such file or directory: '/nowhere/x'"),
        ("bad.py", "x = = 1", SyntaxError, "invalid syntax"),
        ("bad.mjs", "null.x", TypeError, "Cannot read properties of null (reading 'x')"),
        ("bad.sh", "echo no >&2; exit 3", RuntimeError, "The script 'bad.sh' ended with status 3."),
        ("bad.py", "raise SystemExit(4)", RuntimeError, "The script 'bad.py' ended with status 4."),
        (
            "bad.py",
            "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
            RuntimeError,
            "The script 'bad.py' crashed: The script's process was killed by SIGKILL",
        ),
    ],
)
def test_a_failure_of_the_script_is_the_calls(bench: Bench, path: str, code: str, kind: Any, message: str):
    bench.add(path, code)
    with pytest.raises(kind) as caught:
        bench.engine.call("bad")
    assert str(caught.value).startswith(message)
    [record] = bench.engine.records()
    assert (record["status"], record["error"]["message"]) == ("error", str(caught.value))


def test_a_type_that_nobody_knows_keeps_its_name_and_shows_the_scripts_own_lines(bench: Bench):
    bench.add("bad.py", "class OutOfStock(LookupError): ...\nraise OutOfStock('none left')")
    with pytest.raises(Exception, match="none left") as caught:
        bench.engine.call("bad")
    assert type(caught.value).__name__ == "OutOfStock"
    assert 'File "bad.py", line 2' in str(caught.value.__cause__)


def test_a_script_that_does_not_compile_fails_with_what_the_compiler_said(bench: Bench):
    bench.add("bad.go", "fmt.Println(nowhere)\n")
    with pytest.raises(Exception, match="undefined: nowhere") as caught:
        bench.engine.call("bad")
    assert type(caught.value).__name__ == "CompileError"


def test_a_runtime_that_does_not_exist_is_named(bench: Bench):
    bench.add("a.py", "1", runtime="fortran")
    bench.add("b.cobol", "1")
    with pytest.raises(Exception, match="There is no runtime 'fortran'; there are"):
        bench.engine.call("a")
    with pytest.raises(Exception, match=r"No runtime is known for the script 'b\.cobol': set the `runtime`"):
        bench.engine.call("b")


def test_arguments_are_checked_before_the_script_begins(bench: Bench):
    bench.add("echo.py", "city", parameters=CITY)
    with pytest.raises(TypeError, match="missing 'city'"):
        bench.engine.call("echo")
    with pytest.raises(ValueError, match="'days'"):
        bench.engine.call("echo", city="Rome", days="many")


def test_arguments_and_results_are_redacted_like_all_others(tmp_path: Path, catalog: RuntimeCatalog):
    bench = Bench(Engine(redactor=Redactor(keys=["iban"])), tmp_path, catalog)
    bench.engine.add(lambda value: value, name="same")
    bench.add("pay.py", "{'iban': same(value={'iban': iban})['iban']}", parameters={"iban": {"type": "string"}})
    assert bench.engine.call("pay", iban="DE02120300000000202051") == {"iban": "DE02120300000000202051"}
    records = bench.engine.records()
    assert len(records) == 2
    assert "DE0212" not in str(records)
    assert all(record["redactions"] for record in records)


def test_a_script_finds_its_neighbours(bench: Bench):
    (bench.folder / "prices.py").write_text("PRICE = 7")
    bench.add("buy.py", "from prices import PRICE\nPRICE * 2")
    assert bench.engine.call("buy") == 14


async def test_what_it_prints_goes_to_the_runs_stderr_live_and_leaves_stdout_alone(bench: Bench):
    bench.add("talk.py", "import sys\nprint('to out')\nprint('to err', file=sys.stderr)\n5", runtime="python")
    record = await bench.run("print('mine', talk())")
    assert record["stdout"] == "mine 5\n"
    assert sorted(record["stderr"].splitlines()) == ["to err", "to out"]


async def test_scripts_in_this_process_print_for_themselves_and_for_the_tools_after_them(bench: Bench):
    bench.add("talk.py", "print('nested')\n5", runtime="python-inprocess")

    def say() -> None:
        with STDIO.tool(session.run.run_id):
            print("function")

    session = bench.session()
    bench.engine.add(say)
    record = await bench.run("talk()\nprint('mine')\nsay()", session=session)
    assert (record["stdout"], record["stderr"]) == ("mine\n", "nested\nfunction\n")
