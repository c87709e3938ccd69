"""Tools that stand in for those that a cassette knows and nobody has loaded: a replay needs no source.

They check nothing and can do nothing: what comes of a call is the cassette's to say.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ptc_studio.core.aliases import Alias, spec_through
from ptc_studio.core.answering.cassette_calls import Cassette, RecordedCall, RecordedTool
from ptc_studio.core.calls import Call, CallRequest
from ptc_studio.core.errors import NotRecorded
from ptc_studio.core.registry import Target
from ptc_studio.core.tools import Ticket, ToolSpec


@dataclass(frozen=True, eq=False, slots=True)
class AbsentTool:
    """A tool that is not there."""

    spec: ToolSpec
    recorded: RecordedCall | None = None
    """The one call that it was made for, of those that a recorded call made in turn."""

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return dict(arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:  # noqa: ARG002 - a tool's method
        raise NotRecorded(f"The tool {self.spec.name!r} is not loaded, and the cassette has no such call of it.")


def absent_targets(cassette: Cassette, aliases: Iterable[Alias], forbidden: Collection[str]) -> dict[str, Target]:
    """What every name that was called leads to where it leads nowhere else.

    `aliases` are those that are known, of whatever tool; a `forbidden` name leads nowhere all the same.
    """
    known = {alias.name: alias for alias in aliases}
    found: dict[str, Target] = {}
    for tool in cassette.tools:
        if tool.name not in forbidden:
            target = _target(tool, known.get(tool.name))
            found.update(dict.fromkeys((tool.name, *tool.also), target))
    return found


def repeated(recorded: RecordedCall, parent: Call, source: str) -> CallRequest:
    """A call that a recorded one made, to be made again: its arguments were checked and hidden then."""
    spec = ToolSpec(recorded.tool, "", _ANYTHING, source)
    alias = Alias(recorded.name, recorded.tool) if recorded.name != recorded.tool else None
    tool = AbsentTool(spec, recorded)
    target = Target(tool, spec_through(alias, spec) if alias else spec, alias)
    given = cast("dict[str, Any]", recorded.arguments) if isinstance(recorded.arguments, dict) else {}
    hidden = tuple(redaction for redaction in recorded.redactions if redaction.where == "arguments")
    return CallRequest(
        parent.run, recorded.name, kwargs=given, parent=parent, line=recorded.line, target=target, hidden=hidden
    )


def _target(tool: RecordedTool, alias: Alias | None) -> Target:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {parameter.name: {} for parameter in tool.parameters},
        "required": [parameter.name for parameter in tool.parameters if parameter.required],
    }
    also = () if tool.is_alias else tool.also
    spec = ToolSpec(tool.tool, tool.description, schema, tool.source, tool.parameters, doc=tool.description, also=also)
    absent = AbsentTool(spec)
    if not tool.is_alias:
        return Target(absent, spec)
    alias = alias or Alias(tool.name, tool.tool, None, tool.preset, tool.defaults, redact=tool.redact)
    return Target(absent, spec_through(alias, spec), alias)


_ANYTHING: Mapping[str, Any] = {"type": "object"}
