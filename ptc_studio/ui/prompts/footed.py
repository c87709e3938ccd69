"""How the prompts are laid out: what they show above, how it is answered below a line."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.rule import rule


def lay_out_footed(room: QWidget, body: QWidget, *foot: QWidget) -> None:
    """Fills the room with the body and, below a line, the foot."""
    below = QVBoxLayout()
    below.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 3 * SPACE)
    below.setSpacing(2 * SPACE)
    for widget in foot:
        below.addWidget(widget)
    column = QVBoxLayout(room)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(body, 1)
    column.addWidget(rule())
    column.addLayout(below)
