"""Goose's code mode of 2025."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ptc_studio.core.scripts import Script, Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.javascript_scopes import NODE
from ptc_studio.runtimes.javascript_syntax import compilation
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.javascript_conventions import IDENTIFIER, by_server, message_of
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, identifier

NOTES = (
    Note('`import { shell } from "developer"`: a module for each extension; here for each namespace of tools, and '
         '"tools" for those without one', "2"),
    Note("A tool is a synchronous function that gives a string", "2"),
    Note("`record_result(value)` gives the result; older ones have the last expression for it", "S"),
    Note("What the model sees is here the result as text, or the message of the error; nobody has said", "?"),
    Note("The time limit: nobody has said", "?"),
)  # fmt: skip


def extensions(tools: Sequence[Visible]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for server, members in by_server(tools).items():
        functions = {identifier(name): own for name, own in members.items()}
        found[server] = {name: own for name, own in functions.items() if IDENTIFIER.fullmatch(name)}
    return found


def names(tools: Sequence[Visible]) -> Mapping[str, str]:
    return {f"{space}.{name}": own for space, all_ in extensions(tools).items() for name, own in all_.items()}


def reply(record: RunRecord, report: Any) -> Any:
    return (report or {}).get("value") if record["status"] == "ok" else message_of(record)


def check(script: CheckedScript) -> Iterator[Finding]:
    known = {name.partition(".")[0] for name in script.names}
    imported = {
        name.strip().rpartition(" ")[2]
        for line, specifier in js.imports(script)
        for name in script.code.splitlines()[line - 1].partition("{")[2].partition("}")[0].split(",")
        if specifier in known
    }
    for line, specifier in js.imports(script):
        if known and specifier not in known:
            yield Finding(line, f"There is no extension {specifier!r}: there are {', '.join(sorted(known))}", "2")
    calls = js.tool_calls(script, lambda root, name: not root and name in imported)
    yield from js.text_used_as_object(script, calls, "2")
    yield from js.one_object(calls, "2")
    yield from js.missing_globals(script, js.NODE_GLOBALS, "2")


def sign(script: CheckedScript) -> str | None:
    """By the extensions that come with it, or by functions of a module that are called there and then."""
    known = re.compile("developer|computercontroller|memory|autovisualiser")
    modules = [name for _, name in js.imports(script)]
    found = next((name for name in modules if known.fullmatch(name)), None)
    if found:
        return f'`from "{found}"`'
    called = re.fullmatch(r"\w+", modules[0]) and _called_at_once(script) if len(modules) == 1 else []
    return f'`from "{modules[0]}"`, and `{called[0]}({{...}})` without `await`' if called else None


def _called_at_once(script: CheckedScript) -> list[str]:
    """The functions that are imported, if each is called with an object, and nothing in the script is waited for."""
    listed = re.search(r"^import\s*\{([^}]*)\}\s*from\b", script.code, flags=re.MULTILINE)
    if not listed or js.mentions(script, r"\bawait\b|\.then\("):
        return []
    names = [name.strip().rpartition(" ")[2] for name in listed[1].split(",") if name.strip()]
    calls = js.tool_calls(script, lambda root, name: not root and name in names)
    given = {call.name for call in calls if len(call.arguments) == 1 and call.arguments[0].type == "object"}
    return names if given >= set(names) else []


TARGET = DeploymentTarget(
    id="goose",
    name="Goose code mode (2025)",
    language="javascript",
    runtime="node",
    notes=NOTES,
    call=CallStyle("{name}({object})", gives="string", module="{space}"),
    globals=NODE | {"record_result"},
    frame="frame.mjs",
    names=names,
    options=lambda tools: {"extensions": extensions(tools)},
    compile=lambda script, _tools: _compiled(script),
    reply=reply,
    check=check,
    sign=sign,
)


def _compiled(script: Script) -> Mapping[str, Any]:
    """As here without a target: a last expression is the value."""
    return compilation(script.code, "javascript").frame
