"""What each vendor's blocks and items mean: a program's start, a call of it, an answer, the program's end."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from ptc_studio.core.responders.cassette import Published
from ptc_studio.transcripts.documents import Block, TranscriptError

STATELESS = "code_execution_20250825"
"""Of Anthropic's versions the one whose programs begin anew each time."""


@dataclass(frozen=True, slots=True)
class DefinedTool:
    """The definition of a tool as a request has it."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    output: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """A program begins."""

    id: str
    code: str
    target: str
    keeps_state: bool = False
    ended: Published | None = None
    """How it ended, where one block tells both."""


@dataclass(frozen=True, slots=True)
class Called:
    """A program calls a tool."""

    id: str
    program: str
    name: str
    arguments: Any
    keeps_state: bool = True
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """A call, of a program or not, has its answer."""

    call: str
    value: Any
    failed: bool = False
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """A program is over."""

    program: str
    published: Published


Step = Started | Called | Answered | Ended


def step_of(block: Block) -> Step | None:
    """What the block tells of a program; None for everything else. Raises TranscriptError for a broken one."""
    match block.get("type"):
        case "server_tool_use" | "tool_use":
            return _anthropic_use(block)
        case "code_execution_tool_result":
            return Ended(_id(block, "tool_use_id"), _anthropic_end(block.get("content")))
        case "program":
            return Started(_id(block, "call_id"), _code(block.get("code"), _id(block, "call_id")), "openai")
        case "function_call":
            return _openai_call(block)
        case "function_call_output":
            return _openai_answer(block)
        case "program_output":
            return Ended(_id(block, "call_id"), _openai_end(block))
        case "tool-call" if block.get("name") == "execute_typescript":
            return _tanstack_program(block)
        case str() as kind if kind.endswith("tool_result") and "tool_use_id" in block:
            return _anthropic_answer(block)
        case _:
            return None


def definition_of(tool: Block) -> DefinedTool | None:
    """The tool that a request defines; None for the vendor's own, which have no schema."""
    inner = tool.get("function")
    found = cast("Block", inner) if isinstance(inner, dict) else tool
    schema = found.get("input_schema", found.get("parameters", found.get("inputSchema")))
    name, output = found.get("name"), found.get("output_schema")
    if not isinstance(name, str) or not name or not isinstance(schema, dict):
        return None
    text = found.get("description")
    return DefinedTool(
        name,
        text if isinstance(text, str) else "",
        cast("dict[str, Any]", schema),
        cast("dict[str, Any]", output) if isinstance(output, dict) else None,
    )


def _anthropic_use(block: Block) -> Step | None:
    caller = block.get("caller")
    kind = str(caller.get("type")) if isinstance(caller, dict) else "direct"
    if isinstance(caller, dict) and kind.startswith("code_execution"):
        program = _id(cast("Block", caller), "tool_id")
        return Called(_id(block), program, _name(block), block.get("input", {}), kind != STATELESS)
    if block["type"] == "server_tool_use" and block.get("name") == "code_execution":
        given = block.get("input")
        code = cast("Block", given).get("code") if isinstance(given, dict) else None
        return Started(_id(block), _code(code, _id(block)), "anthropic", keeps_state=True)
    return None


def _anthropic_answer(block: Block) -> Answered:
    content = block.get("content")
    warnings: list[str] = []
    if isinstance(content, list):
        texts = [_text_of(item) for item in cast("list[Any]", content)]
        if all(text is not None for text in texts):
            if len(texts) > 1:
                warnings.append("it has several texts; how they are joined is not known, a line break is taken.")
            content = "\n".join(cast("list[str]", texts))
    if content is None:
        content = ""
    if not isinstance(content, str):
        warnings.append("it is no text, and what the program saw of it is not known.")
    return Answered(_id(block, "tool_use_id"), content, block.get("is_error") is True, tuple(warnings))


def _text_of(item: Any) -> str | None:
    text = cast("Block", item).get("text") if isinstance(item, dict) and item.get("type") == "text" else None
    return text if isinstance(text, str) else None


def _anthropic_end(content: Any) -> Published:
    found = cast("Block", content) if isinstance(content, dict) else {}
    kind = str(found.get("type"))
    if kind.endswith("_error"):
        code = str(found.get("error_code"))
        status = "timeout" if code == "execution_time_exceeded" else "error"
        return Published(status=status, reason=code, note=f"it ended with the error {code!r}, and without output.")
    returned = found.get("return_code")
    returned = returned if isinstance(returned, int) else None
    aborted = found.get("abort_reason")
    status = "ok" if not returned and not aborted else "error"
    if kind.startswith("encrypted"):
        note = "its output is encrypted, so that there is nothing to compare a replay with."
        return Published(status=status, return_code=returned, note=note)
    return Published(
        status=status,
        stdout=_text(found.get("stdout")),
        stderr=_text(found.get("stderr")),
        return_code=returned,
        reason=str(aborted) if aborted else "",
        note=f"it was aborted: {aborted}." if aborted else "",
    )


def _openai_call(block: Block) -> Called | None:
    caller = block.get("caller")
    if not isinstance(caller, dict) or caller.get("type") != "program":
        return None
    arguments, warnings = block.get("arguments"), ()
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            warnings = ("its arguments are not JSON, and are kept as a text.",)
    program = _id(cast("Block", caller), "caller_id")
    return Called(_id(block, "call_id"), program, _name(block), arguments, warnings=warnings)


def _openai_answer(block: Block) -> Answered:
    output = block.get("output")
    if isinstance(output, list):
        texts = [item.get("text") for item in cast("list[Any]", output) if isinstance(item, dict)]
        if texts and all(isinstance(text, str) for text in texts):
            output = "\n".join(cast("list[str]", texts))
    return Answered(_id(block, "call_id"), parsed_output(output))


def parsed_output(output: Any) -> Any:
    """What a program of OpenAI's gets for an output: the value that its text stands for, else the text.

    The text of a text stays as it is, for whoever replays it reads a text as JSON once more.
    """
    if not isinstance(output, str):
        return output
    try:
        value = json.loads(output)
    except (ValueError, RecursionError):
        return output
    return output if isinstance(value, str) else value


def _openai_end(block: Block) -> Published:
    status = "ok" if block.get("status", "completed") == "completed" else "error"
    note = "" if status == "ok" else f"its output has the status {block.get('status')!r}."
    result = block.get("result")
    return Published(status=status, result=result, note=note)


def _tanstack_program(block: Block) -> Started:
    arguments = block.get("arguments", block.get("input"))
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            raise TranscriptError("The call of execute_typescript is cut off: its arguments are not JSON.") from None
    code = cast("Block", arguments).get("typescriptCode") if isinstance(arguments, dict) else None
    named = str(block.get("id") or block.get("toolCallId") or f"execute_typescript {code!s:.20}")
    note = "TanStack does not record the calls inside a program, so that a replay has no answers for them."
    output = block.get("output")
    failed = isinstance(output, dict) and cast("Block", output).get("success") is False
    if output is None:
        return Started(named, _code(code, named), "tanstack")
    ended = Published(status="error" if failed else "ok", result=output, note=note)
    return Started(named, _code(code, named), "tanstack", ended=ended)


def _code(code: Any, program: str) -> str:
    if not isinstance(code, str):
        raise TranscriptError(f"The conversation is cut off: the program {program} has no code.")
    return code


def _id(block: Block, key: str = "id") -> str:
    found = block.get(key)
    if isinstance(found, str) and found:
        return found
    raise TranscriptError(f"The conversation is broken: a block {block.get('type')!r} has no {key!r}.")


def _name(block: Block) -> str:
    found = block.get("name")
    if isinstance(found, str) and found:
        return found
    raise TranscriptError(f"The conversation is broken: the call {_id(block)} has no name.")


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
