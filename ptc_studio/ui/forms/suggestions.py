"""What a line offers while one types."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QLineEdit

from ptc_studio.ui.forms.looks import dress_form


def suggest(line: QLineEdit, texts: Sequence[str]) -> None:
    """Offers those of the texts that contain what was typed."""
    completer = QCompleter(list(texts), line)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    popup = completer.popup()
    assert popup is not None
    # A window of its own, so the form's looks do not reach it.
    popup.setObjectName("suggestions")
    dress_form(popup)
    line.setCompleter(completer)
