"""Whether an alias may be called, asked about or is denied; or whatever its tool says."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from ptc_studio.core.tools import Permission, ToolSpec
from ptc_studio.ui.forms.looks import help_font
from ptc_studio.ui.forms.segments import Segments
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel

CHOICES: tuple[Permission | None, ...] = (None, "allow", "ask", "deny")
TEXTS = ("As the tool", "Allow", "Ask", "Deny")
_DONE = {"allow": "allowed", "ask": "asked about", "deny": "denied"}
_OWN = {
    "allow": "Every call is let through.",
    "ask": "A person is asked before each call.",
    "deny": "Every call is refused.",
}


def who_decides(permission: Permission | None, spec: ToolSpec | None) -> str:
    """Whose word counts, in a sentence."""
    if permission is not None:
        over = f" {_by(spec)} does not count." if spec is not None and spec.permission != permission else ""
        return f"{_OWN[permission]}{over}"
    if spec is None:
        return "Whatever the tool says."
    by = f"by {spec.permission_by}" if spec.permission_by else "by default" if spec.permission == "allow" else ""
    return f"Now {_DONE[spec.permission]} {by or 'by its permission'}."


def _by(spec: ToolSpec) -> str:
    return f"That it is {_DONE[spec.permission]} {f'by {spec.permission_by}' if spec.permission_by else 'by default'}"


class PermissionField(QWidget):
    """Four segments, and below them who decides.

    Signals: changed: another one was chosen.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec: ToolSpec | None = None
        self.segments = Segments(TEXTS)
        self.segments.setAccessibleName("Permission")
        self.segments.set_current(0)
        self.segments.picked.connect(self._on_picked)
        self.word = PlainLabel(wordWrap=True)
        self.word.setTextFormat(Qt.TextFormat.PlainText)
        self.word.setProperty("role", "muted")
        self.word.setStyleSheet(f"font-size: {help_font().pixelSize()}px;")
        self.word.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme().pixels(SPACE))
        column.addWidget(self.segments)
        column.addWidget(self.word)
        self.setFocusProxy(self.segments.button(0))
        self._tell()

    def permission(self) -> Permission | None:
        return CHOICES[max(self.segments.current(), 0)]

    def set_permission(self, permission: Permission | None) -> None:
        self.segments.set_current(CHOICES.index(permission))
        self._tell()

    def set_tool(self, spec: ToolSpec | None) -> None:
        self._spec = spec
        self._tell()

    def _on_picked(self) -> None:
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        self.word.setText(who_decides(self.permission(), self._spec))
        self.word.setAccessibleName(self.word.text())
