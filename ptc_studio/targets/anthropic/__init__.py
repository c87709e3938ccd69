"""Anthropic's code execution with programmatic tool calling."""

import ast
from collections.abc import Iterator
from typing import Any

from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import python_checks
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits, stderr_of

NOTES = (
    Note("A tool is an async function that takes one dict, its whole input, and gives the text of its result", "D"),
    Note("Top-level await works; json and asyncio are not imported for the script, though published examples do "
         "without the import: here they are there, with a warning", "D"),
    Note("A failing tool gives ordinary text, `Error: ...`, and raises nothing", "D"),
    Note("An unanswered call raises TimeoutError after 270 s, which is seen on stderr", "D"),
    Note("The model sees stdout, stderr and return_code; a last expression is not shown", "D"),
    Note("Names stay from one cell to the next in one container (code_execution_20260120 and _20260521)", "S"),
    Note("A cell may take 90 s", "2"),
    Note("5 GiB of memory, also here unless the workspace grants less; one processor, also here where the system can "
         "bind a process to one; no network", "D"),
    Note("What the model sees of a cell that needs more memory, nobody has said; here what it printed before", "?"),
    Note("Whether a cell may have both a top-level await and asyncio.run, nobody has said", "?"),
)  # fmt: skip


def check(script: CheckedScript) -> Iterator[Finding]:
    calls = list(python_checks.tool_calls(script))
    for call in calls:
        yield from _convention(call)
    yield from python_checks.text_used_as_object(script, calls, "D")
    for name, line in python_checks.uses(script, "json", "asyncio").items():
        text = f"`{name}` is not imported for the script: write `import {name}` (published examples leave it out)"
        yield Finding(line, text, "D")
    yield from _awaits(script)
    yield from python_checks.returns(script, "a cell is a module", "D")
    yield from _schemas(script)
    yield from python_checks.unknown_names(script, ("json", "asyncio"))
    yield from python_checks.unknown_environment(script)


def _convention(call: python_checks.ToolCall) -> Iterator[Finding]:
    node = call.node
    wrong = None
    if node.keywords:
        wrong = "keyword arguments"
    elif len(node.args) != 1:
        wrong = f"{len(node.args)} positional arguments" if node.args else "no argument"
    elif isinstance(node.args[0], ast.Constant | ast.List | ast.Tuple | ast.JoinedStr):
        wrong = "an argument that is no dict"
    if wrong:
        yield Finding(call.line, f"`{call.name}` is called with {wrong}: a tool takes one dict, its whole input", "D")


def _awaits(script: CheckedScript) -> Iterator[Finding]:
    awaited = python_checks.top_level_awaits(script.tree)
    for node in python_checks.calls_named(script.tree, r"asyncio\.run"):
        if awaited:
            text = "asyncio.run beside a top-level await fails where a loop is running already"
            yield Finding(node.lineno, text, "?", fails=False)


def _schemas(script: CheckedScript) -> Iterator[Finding]:
    used = {script.names.get(call.name) for call in python_checks.tool_calls(script)}
    for visible in script.tools:
        if visible.names[0] not in used:
            continue
        spec = visible.target.spec
        if spec.parameters.get("strict") is True:
            yield Finding(
                None, f"The tool `{spec.name}` is `strict: true`, which cannot be called from code there", "D"
            )
        if _recursive(spec.parameters):
            yield Finding(None, f"The schema of `{spec.name}` refers to itself (`$ref`), which is refused there", "D")
        if spec.origin.startswith("MCP server "):
            text = f"`{spec.name}` is a tool of an MCP server: through the MCP connector code cannot call it there"
            yield Finding(None, text, "D", fails=False)
        if spec.output is not None and spec.output.get("type") != "string":
            text = f"The result of `{spec.name}` is no text here: there it is what your program sends as text"
            yield Finding(None, text, "D", fails=False)


def _recursive(schema: Any, parents: tuple[str, ...] = (), root: Any = None) -> bool:
    """Whether a `$ref` of the schema leads to what it is a part of."""
    root = schema if root is None else root
    if isinstance(schema, list):
        return any(_recursive(item, parents, root) for item in schema)
    if not isinstance(schema, dict):
        return False
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in parents or reference == "#":
            return True
        return _recursive(_at(root, reference), (*parents, reference), root)
    return any(_recursive(value, parents, root) for key, value in schema.items() if key not in ("$defs", "definitions"))


def _at(root: Any, reference: str) -> Any:
    for step in reference.removeprefix("#/").split("/"):
        root = root.get(step) if isinstance(root, dict) else None
    return root


def reply(record: RunRecord, _report: Any) -> Any:
    """stdout, stderr and return_code; a traceback is part of stderr there."""
    if record["status"] == "timeout":
        return {"type": "code_execution_tool_result_error", "error_code": "execution_time_exceeded"}
    return {"stdout": record["stdout"], "stderr": stderr_of(record), "return_code": record["return_code"]}


def sign(script: CheckedScript) -> str | None:
    for call in python_checks.strangers(script, awaited=True):
        argument = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if isinstance(argument, ast.Dict) and all(isinstance(key, ast.Constant) for key in argument.keys):
            return f"`await {python_checks.dotted(call.func)}({{...}})` with a dict in line {call.lineno}"
    return None


TARGET = DeploymentTarget(
    id="anthropic",
    name="Anthropic programmatic tool calling",
    language="python",
    runtime="python",
    notes=NOTES,
    call=CallStyle("await {name}({dict})", gives="str"),
    limits=TargetLimits(seconds=90, memory_mb=5120, call_seconds=270, source="D", time_source="2"),
    frame="frame.py",
    keeps_state=True,
    reply=reply,
    check=check,
    sign=sign,
)
