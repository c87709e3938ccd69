"""What a cassette holds: the calls of a run as they were, and the tools that they used."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ptc_studio.core.errors import CallStatus
from ptc_studio.core.redaction import Redaction
from ptc_studio.core.tools import Parameter

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
