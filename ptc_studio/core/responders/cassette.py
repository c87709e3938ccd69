"""What a cassette holds, the calls of a run as they were and the tools that they used, and how one is made."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from ptc_studio.core.errors import CallStatus
from ptc_studio.core.redaction import Redaction, Redactor
from ptc_studio.core.registry import Registry, Target
from ptc_studio.core.tools import Parameter
from ptc_studio.core.trace import NO_TARGET, CallRecord, RunRecord, Trace

REFUSED: frozenset[CallStatus] = frozenset(("denied", "invalid", "not_found", "depth", "cancelled"))
"""Ends that a call may come to before anybody is asked for an answer."""


@dataclass(frozen=True, slots=True)
class RecordedError:
    """What a call failed with."""

    type: str
    message: str
    base: str = ""
    """The nearest built-in type, where the type itself is a tool's own."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One call; everything in it is redacted."""

    id: str
    name: str
    """As it was called: the alias's, else the tool's."""
    tool: str
    arguments: Any
    status: CallStatus | None
    """None: it had not ended when the run was over."""
    parent: str | None = None
    depth: int = 1
    result: Any = None
    error: RecordedError | None = None
    line: int | None = None
    together: str | None = None
    """The first of the calls that were under way at the same time as this one, where there were several."""
    truncated: bool = False
    """Whether the result was too long to be kept whole."""
    redactions: tuple[Redaction, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether it may have ended before anybody was asked for an answer."""
        return self.status in REFUSED


@dataclass(frozen=True, slots=True)
class RecordedTool:
    """A tool or alias as the script saw it: enough to stand in for one that is not loaded."""

    name: str
    tool: str
    source: str
    description: str = ""
    also: tuple[str, ...] = ()
    """Further names that lead to it."""
    parameters: tuple[Parameter, ...] = ()
    preset: Mapping[str, Any] = field(default_factory=dict[str, Any])
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])
    redact: tuple[str, ...] = ()

    @property
    def is_alias(self) -> bool:
        return self.name != self.tool


@dataclass(frozen=True, slots=True)
class Published:
    """How a program ended where it was deployed, as its conversation tells; what that does not tell is None."""

    status: str = "ok"
    stdout: str | None = None
    stderr: str | None = None
    return_code: int | None = None
    result: Any = None
    """What went back to the model, where that is one value."""
    reason: str = ""
    """The vendor's own word for what went wrong."""
    note: str = ""
    """What a reader should know, in a sentence."""


@dataclass(frozen=True, slots=True)
class Cassette:
    """The calls of one run, in the order in which they started."""

    name: str
    calls: tuple[RecordedCall, ...]
    tools: tuple[RecordedTool, ...] = ()
    script: str = ""
    runtime: str = ""
    recorded: str = ""
    """When, as ISO 8601 has it."""
    status: str | None = None
    """How the run ended."""
    target: str = ""
    """Where the script was going, or went in its conversation; empty: nowhere in particular."""
    continues: str = ""
    """The script whose names this one goes on with, beside it, where the target keeps them."""
    published: Published | None = None
    """What a replay is compared with, where the calls are a conversation's."""

    @property
    def of_conversation(self) -> bool:
        """Whether it was made from a conversation, and its tools are somebody else's."""
        return self.published is not None

    @property
    def too_long(self) -> tuple[RecordedCall, ...]:
        """The calls that cannot be replayed, because their results were cut."""
        return tuple(call for call in self.calls if call.truncated)


def fingerprint(name: str, arguments: Any) -> str:
    """The same for calls of one name with equal arguments: keys in any order, and 3.0 is 3."""
    return json.dumps([name, _plain(arguments)], sort_keys=True, separators=(",", ":"))


def equal(one: Any, other: Any) -> bool:
    """Whether two arguments are the same to JSON."""
    if not isinstance(one, (dict, list)) and not isinstance(other, (dict, list)):
        # To Python, True is 1.
        return one == other and isinstance(one, bool) == isinstance(other, bool)
    return fingerprint("", one) == fingerprint("", other)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in cast("list[Any]", value)]
    # JavaScript has one kind of number, and writes 3.0 as 3.
    return int(value) if isinstance(value, float) and value.is_integer() else value


ROUNDING_MS = 0.002
"""Times are rounded: calls that overlap by no more than this came one after the other."""


def cassette_of(
    trace: Trace, registry: Registry, redactor: Redactor, *, name: str, script: str, when: datetime
) -> Cassette:
    """The calls of the run as far as it came, and what is known of their tools."""
    calls = list(trace.calls())
    together = together_with(calls)
    return Cassette(
        name,
        tuple(_call(call, trace, together.get(call["id"])) for call in calls),
        tuple(recorded_tools((call["alias"] or call["tool"] for call in calls), registry, redactor)),
        script,
        trace.runtime,
        when.isoformat(timespec="seconds"),
        trace.status,
        _target(trace.target),
    )


def _target(of_run: str) -> str:
    """That of a run as a cassette has it."""
    return "" if of_run == NO_TARGET else of_run


def _call(record: CallRecord, trace: Trace, together: str | None) -> RecordedCall:
    end = trace.end_of(record["id"])
    cut = bool(end and end.result and end.result.truncated)
    return _recorded(record, end.error.base if end and end.error else "", together, cut)


def cassette_of_record(
    record: RunRecord, tools: Iterable[RecordedTool], bases: Mapping[str, str], *, name: str, script: str, when: str
) -> Cassette:
    """The same of a run of which only the record is left, and by their ids the nearest built-in types of its errors."""
    calls = record["calls"]
    together = together_with(calls)
    return Cassette(
        name,
        tuple(
            _recorded(call, bases.get(call["id"], ""), together.get(call["id"]), call["truncated"]) for call in calls
        ),
        tuple(tools),
        script,
        record["runtime"] or "",
        when,
        record["status"],
        _target(record["target"]),
    )


def _recorded(record: CallRecord, base: str, together: str | None, truncated: bool) -> RecordedCall:
    error = record["error"]
    return RecordedCall(
        record["id"],
        record["alias"] or record["tool"],
        record["tool"],
        record["arguments"],
        record["status"],
        record["parent_id"],
        record["depth"],
        record["result"],
        error and RecordedError(error["type"], error["message"], "" if base == error["type"] else base),
        record["line"],
        together,
        truncated,
        tuple(Redaction(**redaction) for redaction in record["redactions"]),
    )


def together_with(calls: Iterable[CallRecord]) -> dict[str, str]:
    """For each call that was not alone among those of its parent, the first of its group."""
    groups: dict[str | None, list[list[CallRecord]]] = {}
    ends: dict[str | None, float] = {}
    for call in calls:
        parent, start = call["parent_id"], call["started_ms"]
        if start >= ends.get(parent, 0.0) - ROUNDING_MS:
            groups.setdefault(parent, []).append([])
        groups.setdefault(parent, [[]])[-1].append(call)
        duration = call["duration_ms"]
        ends[parent] = max(ends.get(parent, 0.0), float("inf") if duration is None else start + duration)
    several = [group for of_parent in groups.values() for group in of_parent if len(group) > 1]
    return {call["id"]: group[0]["id"] for group in several for call in group}


def recorded_tools(names: Iterable[str], registry: Registry, redactor: Redactor) -> Iterable[RecordedTool]:
    """What is known of the tools and aliases of these names, each once."""
    for target in filter(None, map(registry.find, dict.fromkeys(names))):
        yield _tool(target, registry, redactor)


def _tool(target: Target, registry: Registry, redactor: Redactor) -> RecordedTool:
    spec, alias = target.spec, target.alias
    if alias is not None and alias.redact:
        redactor = redactor.extended(keys=alias.redact)
    return RecordedTool(
        spec.name,
        target.tool.spec.name,
        spec.source,
        redactor.text(spec.description, "description").value,
        registry.names_of(target)[1:],
        tuple(_parameter(parameter, redactor) for parameter in spec.signature),
        _hidden(alias.preset, redactor) if alias else {},
        _hidden(alias.defaults, redactor) if alias else {},
        alias.redact if alias else (),
    )


def _parameter(parameter: Parameter, redactor: Redactor) -> Parameter:
    shown = _hidden({parameter.name: parameter.default}, redactor)
    return Parameter(
        parameter.name, parameter.required, shown[parameter.name], parameter.annotation, parameter.keyword_only
    )


def _hidden(values: Mapping[str, Any], redactor: Redactor) -> dict[str, Any]:
    return cast("dict[str, Any]", redactor.value(dict(values), "cassette").value)
