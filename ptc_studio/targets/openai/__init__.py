"""OpenAI's programmatic tool calling."""

import re
from collections.abc import Iterator
from typing import Any

from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.javascript_scopes import LANGUAGE
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.javascript_conventions import mapped_names, printed_lines
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note

NOTES = (
    Note("A fresh V8 with top-level await: no Node.js, console, network or files, and no state between programs", "D"),
    Note("`await tools.name({...})` gives an object parsed from the JSON of the output", "D"),
    Note("`text(v)` and `image(v)` are the output; the model sees `program_output.result`, a string, and completed or "
         "incomplete", "D"),
    Note("How several text() are joined: here by line breaks; nobody has said", "?"),
    Note("The form of errors and the time limit: nobody has said. Here a failed tool rejects with an Error", "?"),
    Note("Calls that nobody awaits are dropped at the end, as in Codex; nobody has said", "?"),
)  # fmt: skip
CODEX_TOOLS = r"(?<![.\w])tools\.(?:exec_command|write_stdin|apply_patch|view_image|update_plan)\("
CODEX_ONLY = CODEX_TOOLS + r"|\bALL_TOOLS\b|(?<![.\w])(?:store|load|exit|notify|yield_control)\(|^\s*// @exec:"


def name_there(name: str) -> str:
    """A function's name has letters, digits, `_` and `-` alone."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)


def reply(record: RunRecord, report: Any) -> Any:
    output = report["output"] if report else printed_lines(record)
    return {"result": "\n".join(output), "status": "completed" if record["status"] == "ok" else "incomplete"}


def check(script: CheckedScript) -> Iterator[Finding]:
    calls = js.calls_on_tools(script)
    yield from js.missing_globals(script, ("console", *js.NODE_GLOBALS), "D")
    yield from js.no_imports(script, "D")
    yield from js.top_level_returns(script, "D")
    yield from js.types(script, "D")
    yield from js.one_object(calls, "D")
    yield from js.unknown_tools(script, calls, name_there)
    yield from js.unawaited(calls, "whether it is waited for, nobody has said", "?", fails=False)
    texts = js.tool_calls(script, lambda root, name: not root and name in ("text", "image"))
    if not texts:
        yield Finding(None, "Nothing calls text(): the model sees an empty result", "D", fails=False)
    if len(texts) > 1:
        text = "How several text() are joined, nobody has said: here by line breaks"
        yield Finding(texts[1].line, text, "?", fails=False)


def sign(script: CheckedScript) -> str | None:
    if js.mentions(script, CODEX_ONLY):
        return None
    if js.mentions(script, r"(?<![.\w])text\(") and js.mentions(script, r"(?<![.\w])tools[.\[]"):
        return "`text(` beside `tools.`"
    return None


TARGET = DeploymentTarget(
    id="openai",
    name="OpenAI programmatic tool calling",
    language="javascript",
    runtime="node",
    notes=NOTES,
    call=CallStyle("await tools.{name}({object})", "tools"),
    globals=LANGUAGE | {"tools", "text", "image"},
    frame="frame.mjs",
    names=lambda tools: mapped_names(tools, name_there),
    reply=reply,
    check=check,
    sign=sign,
)
