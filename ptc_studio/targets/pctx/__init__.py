"""pctx's code mode: TypeScript that is type-checked, then run in Deno."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from ptc_studio.core.scripts import Script, Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.build import BuildFailed
from ptc_studio.runtimes.javascript_scopes import DENO
from ptc_studio.runtimes.javascript_syntax import Edit, Syntax
from ptc_studio.runtimes.type_check import TypeChecker, TypeCheckRequest
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.javascript_conventions import by_server, camel_case, pascal_case, typescript_type
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

RUN = "\n\nexport default await run();\n"
IGNORED = frozenset(
    f"TS{code}"
    for code in (2304, 2307, 2318, 2339, 2362, 2363, 2488, 2580, 2583, 2584, 2585, 2591, 2693, 7005, 7006, 7016, 7034,
                 7053, 18046)
)  # fmt: skip
"""What the check there lets pass: names and members that it does not know, and types that nobody wrote."""
NOTES = (
    Note("`async function run() {... return ...}`; the sandbox writes `export default await run()` below it, unless it "
         "stands there already", "S"),
    Note("`Namespace.functionName({...})`, async: here a namespace of tools, and `Tools` for those without one", "S"),
    Note("It is type-checked first: what does not fit is not run; unknown names and members, and types that are left "
         "out, pass", "S"),
    Note("10 s, in Deno, without files and network", "D"),
    Note("The model sees whether it succeeded, the returned value as JSON, stdout and stderr, as Markdown", "S"),
)  # fmt: skip


def names(tools: Sequence[Visible]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for server, members in by_server(tools).items():
        for name, own in members.items():
            found.setdefault(f"{pascal_case(server)}.{camel_case(name)}", own)
    return found


def declarations(tools: Sequence[Visible]) -> str:
    """The types of the tools as the check is given them."""
    specs = {visible.names[0]: visible.target.spec for visible in tools}
    spaces: dict[str, list[str]] = {}
    for name, own in names(tools).items():
        space, _, function = name.partition(".")
        spec = specs[own]
        optional = "" if spec.parameters.get("required") else "?"
        result = typescript_type(spec.output) if spec.output else "any"
        line = f"  function {function}(input{optional}: {typescript_type(dict(spec.parameters))}): Promise<{result}>;"
        spaces.setdefault(space, []).append(line)
    return "\n".join(f"declare namespace {space} {{\n" + "\n".join(lines) + "\n}" for space, lines in spaces.items())


@cache
def _checker() -> TypeChecker:
    return TypeChecker()


def compile_script(script: Script, tools: Sequence[Visible]) -> Mapping[str, Any]:
    """The script with the call of `run` below it, once it has passed the check."""
    syntax = Syntax(script.code, "typescript")
    end = syntax.offset(len(syntax.data))
    edits: list[Edit] = [] if _is_called(syntax) else [(end, end, RUN)]
    checked = script.code + "".join(text for _, _, text in edits)
    told_of = _checker().check(TypeCheckRequest(checked, declarations(tools))) or []
    problems = [each for each in told_of if each.code not in IGNORED]
    if problems:
        first = problems[0]
        told = "\n".join(f"{script.filename}:{each.line}: {each.message}" for each in problems)
        raise BuildFailed(f"Type check failed: {first.message}", told, first.line)
    return {"edits": edits}


def _is_called(syntax: Syntax) -> bool:
    return any(
        statement.type == "export_statement" and any(child.type == "default" for child in statement.children)
        for statement in syntax.statements()
    )


def reply(record: RunRecord, report: Any) -> str:
    ok = record["status"] == "ok"
    error = record["error"]
    value = json.dumps((report or {}).get("output"), indent=2, ensure_ascii=False) if ok else "null"
    told = (error["traceback"] or error["message"]) if error else ""
    stderr = record["stderr"] + ("Execution timed out after 10 s" if record["status"] == "timeout" else told)
    return (
        f"Code Executed Successfully: {'true' if ok else 'false'}\n\n# Return Value\n```json\n{value}\n```\n\n"
        f"# STDOUT\n{record['stdout']}\n\n# STDERR\n{stderr}\n"
    )


def check(script: CheckedScript) -> Iterator[Finding]:
    syntax = js.syntax_of(script.code, "typescript")
    if not js.mentions(script, r"function\s+run\b|\brun\s*="):
        yield Finding(None, "There is no function `run`: the sandbox calls it", "S")
    for statement in syntax.statements():
        if statement.type == "return_statement":
            yield Finding(syntax.line(statement), "A `return` at the top level: write it in `run`", "S")
    yield from js.no_imports(script, "S")
    spaces = {name.partition(".")[0] for name in script.names}
    calls = js.tool_calls(script, lambda root, _name: root in spaces or root == "tools")
    yield from js.one_object(calls, "S")
    yield from js.unawaited(calls, "what it gives is lost", "S", fails=False)
    for call in calls:
        if script.names and f"{call.root}.{call.name}" not in script.names:
            there = camel_case(call.name)
            known = f"{call.root}.{there}" in script.names
            text = f"`{call.name}` is called `{there}` there" if known else f"There is no `{call.root}.{call.name}`"
            yield Finding(call.line, text, "S")


def sign(script: CheckedScript) -> str | None:
    if js.mentions(script, r"^export\s+default\s+await\s+run\(\)"):
        return "`export default await run()`"
    if not js.mentions(script, r"^async\s+function\s+run\s*\(") or js.mentions(script, r"\bcodemode\."):
        return None
    statements = [each for each in js.read(script).statements() if each.type != "import_statement"]
    if len(statements) == 1:
        return "a lone `async function run()`"
    space = next((name for name in js.foreign_spaces(script) if name[:1].isupper()), None)
    return f"`async function run()`, and a namespace `{space}`" if space else None


TARGET = DeploymentTarget(
    id="pctx",
    name="pctx code mode",
    language="typescript",
    runtime="deno",
    notes=NOTES,
    call=CallStyle("await {name}({object})"),
    limits=TargetLimits(seconds=10, source="D"),
    globals=DENO,
    frame="frame.mjs",
    calls_functions=True,
    names=names,
    compile=compile_script,
    reply=reply,
    check=check,
    sign=sign,
)
