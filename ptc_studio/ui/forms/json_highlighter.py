"""Colours JSON as it is typed; no token of it goes on in the next line."""

import re

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from ptc_studio.ui.theme import theme

_TOKEN = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<string>"(?:[^"\\]|\\.)*"?)'
    r"|(?P<number>-?\d[\d.eE+-]*)|(?P<keyword>\b(?:true|false|null)\b)"
)
LONGEST_LINE = 5_000


class JsonHighlighter(QSyntaxHighlighter):
    """Keys, texts, numbers and the three words."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}
        theme().changed.connect(self._on_theme_changed)
        self._make_formats()

    def _make_formats(self) -> None:
        for kind in ("string", "number", "keyword"):
            self._formats[kind] = QTextCharFormat()
            self._formats[kind].setForeground(theme().colour(kind))
        self._formats["key"] = QTextCharFormat()
        self._formats["key"].setForeground(theme().colour("text"))

    def _on_theme_changed(self) -> None:
        self._make_formats()
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        if len(text) > LONGEST_LINE:
            return
        # Qt counts characters beyond the first plane twice.
        wide = any(ord(char) > 0xFFFF for char in text)
        for match in _TOKEN.finditer(text):
            begin, end = match.span()
            if wide:
                begin, end = (len(text[:at].encode("utf-16-le", "surrogatepass")) // 2 for at in (begin, end))
            self.setFormat(begin, end - begin, self._formats[match.lastgroup or "string"])
