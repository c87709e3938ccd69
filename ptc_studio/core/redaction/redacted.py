"""The only kind of value that may leave the executor for an event, and what is known of what was hidden in it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, final

if TYPE_CHECKING:
    from ptc_studio.core.redaction.redactor import Redactor


SEAL = object()
"""What the constructor of `Redacted` asks for; stays inside this package."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """One place where something was hidden."""

    rule: str
    where: str
    """What was redacted: `arguments`, `result`, `stdout`..."""
    path: str
    """The place in it, as a JSONPath: `$.user.password`."""


@final
class Redacted:
    """A value without its secrets; only the redactor can build one."""

    __slots__ = ("redactions", "truncated", "value")

    value: Any
    redactions: tuple[Redaction, ...]
    truncated: bool

    def __init__(
        self, seal: object, value: Any, redactions: tuple[Redaction, ...] = (), truncated: bool = False
    ) -> None:
        if seal is not SEAL:
            raise TypeError("Only a Redactor makes a Redacted: pass the raw value through Redactor.value() or .text().")
        _set_value(self, value)
        _set_redactions(self, redactions)
        _set_truncated(self, truncated)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"A Redacted cannot be changed: {name!r}.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"A Redacted cannot be changed: {name!r}.")

    def __copy__(self) -> "Redacted":
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("A Redacted cannot be pickled: what comes back could be anything.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Redacted):
            return NotImplemented
        mine = (self.value, self.redactions, self.truncated)
        return mine == (other.value, other.redactions, other.truncated)

    def __repr__(self) -> str:
        return f"Redacted({self.value!r}, {self.redactions!r}, truncated={self.truncated})"


# The slots' own setters: they pass the guard above, and cost less than object.__setattr__.
_set_value = Redacted.__dict__["value"].__set__
_set_redactions = Redacted.__dict__["redactions"].__set__
_set_truncated = Redacted.__dict__["truncated"].__set__


def read_back(value: Any, redactions: tuple[Redaction, ...] = (), *, truncated: bool = False) -> Redacted:
    """What was a `Redacted` before the program stored it in its own file; never for what comes from elsewhere."""
    return Redacted(SEAL, value, redactions, truncated)


MARKER_START = "[REDACTED:"
_MARKER = re.compile(r"\[REDACTED:([^\[\]\s]{1,120})\]")
_UNFIT = re.compile(r"[^\w.:-]+")


def rule_name(name: str) -> str:
    """The name as it can stand in a marker: without brackets and white space."""
    return _UNFIT.sub("_", name)[:100] or "_"


def marker(rule: str) -> str:
    """What is shown instead of a secret."""
    return f"{MARKER_START}{rule}]"


def is_marker(text: str, known: Callable[[str], bool]) -> bool:
    """Whether the whole text is a marker of a known rule."""
    match = _MARKER.fullmatch(text) if text.startswith(MARKER_START) else None
    return match is not None and known(match[1])


def marker_spans(text: str, start: int, known: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Where markers of known rules stand; others are no shelter, else `[REDACTED:<secret>]` would pass."""
    if MARKER_START not in text:
        return []
    return [match.span() for match in _MARKER.finditer(text, start) if known(match[1])]


class Span(NamedTuple):
    """What one rule found."""

    opens: int
    """Where the rule began to match; before `start` when it keeps a prefix such as `Bearer `."""
    start: int
    end: int
    rule: str


def merge(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, overlapping ones joined under the name of the longest (the first found, if equal)."""
    merged: list[Span] = []
    longest = 0
    for span in sorted(spans, key=lambda span: span.start):
        length = span.end - span.start
        if not merged or span.start >= merged[-1].end:
            merged.append(span)
            longest = length
            continue
        last = merged[-1]
        rule = span.rule if length > longest else last.rule
        longest = max(longest, length)
        merged[-1] = Span(min(last.opens, span.opens), last.start, max(last.end, span.end), rule)
    return merged


def subtract(spans: Iterable[Span], holes: list[tuple[int, int]]) -> list[Span]:
    """The spans without what lies in the holes, which are in order."""
    return [part for span in spans for part in _pierced(span, holes)]


def _pierced(span: Span, holes: list[tuple[int, int]]) -> Iterable[Span]:
    start = span.start
    for low, high in holes:
        if high <= start:
            continue
        if low >= span.end:
            break
        if low > start:
            yield Span(min(span.opens, start), start, low, span.rule)
        start = high
    if start < span.end:
        yield Span(min(span.opens, start), start, span.end, span.rule)


@dataclass(frozen=True, slots=True, repr=False)
class HiddenPart:
    """One thing that a rule hides. It holds the secret itself: it is shown to a person, and goes nowhere else."""

    rule: str
    path: str
    """The place in the value, as a JSONPath; `$` in a text."""
    text: str
    start: int = 0
    """Where it begins in the text at that place."""

    def __repr__(self) -> str:
        return f"HiddenPart({self.rule!r}, {self.path!r})"


def findings(redactor: "Redactor", value: Any) -> list[HiddenPart]:
    """What would be hidden of a value or a text, in order."""
    return redactor.explained(value)


def original(redactor: "Redactor", value: Any, rule: str, path: str) -> str | None:
    """What the rule hid at that place of the value; several pieces are put on a line each."""
    found = [each.text for each in findings(redactor, value) if (each.rule, each.path) == (rule, path)]
    return "\n".join(dict.fromkeys(found)) or None
