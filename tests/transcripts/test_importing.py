"""Conversations become scripts and cassettes."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.python_text import parsed
from ptc_studio.core.redaction import Redactor
from ptc_studio.core.responders.cassette import Cassette
from ptc_studio.storage.cassettes import read_cassette
from ptc_studio.transcripts.documents import TranscriptError
from ptc_studio.transcripts.importing import Import, import_conversation, read_conversation
from tests.transcripts import conversations as made


def imported(tmp_path: Path, text: str | Any, into: str = "out") -> Import:
    file = tmp_path / "conversation.json"
    file.write_text(text if isinstance(text, str) else json.dumps(text))
    return import_conversation(read_conversation(file), tmp_path / into, Redactor())


def cassettes(done: Import) -> list[Cassette]:
    return [read_cassette(program.cassette) for program in done.programs]


@pytest.mark.parametrize("form", made.spending_forms())
def test_a_conversation_of_anthropics_is_the_same_in_every_form(tmp_path: Path, form: str):
    done = imported(tmp_path, made.spending_forms()[form])
    assert done.warnings == ()
    [program], [cassette] = done.programs, cassettes(done)
    assert program.script.name == "01-who-is-over-the-travel.py"
    assert program.cassette.name == "01-who-is-over-the-travel.cassette.json"
    assert (program.target, program.calls) == ("anthropic", 4)
    assert program.script.read_bytes() == made.SPENDING.encode()
    assert [(call.name, call.arguments, call.status, call.result, call.together) for call in cassette.calls] == [
        ("get_team", {"department": "sales"}, "ok", '["Ann", "Bob", "Cy"]', None),
        ("get_expenses", {"employee": "Ann", "quarter": "Q3"}, "ok", "[120]", "toolu_2"),
        ("get_expenses", {"employee": "Bob", "quarter": "Q3"}, "ok", "[1, 2]", "toolu_2"),
        ("get_expenses", {"employee": "Cy", "quarter": "Q3"}, "ok", "[70, 40]", "toolu_2"),
    ]
    assert cassette.target == "anthropic"
    assert cassette.published is not None
    assert (cassette.published.stdout, cassette.published.return_code) == ("Ann: 120\nCy: 110\n", 0)


@pytest.mark.parametrize("form", made.stock_forms())
def test_a_conversation_of_openais_is_the_same_in_every_form(tmp_path: Path, form: str):
    done = imported(tmp_path, made.stock_forms()[form])
    assert done.warnings == ()
    [program], [cassette] = done.programs, cassettes(done)
    assert program.script.name == "01-stock-of-both-warehouses.js"
    assert (program.target, program.calls) == ("openai", 2)
    assert program.script.read_bytes() == made.ITEMS.encode()
    assert [(call.arguments, call.result, call.together) for call in cassette.calls] == [
        ({"warehouse": "north"}, {"count": 5}, "call_1"),
        ({"warehouse": "south"}, {"count": 7}, "call_1"),
    ]
    assert cassette.published is not None
    assert cassette.published.result == "north 5, south 7"


def test_a_program_of_tanstacks_is_imported_with_a_word_on_its_calls(tmp_path: Path):
    output = {"success": True, "result": 3, "logs": []}
    part = {"type": "tool-call", "id": "c1", "name": "execute_typescript", "output": output}
    part["arguments"] = json.dumps({"typescriptCode": "return await external_add({a: 1, b: 2})"})
    done = imported(tmp_path, {"messages": [{"role": "assistant", "parts": [{"type": "text"}, part]}]})
    [program] = done.programs
    assert (program.script.suffix, program.target, program.calls) == (".ts", "tanstack", 0)
    assert program.script.read_text() == "return await external_add({a: 1, b: 2})"
    assert "does not record the calls" in done.warnings[0]
    published = cassettes(done)[0].published
    assert published is not None
    assert published.result == output


@pytest.mark.parametrize("code", ["a = 1\r\nb = 2\r\n", "print('é')", "\tx\n\n\n", "", "no end", "﻿print(1)"])
def test_a_script_is_the_program_byte_for_byte(tmp_path: Path, code: str):
    done = imported(tmp_path, [made.said(made.program(code), made.end())])
    assert done.programs[0].script.read_bytes() == code.encode()


def test_several_programs_keep_their_order_and_say_whose_names_they_go_on_with(tmp_path: Path):
    first = [made.program("x = 1", "srvtoolu_a"), made.end(named="srvtoolu_a")]
    second = [made.program("# again\nprint(x)", "srvtoolu_b"), made.end("1\n", "srvtoolu_b")]
    third = [made.program("print('elsewhere')", "srvtoolu_c"), made.end("elsewhere\n", "srvtoolu_c")]
    done = imported(
        tmp_path,
        [
            {"container": {"id": "one"}, **made.said(*first)},
            {"container": {"id": "one"}, **made.said(*second)},
            {"container": {"id": "two"}, **made.said(*third)},
        ],
    )
    assert [program.script.name for program in done.programs] == ["01-x-1.py", "02-again.py", "03-print-elsewhere.py"]
    assert [cassette.continues for cassette in cassettes(done)] == ["", "01-x-1.py", ""]


def test_programs_of_the_version_without_state_begin_anew(tmp_path: Path):
    caller = {"type": "code_execution_20250825", "tool_id": "srvtoolu_b"}
    blocks = [
        made.program("x = 1", "srvtoolu_a"),
        made.end(named="srvtoolu_a"),
        made.program("await f({})", "srvtoolu_b"),
    ]
    blocks += [made.use(1, "f", {}, caller), made.result(1, "1"), made.end(named="srvtoolu_b")]
    done = imported(tmp_path, [made.said(*blocks)])
    assert [cassette.continues for cassette in cassettes(done)] == ["", ""]


def test_direct_calls_and_other_server_tools_are_no_programs(tmp_path: Path):
    blocks = [
        {"type": "server_tool_use", "id": "s1", "name": "bash_code_execution", "input": {"command": "ls"}},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "s1", "content": {}},
        made.use(1, "direct_one", {}, {"type": "direct"}),
        made.result(1, "x"),
        made.program("print(await fetch({}))"),
        {"type": "server_tool_use", "id": "s2", "name": "web_fetch", "input": {"url": "u"}, "caller": made.CALLER},
        {
            "type": "web_fetch_tool_result",
            "tool_use_id": "s2",
            "content": {"url": "u", "text": "page"},
            "caller": made.CALLER,
        },
        made.end(),
    ]
    done = imported(tmp_path, {"messages": [made.said(*blocks)]})
    [cassette] = cassettes(done)
    assert [(call.name, call.result) for call in cassette.calls] == [("web_fetch", {"url": "u", "text": "page"})]
    assert ["no text" in warning for warning in done.warnings] == [True]


@pytest.mark.parametrize(
    ("output", "value"),
    [('{"a": 1}', {"a": 1}), ("[1]", [1]), ("7", 7), ("plain", "plain"), ('"quoted"', '"quoted"'), ("", "")],
)
def test_outputs_of_openais_are_the_values_that_a_program_sees(tmp_path: Path, output: str, value: Any):
    items = made.stock()
    items[4]["output"] = output
    [cassette] = cassettes(imported(tmp_path, items))
    assert cassette.calls[1].result == value


def test_an_answer_that_is_an_error_is_one_in_the_cassette(tmp_path: Path):
    blocks = [
        made.program("await f({})"),
        made.use(1, "f", {}),
        made.result(1, "Error: no such file", is_error=True),
        made.end(),
    ]
    blocks[2:2] = [made.use(2, "f", {"a": 1}), made.result(2, "it failed", is_error=True)]
    [cassette] = cassettes(imported(tmp_path, [made.said(*blocks)]))
    call, other = cassette.calls
    # A program sees the text: where that does not begin as a failure's does, nothing may be put before it.
    assert (other.status, other.result) == ("ok", "it failed")
    assert call.status == "error"
    assert call.error is not None
    assert call.error.message == "no such file"


@pytest.mark.parametrize(
    ("content", "word", "status"),
    [
        ({"type": "encrypted_code_execution_result", "encrypted_stdout": "abc", "return_code": 0}, "encrypted", "ok"),
        ({"type": "code_execution_tool_result_error", "error_code": "unavailable"}, "unavailable", "error"),
        ({"type": "code_execution_tool_result_error", "error_code": "execution_time_exceeded"}, "exceeded", "timeout"),
        (
            {"type": "code_execution_result", "stdout": "", "stderr": "", "return_code": 1, "abort_reason": "oom"},
            "oom",
            "error",
        ),
    ],
)
def test_ends_without_output_are_told(tmp_path: Path, content: Any, word: str, status: str):
    end = {"type": "code_execution_tool_result", "tool_use_id": made.PROGRAM, "content": content}
    done = imported(tmp_path, [made.said(made.program("1"), end)])
    assert [word in warning for warning in done.warnings] == [True]
    published = cassettes(done)[0].published
    assert published is not None
    assert published.status == status


def test_calls_without_an_answer_or_a_program_are_told(tmp_path: Path):
    stranger = {"type": "code_execution_20260120", "tool_id": "srvtoolu_gone"}
    blocks = [made.program("1"), made.use(1, "slow", {}), made.use(2, "lost", {}, stranger), made.end()]
    done = imported(tmp_path, [made.said(*blocks)])
    assert ["slow" in warning or "lost" in warning for warning in done.warnings] == [True, True]
    [call] = cassettes(done)[0].calls
    assert (call.status, call.error and call.error.type) == ("timeout", "TimeoutError")


def test_secrets_are_hidden_in_everything_but_the_script(tmp_path: Path):
    key = "sk-ant-api03-" + "a" * 60
    code = "await login({'password': 'hunter2hunter2'})"
    blocks = [made.program(code), made.use(1, "login", {"password": "hunter2hunter2"}), made.result(1, f"token {key}")]
    tools = [
        {
            "name": "login",
            "description": f"Use {key}.",
            "input_schema": {"properties": {"password": {"default": "swordfish99"}}},
        }
    ]
    done = imported(tmp_path, {"tools": tools, "messages": [made.said(*blocks, made.end(f"{key}\n"))]})
    assert done.programs[0].script.read_text() == code
    assert done.mocks is not None
    for path in (done.programs[0].cassette, done.mocks):
        text = path.read_text()
        assert not [word for word in (key, "hunter2", "swordfish") if word in text], text


def test_definitions_become_functions_that_answer_as_the_tools_first_did(tmp_path: Path):
    done = imported(tmp_path, made.spending_forms()["messages"])
    assert done.mocks is not None
    space: dict[str, Any] = {}
    exec(compile(done.mocks.read_text(), "mocks", "exec"), space)
    assert space["get_expenses"]("Ann") == "[120]"
    assert space["get_team"](department="sales") == '["Ann", "Bob", "Cy"]'
    assert space["get_expenses"].__doc__ == 'What somebody spent: """a list""" of amounts.'
    names = [tool.name for tool in cassettes(done)[0].tools]
    assert names == ["get_team", "get_expenses"]


HOSTILE = ['"""\nimport os\n"""', "a\\", 'x"""', "\\N{BELL}\\", "line\n    '''\nend\\", "\0", '"', "{x}"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_definition_puts_code_into_the_mocks(tmp_path: Path, text: str):
    schema = {"properties": {"a": {"type": text, "default": text}, "b": {"default": float("nan")}}, "required": [text]}
    tools = [{"name": "f", "description": text, "input_schema": schema}, {"name": text, "input_schema": schema}]
    blocks = [made.program("1"), made.use(1, "f", {}), made.result(1, text), made.end()]
    done = imported(tmp_path, {"tools": tools, "messages": [made.said(*blocks)]})
    assert done.mocks is not None
    tree = parsed(done.mocks.read_text())
    [function] = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert function.name == "f"
    assert [type(node) for node in function.body] == [ast.Expr, ast.Return]
    assert ast.literal_eval(ast.unparse(function.body[1].value)) == text
    assert ["cannot be a name" in warning for warning in done.warnings] == [True]


def test_importing_again_changes_nothing_and_another_conversation_overwrites_nothing(tmp_path: Path):
    first = imported(tmp_path, made.spending_forms()["messages"])
    assert imported(tmp_path, made.spending_forms()["messages"]) == first
    first.programs[0].cassette.write_text("mine")
    before = first.programs[0].script.read_bytes()
    with pytest.raises(TranscriptError, match="is there already"):
        imported(tmp_path, made.spending_forms()["messages"].replace("120", "130"))
    assert first.programs[0].cassette.read_text() == "mine"
    assert first.programs[0].script.read_bytes() == before


MESSAGES = made.spending()
STREAM = made.sse(made.anthropic_events(MESSAGES[1]))
BROKEN = {
    "": "no conversation",
    "hello": "neither JSON",
    "42": "neither JSON",
    "null": "neither JSON",
    "{}": "no conversation",
    "[]": "no conversation",
    '{"a": [1, 2]}': "no conversation",
    "[" * 100_000: "nested too deeply",
    json.dumps({"messages": [{"role": "user", "content": "hi"}]}): "holds no program",
    json.dumps(MESSAGES)[:-40]: "cut off",
    json.dumps(MESSAGES[:-1]): "has no result",
    json.dumps(MESSAGES[:2]): "has no answer",
    json.dumps(MESSAGES[1]): "has no answer",
    json.dumps(made.stock()[:4]): "has no answer",
    json.dumps(made.stock()[:-2]): "has no result",
    STREAM[:600]: "cut off",
    STREAM[: STREAM.index("event: content_block_stop")]: "cut off",
    STREAM[: STREAM.rindex("event: ") + 9]: "has no data",
    STREAM.replace("event: content_block_stop", "event: ping").replace('"content_block_stop"', '"ping"'): "cut off",
    made.sse([{"type": "response.output_item.added", "item": {"type": "program", "id": "p", "code": ""}}]): "cut off",
    made.lines(MESSAGES)[:-30]: "cut off",
    json.dumps([made.said({"type": "server_tool_use", "name": "code_execution", "input": {"code": "1"}})]): "no 'id'",
    json.dumps([made.said(made.program("1") | {"input": {"code": 7}})]): "no code",
    json.dumps([made.said(made.program("1"), made.use(1, "", {}))]): "no name",
    json.dumps([{"type": "tool-call", "name": "execute_typescript", "arguments": '{"typescriptC'}]): "cut off",
    "\u00ff\ud800".encode("utf-8", "surrogatepass").decode("latin-1"): "neither JSON",
}


@pytest.mark.parametrize(("text", "word"), BROKEN.items(), ids=range(len(BROKEN)))
def test_what_is_no_conversation_is_told_in_one_line_and_writes_nothing(tmp_path: Path, text: str, word: str):
    with pytest.raises(TranscriptError) as caught:
        imported(tmp_path, text)
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()
