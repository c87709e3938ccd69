"""pydantic-ai's code mode, in Monty."""

import ast
import re
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from typing import Any

from ptc_studio.core.scripts import Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import python_checks
from ptc_studio.targets.pydantic_ai.convention import CALLS, MEMORY_MB, PRINTED, SECONDS, PydanticConvention
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

IMPORTS = ("sys", "typing", "asyncio", "math", "json", "re", "unicodedata", "datetime", "os", "pathlib")
NEWER_IMPORTS = (
    "time", "random", "collections", "itertools", "functools", "dataclasses", "copy", "base64", "binascii",
)  # fmt: skip
NOTES = (
    Note("Tools take keyword arguments alone, and are async unless they are sequential, which none is here", "S"),
    Note("The first snippet is type-checked; names stay from one snippet to the next", "S"),
    Note("30 s of computing, not counting the tools; 256 MiB; 100 calls, then RuntimeError; 10 MiB of prints", "S"),
    Note("Imports: sys typing asyncio math json re unicodedata datetime os pathlib; since harness 0.62 also time "
         "random collections itertools functools dataclasses copy base64 binascii, and sleeping works", "S"),
    Note("No clock: datetime.now(), date.today() and time.time() fail; no files, no environment", "S"),
    Note("In names of tools a bad character becomes _, a leading digit _x, a keyword x_", "S"),
    Note("Decimal, UUID and datetime become text", "S"),
    Note("The model sees the value, {} if there is none, {output} if something was printed, or {output, result}; of an "
         "error, its kind, what was printed before, and the traceback", "S"),
    Note("A denied call raises RuntimeError: Tool 'x' call denied: ...", "S"),
)  # fmt: skip


def safe_name(name: str) -> str:
    clean = re.sub(r"[^a-zA-Z0-9_]", "_", name)
    clean = f"_{clean}" if clean[:1].isdigit() else clean
    return f"{clean}_" if iskeyword(clean) else clean or "_"


def names(tools: Sequence[Visible]) -> dict[str, str]:
    """Of two tools with one name there, the first has it."""
    found: dict[str, str] = {}
    for visible in tools:
        for name in visible.names:
            found.setdefault(safe_name(name), visible.names[0])
    return found


def check(script: CheckedScript) -> Iterator[Finding]:
    yield from python_checks.positional_calls(script)
    for line, name in python_checks.imports(script.tree):
        root = name.partition(".")[0]
        if root in NEWER_IMPORTS:
            text = f"`{name}` can be imported there only since harness 0.62; before, it could not"
            yield Finding(line, text, "S", fails=False)
        elif root not in IMPORTS:
            yield Finding(line, f"`{name}` cannot be imported there; what can is {', '.join(IMPORTS)}", "S")
    for call in python_checks.unawaited(script):
        text = f"`{call.name}` is not awaited: the type check there refuses that"
        yield Finding(call.line, text, "S", fails=not script.continues)
    if not script.continues:
        yield from python_checks.returns(script, "the type check refuses it; end with the value itself")
    for node in python_checks.calls_named(
        script.tree, r"(datetime\.)?(datetime\.(now|today|utcnow)|date\.today)|time\.time"
    ):
        yield Finding(node.lineno, f"`{python_checks.dotted(node.func)}()` fails there: there is no clock", "S")
    for node in python_checks.calls_named(script.tree, r"asyncio\.sleep|time\.sleep"):
        text = f"`{python_checks.dotted(node.func)}` works there only since harness 0.62"
        yield Finding(node.lineno, text, "S", fails=False)
    yield from monty_subset(script)
    yield from _hidden(script)
    yield from python_checks.unknown_names(script)


def monty_subset(script: CheckedScript) -> Iterator[Finding]:
    """What Monty does not have of Python."""
    for node in ast.walk(script.tree):
        word = None
        if isinstance(node, ast.Yield | ast.YieldFrom):
            word = "yield"
        elif isinstance(node, ast.AsyncWith | ast.AsyncFor):
            word = "async with" if isinstance(node, ast.AsyncWith) else "async for"
        elif isinstance(node, ast.ClassDef) and node.bases:
            word = "class inheritance"
        if word:
            yield Finding(getattr(node, "lineno", None), f"Monty has no {word}", "S")


def _hidden(script: CheckedScript) -> Iterator[Finding]:
    taken: dict[str, str] = {}
    for visible in script.tools:
        own = visible.names[0]
        other = taken.setdefault(safe_name(own), own)
        if other != own:
            yield Finding(
                None, f"`{own}` is hidden there: its name becomes `{safe_name(own)}`, as that of `{other}`", "S"
            )


def reply(record: RunRecord, report: Any) -> Any:
    output, error = record["stdout"], record["error"]
    if record["status"] == "timeout" or error is not None:
        head = _KINDS.get((report or {}).get("kind", ""), "Runtime error:")
        return f"{head}\n{_before(output)}{_shown(record, report)}"
    value = record["value"]
    if not output:
        return {} if value is None else value
    return {"output": output} if value is None else {"output": output, "result": value}


_KINDS = {"MontySyntaxError": "Syntax error in code:", "MontyTypingError": "Type error in code:"}


def _before(output: str) -> str:
    printed = output.rstrip("\n")
    return f"[stdout before error]\n{printed}\n[/stdout before error]\n" if printed else ""


def _shown(record: RunRecord, report: Any) -> str:
    error = record["error"]
    return (report or {}).get("display") or (f"{error['type']}: {error['message']}" if error else "")


def sign(script: CheckedScript) -> str | None:
    """An awaited function that nobody defines, with keyword arguments: elsewhere that is one dict, or no await."""
    for call in python_checks.awaited_strangers(script):
        if call.keywords and not call.args:
            return f"`await {python_checks.dotted(call.func)}(name=...)` with keyword arguments in line {call.lineno}"
    return None


TARGET = DeploymentTarget(
    id="pydantic-ai",
    name="pydantic-ai code mode",
    language="python",
    runtime="monty",
    notes=NOTES,
    call=CallStyle("await {name}({keywords})", keyword_only=True),
    limits=TargetLimits(seconds=SECONDS, calls=CALLS, memory_mb=MEMORY_MB, output=PRINTED, of_computing=True),
    driver=PydanticConvention,
    keeps_state=True,
    names=names,
    reply=reply,
    check=check,
    sign=sign,
)
