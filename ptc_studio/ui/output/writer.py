"""Writes pieces of output to the end of a document: colours, links, hidden values, overwritten and endless lines."""

import re
from functools import lru_cache

from PySide6.QtGui import QColor, QFont, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat

from ptc_studio.ui.output.ansi import PLAIN, AnsiParser, Colour, Style, rgb_of
from ptc_studio.ui.stylesheet import hex_of, mixed, readable, rgb
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import Colours

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
    made.setFontUnderline(style.underline)
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
