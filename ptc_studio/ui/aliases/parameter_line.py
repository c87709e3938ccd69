"""One parameter of the tool: what the alias does with it, and the value if there is one."""

from html import escape
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from ptc_studio.ui.aliases.parameters import WAYS, WORDS, How, ParameterInfo, Treatment
from ptc_studio.ui.forms import ABSENT, ParameterField, field_for, one_line
from ptc_studio.ui.forms.looks import field_height, help_font
from ptc_studio.ui.forms.quiet_combo import QuietCombo
from ptc_studio.ui.forms.schema.parts import part_of
from ptc_studio.ui.forms.schema.shaping import shape_of
from ptc_studio.ui.forms.schema.summaries import summary_of
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel, plain_tip
from ptc_studio.ui.widgets.rule import rule

NAME_WIDTH, WAY_WIDTH = 150, 116
CANNOT_HIDE = "The tool requires it: preset it instead"
UNKNOWN = "The tool has no such parameter any more: choose As is to drop it."
_HIDDEN = WAYS.index("hidden")


class ParameterLine(QWidget):
    """A line of the table; the editor is made when it is first wanted.

    Signals: changed: something is another.
    """

    changed = Signal()

    def __init__(self, info: ParameterInfo, root: Any, treatment: Treatment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.info = info
        self._root = root
        self._field: ParameterField | None = None
        self._row = QHBoxLayout()
        self._word = PlainLabel()
        self._default = info.schema.get("default", ABSENT) if isinstance(info.schema, dict) else ABSENT
        self.way = self._make_way()
        self._lay_out()
        self.set_treatment(treatment)
        self.way.currentIndexChanged.connect(self._on_way_chosen)

    @property
    def how(self) -> How:
        return WAYS[max(self.way.currentIndex(), 0)]

    @property
    def field(self) -> ParameterField | None:
        """The editor, once there was something to edit."""
        return self._field

    def treatment(self) -> Treatment:
        if self._field is None or self.how not in ("preset", "default"):
            return Treatment(self.how)
        return Treatment(self.how, self._field.value())

    def set_treatment(self, treatment: Treatment) -> None:
        """Shows what is done; says nothing."""
        blocked = self.way.blockSignals(True)
        self.way.setCurrentIndex(WAYS.index(treatment.how))
        self.way.blockSignals(blocked)
        if treatment.how in ("preset", "default"):
            editor = self._editor()
            if treatment.value is not ABSENT:
                editor.set_value(treatment.value)
        self._show()

    def problem(self) -> str:
        """What is wrong, in a sentence that names the parameter; empty if nothing is."""
        how = self.how
        if how == "as_is":
            return ""
        if not self.info.is_taken:
            return f"The tool takes no {self.info.name!r}: choose As is to drop it."
        if how == "hidden":
            return f"{self.info.name!r} cannot be hidden: the tool requires it." if self.info.required else ""
        faults = [fault for fault in self._editor().faults() if not fault.advice]
        if not faults:
            return ""
        if self._editor().value() is ABSENT and faults[0].rule == "required":
            return f"{self.info.name!r} has no {'preset' if how == 'preset' else 'default'} yet."
        return f"{self.info.name!r}: {faults[0].message}"

    def reveal(self) -> None:
        """Shows what is wrong at the field, and goes there."""
        if self._field is not None and self.how in ("preset", "default"):
            self._field.reveal_faults()
            self._field.setFocus()
        else:
            self.way.setFocus()

    def _make_way(self) -> QuietCombo:
        way = QuietCombo()
        way.setFixedWidth(theme().pixels(WAY_WIDTH))
        way.addItems([WORDS[how] for how in WAYS])
        way.setAccessibleName(f"What is done with {self.info.name}")
        if self.info.required:
            model = way.model()
            assert isinstance(model, QStandardItemModel)
            model.item(_HIDDEN).setEnabled(False)
            model.item(_HIDDEN).setToolTip(CANNOT_HIDE)
        return way

    def _lay_out(self) -> None:
        edge, gap = theme().pixels(4 * SPACE), theme().pixels(SPACE)
        row = self._row
        row.setContentsMargins(edge, gap, edge, gap)
        row.setSpacing(theme().pixels(2 * SPACE + 2))
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(self._name_label(), 0, top)
        row.addWidget(self.way, 0, top)
        row.addWidget(self._word, 1)
        self._word.setWordWrap(True)
        self._word.setTextFormat(Qt.TextFormat.PlainText)
        self._word.setMinimumHeight(field_height())
        self._word.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._word.setProperty("role", "muted")
        self._word.setStyleSheet(f"font-size: {help_font().pixelSize()}px;")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(rule())

    def _name_label(self) -> QLabel:
        label = PlainLabel()
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setFont(theme().code_font())
        label.setFixedWidth(theme().pixels(NAME_WIDTH))
        label.setFixedHeight(field_height())
        star = f" <span style='color:{theme().colours.error}'>*</span>" if self.info.required else ""
        name = label.fontMetrics().elidedText(
            self.info.name, Qt.TextElideMode.ElideMiddle, theme().pixels(NAME_WIDTH - 20)
        )
        label.setText(f"<span>{escape(name)}</span>{star}")
        about = self.info.schema.get("description", "") if isinstance(self.info.schema, dict) else ""
        label.setToolTip(plain_tip("\n".join(filter(None, (self.info.name, about if isinstance(about, str) else "")))))
        label.setAccessibleName(f"{self.info.name}{', required' if self.info.required else ''}")
        label.setBuddy(self.way)
        return label

    def _editor(self) -> ParameterField:
        if self._field is None:
            self._field = field_for(self.info.schema, self._root, name=self.info.name, required=True)
            self._field.changed.connect(self.changed)
            self._row.addWidget(self._field, 1)
        return self._field

    def _on_way_chosen(self) -> None:
        if self.how in ("preset", "default"):
            self._editor()
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        edits = self.how in ("preset", "default")
        if not edits:
            self._word.setText(self._words())
        self._word.setVisible(not edits)
        if self._field is not None:
            self._field.setVisible(edits)

    def _words(self) -> str:
        if not self.info.is_known:
            return UNKNOWN if not self.info.is_taken else "any value · the script may give it"
        if self.how == "hidden":
            return f"the tool's own, {one_line(self._default)}" if self._default is not ABSENT else "left to the tool"
        summary = summary_for(self.info.schema, self._root)
        return f"{summary} · the script gives it" if self.info.required else summary


def summary_for(schema: Any, root: Any) -> str:
    """Such as `integer, 1 to 500 · default 100`."""
    return summary_of(shape_of(part_of(schema, root)))
