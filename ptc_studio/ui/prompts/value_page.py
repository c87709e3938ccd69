"""A value that a person may edit, of which he does not see everything."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from ptc_studio.core.redaction import Redacted
from ptc_studio.ui.forms import ABSENT, SchemaForm, same
from ptc_studio.ui.prompts.hidden_values import hiding_kind, left_over, spared
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel

TOO_LONG = "Too long to be edited here: what is shown was cut off."
_NO_VALUE = ("json", "required", "hidden")
"""What keeps a value from being sent, whatever its schema thinks of it."""


class ValuePage(QWidget):
    """A form over the value as it is shown; what is left alone stays what it was.

    Signals: changed: the user changed the value, or put it back.
    """

    changed = Signal()

    def __init__(self, schema: Any, shown: Redacted, *, strict: bool = True, parent: QWidget | None = None) -> None:
        """`strict`: a changed value has to fit the schema; else only advice is given."""
        super().__init__(parent)
        self._shown = shown.value
        self._strict = strict
        self.form = SchemaForm(
            schema,
            kinds=hiding_kind,
            also=lambda value: left_over(self._shown, value),
            spares=spared,
        )
        self.form.set_value(self._shown)
        self.form.changed.connect(self._on_changed)
        self.reset_button = self._reset_button()
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        column.setSpacing(2 * SPACE)
        if shown.truncated:
            note = PlainLabel(TOO_LONG, wordWrap=True)
            note.setProperty("role", "note")
            column.addWidget(note)
            self.form.set_read_only(True)
        column.addWidget(self.form, 1)

    @property
    def corner(self) -> QWidget:
        """Form or JSON, for whoever has a place for it above."""
        return self.form.bar

    @property
    def is_changed(self) -> bool:
        return not same(self.form.value(), self._shown)

    @property
    def may_be_sent(self) -> bool:
        """Whether a call can go on with it; what the script itself sent may be as wrong as it likes."""
        if not self.is_changed:
            return True
        faults = [fault for fault in self.form.faults() if not fault.advice]
        return not faults if self._strict else not any(fault.rule in _NO_VALUE for fault in faults)

    @property
    def edited(self) -> Any:
        """The value as it was edited; `ABSENT` if it was not."""
        return self.form.value() if self.is_changed else ABSENT

    def show_faults(self) -> None:
        """Says what is wrong, and goes there."""
        self.form.reveal_faults()

    def reset(self) -> None:
        """Puts back what was shown."""
        self.form.set_value(self._shown)
        self._on_changed()

    def _on_changed(self) -> None:
        self.reset_button.setVisible(self.is_changed)
        self.changed.emit()

    def _reset_button(self) -> QToolButton:
        button = QToolButton()
        button.setText("Reset")
        button.setProperty("flat", True)
        button.setToolTip("Puts back what the call came with")
        button.clicked.connect(self.reset)
        button.hide()
        layout = self.form.bar.layout()
        assert layout is not None
        layout.addWidget(button)
        return button
