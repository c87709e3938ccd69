"""pydantic-ai's code mode, in Monty."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from keyword import iskeyword
from typing import Any

from pydantic_monty import FunctionSnapshot, OSPolicy

from ptc_studio.core.errors import CallDenied
from ptc_studio.core.json_schema import properties_of, required_of
from ptc_studio.core.scripts import Job, Visible
from ptc_studio.core.tools import JsonSchema, ToolSpec
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.monty.calls import TargetConvention, WantedCall
from ptc_studio.targets import python_checks
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

HEAD = "import asyncio\nfrom typing import Any, TypedDict, NotRequired, Literal"
_TYPES = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None"}


def stubs(tools: Sequence[Visible], names: Mapping[str, str]) -> str:
    """The stubs of the tools, under their names there."""
    by_name = {visible.names[0]: visible for visible in tools}
    writer = _Writer()
    functions = [writer.function(there, by_name[own]) for there, own in names.items() if own in by_name]
    return "\n\n".join([HEAD, *writer.classes, *functions]) + "\n"


class _Writer:
    """Writes types; an object with known fields becomes a class of its own."""

    def __init__(self) -> None:
        self.classes: list[str] = []

    def function(self, name: str, visible: Visible) -> str:
        spec = visible.target.spec
        required = set(required_of(spec.parameters))
        fields = [
            f"{field}: {self.type(part, name, field)}{'' if field in required else f' = {_default(part)}'}"
            for field, part in properties_of(spec.parameters).items()
            if field.isidentifier() and not iskeyword(field)
        ]
        odd = len(fields) < len(properties_of(spec.parameters)) or spec.parameters.get("additionalProperties")
        given = ", ".join([*(["*", *fields] if fields else []), *(["**more: Any"] if odd else [])])
        result = self.type(spec.output, name, "Result") if spec.output is not None else "Any"
        head = f"async def {name}({given}) -> {result}:"
        return "\n".join((head, *_documentation(spec), "    raise NotImplementedError()"))

    def type(self, schema: Any, tool: str, field: str) -> str:
        if not isinstance(schema, Mapping) or "$ref" in schema or "allOf" in schema:
            return "Any"
        if schema.get("enum"):
            return f"Literal[{', '.join(map(repr, schema['enum']))}]" if _literal(schema["enum"]) else "Any"
        kinds: Any = schema.get("anyOf") or schema.get("oneOf")
        if kinds:
            return " | ".join(dict.fromkeys(self.type(each, tool, field) for each in kinds))
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(self.type({**schema, "type": each}, tool, field) for each in kind)
        if kind == "array":
            return f"list[{self.type(schema.get('items'), tool, f'{field}Item')}]"
        if kind == "object":
            return self._object(schema, tool, field)
        return _TYPES.get(str(kind), "Any")

    def _object(self, schema: JsonSchema, tool: str, field: str) -> str:
        properties = properties_of(schema)
        if not properties or not all(name.isidentifier() and not iskeyword(name) for name in properties):
            more = schema.get("additionalProperties")
            return f"dict[str, {self.type(more, tool, field) if isinstance(more, Mapping) else 'Any'}]"
        required = set(required_of(schema))
        name = f"_{tool}_{field}_{len(self.classes)}"
        lines = [f"class {name}(TypedDict):"]
        for key, part in properties.items():
            text = self.type(part, tool, key)
            lines.append(f"    {key}: {text if key in required else f'NotRequired[{text}]'}")
        self.classes.append("\n".join(lines))
        return name


_ESCAPED = str.maketrans({"\\": "\\\\", "\0": "\\x00", '"': '\\"'})


def _documentation(spec: ToolSpec) -> list[str]:
    """What is written below the head of a function: its description, and those of its parameters."""
    described = {name: str(part.get("description") or "").strip() for name, part in _parts(spec.parameters)}
    told = [f"    {name}: {text}".replace("\n", "\n        ") for name, text in described.items() if text]
    sections = [spec.description.strip(), "\n".join(("Args:", *told)) if told else ""]
    lines = "\n\n".join(filter(None, sections)).translate(_ESCAPED).splitlines()
    if len(lines) > 1:
        lines = ['"""', *lines, '"""']
    elif lines:
        lines = [f'"""{lines[0]}"""']
    return [f"    {line}" if line.strip() else "" for line in lines]


def _parts(schema: JsonSchema) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name, part) for name, part in properties_of(schema).items() if isinstance(part, Mapping)]


def _default(part: Any) -> str:
    """As it is written there; what only JSON can say is left open."""
    value = part.get("default", ...) if isinstance(part, Mapping) else ...
    return repr(value) if value is None or isinstance(value, str | int | float) else "..."


def _literal(values: Sequence[Any]) -> bool:
    return all(isinstance(value, str | int | bool) or value is None for value in values)


CALLS, SECONDS, MEMORY_MB, PRINTED = 100, 30.0, 256, 10 * 1024 * 1024
NO_CLOCK: OSPolicy = {"datetime": "call_host", "random_start": "call_host"}
LIMITS = ("time limit exceeded", "memory limit exceeded", "suspension limit ")
"""What Monty says when a limit ended the code."""
TOO_LONG = (
    "\n\nThe code ran longer than `max_duration_secs` and was stopped, so the session was reset. Re-run any imports, "
    "recreate any state you need, and make the code do less work per call."
)
MOST_PASSED = 50
PASSED: dict[tuple[str, str], None] = {}
"""Scripts that passed the type check, each with the stubs that it passed against; the latest last."""
PREVIEW, ITEMS, SUMMARY = 120, 5, 2000
"""Characters of a text, items of a list, and characters of the whole, in what is told of the calls."""


class PydanticConvention(TargetConvention):
    """Async functions of keyword arguments, so many calls, and no clock."""

    memory = MEMORY_MB * 1024 * 1024
    seconds = SECONDS
    sleep_seconds = SECONDS
    printed = PRINTED
    policy = NO_CLOCK

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self._started: dict[int, tuple[WantedCall, str]] = {}
        """Every call, by its identity, and how it ended."""
        self._refused = False
        self._checked = ("", "")

    def stubs(self) -> str | None:
        frame = self.job.frame
        assert frame is not None
        text = stubs(self.job.tools, frame.names) if frame.names else None
        self._checked = (self.job.script.code, text or "")
        # What passed once passes again, and the check takes longer than many a run.
        return None if self._checked in PASSED else text

    def type_checked(self) -> None:
        PASSED[self._checked] = None
        while len(PASSED) > MOST_PASSED:
            PASSED.pop(next(iter(PASSED)), None)

    def wanted(self, snapshot: FunctionSnapshot, *, awaited: bool) -> WantedCall | None:  # noqa: ARG002
        name = snapshot.function_name
        tool = self.tool(name)
        if tool is None:
            raise NameError(f"Unknown function: {name}")
        args, kwargs = self.arguments(snapshot)
        if args:
            raise TypeError(f"{name}() does not accept positional arguments; use keyword arguments")
        if len(self._started) >= CALLS:
            self._refused = True
            raise RuntimeError(
                f"Code mode allows {CALLS} nested tool calls per `run_code` call and this snippet asked for more. "
                "Call fewer tools, for example by filtering the inputs first, or split the work across several "
                "`run_code` calls."
            )
        wanted = WantedCall(tool, (), kwargs, concurrent=True)
        self._settle(wanted, "did not finish, so it may have applied a partial change")
        return wanted

    def given(self, wanted: WantedCall, value: Any) -> Any:
        self._settle(wanted, f"returned {preview(value)}")
        return value

    def failed(self, wanted: WantedCall, error: BaseException) -> BaseException:
        if not isinstance(error, PermissionError | CallDenied):
            return error
        self._settle(wanted, "was denied and did not run")
        return RuntimeError(f"Tool {wanted.tool!r} call denied: {error}")

    def report(self, kind: str, text: str, display: str) -> Any:
        """With the calls that had begun, where a limit ended the code: a second try would repeat them."""
        limited = kind == "MontyRuntimeError" and any(words in display for words in LIMITS)
        told = f"\n\n{self._summary()}" if self._started and (self._refused or limited) else ""
        display += told + (TOO_LONG if limited and LIMITS[0] in display else "")
        return super().report(kind, text, display)

    def _settle(self, wanted: WantedCall, how: str) -> None:
        self._started[id(wanted)] = (wanted, how)

    def _summary(self) -> str:
        count, lines, used = len(self._started), list[str](), 0
        for wanted, how in self._started.values():
            line = f"- {wanted.tool}({preview(dict(wanted.kwargs))}) {how}"
            if used + len(line) > SUMMARY:
                lines.append(f"- ... and {count - len(lines)} more not shown")
                break
            lines.append(line)
            used += len(line)
        last = f"Account for all {count} before retrying; repeating a call repeats whatever it already did."
        return "\n".join([f"{count} nested tool calls started before execution stopped:", *lines, last])


def preview(value: Any, *, nested: bool = False) -> str:
    """A value as it is told to the model: cut, and one level deep."""
    match value:
        case str():
            return repr(value[:PREVIEW]) + _elided(len(value), PREVIEW, "chars")
        case list() | tuple() if nested:
            return f"[{len(value)} items]"
        case list() | tuple():
            shown = ", ".join(preview(item, nested=True) for item in value[:ITEMS])
            return f"[{shown}]" + _elided(len(value), ITEMS, "items")
        case dict() if nested:
            return f"{{{len(value)} items}}"
        case dict():
            first = list(value.items())[:ITEMS]
            shown = ", ".join(f"{preview(key, nested=True)}: {preview(item, nested=True)}" for key, item in first)
            return f"{{{shown}}}" + _elided(len(value), ITEMS, "items")
        case _:
            return repr(value)


def _elided(count: int, shown: int, unit: str) -> str:
    return f" ... ({count} {unit} total)" if count > shown else ""


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
    """The tools' own names first, as they stand there, then their further ones; of two alike, the first counts."""
    found: dict[str, str] = {safe_name(visible.names[0]): visible.names[0] for visible in reversed(tools)}
    found = dict(reversed(found.items()))
    for visible in tools:
        for name in visible.names[1:]:
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
    if any(call.args for call in python_checks.strangers(script)):
        return None
    for call in python_checks.strangers(script, awaited=True):
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
