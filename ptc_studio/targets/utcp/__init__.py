"""UTCP's code mode for TypeScript."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ptc_studio.core.scripts import Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.javascript_scopes import LANGUAGE
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.javascript_conventions import (
    DISPOSED,
    body_of_a_function,
    mapped_names,
    message_of,
    printed_lines,
    ran_out_of_memory,
    typescript_type,
)
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits


def interfaces(tools: Sequence[Visible], names: Mapping[str, str]) -> dict[str, Any]:
    """All of them as one text, and each by the tool's name."""
    there: dict[str, str] = {}
    for name, own in names.items():
        # Every tool is one of a manual there.
        if own not in there or ("." in name and "." not in there[own]):
            there[own] = name
    each: dict[str, str] = {}
    texts: list[str] = []
    for visible in tools:
        own, spec = visible.names[0], visible.target.spec
        texts.append(_of_tool(there.get(own, own), spec.description, spec.parameters, spec.output))
        each |= dict.fromkeys(visible.names, texts[-1])
    return {"all": "// Auto-generated TypeScript interfaces for UTCP tools\n" + "\n\n".join(texts), "each": each}


def _of_tool(name: str, description: str, inputs: Mapping[str, Any], output: Mapping[str, Any] | None) -> str:
    manual, dot, tool = name.partition(".")
    if dot:
        body = (
            f"\nnamespace {manual} {{\n  interface {tool}Input {{\n{_properties(inputs)}\n  }}\n\n"
            f"  interface {tool}Output {{\n{_properties(output)}\n  }}\n}}"
        )
    else:
        body = f"{_declared(inputs, f'{name}Input')}\n\n{_declared(output, f'{name}Output')}"
    about = description.replace("*/", "*\\/").replace("\n", " ")
    return f"\n{body}\n\n/**\n * {about}\n * Tags: \n * Access as: {name}(args)\n */"


def _properties(schema: Mapping[str, Any] | None, indent: str = "    ") -> str:
    if not schema or schema.get("type") != "object":
        return f"{indent}[key: string]: any;"
    required = schema.get("required") or ()
    lines: list[str] = []
    for name, part in (schema.get("properties") or {}).items():
        if part.get("description"):
            lines.append(f"{indent}/** {part['description'].replace('*/', '*' + chr(92) + '/')} */")
        lines.append(f"{indent}{name}{'' if name in required else '?'}: {typescript_type(part)};")
    return "\n".join(lines) or f"{indent}[key: string]: any;"


def _declared(schema: Mapping[str, Any] | None, name: str) -> str:
    if not schema or not schema.get("type"):
        return f"type {name} = any;"
    if schema["type"] == "object":
        return f"interface {name} {{\n{_properties(schema, '  ')}\n}}"
    return f"type {name} = {typescript_type(schema)};"


NOTES = (
    Note("The text is the body of an async function: `return` gives the result, `await` works", "S"),
    Note("`manual.tool({...})` is synchronous and gives its value there and then; `await` before it works too", "S"),
    Note("Names: everything but letters, digits and `_` becomes `_`; `a.b.c` is `a.b_c`; without a dot, a global", "S"),
    Note("`__interfaces` and `__getToolInterface(name)`; no setTimeout, fetch, process or modules; types are not taken "
         "out, though it is called TypeScript", "S"),
    Note("console prints objects as JSON, indented by 2; `[ERROR] `, `[WARN] `, `[INFO] ` stand before", "S"),
    Note("30 s, then `Script execution timeout after 30000ms`; 128 MB, then the package itself fails with `Isolate is "
         "already disposed`", "S"),
    Note("The model sees {result, logs}; a failure is {result: null} and a last log with the error's stack, in which "
         "the script begins in line 5", "S"),
)  # fmt: skip
SECONDS = 30


def part(name: str) -> str:
    return re.sub(r"^(?=[0-9])", "_", re.sub(r"[^a-zA-Z0-9_]", "_", name))


def name_there(name: str) -> str:
    manual, dot, rest = name.partition(".")
    return f"{part(manual)}.{'_'.join(map(part, rest.split('.')))}" if dot else part(manual)


def names(tools: Sequence[Visible]) -> Mapping[str, str]:
    return mapped_names(tools, name_there)


def options(tools: Sequence[Visible]) -> Mapping[str, Any]:
    there = names(tools)
    return {"interfaces": interfaces(tools, there), "lines": _lines(there)}


def _lines(there: Mapping[str, str]) -> dict[str, int]:
    """Where each tool throws in the text that defines them there, which a stack names: nine lines a tool."""
    found: dict[str, int] = {}
    line, manuals = 1, set[str]()
    for name in there:
        manual, dot, _ = name.partition(".")
        if dot and manual not in manuals:
            manuals.add(manual)
            line += 1
        found[name] = line + 5
        line += 9
    return found


def reply(record: RunRecord, report: Any) -> Any:
    logs = list(report["logs"] if report else printed_lines(record))
    if report and record["status"] == "ok":
        return {**({"result": report["result"]} if "result" in report else {}), "logs": logs}
    if ran_out_of_memory(record):
        return DISPOSED
    told = (report or {}).get("error") or message_of(record)
    if record["status"] == "timeout":
        told = f"Script execution timeout after {SECONDS * 1000}ms"
    return {"result": None, "logs": [*logs, f"[ERROR] Code execution failed: {told}"]}


def check(script: CheckedScript) -> Iterator[Finding]:
    manuals = {name.partition(".")[0] for name in script.names if "." in name}
    calls = js.tool_calls(script, lambda root, name: root in manuals or (not root and name in script.names))
    yield from js.types(script, "S")
    yield from js.no_imports(script, "S")
    yield from js.missing_globals(script, js.NODE_GLOBALS, "S")
    yield from js.one_object(calls, "S")
    for call in calls:
        if call.root and f"{call.root}.{call.name}" not in script.names:
            there = name_there(f"{call.root}.{call.name}")
            known = there in script.names
            text = f"`{call.root}.{call.name}` is called `{there}` there" if known else f"There is no tool `{there}`"
            yield Finding(call.line, text, "S")
    yield from _without_return(script)


def _without_return(script: CheckedScript) -> Iterator[Finding]:
    statements = js.read(script).statements()
    if statements and statements[-1].type == "expression_statement" and not js.mentions(script, r"\breturn\b"):
        text = "A last expression is not the result there: write `return` before it, or the result is null"
        yield Finding(js.read(script).line(statements[-1]), text, "S", fails=False)


def sign(script: CheckedScript) -> str | None:
    if js.mentions(script, r"\b__(?:getToolInterface|interfaces)\b"):
        return "`__getToolInterface`"
    if not js.returns_at_top(script):
        return None
    if spaces := js.foreign_spaces(script):
        return f"a top-level `return`, and a global `{spaces[0]}` whose members are called"
    functions = [name for name in js.foreign_functions(script) if not name.startswith("external_")]
    others = js.mentions(script, r"(?<![.\w])(?:tools|codemode)[.\[]")
    return f"a top-level `return`, and `{functions[0]}({{...}})` by its bare name" if functions and not others else None


TARGET = DeploymentTarget(
    id="utcp",
    name="UTCP code mode (TypeScript)",
    language="javascript",
    runtime="node",
    notes=NOTES,
    call=CallStyle("{name}({object})"),
    limits=TargetLimits(seconds=SECONDS, memory_mb=128),
    globals=LANGUAGE | {"global", "console", "__interfaces", "__getToolInterface"},
    frame="frame.mjs",
    names=names,
    options=options,
    compile=body_of_a_function,
    reply=reply,
    check=check,
    sign=sign,
)
