"""FastMCP's code mode, in Monty."""

import ast
from collections.abc import Iterator
from typing import Any

from pydantic_monty import FunctionSnapshot

from ptc_studio.core.json_schema import properties_of, required_of
from ptc_studio.core.scripts import Job, Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.monty.calls import TargetConvention, WantedCall
from ptc_studio.targets import python_checks
from ptc_studio.targets.pydantic_ai import monty_subset
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits, own_names

CALLS, SECONDS, MEMORY = 50, 30.0, 100_000_000
NOTES = (
    Note("Tools are called as `await call_tool(name, params)` alone; a top-level `return` is the output", "S"),
    Note("A result is the structured content if there is any, else the joined text; what is no object arrives as "
         '{"result": 7}, so the documented example that adds two results fails', "S"),
    Note("30 s of computing, not counting the tools; 100 MB; 50 calls", "S"),
    Note("A failing tool raises Exception: call_tool('x') failed: ...; one that is not there Unknown tool: x", "S"),
    Note("The model sees what is returned, nothing that is printed; or Error calling tool 'execute': ...", "S"),
)  # fmt: skip


class ToolError(Exception):
    """What a failing tool is there."""


class FastMcpConvention(TargetConvention):
    """Only `call_tool(tool_name, params)`, awaited."""

    memory = MEMORY
    seconds = SECONDS

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self._calls = 0
        self._tools = {visible.names[0]: visible for visible in job.tools}

    def wanted(self, snapshot: FunctionSnapshot, *, awaited: bool) -> WantedCall | None:  # noqa: ARG002
        if snapshot.function_name != "call_tool":
            return None
        args, kwargs = self.arguments(snapshot)
        name, params = call_tool(*args, **kwargs)
        self._calls += 1
        if self._calls > CALLS:
            raise ToolError(
                f"Tool call limit exceeded: at most {CALLS} call_tool() invocations are allowed per execute()."
            )
        tool = self.tool(name)
        if tool is None:
            raise ToolError(f"Unknown tool: {name}")
        return WantedCall(tool, (), params, concurrent=True)

    def given(self, wanted: WantedCall, value: Any) -> Any:
        visible = self._tools.get(wanted.tool)
        text = isinstance(value, str) and visible is not None and _speaks_text(visible)
        return value if isinstance(value, dict) or text else {"result": value}

    def failed(self, wanted: WantedCall, error: BaseException) -> BaseException:
        name = wanted.tool
        unfit, _, reason = str(error).partition(": ")
        if unfit != f"Invalid parameters for tool {name!r}":
            return ToolError(f"call_tool({name!r}) failed: Error calling tool {name!r}: {error}")
        return ToolError(f"call_tool({name!r}) failed: {reason}{self._parameters(name)}")

    def _parameters(self, name: str) -> str:
        schema = self._tools[name].target.spec.parameters if name in self._tools else {}
        required = set(required_of(schema))
        listed = ", ".join(each + ("*" if each in required else "") for each in properties_of(schema))
        return f"\nValid parameters for {name} (* = required): {listed}" if listed else ""


def call_tool(tool_name: str, params: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The one function of a script, for its signature."""
    if not isinstance(params, dict):
        raise ToolError(f"call_tool({tool_name!r}) failed: params must be a dict, not {type(params).__name__}")
    return tool_name, params


call_tool.__qualname__ = "CodeMode._make_execute_tool.<locals>.execute.<locals>.call_tool"


def _speaks_text(visible: Visible) -> bool:
    """Whether it is a server's tool without an output schema: its text stays text."""
    spec = visible.target.spec
    return spec.origin.startswith("MCP server ") and spec.output is None


def check(script: CheckedScript) -> Iterator[Finding]:
    yield from python_checks.direct_calls(script, 'await call_tool("{}", {{...}})')
    yield from python_checks.unknown_tools(script)
    for call in python_checks.call_tool_calls(script):
        names = {keyword.arg for keyword in call.node.keywords}
        if names - {"tool_name", "params"}:
            yield Finding(call.line, "`call_tool` takes the name and one dict there, no keyword arguments", "S")
        elif len(call.node.args) + len(names) != 2:
            yield Finding(
                call.line, "`call_tool` takes the name and one dict there, {} where there is nothing to say", "S"
            )
        if not call.awaited and not python_checks.calls_named(script.tree, r"asyncio\.gather"):
            yield Finding(
                call.line, "`call_tool` is not awaited: it gives a future there, not its value", "S", fails=False
            )
    yield from _arithmetic(script)
    if not python_checks.top_level_returns(script.tree) and _only_prints(script.tree):
        node = next(python_checks.calls_by(script, "print"))
        yield Finding(node.lineno, "What is printed is not seen there: return it", "S", fails=False)
    yield from monty_subset(script)
    yield from python_checks.unknown_names(script, ("call_tool",))


def _arithmetic(script: CheckedScript) -> Iterator[Finding]:
    """Results that are added up, as the documented example does."""
    held: set[str] = set()
    for node in ast.walk(script.tree):
        if isinstance(node, ast.Assign) and _is_result(node.value):
            held |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    for node in ast.walk(script.tree):
        if isinstance(node, ast.BinOp):
            sides = (node.left, node.right)
            if any(_is_result(side) or (isinstance(side, ast.Name) and side.id in held) for side in sides):
                text = 'A result that is no object arrives as {"result": ...} there: take it out first'
                yield Finding(node.lineno, text, "S", fails=False)


def _is_result(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Await) else node
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "call_tool"


def _only_prints(tree: ast.Module) -> bool:
    last = tree.body[-1] if tree.body else None
    return (
        isinstance(last, ast.Expr)
        and isinstance(last.value, ast.Call)
        and python_checks.dotted(last.value.func) == "print"
    )


def reply(record: RunRecord, report: Any) -> Any:
    error = record["error"]
    if error is None:
        return record["value"]
    told = (report or {}).get("text") or f"{error['type']}: {error['message']}"
    return f"Error calling tool 'execute': {told}"


def sign(script: CheckedScript) -> str | None:
    try:
        returns = python_checks.top_level_returns(script.tree)
        awaited = [call for call in python_checks.call_tool_calls(script) if call.awaited and not call.node.keywords]
    except SyntaxError:
        return None
    return f"`await call_tool(` with a top-level `return` in line {returns[0]}" if returns and awaited else None


TARGET = DeploymentTarget(
    id="fastmcp",
    name="FastMCP code mode",
    language="python",
    runtime="monty",
    notes=NOTES,
    call=CallStyle('await call_tool("{name}", {dict})'),
    limits=TargetLimits(seconds=SECONDS, calls=CALLS, memory_mb=95, of_computing=True),
    driver=FastMcpConvention,
    names=own_names,
    reply=reply,
    check=check,
    sign=sign,
)
