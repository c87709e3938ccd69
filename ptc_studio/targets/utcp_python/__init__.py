"""UTCP's code mode for Python, in RestrictedPython."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ptc_studio.core.scripts import Visible
from ptc_studio.core.tools import JsonSchema
from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import python_checks
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

HEAD = (
    "# Auto-generated Python interfaces for UTCP tools\n"
    "from typing import TypedDict, Any, List, Dict, Optional, Union\nimport asyncio\n\n"
)
_TYPES = {
    "string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None",
    "object": "Dict[str, Any]", "array": "List[Any]",
}  # fmt: skip


def interfaces(tools: Sequence[Visible], names: Mapping[str, str]) -> dict[str, str]:
    """The interface of each tool, by every name that it has here and there."""
    found: dict[str, str] = {}
    for visible in tools:
        own = visible.names[0]
        called = [name for name, tool in names.items() if tool == own]
        # One with a namespace, as its manuals have it, where there is one.
        there = next((name for name in called if "." in name), called[0] if called else own)
        spec = visible.target.spec
        text = _interface(there, spec.description, spec.parameters, spec.output)
        found.update(dict.fromkeys((there, *visible.names), text))
    return found


def everything(found: Mapping[str, str]) -> str:
    """All of them as one text."""
    return HEAD + "\n".join(dict.fromkeys(found.values()))


def _interface(name: str, description: str, inputs: JsonSchema, outputs: JsonSchema | None) -> str:
    space, dot, tool = name.partition(".")
    if dot:
        content = (
            f"\n# Namespace: {space}\nclass {tool}Input(TypedDict):\n{_fields(inputs)}\n\n"
            f"class {tool}Output(TypedDict):\n{_fields(outputs)}"
        )
    else:
        content = f"{_class(inputs, f'{name}Input')}\n\n{_class(outputs, f'{name}Output')}"
    return f"{content}\n\n# {description}\n# Tags: \n# Access as: {name}(args)\n"


def _class(schema: JsonSchema | None, name: str) -> str:
    if not schema:
        return f"class {name}(TypedDict):\n    pass  # Any type"
    if schema.get("type") != "object":
        return f"{name} = {_type(schema)}"
    if not schema.get("properties"):
        return f"class {name}(TypedDict):\n    pass  # No specific properties defined"
    return f"class {name}(TypedDict):\n{_fields(schema)}"


def _fields(schema: JsonSchema | None) -> str:
    if not schema or schema.get("type") != "object":
        return "    pass  # Any type allowed"
    properties: Mapping[str, Any] = schema.get("properties") or {}
    if not properties:
        return "    pass  # No specific properties defined"
    lines: list[str] = []
    for name, part in properties.items():
        if isinstance(part, Mapping) and part.get("description"):
            lines.append(f"    # {part['description']}")
        text = _type(part)
        lines.append(f"    {name}: {text if name in (schema.get('required') or ()) else f'Optional[{text}]'}")
    return "\n".join(lines)


def _type(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        return "Any"
    if schema.get("enum"):
        return f"Literal[{', '.join(_literal(value) for value in schema['enum'])}]"
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_TYPES.get(each, "Any") for each in kind)
    if kind == "array" and isinstance(schema.get("items"), Mapping):
        return f"List[{_type(schema['items'])}]"
    return _TYPES.get(kind, "Any") if isinstance(kind, str) else "Any"


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


IMPORTS = (
    "json", "math", "asyncio", "datetime", "time", "re", "typing", "collections", "itertools", "functools", "operator",
    "uuid",
)  # fmt: skip
REFUSED = (
    "open", "input", "eval", "exec", "compile", "globals", "locals", "vars", "dir", "getattr", "hasattr", "breakpoint",
    "help", "exit", "quit", "__import__",
)  # fmt: skip
MISSING = ("all", "any", "bytearray", "dict", "frozenset", "iter", "list", "next", "object", "set", "super", "type")
GIVEN = ("json", "asyncio", "math", "datetime", "time", "re", "interfaces", "get_tool_interface")
_ALLOWED_ONLY = {
    "AnnAssign": "a variable with a type", "AsyncFor": "async for", "AsyncFunctionDef": "async def",
    "AsyncWith": "async with", "Match": "match",
}  # fmt: skip
_UNGUARDED = "version 1.1.0 of its package lacks what RestrictedPython needs for it"
NOTES = (
    Note("The text is the body of a plain `def`: `return` gives the result, and `await` is a SyntaxError", "S"),
    Note("Tools are `manual.tool(param=value)` or `manual.tool({...})`, without await; a.b.c is a.b_c", "S"),
    Note("A failing tool raises RuntimeError: Error calling tool 'x': ...", "S"),
    Note("No names with a leading underscore, and imports of a dozen modules only", "S"),
    Note("`interfaces` and `get_tool_interface(name)` describe the tools", "S"),
    Note("The model sees {result, logs}; of a script that fails, no result and the error alone", "S"),
    Note("Version 1.1.0 lacks guards and built-ins: loops, indexes, `x += 1`, unpacking, list() and dict() fail there. "
         "They run here, with a warning", "S"),
    Note("30 s", "S"),
)  # fmt: skip


def names(tools: Sequence[Visible]) -> dict[str, str]:
    """`manual.tool`, with what is behind the first dot made one name."""
    found: dict[str, str] = {}
    for visible in tools:
        for name in visible.names:
            space, _, rest = name.partition(".")
            there = f"{_clean(space)}.{_clean(rest)}" if rest else _clean(space)
            found.setdefault(there, visible.names[0])
    return found


def _clean(name: str) -> str:
    clean = re.sub(r"[^a-zA-Z0-9_]", "_", name)
    return f"_{clean}" if clean[:1].isdigit() else clean


def options(tools: Sequence[Visible]) -> dict[str, Any]:
    found = interfaces(tools, names(tools))
    return {"imports": IMPORTS, "refused": REFUSED, "interfaces": found, "all": everything(found)}


def check(script: CheckedScript) -> Iterator[Finding]:
    for line, name in python_checks.imports(script.tree):
        if name not in IMPORTS:
            yield Finding(line, f"`{name}` cannot be imported there; what can is {', '.join(IMPORTS)}", "S")
    seen: set[str] = set()
    for node in ast.walk(script.tree):
        yield from _refused(node)
        yield from _unguarded(node, seen)
    for call in python_checks.tool_calls(script):
        if len(call.node.args) > 1 or (call.node.args and isinstance(call.node.args[0], ast.Constant)):
            text = f"`{call.name}` takes keyword arguments or one dict there, not positional arguments"
            yield Finding(call.line, text, "S")
    yield from python_checks.unknown_names(script, GIVEN)


def _refused(node: ast.AST) -> Iterator[Finding]:
    line = getattr(node, "lineno", None)
    if isinstance(node, ast.Await):
        yield Finding(line, "`await` is a SyntaxError there: tools are called without it", "S")
    elif type(node).__name__ in _ALLOWED_ONLY:
        yield Finding(line, f"{_ALLOWED_ONLY[type(node).__name__]!r} is refused there", "S")
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    if name.startswith("_") and name != "_":
        yield Finding(line, f"`{name}` is refused there: it starts with an underscore", "S")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSED:
        yield Finding(line, f"`{node.func.id}()` is no function there", "S")


def _unguarded(node: ast.AST, seen: set[str]) -> Iterator[Finding]:
    """What the released package cannot do, once each."""
    kinds = {
        "A loop over something": isinstance(node, ast.For | ast.comprehension),
        "An index": isinstance(node, ast.Subscript),
        "`x += 1`": isinstance(node, ast.AugAssign),
        "`a, b = ...`": isinstance(node, ast.Assign) and any(isinstance(each, ast.Tuple) for each in node.targets),
        "A class": isinstance(node, ast.ClassDef),
    }
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MISSING:
        kinds[f"`{node.func.id}()`"] = True
    for what, found in kinds.items():
        if found and what not in seen:
            seen.add(what)
            line = getattr(node, "lineno", None) or getattr(getattr(node, "iter", None), "lineno", None)
            yield Finding(line, f"{what} fails there: {_UNGUARDED}", "S", fails=False)


def reply(record: RunRecord, report: Any) -> Any:
    error = record["error"]
    if record["status"] == "timeout":
        return _failed("Code execution timed out after 30 seconds")
    if (report or {}).get("refused"):
        return _failed(str(tuple(report["refused"])))
    if error is not None:
        return _failed(f"Code execution failed: {error['message']}")
    printed = record["stdout"].strip()
    return {"result": record["value"], "logs": [printed] if printed else []}


def _failed(why: str) -> Any:
    return {"result": None, "logs": [f"[ERROR] Code execution failed: {why}"]}


def sign(script: CheckedScript) -> str | None:
    call = next(python_checks.calls_by(script, "get_tool_interface"), None)
    if call:
        return f"`get_tool_interface(` in line {call.lineno}"
    nodes = list(python_checks.walked(script))
    returns = python_checks.top_level_returns(script.tree) if nodes else []
    if not returns or any(isinstance(node, ast.Await) for node in nodes):
        return None
    known = {*python_checks.defined_names(script.tree), *GIVEN}
    for node in nodes:
        name = python_checks.dotted(node.func) if isinstance(node, ast.Call) else None
        space, dot, _ = (name or "").partition(".")
        if dot and space not in known:
            return f"a top-level `return` in line {returns[0]}, and a global `{space}` whose members are called"
    calls = [call for call in python_checks.strangers(script) if python_checks.dotted(call.func) not in GIVEN]
    if calls and all(_by_name(call) for call in calls):
        name = python_checks.dotted(calls[0].func)
        return f"a top-level `return` in line {returns[0]}, and `{name}(` with named arguments and no await"
    return None


def _by_name(call: ast.Call) -> bool:
    """Whether its arguments have names: as keywords, or as one dict."""
    return bool(call.keywords) if not call.args else len(call.args) == 1 and isinstance(call.args[0], ast.Dict)


TARGET = DeploymentTarget(
    id="utcp-python",
    name="UTCP code mode for Python",
    language="python",
    runtime="python",
    notes=NOTES,
    call=CallStyle("{name}({keywords})", keyword_only=True),
    limits=TargetLimits(seconds=30),
    frame="frame.py",
    names=names,
    options=options,
    reply=reply,
    check=check,
    sign=sign,
)
