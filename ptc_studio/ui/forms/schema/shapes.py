"""What a form draws for a value: its kind, the formats of texts, and the value that is not there."""

import ipaddress
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ptc_studio.core.json_schema import Part


class Absent:
    """The type of `ABSENT`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = Absent()
"""What stands for a value that was left out; null is a value."""
Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]
"""The keys and positions that lead to a value."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing to mend."""

    path: Path
    message: str
    """One plain sentence."""
    rule: str = ""
    """The keyword of the schema that it offends, such as `minimum`."""
    advice: bool = False
    """A value that looks wrong and can be sent all the same: `format` promises nothing."""

    @property
    def location(self) -> str:
        """Where it is, as one writes it: `lines[2].amount`; nothing for the whole."""
        text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return text.removeprefix(".")

    def within(self, step: Step) -> "FieldError":
        """The same, seen from the value around."""
        return replace(self, path=(step, *self.path))


Kind = Literal["text", "number", "boolean", "choice", "null", "array", "object", "variants", "json"]
TextStyle = Literal["line", "lines", "password", "file", "folder", "moment"]


@dataclass(frozen=True, slots=True)
class ValueChoice:
    """One value of several."""

    value: Any
    label: str


@dataclass(frozen=True, slots=True)
class Variant:
    """One of several schemas that a value may follow."""

    label: str
    part: Part
    """The alternative together with all that is said beside it."""
    alone: Part
    """The alternative by itself."""
    keyword: str = ""
    """`oneOf` or `anyOf`; nothing where it is one of several types."""
    index: int = 0
    tag: tuple[str, Any] | None = None
    """The property whose value tells this variant from the others."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How one value is drawn."""

    kind: Kind
    part: Part = ()
    title: str = ""
    description: str = ""
    default: Any = ABSENT
    examples: tuple[Any, ...] = ()
    nullable: bool = False
    """Whether null is allowed beside what the kind says."""
    deprecated: bool = False
    read_only: bool = False
    keywords: Mapping[str, Any] = field(default_factory=dict)
    style: TextStyle = "line"
    choices: tuple[ValueChoice, ...] = ()
    properties: Mapping[str, Part] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    patterns: Mapping[str, Part] = field(default_factory=dict)
    additional: Part | None = None
    """What other keys hold; None where nothing is said about them."""
    offers_keys: bool = False
    """Whether a person can add keys of their own."""
    key_hints: tuple[str, ...] = ()
    prefix: tuple[Part, ...] = ()
    items: Part | None = None
    variants: tuple[Variant, ...] = ()
    problem: str = ""
    """Why it is drawn as JSON."""

    @property
    def closed(self) -> bool:
        """Whether no item may follow those of the prefix."""
        return self.items is not None and any(source.schema is False for source in self.items)


_TIME = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([zZ]|[+-][0-9]{2}:[0-9]{2})?")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


def looks_right(form: str, text: str) -> bool:
    """Whether the text has the format; of unknown ones everything does."""
    try:
        return form not in FORMATS or bool(FORMATS[form].check(text))
    except ValueError:
        return False


def now_as(form: str, moment: datetime) -> str:
    """The moment in one of the formats of dates and times."""
    if form == "date":
        return moment.date().isoformat()
    whole = moment.replace(microsecond=0)
    return whole.timetz().isoformat() if form == "time" else whole.isoformat()


def _is_date(text: str) -> bool:
    date.fromisoformat(text)
    return len(text) == len("2026-03-31")


def _is_time(text: str) -> bool:
    # A leap second is a time, too.
    time.fromisoformat(text[:8].replace(":60", ":59"))
    return _TIME.fullmatch(text) is not None


def _is_moment(text: str) -> bool:
    day, clock = text[:10], text[11:]
    return _is_date(day) and text[10:11] in ("T", "t", " ") and _is_time(clock)


class TextFormat(NamedTuple):
    """One format, for people and for the check, which may raise ValueError."""

    name: str
    example: str
    check: Callable[[str], object]


_ADDRESS = TextFormat("an address", "https://example.org/", _URI.fullmatch)
FORMATS = {
    "date": TextFormat("a date", "2026-03-31", _is_date),
    "time": TextFormat("a time", "14:30:00Z", _is_time),
    "date-time": TextFormat("a date with time", "2026-03-31T14:30:00Z", _is_moment),
    "email": TextFormat("an e-mail address", "name@example.org", _EMAIL.fullmatch),
    "uri": _ADDRESS,
    "url": _ADDRESS,
    "uuid": TextFormat("a UUID", "12345678-1234-5678-1234-567812345678", uuid.UUID),
    "ipv4": TextFormat("an IPv4 address", "192.0.2.1", ipaddress.IPv4Address),
    "ipv6": TextFormat("an IPv6 address", "2001:db8::1", ipaddress.IPv6Address),
}


_NUMERAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LENIENT = re.compile(r"([+-]?)(?:([0-9]+)\.?|([0-9]*)(\.[0-9]+))([eE][+-]?[0-9]+)?")
MOST_DIGITS = 100_000


def number_of(text: str) -> int | float | Decimal | None:
    """The number that a JSON numeral says; a decimal where a float would lose digits. None for anything else."""
    if not _NUMERAL.fullmatch(text) or len(text) > MOST_DIGITS:
        return None
    if not set(text) & set(".eE"):
        # By way of a decimal: turning long texts into integers directly is refused by Python.
        return int(Decimal(text))
    exact, rounded = Decimal(text), float(text)
    return rounded if exact == Decimal(repr(rounded)) else exact


def number_typed(text: str) -> int | float | Decimal | None:
    """The number that a person means: `+5`, `.5` and `007` are numbers, too."""
    match = _LENIENT.fullmatch(text.strip())
    if match is None:
        return None
    sign, whole, before, after, power = (part or "" for part in match.groups())
    digits = (whole or before).lstrip("0") or "0"
    return number_of(f"{sign.replace('+', '')}{digits}{after}{power}")


def numeral_of(number: float | Decimal) -> str:
    """The number as JSON writes it."""
    if isinstance(number, int):
        return str(int(number)) if number.bit_length() < 10_000 else str(Decimal(number))
    return repr(float(number)) if isinstance(number, float) else str(number)


def is_number(value: Any) -> bool:
    """Whether JSON has a numeral for it; true and false are none."""
    if isinstance(value, float | Decimal):
        return value == value and abs(value) != float("inf")
    return isinstance(value, int) and not isinstance(value, bool)
