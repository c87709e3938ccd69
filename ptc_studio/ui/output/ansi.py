"""Reads the escape sequences that programs colour their output with; knows no Qt."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

Colour = int | tuple[int, int, int] | None
"""One of the 256 of a terminal, a true colour, or the default."""

LONGEST_SEQUENCE = 4096
"""What is longer and still without an end is no sequence."""
_SEQUENCE = re.compile(
    r"\x1b\[([0-9;:]*)m"  # what is obeyed: colours and weights
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # any other control sequence
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles, links and other strings
    r"|\x1b[ -/]*[0-OQ-WYZ\\`-~]"  # two characters
    r"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]"  # bells and the like
)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)?\Z")
_SWITCHES = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    4: {"underline": True},
    7: {"inverse": True},
    21: {"underline": True},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underline": False},
    27: {"inverse": False},
    39: {"foreground": None},
    49: {"background": None},
}


@dataclass(frozen=True, slots=True)
class Style:
    """How a piece of text is to look."""

    foreground: Colour = None
    background: Colour = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    inverse: bool = False


PLAIN = Style()


class AnsiParser:
    """Cuts one stream into pieces of one style each; sequences may be spread over several texts."""

    def __init__(self) -> None:
        self._style = PLAIN
        self._held = ""

    def feed(self, text: str) -> Iterator[tuple[str, Style]]:
        """The pieces of the text; the beginning of a sequence at its end waits for the rest."""
        text = self._whole(text)
        end = 0
        for match in _SEQUENCE.finditer(text):
            if match.start() > end:
                yield text[end : match.start()], self._style
            end = match.end()
            if match[1] is not None:
                self._style = styled(self._style, match[1])
        if end < len(text):
            yield text[end:].replace("\x1b", "�"), self._style

    def _whole(self, text: str) -> str:
        text, self._held = self._held + text, ""
        start = text.rfind("\x1b", -LONGEST_SEQUENCE)
        # The end of a string sequence is an escape of its own.
        start = text.rfind("\x1b", 0, start) if start > 0 and text.endswith("\x1b") else start
        unfinished = _UNFINISHED.match(text, start) if start >= 0 else None
        if unfinished is None and text.endswith("\x1b"):
            unfinished = _UNFINISHED.match(text, len(text) - 1)
        if unfinished is not None:
            self._held = unfinished[0]
            text = text[: unfinished.start()]
        return text


def styled(style: Style, codes: str) -> Style:
    """The style after the codes of one sequence, such as `1;38;5;208`."""
    numbers = [int(code) if code else 0 for code in codes.replace(":", ";").split(";")]
    while numbers:
        number = numbers.pop(0)
        if number == 0:
            style = PLAIN
        elif number in (38, 48):
            colour = _extended(numbers)
            style = replace(style, **{"foreground" if number == 38 else "background": colour})
        else:
            style = replace(style, **_SWITCHES.get(number) or _basic(number))
    return style


def _basic(number: int) -> dict[str, Colour]:
    for first, name, offset in ((30, "foreground", 0), (40, "background", 0), (90, "foreground", 8)):
        if first <= number < first + 8:
            return {name: number - first + offset}
    return {"background": number - 100 + 8} if 100 <= number < 108 else {}


def _extended(numbers: list[int]) -> Colour:
    """Takes the colour that follows a 38 or 48 off the numbers."""
    kind = numbers.pop(0) if numbers else 0
    if kind == 5 and numbers:
        return min(numbers.pop(0), 255)
    if kind == 2 and len(numbers) >= 3:
        red, green, blue = (min(numbers.pop(0), 255) for _ in range(3))
        return red, green, blue
    numbers.clear()
    return None


def rgb_of(index: int) -> tuple[int, int, int]:
    """The colour that terminals show for one of 16 to 255."""
    if index >= 232:
        grey = 8 + 10 * (index - 232)
        return grey, grey, grey
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(index - 16, 36)
    return levels[red], levels[rest // 6], levels[rest % 6]
