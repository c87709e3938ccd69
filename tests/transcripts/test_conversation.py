"""A run becomes the conversation that it would have been, which can be imported again."""

import json
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.redaction import Redactor
from ptc_studio.storage.cassettes import read_cassette
from ptc_studio.transcripts.conversation import conversation, vendor_of
from ptc_studio.transcripts.importing import import_conversation, read_conversation


def call(number: int, started: float, lasted: float | None, **more: Any) -> dict[str, Any]:
    fields = {"parent_id": None, "depth": 1, "tool": "price", "alias": None, "arguments": {"sku": f"S{number}"}}
    ended = {"status": "ok", "result": {"eur": number}, "error": None}
    return {"id": f"r1.{number}", "started_ms": started, "duration_ms": lasted, **fields, **ended, **more}


def record(**more: Any) -> Any:
    """Two calls at once, one that failed and called another, one by an alias that gave a text."""
    failed = {"status": "error", "result": None, "error": {"type": "KeyError", "message": "no S3"}}
    calls = [
        call(1, 0, 10),
        call(2, 1, 10),
        call(3, 20, 5, **failed),
        call(4, 21, 1, depth=2, parent_id="r1.3"),
        call(5, 30, 1, alias="cheap", result="a text"),
    ]
    ended = {"status": "ok", "stdout": "done\n", "stderr": "", "return_code": 0, "error": None, "value": None}
    return {"run_id": "r1", "runtime": "python", "calls": calls, **ended, **more}


@pytest.mark.parametrize("target", ["anthropic", "openai"])
def test_a_conversation_can_be_imported_again(tmp_path: Path, target: str):
    script = "# prices\r\nprint('done')\n"
    more = {"model_sees": "done"} if target == "openai" else {}
    definitions = [
        {"name": "price", "input_schema": {"properties": {"sku": {}}}, "parameters": {"properties": {"sku": {}}}}
    ]
    file = tmp_path / "conversation.json"
    file.write_text(json.dumps(conversation(record(**more), script, target, definitions)))
    done = import_conversation(read_conversation(file), tmp_path, Redactor())
    [program] = done.programs
    assert (program.target, program.calls) == (target, 4)
    assert program.script.read_bytes() == script.encode()
    cassette = read_cassette(program.cassette)
    assert [(call.name, call.arguments["sku"], bool(call.together)) for call in cassette.calls] == [
        ("price", "S1", True),
        ("price", "S2", True),
        ("price", "S3", False),
        ("cheap", "S5", False),
    ]
    answers = [call.result if call.status == "ok" else call.error and call.error.message for call in cassette.calls]
    expected = ['{"eur": 1}', '{"eur": 2}', "no S3", "a text"]
    assert answers == (expected if target == "anthropic" else [{"eur": 1}, {"eur": 2}, "Error: no S3", "a text"])
    assert cassette.published is not None
    assert cassette.published.status == "ok"
    published = cassette.published.stdout if target == "anthropic" else cassette.published.result
    assert published == ("done\n" if target == "anthropic" else "done")


@pytest.mark.parametrize(
    ("target", "runtime", "vendor"),
    [
        ("smolagents", "python", "anthropic"),
        ("cloudflare", "node", "openai"),
        (None, "deno", "openai"),
        ("plain", "python-inprocess", "anthropic"),
    ],
)
def test_javascript_is_told_in_openais_items_and_the_rest_in_anthropics_messages(
    target: str, runtime: str, vendor: str
):
    assert vendor_of(record(runtime=runtime), target) == vendor
    assert ("input" in conversation(record(runtime=runtime), "", target)) == (vendor == "openai")


def test_a_run_that_failed_says_so():
    error = {"type": "ValueError", "message": "bad", "traceback": "", "line": 1}
    failed = record(status="error", return_code=1, error=error, calls=[])
    said = conversation(failed, "", "anthropic")["messages"][-1]["content"][-1]["content"]
    assert (said["return_code"], said["stderr"]) == (1, "ValueError: bad\n")
    assert conversation(failed, "", "openai")["input"][-1]["status"] == "incomplete"
