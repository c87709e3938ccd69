"""A row whose key the user writes: for objects with keys of their own."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from ptc_studio.ui.forms.field import Context
from ptc_studio.ui.forms.row import Row
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.suggestions import suggest
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.flat_button import flat_button


class KeyRow(Row):
    """Key and value, and a button that removes both.

    Signals: key_edited: the key is another. removed: the user wants it gone.
    """

    key_edited = Signal()
    removed = Signal()

    def __init__(
        self,
        key: str | None,
        shape: Shape,
        context: Context,
        hints: tuple[str, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(shape, context, required=True, name=key or "new key", opened=context.depth < 2, parent=parent)
        self.key = key
        """None until the user has given one; the empty text is a key, too."""
        self.hints = hints
        self.editor = QLineEdit(key or "", self)
        self.editor.setPlaceholderText("key")
        self.editor.setProperty("code", True)
        self.editor.setAccessibleName(f"Key {key}" if key else "Key")
        self.editor.setMinimumWidth(theme().pixels(60))
        if hints:
            suggest(self.editor, hints)
        self.label_widget = self.editor
        self.editor.textChanged.connect(self._on_key_changed)
        self.editor.editingFinished.connect(self.key_edited)
        self.add_trailing(flat_button("close", f"Remove {key}" if key else "Remove the key", self.removed.emit))

    def set_mistake(self, wrong: bool) -> None:
        """Marks a key that cannot be used."""
        self.editor.setProperty("mark", "fault" if wrong else "")
        self.editor.style().unpolish(self.editor)
        self.editor.style().polish(self.editor)

    def label_hint(self) -> int:
        return theme().pixels(120)

    def _on_key_changed(self, text: str) -> Any:
        self.key = text or None
        self.edited.emit()
