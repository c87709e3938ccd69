"""Makes a cassette of a run that is over: of its record, in which everything is redacted."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, cast

from ptc_studio.core.answering.cassette_calls import Cassette, RecordedCall, RecordedError, RecordedTool
from ptc_studio.core.redaction import Redaction, Redactor
from ptc_studio.core.registry import Registry, Target
from ptc_studio.core.tools import Parameter
from ptc_studio.core.trace import Record, Trace

ROUNDING_MS = 0.002
"""Times are rounded: calls that overlap by no more than this came one after the other."""


def cassette_of(
    trace: Trace, registry: Registry, redactor: Redactor, *, name: str, script: str, when: datetime
) -> Cassette:
    """The calls of the run as far as it came, and what is known of their tools."""
    calls = list(trace.calls())
    together = _together(calls)
    return Cassette(
        name,
        tuple(_call(call, trace, together.get(call["id"])) for call in calls),
        tuple(_tools(calls, registry, redactor)),
        script,
        trace.runtime,
        when.isoformat(timespec="seconds"),
        trace.status,
    )


def _call(record: Record, trace: Trace, together: str | None) -> RecordedCall:
    end = trace.end_of(record["id"])
    error = end.error if end else None
    return RecordedCall(
        record["id"],
        record["alias"] or record["tool"],
        record["tool"],
        record["arguments"],
        record["status"],
        record["parent_id"],
        record["depth"],
        record["result"],
        error and RecordedError(error.type, error.message.value, "" if error.base == error.type else error.base),
        record["line"],
        together,
        bool(end and end.result and end.result.truncated),
        tuple(Redaction(**redaction) for redaction in record["redactions"]),
    )


def _together(calls: Iterable[Record]) -> dict[str, str]:
    """For each call that was not alone among those of its parent, the first of its group."""
    groups: dict[str | None, list[list[Record]]] = {}
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


def _tools(calls: Iterable[Record], registry: Registry, redactor: Redactor) -> Iterable[RecordedTool]:
    names = dict.fromkeys(call["alias"] or call["tool"] for call in calls)
    for target in filter(None, map(registry.find, names)):
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
