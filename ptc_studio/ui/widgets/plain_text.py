"""Words of strangers: shown as they are, never as markup.

Qt takes a text for markup wherever it looks like some, in labels and in tooltips, and then reads the files and pictures
that it names: a server could freeze the window by the description of a tool. So all labels are made here, and whatever
is not written in this program goes through `plain_tip` on its way to a tooltip. A test finds every other way.
"""

from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, Qt
from PySide6.QtWidgets import QLabel, QTextBrowser, QWidget


class PlainLabel(QLabel):
    """Shows its text as it is. Whoever wants markup asks for it by `setTextFormat`, and escapes the rest."""

    def __init__(self, text: str = "", parent: QWidget | None = None, **properties: Any) -> None:
        # Before the text: Qt would look at it at once.
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText, **properties)
        if text:
            self.setText(text)


class StillBrowser(QTextBrowser):
    """A page of ours, with the words of others escaped in it: it reads nothing, whatever it is told to show."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        # Not nothing: for a picture that is not there Qt would look for a file of that name by itself.
        empty = QImage(1, 1, QImage.Format.Format_ARGB32)
        empty.fill(0)
        return empty


def plain_tip(text: str) -> str:
    """The text for a tooltip: as it is, or escaped where Qt would take it for markup."""
    if not Qt.mightBeRichText(text):
        return text
    # Imported late: it is large, and the first paint does not need it.
    from html import escape

    return f"<p style='white-space: pre-wrap'>{escape(text)}</p>"
