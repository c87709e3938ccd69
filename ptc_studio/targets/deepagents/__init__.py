"""The interpreter of LangChain's Deep Agents."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ptc_studio.core.scripts import Script, Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.javascript_scopes import LANGUAGE
from ptc_studio.runtimes.javascript_syntax import Edit, Syntax, dialect_of, last_expression
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.javascript_conventions import IDENTIFIER, message_of, printed_lines
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

SECONDS, CALLS, CHARACTERS = 5, 256, 4_000
NOTES = (
    Note("`tools.camelCase({...})` is async and gives a string; what is no text is JSON", "D"),
    Note("The last expression is the value, a promise's when it is settled; top-level await works", "D"),
    Note("5 s, 64 MiB (here of V8's heap), 256 calls, 4,000 characters of output and of the result each", "D"),
    Note("The model sees `<stdout>`, then `<result>` or `<error type=...>`", "D"),
    Note("langchain-quickjs 0.3 gives native values where its documents say text, and the npm package "
         "@langchain/quickjs replies with `→ value`: this is as documented", "S"),
    Note("The stack that stands below an error's message, and the text of a time-out, are QuickJS's own", "?"),
    Note("Names stay from one call to the next within a turn there, which is not imitated here", "D"),
)  # fmt: skip
_MARKER = "… [truncated {n} chars]"


def name_there(name: str) -> str:
    return re.sub(r"[-_]([a-z])", lambda found: found[1].upper(), name.replace(".", "_"))


def names(tools: Sequence[Visible]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for visible in tools:
        for name in visible.names:
            if IDENTIFIER.fullmatch(name_there(name)):
                found.setdefault(name_there(name), visible.names[0])
    return found


def compile_script(script: Script, _tools: Sequence[Visible]) -> Mapping[str, Any]:
    """The body of an async function that returns its last expression."""
    syntax = Syntax(script.code, dialect_of(script.filename, (".ts",)))
    statements = syntax.statements()
    last = None if syntax.broken or not statements else last_expression(syntax, statements[-1])
    edits: list[Edit] = [(0, 0, "(async () => {")]
    if last is not None:
        start, end = syntax.offset(last.start_byte), syntax.offset(last.end_byte)
        edits += [(start, start, "return ("), (end, end, ")")]
    end = syntax.offset(len(syntax.data))
    return {"edits": [*edits, (end, end, "\n})")]}


def reply(record: RunRecord, report: Any) -> str:
    lines = report["lines"] if report else printed_lines(record)
    parts: list[str] = []
    if lines:
        parts.append(f"<stdout>\n{_stdout(lines)}\n</stdout>")
    error = (report or {}).get("error")
    if record["status"] == "timeout":
        error = {"type": "Timeout", "message": f"execution timed out after {SECONDS} s"}
    elif record["status"] != "ok" and not error:
        error = {"type": "Error", "message": message_of(record)}
    if error:
        parts.append(f'<error type="{_escaped(error["type"])}">{_escaped(_cut(error["message"]))}</error>')
    elif report and report.get("kind"):
        parts.append(f'<result kind="handle">{_escaped(report["kind"])}</result>')
    else:
        parts.append(f"<result>{_escaped(_cut((report or {}).get('value', 'undefined')))}</result>")
    return "\n".join(parts)


def _stdout(lines: Sequence[str]) -> str:
    text = "\n".join(lines)
    dropped = len(text) - CHARACTERS
    marker = _MARKER.format(n=dropped)
    return text if dropped <= 0 else text[: CHARACTERS - len(marker)] + marker


def _cut(text: str) -> str:
    if len(text) <= CHARACTERS:
        return text
    kept = CHARACTERS - len(_MARKER.format(n=0))
    return text[:kept] + _MARKER.format(n=len(text) - kept)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def check(script: CheckedScript) -> Iterator[Finding]:
    calls = js.calls_on_tools(script)
    yield from js.text_used_as_object(script, calls, "D")
    yield from js.no_imports(script, "D")
    yield from js.missing_globals(script, js.NODE_GLOBALS, "D")
    yield from js.one_object(calls, "D")
    yield from js.unknown_tools(script, calls, name_there)
    yield from js.unawaited(calls, "what it gives is lost", "D", fails=False)
    yield from js.top_level_returns(script, "D")


def sign(script: CheckedScript) -> str | None:
    """What a tool gives is text there, and nowhere else behind `tools.`; names are camelCase."""
    calls = js.calls_on_tools(script)
    others = r"(?<![.\w])(?:text|image)\(|(?<![.\w])(?:codemode|external_)|^\s*(?:import|export)\b"
    if not calls or js.returns_at_top(script) or js.mentions(script, others):
        return None
    if _parses(script):
        return "`JSON.parse` of what `tools.` gave"
    if js.mentions(script, r"\b\w+\s*:\s*string\s*=\s*await\s+tools\.") and _gives_a_value(script):
        return "what `tools.` gave is a `string`, and a last expression is the value"
    names = [call.name for call in calls]
    plain = any(call.root != "tools" for call in calls) or any("_" in name for name in names)
    camel = next((name for name in names if re.search("[a-z][A-Z]", name)), None)
    if camel is None or plain or any(js.text_used_as_object(script, calls, "D")):
        return None
    return f"`tools.{camel}(` in camelCase, and what it gives is used as text"


def _gives_a_value(script: CheckedScript) -> bool:
    """Whether it ends with an expression that is no call of the console's."""
    last = next(reversed(js.read(script).statements()), None)
    return last is not None and last.type == "expression_statement" and not js.mentions(script, r"\bconsole\.")


def _parses(script: CheckedScript) -> bool:
    """Whether what tools gave is parsed, one by one or each of several."""
    if js.mentions(script, r"JSON\.parse\(\s*await\s+tools\."):
        return True
    held = re.findall(r"(?:const|let|var)\s+(\w+)\s*=\s*await\s+(?:Promise\.all\([^;]*?)?tools\.", script.code)
    for name in held:
        each = re.findall(rf"\b{re.escape(name)}\.(?:map|flatMap|forEach)\(\s*(?:async\s*)?\(?\s*(\w+)", script.code)
        if any(js.mentions(script, rf"JSON\.parse\(\s*{re.escape(text)}\s*\)") for text in (name, *each)):
            return True
    return False


TARGET = DeploymentTarget(
    id="deepagents",
    name="Deep Agents interpreter (LangChain)",
    language="typescript",
    runtime="typescript",
    notes=NOTES,
    call=CallStyle("await tools.{name}({object})", "tools", "string"),
    limits=TargetLimits(seconds=SECONDS, calls=CALLS, memory_mb=64, output=CHARACTERS, source="D"),
    globals=LANGUAGE | {"console", "tools"},
    frame="frame.mjs",
    names=names,
    options=lambda _tools: {"calls": CALLS},
    compile=compile_script,
    reply=reply,
    check=check,
    sign=sign,
)
