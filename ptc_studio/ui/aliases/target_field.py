"""Which tool an alias leads to: typed, searched for, or picked from all of them."""

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QComboBox, QCompleter, QLineEdit, QWidget

from ptc_studio.core.registry import Target
from ptc_studio.ui.forms.controls import QuietCombo
from ptc_studio.ui.forms.form_style import apply_form_style
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.labels import plain_tip

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
