"""Pages of text with markup. Apart from the labels: the first paint does not wait for Qt's classes of documents."""

from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QTextBrowser


class StillBrowser(QTextBrowser):
    """A page of ours, with the words of others escaped in it: it reads nothing, whatever it is told to show."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        # Not nothing: for a picture that is not there Qt would look for a file of that name by itself.
        empty = QImage(1, 1, QImage.Format.Format_ARGB32)
        empty.fill(0)
        return empty
