"""Writes output to a document: escape sequences as colours, links, hidden values, overwritten and endless lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtGui import QColor, QFont, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat

from ptc_studio.ui.stylesheet import hex_of, mixed, readable, rgb
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import Colours

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


KIND = QTextFormat.Property.UserProperty + 1
"""The property of a format that tells what the text is: `stdout`, `stderr`, `value`..."""
_NAMED = ("muted", "error", "ok", "warning", "accent", "keyword", "tool", "text")
"""The first eight colours of a terminal, by the tokens nearest to them."""
_KINDS = {
    "stderr": "error",
    "error": "error",
    "note": "muted",
    "heading": "muted",
    "ok": "ok",
    "value": "text",
    "more": "accent",
    "failed": "error",
}
_BOLD = ("ok", "failed")


def text_format(kind: str, style: Style = PLAIN) -> QTextCharFormat:
    """The format for text of the kind in the style."""
    return _text_format(kind, style, theme().colours)


def link_format(base: QTextCharFormat) -> QTextCharFormat:
    """The same for what leads to a line of a file."""
    made = QTextCharFormat(base)
    made.setForeground(theme().colour("accent"))
    made.setFontUnderline(True)
    return made


def chip_format(base: QTextCharFormat) -> QTextCharFormat:
    """The same for what stands where something was hidden."""
    made = QTextCharFormat(base)
    made.setForeground(theme().colour("redacted"))
    made.setBackground(theme().colour("redacted_ground"))
    return made


@lru_cache(maxsize=1024)
def _text_format(kind: str, style: Style, colours: Colours) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setProperty(KIND, kind)
    made.setFontWeight(QFont.Weight.Bold if style.bold or kind in _BOLD else QFont.Weight.Normal)
    made.setFontItalic(style.italic)
    made.setFontUnderline(style.underline or kind == "more")
    _colour(made, kind, style, colours)
    return made


def _colour(made: QTextCharFormat, kind: str, style: Style, colours: Colours) -> None:
    plain = getattr(colours, _KINDS.get(kind, "text"))
    front, back = _hex(style.foreground, colours), _hex(style.background, colours)
    if style.inverse:
        front, back = back or colours.panel, front or plain
    if back is not None:
        made.setBackground(QColor(back))
    shown = rgb(front or plain)
    if style.dim:
        shown = mixed(shown, rgb(colours.panel), 0.4)
    made.setForeground(QColor(hex_of(readable(shown, rgb(back or colours.panel)))))


def _hex(colour: Colour, colours: Colours) -> str | None:
    if colour is None:
        return None
    if isinstance(colour, tuple):
        return hex_of(colour)
    return getattr(colours, _NAMED[colour % 8]) if colour < 16 else hex_of(rgb_of(colour))


LINK = re.compile(r'File "([^"\n]+)", line (\d+)')
LONGEST_LINE = 4000
"""Qt lays out a line as a whole: what is longer goes on in the next."""
WHOLE, CONTINUED = -1, 1
"""The state of a block: a line of its own, or one that goes on with the line above."""
STREAMS = ("stdout", "stderr")
_MARKED = re.compile(LINK.pattern + r"|\[REDACTED:[^\[\]\s]{1,120}\]")
_OVERWRITTEN = re.compile(r"[^\n]*\r")


class OutputWriter:
    """Knows where in a line the output is, and what each of the streams has set."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._cursor = QTextCursor(document)
        self.reset()

    def reset(self) -> None:
        """For an empty document."""
        self._parsers = {stream: AnsiParser() for stream in STREAMS}
        self._kind = "stdout"
        self._column = 0
        self._returned = False

    def begin(self) -> None:
        """Before a batch: what follows changes the document once."""
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._cursor.beginEditBlock()

    def end(self) -> None:
        """After a batch."""
        self._cursor.endEditBlock()

    def write(self, kind: str, text: str) -> None:
        """Adds the text; a line belongs to one stream."""
        if kind != self._kind:
            self._change_kind(kind)
        parser = self._parsers.get(kind)
        if parser is None:
            self._insert(text, text_format(kind))
            return
        for part, style in parser.feed(text):
            self._write_part(part, text_format(kind, style))

    def _change_kind(self, kind: str) -> None:
        if self._column:
            self._break_line(text_format(self._kind), CONTINUED if kind in STREAMS else WHOLE)
        if kind not in STREAMS:
            shape = QTextBlockFormat()
            shape.setBackground(theme().colour("raised"))
            self._cursor.setBlockFormat(shape)
        self._kind, self._returned = kind, False

    def _write_part(self, text: str, refresh: QTextCharFormat) -> None:
        if self._returned or "\r" in text:
            text = self._without_returns(text)
        if text:
            self._insert(text, refresh)

    def _without_returns(self, text: str) -> str:
        """What remains of the text once every carriage return has had its way with what stands before it."""
        if self._returned:
            text = f"\r{text}"
        text = text.replace("\r\n", "\n")
        self._returned = text.endswith("\r")
        text = _OVERWRITTEN.sub("\r", text.rstrip("\r")).replace("\n\r", "\n")
        if text.startswith("\r"):
            self._cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
            self._cursor.removeSelectedText()
            self._column = 0
        return text.removeprefix("\r")

    def _insert(self, text: str, refresh: QTextCharFormat) -> None:
        lines = text.split("\n")
        if self._column + len(lines[0]) <= LONGEST_LINE and max(map(len, lines)) <= LONGEST_LINE:
            self._insert_marked(text, refresh)
            self._column = len(lines[-1]) + (self._column if len(lines) == 1 else 0)
            return
        for number, line in enumerate(lines):
            if number:
                self._insert_marked("\n", refresh)
                self._column = 0
            self._insert_line(line, refresh)

    def _insert_line(self, line: str, refresh: QTextCharFormat) -> None:
        while self._column + len(line) > LONGEST_LINE:
            fits = LONGEST_LINE - self._column
            self._insert_marked(line[:fits], refresh)
            self._break_line(refresh)
            line = line[fits:]
        self._insert_marked(line, refresh)
        self._column += len(line)

    def _break_line(self, refresh: QTextCharFormat, state: int = CONTINUED) -> None:
        self._cursor.insertText("\n", refresh)
        self._cursor.block().setUserState(state)
        self._column = 0

    def _insert_marked(self, text: str, refresh: QTextCharFormat) -> None:
        if 'File "' not in text and "[REDACTED:" not in text:
            self._cursor.insertText(text, refresh)
            return
        end = 0
        for match in _MARKED.finditer(text):
            self._cursor.insertText(text[end : match.start()], refresh)
            self._cursor.insertText(match[0], link_format(refresh) if match[1] else chip_format(refresh))
            end = match.end()
        self._cursor.insertText(text[end:], refresh)
