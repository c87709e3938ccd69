"""Writes the messages that a run here would have been, had a model written its script."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ptc_studio.core.responders.cassette import together_with
from ptc_studio.core.trace import CallRecord, RunRecord
from ptc_studio.targets import UnknownTarget, find_target

CODE_EXECUTION = "code_execution_20260120"
ERROR = "code_execution_tool_result_error"
QUESTION = "Run this program."
SCRIPT_LANGUAGES = frozenset(("node", "typescript", "deno", "bun"))
"""Runtimes of JavaScript and TypeScript: what ran in them without a target is told in OpenAI's items."""


def conversation(
    record: RunRecord, script: str, target: str | None, tools: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """The run as `{"messages": ...}` of Anthropic's for Python, as `{"input": ...}` of OpenAI's for JavaScript.

    `tools` are the tools' definitions in the vendor's own form (`exports.vendors`); which vendor's that is,
    `vendor_of` says. What was redacted in the record is redacted here.
    """
    if vendor_of(record, target) == "openai":
        return _openai(record, script, tools)
    return _anthropic(record, script, tools)


def vendor_of(record: RunRecord, target: str | None) -> str:
    """`anthropic` or `openai`: whose messages a run under the target becomes."""
    if target in (None, "", "plain", "auto"):
        return "openai" if record["runtime"] in SCRIPT_LANGUAGES else "anthropic"
    try:
        return "anthropic" if find_target(str(target)).language == "python" else "openai"
    except UnknownTarget:
        # A target of another version of the studio.
        return "anthropic"


def _anthropic(record: RunRecord, script: str, tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    program = f"srvtoolu_{_mark(record)}"
    started = {"type": "server_tool_use", "id": program, "name": "code_execution", "input": {"code": script}}
    messages: list[dict[str, Any]] = [{"role": "user", "content": QUESTION}]
    said: list[dict[str, Any]] = [{**started, "caller": {"type": "direct"}}]
    for group in _groups(record):
        caller = {"type": CODE_EXECUTION, "tool_id": program}
        said += [
            {"type": "tool_use", "id": _id("toolu", call), "name": _name(call), "input": _arguments(call)}
            | {"caller": caller}
            for call in group
        ]
        messages.append({"role": "assistant", "content": said})
        messages.append({"role": "user", "content": [_tool_result(call) for call in group]})
        said = []
    seen = record.get("model_sees")
    is_error = isinstance(seen, dict) and seen.get("type") == ERROR
    result = seen if is_error else {"type": "code_execution_result", **_output(record), "content": []}
    said.append({"type": "code_execution_tool_result", "tool_use_id": program, "content": result})
    messages.append({"role": "assistant", "content": said})
    return {"tools": [{"type": CODE_EXECUTION, "name": "code_execution"}, *tools], "messages": messages}


def _tool_result(call: CallRecord) -> dict[str, Any]:
    result: dict[str, Any] = {"type": "tool_result", "tool_use_id": _id("toolu", call), "content": answer_text(call)}
    return result | ({} if call["error"] is None else {"is_error": True})


def _output(record: RunRecord) -> dict[str, Any]:
    """stdout, stderr and return code: what went back to the model where the target says so, else what was written."""
    seen = record.get("model_sees")
    if isinstance(seen, dict) and {"stdout", "stderr", "return_code"} <= seen.keys():
        return {key: seen[key] for key in ("stdout", "stderr", "return_code")}
    failed = record["status"] != "ok"
    return {
        "stdout": record["stdout"],
        "stderr": record["stderr"] or _failure(record),
        "return_code": record["return_code"] if record["return_code"] is not None else int(failed),
    }


def _openai(record: RunRecord, script: str, tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    program = f"call_{_mark(record)}"
    caller = {"type": "program", "caller_id": program}
    items: list[dict[str, Any]] = [
        {"role": "user", "content": QUESTION},
        {"type": "program", "id": f"prog_{_mark(record)}", "call_id": program, "code": script, "fingerprint": ""},
    ]
    for group in _groups(record):
        items += [
            {
                "type": "function_call",
                "id": _id("fc", call),
                "call_id": _id("call", call),
                "name": _name(call),
                "arguments": json.dumps(_arguments(call), ensure_ascii=False),
                "status": "completed",
                "caller": caller,
            }
            for call in group
        ]
        items += [
            {"type": "function_call_output", "call_id": _id("call", call), "output": answer_text(call)}
            | {"caller": caller}
            for call in group
        ]
    seen = record.get("model_sees")
    seen = seen.get("result") if isinstance(seen, dict) else seen
    text = seen if isinstance(seen, str) else record["stdout"] + _failure(record)
    items.append(
        {"type": "program_output", "id": f"out_{_mark(record)}", "call_id": program, "result": text}
        | {"status": "completed" if record["status"] == "ok" else "incomplete"}
    )
    return {"tools": [{"type": "programmatic_tool_calling"}, *tools], "input": items}


def answer_text(call: CallRecord) -> str:
    """The call's answer as both vendors carry it: text as it is, the rest as JSON, an error as a line."""
    if call["error"] is not None:
        return f"Error: {call['error']['message']}"
    if call["status"] is None:
        return "Error: the call had not ended when the run was over"
    return call["result"] if isinstance(call["result"], str) else json.dumps(call["result"], ensure_ascii=False)


def _groups(record: RunRecord) -> list[list[CallRecord]]:
    """The script's own calls, those together that were under way at the same time."""
    calls = [call for call in record["calls"] if call["depth"] == 1]
    together = together_with(calls)
    groups: dict[str, list[CallRecord]] = {}
    for call in calls:
        groups.setdefault(together.get(call["id"], call["id"]), []).append(call)
    return list(groups.values())


def _failure(record: RunRecord) -> str:
    error = record["error"]
    return f"{error['type']}: {error['message']}\n" if error else ""


def _arguments(call: CallRecord) -> Any:
    return call["arguments"] if isinstance(call["arguments"], dict) else {"arguments": call["arguments"]}


def _name(call: CallRecord) -> str:
    return call["alias"] or call["tool"]


def _mark(record: RunRecord) -> str:
    return "".join(letter for letter in record["run_id"] if letter.isalnum())


def _id(prefix: str, call: CallRecord) -> str:
    return f"{prefix}_{''.join(letter if letter.isalnum() else '_' for letter in call['id'])}"
