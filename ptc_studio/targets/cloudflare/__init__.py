"""Cloudflare's code mode."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tree_sitter import Node

from ptc_studio.core.scripts import Script, Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.javascript_scopes import LANGUAGE, words
from ptc_studio.runtimes.javascript_syntax import Edit, Syntax, top_level, unwrapped
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.javascript_conventions import RESERVED, mapped_names, message_of, printed_lines
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

_FENCE = re.compile(r"```(?:js|javascript|typescript|ts|tsx|jsx)?\s*\n([\s\S]*?)```\s*$")
_OPEN, _CLOSE = "(async () => {", "\n})()"


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of the author's text, in characters."""

    start: int
    end: int


def edits(code: str) -> list[Edit]:
    """The edits that have the author's text compiled as what it is made into; lines stay."""
    part = _without_fence(code)
    blanks = [*_blanked(code, 0, part.start), *_blanked(code, part.end, len(code))]
    return sorted([*blanks, *_normalised(code, part)], key=lambda edit: edit[:2])


def _without_fence(code: str) -> _Part:
    """The text without the white space around it, and without a code fence around that."""
    start, end = _stripped(code, 0, len(code))
    found = _FENCE.match(code, start, end)
    return _Part(*_stripped(code, *found.span(1))) if found else _Part(start, end)


def _stripped(code: str, start: int, end: int) -> tuple[int, int]:
    while start < end and code[start].isspace():
        start += 1
    while end > start and code[end - 1].isspace():
        end -= 1
    return start, end


def _normalised(code: str, part: _Part) -> list[Edit]:
    source = code[part.start : part.end]
    if not source:
        return [_at(code, part.end, "(async () => {})()")]
    syntax = Syntax(source)
    statements = syntax.statements()
    only = statements[0] if len(statements) == 1 else None
    # A `return` outside of functions is an error to the parser that is used there, too.
    if not syntax.broken and not any(node.type == "return_statement" for node in top_level(syntax.root)):
        found = _special(code, part, syntax, only, statements)
        if found is not None:
            return found
    return [_at(code, part.start, _OPEN), _at(code, part.end, _CLOSE)]


def _special(code: str, part: _Part, syntax: Syntax, only: Node | None, statements: list[Node]) -> list[Edit] | None:
    """A single arrow function, default export or function declaration, or a last expression."""

    def place(byte: int) -> int:
        return part.start + len(syntax.data[:byte].decode("utf-8", "surrogatepass"))

    if (
        only is not None
        and only.type == "expression_statement"
        and unwrapped(_expression(only)).type == "arrow_function"
    ):
        # A semicolon behind it is left out: there it is a syntax error, though the published examples have one.
        ended = _blanked(code, place(_expression(only).end_byte), place(only.end_byte))
        return [_at(code, part.start, "("), *ended, _at(code, part.end, "\n)()")]
    if only is not None and only.type == "export_statement" and any(each.type == "default" for each in only.children):
        return _default_export(code, only, place)
    if only is not None and only.type in ("function_declaration", "generator_function_declaration"):
        name = only.child_by_field_name("name")
        called = syntax.text(name) if name else "fn"
        return [_at(code, part.start, _OPEN), _at(code, part.end, f"\nreturn {called}();{_CLOSE}")]
    last = statements[-1] if statements else None
    if last is not None and last.type == "expression_statement" and not syntax.text(last).startswith("{"):
        expression = _expression(last)
        start, end = place(expression.start_byte), place(expression.end_byte)
        return [
            _at(code, part.start, _OPEN),
            _at(code, start, "return ("),
            *_blanked(code, end, part.end),
            _at(code, part.end, f"){_CLOSE}"),
        ]
    return None


def _default_export(code: str, statement: Node, place: Callable[[int], int]) -> list[Edit]:
    exported = statement.child_by_field_name("declaration") or statement.child_by_field_name("value")
    assert exported is not None
    start, end = place(exported.start_byte), place(exported.end_byte)
    around = [*_blanked(code, place(statement.start_byte), start), *_blanked(code, end, place(statement.end_byte))]
    nameless = exported.child_by_field_name("name") is None
    if exported.type in ("function_expression", "function_declaration", "generator_function") and nameless:
        return [*around, _at(code, start, f"{_OPEN}return ("), _at(code, end, f")();{_CLOSE}")]
    if exported.type in ("class", "class_declaration") and nameless:
        return [*around, _at(code, start, f"{_OPEN}return ("), _at(code, end, f");{_CLOSE}")]
    return [*around, *_normalised(code, _Part(start, end))]


def _expression(statement: Node) -> Node:
    return next(node for node in statement.named_children if node.type != "comment")


def _at(code: str, place: int, text: str) -> Edit:
    offset = _offset(code, place)
    return offset, offset, text


def _blanked(code: str, start: int, end: int) -> list[Edit]:
    """What is left out, replaced by white space of the same lines."""
    text = code[start:end]
    if not text.strip():
        return []
    blank = "".join(char if char in "\r\n" else " " * (len(char.encode("utf-16-le")) // 2) for char in text)
    return [(_offset(code, start), _offset(code, end), blank)]


def _offset(code: str, place: int) -> int:
    return len(code[:place].encode("utf-16-le", "surrogatepass")) // 2


PROVIDER = "codemode"
PCTX = r"^\s*(?:export\s+)?(?:async\s+)?function\s+run\s*\("
NOTES = (
    Note("The text is made an async arrow function and called: a code fence goes, a single arrow function stays, "
         "`export default X` is X, a single function is called, a last expression is returned, else it is a body", "S"),
    Note("`codemode.x(args)`, `codemode.group.x(args)` for tools in groups, and a global for each provider: here for "
         "each namespace of tools", "S"),
    Note("Names: `-`, `.` and white space become `_`, other characters go, a leading digit gets `_` before it, a "
         "reserved word `_` behind it; two tools of one name are an error", "S"),
    Note("A semicolon behind a single arrow function is a syntax error there, though published examples end with one; "
         "here such a script runs, with a warning", "S"),
    Note("A provider may take positional arguments; here arguments that are not one object are passed on as such", "S"),
    Note("Errors are `Error(message)`; `Tool \"x\" not found`; what is thrown that has no message is lost", "S"),
    Note("console.log, .warn and .error go to the logs; there is no fetch", "S"),
    Note("60 s, then `Execution timed out`", "S"),
    Note("The model sees {result, logs?}, or `Code execution failed: ...`; as an MCP server it is cut at 24,000 "
         "characters, which is the target cloudflare-mcp here", "S"),
)  # fmt: skip


def name_there(name: str) -> str:
    clean = re.sub(r"[^a-zA-Z0-9_$]", "", re.sub(r"[-.\s]", "_", name)) or "_"
    clean = f"_{clean}" if clean[0].isdigit() else clean
    return f"{clean}_" if clean in RESERVED else clean


def names(tools: Sequence[Visible]) -> Mapping[str, str]:
    """Every tool as `codemode.x`, and those of a namespace as its members, too."""
    found = {f"{PROVIDER}.{name}": own for name, own in mapped_names(tools, name_there, PROVIDER).items()}
    for visible in tools:
        for name in visible.names:
            space, dot, rest = name.partition(".")
            if dot:
                found.setdefault(f"{name_there(space)}.{name_there(rest)}", visible.names[0])
    return found


def reply(record: RunRecord, report: Any) -> Any:
    logs = report["logs"] if report else printed_lines(record)
    if report and report.get("finished"):
        result = {"result": report["result"]} if "result" in report else {}
        return {**result, "logs": logs} if logs else result
    message = "Execution timed out" if record["status"] == "timeout" else message_of(record)
    told = "\n\nConsole output:\n" + "\n".join(logs) if logs else ""
    return f"Code execution failed: {message}{told}"


def check(script: CheckedScript) -> Iterator[Finding]:
    spaces = {name.partition(".")[0] for name in script.names} | {PROVIDER}
    calls = js.tool_calls(script, lambda root, _name: root.removeprefix(f"{PROVIDER}.") in spaces)
    yield from js.types(script, "S")
    yield from js.no_imports(script, "S")
    yield from js.missing_globals(script, ("fetch", "require", "module", "__dirname"), "S")
    yield from js.one_object(calls, "S", unless="unless its provider takes positional arguments")
    yield from js.unawaited(calls, "what it gives is lost, and it may be cut off at the end", "S", fails=False)
    for call in calls:
        if script.names and f"{call.root}.{call.name}".removeprefix(f"{PROVIDER}.") in script.names:
            continue
        if script.names and f"{call.root}.{call.name}" not in script.names:
            there = name_there(call.name)
            known = f"{call.root}.{there}" in script.names
            text = f"The tool `{call.name}` is called `{there}` there" if known else f'Tool "{call.name}" not found'
            yield Finding(call.line, text, "S")
    yield from _semicolon(script)
    yield from _several_functions(script)


def _semicolon(script: CheckedScript) -> Iterator[Finding]:
    syntax = js.read(script)
    only = syntax.statements()[:1]
    if js.is_lone_arrow(script) and syntax.text(only[0]).endswith(";"):
        line = only[0].end_point[0] + 1
        yield Finding(line, "The semicolon behind the arrow function is a syntax error there; here it is left out", "S")


def _several_functions(script: CheckedScript) -> Iterator[Finding]:
    """Only a function that stands alone is called."""
    if len(js.read(script).statements()) > 1:
        yield from js.everywhere(script, functions_are_called=False)


def sign(script: CheckedScript) -> str | None:
    if js.mentions(script, r"(?<![.\w])codemode[.\[]"):
        return "`codemode.` (its MCP server, which replies in text, is cloudflare-mcp)"
    if script.code.lstrip().startswith("```"):
        return "a code fence around it"
    if js.is_lone_arrow(script):
        return "a lone arrow function"
    elsewhere = js.returns_at_top(script) or js.mentions(script, PCTX) or js.undeclared(script, ("fs",))
    spaces = [] if elsewhere else js.foreign_spaces(script)
    return f"a global `{spaces[0]}` whose members are called" if spaces else None


def compile_script(script: Script, _tools: Sequence[Visible]) -> Mapping[str, Any]:
    return {"edits": edits(script.code)}


TARGET = DeploymentTarget(
    id="cloudflare",
    name="Cloudflare code mode",
    language="javascript",
    runtime="node",
    notes=NOTES,
    call=CallStyle("await {name}({object})"),
    limits=TargetLimits(seconds=60),
    globals=LANGUAGE
    | words(
        "codemode console fetch setTimeout clearTimeout setInterval clearInterval queueMicrotask structuredClone "
        "URL URLSearchParams TextEncoder TextDecoder atob btoa crypto AbortController performance"
    ),
    frame="frame.mjs",
    calls_functions=True,
    names=names,
    compile=compile_script,
    reply=reply,
    check=check,
    sign=sign,
)
