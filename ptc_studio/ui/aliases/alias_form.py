"""The fields of an alias: what it is called, which tool it calls, and what it does with each parameter."""

import time
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QCompleter,
    QGridLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.core.registry import Target
from ptc_studio.core.run import Limits
from ptc_studio.ui.aliases.alias_checks import AliasCheck, Neighbours, check_name, check_target
from ptc_studio.ui.aliases.fields import ChipsField, PermissionField, TimeField
from ptc_studio.ui.aliases.parameter_table import ParameterTable
from ptc_studio.ui.forms.controls import GrowingText, QuietCombo, apply_form_style, field_height, help_font
from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import STRETCH, filled, scroll_into_view

SEARCHED = Qt.ItemDataRole.UserRole + 1
MOST_SHOWN = 14
LATE = 1.0
"""Seconds after the field was left, in which a key may come here that was typed for what has the focus now."""


class _ToolCompleter(QCompleter):
    """Looks through names, sources and descriptions; what it puts into the field is the name."""

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        return str(index.data(Qt.ItemDataRole.DisplayRole))


class _Line(QLineEdit):
    def __init__(self, takes: Callable[[QKeyEvent], bool]) -> None:
        super().__init__()
        self._takes = takes

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._takes(event):
            super().keyPressEvent(event)


class TargetField(QuietCombo):
    """An editable list of tools.

    Signals: changed: the text is another.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("aliasTarget")
        self.setAccessibleName("Calls")
        self.setAccessibleDescription("The tool that the alias leads to; type to search")
        self._left_at = 0.0
        self.setLineEdit(_Line(self._takes))
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMaxVisibleItems(MOST_SHOWN)
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self.setCurrentIndex(-1)
        self._build_completer()
        self.line.setObjectName("aliasTargetLine")
        self.line.setAccessibleName("Calls")
        self.line.textChanged.connect(lambda: self.changed.emit())
        theme().changed.connect(self._apply_style)
        self._apply_style()

    @property
    def line(self) -> QLineEdit:
        line = self.lineEdit()
        assert line is not None
        return line

    def tool(self) -> str:
        """The name as it was typed or picked."""
        return self.line.text().strip()

    def set_tool(self, name: str) -> None:
        self.setCurrentIndex(self.findText(name, Qt.MatchFlag.MatchExactly))
        self.line.setText(name)
        self.line.setCursorPosition(0)

    def set_tools(self, targets: Iterable[Target]) -> None:
        """Offers these; the text stays."""
        before, blocked = self.line.text(), self.line.blockSignals(True)
        self._model.clear()
        for target in targets:
            spec = target.spec
            item = QStandardItem(spec.name)
            item.setData(" ".join((*target.names, spec.source, spec.description)), SEARCHED)
            item.setFont(theme().code_font())
            item.setToolTip(plain_tip(f"{spec.source}\n{spec.description}".strip()))
            self._model.appendRow(item)
        self.setCurrentIndex(self.findText(before, Qt.MatchFlag.MatchExactly))
        self.line.setText(before)
        self.line.blockSignals(blocked)
        count = self._model.rowCount()
        word = "tool" if count == 1 else f"{count:,} tools"
        self.line.setPlaceholderText(f"Search {word}…" if count else "There are no tools yet")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._takes(event):
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._left_at = time.monotonic()
        super().focusOutEvent(event)

    def _takes(self, event: QKeyEvent) -> bool:
        """Whether the key is for this field; if not, whoever has the focus now gets it.

        Keys that are typed while the list of suggestions closes still come to the list's window, and from there here.
        """
        now = QApplication.focusWidget()
        if now is None or self.hasFocus() or time.monotonic() > self._left_at + LATE:
            return True
        QApplication.sendEvent(now, event)
        return False

    def _build_completer(self) -> None:
        completer = _ToolCompleter(self)
        completer.setModel(self._model)
        completer.setCompletionRole(SEARCHED)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setMaxVisibleItems(MOST_SHOWN)
        self.setCompleter(completer)
        popup = completer.popup()
        assert popup is not None
        # A window of its own, so the form's looks do not reach it.
        popup.setObjectName("suggestions")
        apply_form_style(popup)

    def _apply_style(self) -> None:
        code = theme().code_font()
        font = f'font-family: "{code.family()}"; font-size: {code.pixelSize()}px;'
        self.setStyleSheet(f"QComboBox, QComboBox QLineEdit, QComboBox QAbstractItemView {{ {font} }}")


class CheckLabel(PlainLabel):
    """Shows one verdict; keeps its line free where there is none, so that nothing jumps, unless it may go."""

    def __init__(self, parent: QWidget | None = None, *, goes: bool = False) -> None:
        super().__init__(parent=parent)
        self._goes = goes
        self._check = AliasCheck("muted", "")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        theme().changed.connect(self._apply_style)
        self.show_verdict(self._check)

    @property
    def check(self) -> AliasCheck:
        return self._check

    def show_verdict(self, check: AliasCheck) -> None:
        self._check = check
        self.setText(check.line or " ")
        self.setAccessibleName(check.line)
        self.setHidden(self._goes and not check.text)
        self._apply_style()

    def _apply_style(self) -> None:
        # "free" is calm: only its mark is green.
        colour = theme().colour("muted" if self._check.tone == "ok" else self._check.tone).name()
        self.setStyleSheet(f"color: {colour}; font-size: {help_font().pixelSize()}px;")
        if self._check.tone == "ok" and self._check.text:
            self.setTextFormat(Qt.TextFormat.RichText)
            self.setText(f"<span style='color:{theme().colours.ok}'>✓</span> {escape(self._check.text)}")
        else:
            self.setTextFormat(Qt.TextFormat.PlainText)
            self.setText(self._check.line or " ")


LABEL_WIDTH = 112
MOST_LINES = 6
NO_NAME, NO_TOOL = "It has no name yet.", "It calls no tool yet."
_MARKS = {"error": "fault", "warning": "advice"}


class AliasForm(QScrollArea):
    """Holds an entry of the file exactly, and says what is wrong with it as it is typed.

    Signals: changed: something is another.
    """

    changed = Signal()

    def __init__(self, neighbours: Neighbours, limits: Limits, former: str = "", parent: QWidget | None = None) -> None:
        """`former` is the name that the alias has in the file."""
        super().__init__(parent)
        self.setObjectName("aliasForm")
        self._neighbours, self._former = neighbours, former
        self._given: dict[str, Any] = {}
        self._filling = False
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._make_fields(limits)
        self._lay_out()
        self._connect()
        self.set_neighbours(neighbours)

    @property
    def target(self) -> Target | None:
        """The tool that it leads to, if there is one."""
        return self._neighbours.tool(self.calls.tool())

    def set_neighbours(self, neighbours: Neighbours) -> None:
        """The names that are there by now."""
        self._neighbours = neighbours
        self.calls.set_tools(neighbours.tools)
        self._on_tool_changed()

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Shows an entry; says nothing."""
        self._filling = True
        self._given = dict(values)
        self.name.setText(values.get("name", ""))
        self.calls.set_tool(values.get("tool", ""))
        self.description.setPlainText(values.get("description") or "")
        self.parameters.set_entry(values)
        self.permission.set_permission(values.get("permission"))
        self.time.set_seconds(values.get("timeout"))
        self.redact.set_words(values.get("redact") or ())
        self.notes.setPlainText(values.get("notes") or "")
        self.enabled.setChecked(values.get("enabled", True))
        self._filling = False
        self._on_tool_changed()

    def values(self) -> dict[str, Any]:
        """The entry as the file will have it: what says nothing is left out."""
        values: dict[str, Any] = {
            "name": self.name.text().strip(),
            "tool": self.calls.tool(),
            "description": self._text("description", self.description),
            **self.parameters.values(),
            "timeout": self.time.seconds(),
            "permission": self.permission.permission(),
            "redact": self.redact.words() or None,
            "notes": self._text("notes", self.notes),
            "enabled": None if self.enabled.isChecked() else False,
        }
        return {key: value for key, value in values.items() if value is not None}

    def problem(self) -> str:
        """The first thing that is wrong, in a sentence; empty if it can be saved."""
        for check, missing in ((self.name_verdict.check, NO_NAME), (self.calls_verdict.check, NO_TOOL)):
            if not check.fits:
                return check.text if check.tone == "error" else missing
        return self.parameters.problem() or self.time.problem()

    def reveal(self) -> None:
        """Goes to the first thing that is wrong."""
        if not self.name_verdict.check.fits:
            self._reveal(self.name, self.name_verdict, NO_NAME)
            self.name.setFocus()
        elif not self.calls_verdict.check.fits:
            self._reveal(self.calls, self.calls_verdict, NO_TOOL)
            self.calls.line.setFocus()
        elif self.parameters.problem():
            self.parameters.reveal()
        else:
            self.time.line.setFocus()
            scroll_into_view(self.time)

    def _reveal(self, field: QWidget, verdict: CheckLabel, missing: str) -> None:
        """Says it at the field, also of one that nobody has touched."""
        if verdict.check.tone != "error":
            verdict.show_verdict(AliasCheck("error", missing))
            set_property(field, "mark", "fault")
        scroll_into_view(field)

    def begin(self) -> None:
        """Puts the keyboard where the work begins."""
        self.name.setFocus()
        self.name.selectAll()

    def _text(self, key: str, field: GrowingText) -> str | None:
        """The text as it is; an empty one only where the file has it so."""
        text = field.raw_text()
        return text if text.strip() or text == self._given.get(key) else None

    def _make_fields(self, limits: Limits) -> None:
        self.name = QLineEdit()
        self.name.setObjectName("aliasName")
        self.name.setAccessibleName("Name")
        self.name.setProperty("code", True)
        self.name_verdict, self.calls_verdict = CheckLabel(), CheckLabel(goes=True)
        self.calls = TargetField()
        self.description = _text("aliasDescription", "Description", 2)
        self.parameters = ParameterTable()
        self.permission = PermissionField()
        self.time = TimeField(limits)
        self.redact = ChipsField("Redact also", "name of a key…")
        self.notes = _text("aliasNotes", "Notes", 1)
        self.notes.setPlaceholderText("Notes for people who read the file")
        self.enabled = QCheckBox("Scripts can call it")
        self.enabled.setObjectName("aliasEnabled")
        self.enabled.setAccessibleName("Enabled")
        self.enabled.setChecked(True)

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        apply_form_style(inside)
        edge, gap = theme().pixels(4 * SPACE), theme().pixels(2 * SPACE + 2)
        above, below = _grid(edge, gap), _grid(edge, gap)
        _put(above, "Name", self.name, self.name_verdict)
        _put(above, "Calls", self.calls, self.calls_verdict)
        _put(above, "Description", self.description)
        for title, field in (
            ("Permission", self.permission),
            ("Time limit", self.time),
            ("Redact also", self.redact),
            ("Notes", self.notes),
            ("Enabled", self.enabled),
        ):
            _put(below, title, field)
        heading = PlainLabel("Parameters", role="title")
        heading.setFixedHeight(field_height())
        heading.setContentsMargins(edge, 0, 0, 0)
        filled(QVBoxLayout(inside), above, heading, self.parameters, below, STRETCH, margins=0, spacing=0)
        self.setWidget(inside)

    def _connect(self) -> None:
        self.name.textChanged.connect(self._on_changed)
        self.calls.changed.connect(self._on_tool_changed)
        for text in (self.description, self.notes):
            text.textChanged.connect(self._on_changed)
        for field in (self.parameters, self.permission, self.time, self.redact):
            field.changed.connect(self._on_changed)
        self.redact.line.textChanged.connect(self._on_changed)
        self.enabled.toggled.connect(self._on_changed)

    def _on_tool_changed(self) -> None:
        if self._filling:
            return
        target = self.target
        spec = target.spec if target is not None else None
        # While the name of a tool is typed, the parameters of the one before stay.
        if spec is not None or not self.parameters.has_tool:
            self.parameters.set_tool(spec)
        self.permission.set_tool(spec)
        self.time.set_tool(spec)
        about = spec.description if spec is not None else ""
        self.description.setPlaceholderText(about or "What it does, for people and models")
        self._on_changed()

    def _on_changed(self) -> None:
        if self._filling:
            return
        name, tool = self.name.text().strip(), self.calls.tool()
        named = check_name(name, self._neighbours, former=self._former, target=tool)
        self.name_verdict.show_verdict(named)
        leads = check_target(tool, self._neighbours, name)
        self.calls_verdict.show_verdict(leads)
        set_property(self.name, "mark", _MARKS.get(named.tone, ""))
        set_property(self.calls, "mark", _MARKS.get(leads.tone, ""))
        self.changed.emit()


def _text(name: str, spoken: str, least: int) -> GrowingText:
    text = GrowingText(least, MOST_LINES, code=False)
    text.setObjectName(name)
    text.setAccessibleName(spoken)
    return text


def _grid(edge: int, gap: int) -> QGridLayout:
    grid = QGridLayout()
    grid.setContentsMargins(edge, edge, edge, edge)
    grid.setHorizontalSpacing(theme().pixels(3 * SPACE + 2))
    grid.setVerticalSpacing(gap)
    grid.setColumnMinimumWidth(0, theme().pixels(LABEL_WIDTH))
    grid.setColumnStretch(1, 1)
    return grid


def _put(grid: QGridLayout, title: str, field: QWidget, below: QWidget | None = None) -> None:
    """A label at the right of its column, the field beside it, and what is said of it below."""
    row = grid.rowCount()
    label = PlainLabel(title, role="muted")
    label.setFixedHeight(field_height())
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    label.setBuddy(field)
    grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
    if below is None:
        grid.addWidget(field, row, 1)
        return
    column = filled(QVBoxLayout(), field, below, margins=0, spacing=theme().pixels(SPACE))
    grid.addLayout(column, row, 1)
