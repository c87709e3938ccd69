"""What stands where nothing is yet: what to do next."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel


class EmptyState(PlainLabel):
    """A quiet text in the middle of an empty panel."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setProperty("role", "muted")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setMargin(4 * SPACE)
