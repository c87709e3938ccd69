"""Texts with places for arguments: `{name}`, `{name?}` for one that may be left out, `{{name}}` for the braces.

Only what the text's author wrote is ever looked up as a reference: an argument `${secret:NAME}` stays that text.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ptc_studio.core import codec
from ptc_studio.sources.references import texts_in

_NAME = r"[^\W\d]\w*"
_SLOT = re.compile(
    rf"\{{\{{(?P<literal>{_NAME}\??)\}}\}}|(?<!\$)\{{(?P<name>{_NAME})(?P<optional>\??)(?::(?P<flag>[^{{}}]+))?\}}"
)
_REFERENCE = re.compile(r"\$\{[^{}]*\}")
Convert = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for an argument."""

    name: str
    optional: bool = False
    flag: str = ""
    """What stands there if the argument is true; nothing else does then."""


@dataclass(frozen=True, slots=True)
class TextTemplate:
    """A text, taken apart."""

    parts: tuple[str | Slot, ...]

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(part for part in self.parts if isinstance(part, Slot))

    @property
    def whole(self) -> Slot | None:
        """The slot, if the text is nothing else."""
        return self.parts[0] if len(self.parts) == 1 and isinstance(self.parts[0], Slot) else None

    def lacks(self, arguments: Mapping[str, Any]) -> bool:
        """Whether an argument for one of the slots is absent."""
        return any(arguments.get(slot.name) is None for slot in self.slots)

    def filled(self, arguments: Mapping[str, Any], literal: Convert = str, argument: Convert = str) -> str:
        """The text with the arguments in their places, each part converted; absent ones leave nothing."""
        return "".join(
            argument(as_text(arguments.get(part.name))) if isinstance(part, Slot) else literal(part)
            for part in self.parts
        )


def template(text: str) -> TextTemplate:
    """Takes the text apart."""
    return TextTemplate(tuple(_parts(text)))


def unclosed(value: Any) -> str | None:
    """The first text of the value in which a brace is not closed, or not opened; None if there is none."""
    for text in texts_in(value):
        rest = "".join(part for part in template(_REFERENCE.sub("", text)).parts if isinstance(part, str))
        if rest.count("{") != rest.count("}"):
            return text
    return None


def check_braces(value: Any) -> None:
    """Raises ValueError where a place for an argument was begun and not ended."""
    if (text := unclosed(value)) is not None:
        raise ValueError(f"has a brace without its other half in {text!r}: write {{name}}")


def as_text(value: Any) -> str:
    """A value within a text: texts as they are, nothing for None, all else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else codec.encode(value).decode()


def slots_in(value: Any) -> Iterator[Slot]:
    """Every slot in a text, or in all the texts of a JSON value, in order."""
    for text in texts_in(value):
        yield from template(text).slots


def _parts(text: str) -> Iterator[str | Slot]:
    literal, at = "", 0
    for found in _SLOT.finditer(text):
        literal += text[at : found.start()]
        at = found.end()
        if found["literal"]:
            literal += f"{{{found['literal']}}}"
            continue
        if literal:
            yield literal
            literal = ""
        yield Slot(found["name"], bool(found["optional"]), found["flag"] or "")
    if literal := literal + text[at:]:
        yield literal
