"""What is to be known of one line of the tool tree, and what can be done with it."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from ptc_studio.ui.models.source_rows import SourceRow
from ptc_studio.ui.models.tool_rows import ErrorRow, ToolRow
from ptc_studio.ui.models.tool_tree import Row
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.flow_layout import FlowLayout
from ptc_studio.ui.widgets.permission_row import PermissionRow
from ptc_studio.ui.widgets.plain_text import StillBrowser, plain_tip
from ptc_studio.ui.widgets.tool_pages import details_html, error_html, source_html

LEAST_TEXT = 56
UNWRITTEN = "It does not stand in the workspace file"


class ToolDetails(QWidget):
    """Stands below the tree.

    Signals: insert_requested(text): the call is wanted in the editor. file_requested(path, line): a file is to be
    shown. source_requested(verb, seat): something is to be done with a source. permission_requested(row, permission):
    a tool, alias or source is to have another one; None leaves it to what is around it.
    """

    insert_requested = Signal(str)
    file_requested = Signal(str, int)
    source_requested = Signal(str, object)
    permission_requested = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: Row | None = None
        self._count = 0
        self.language = "python"
        self.text = StillBrowser(openLinks=False)
        self.text.setObjectName("toolDetails")
        self.text.setAccessibleName("Documentation of the tool")
        self.text.document().setDocumentMargin(10)
        self.insert = self._button("Insert call", "Puts a call of the tool where the cursor is", self._on_insert)
        self.edit = self._button("Edit…", "Changes what the workspace file says of the source", self._asks("edit"))
        self.reload = self._button("Reload", "Has the source start anew", self._asks("reload"))
        self.log = self._button("Show log", "The last lines that the source wrote", self._asks("log"))
        self.file = self._button("Show file", "Opens the file at the line", self._on_file)
        self.permission = PermissionRow()
        self.permission.chosen.connect(lambda wanted: self.permission_requested.emit(self._row, wanted))
        self.why_fixed: Callable[[ToolRow | SourceRow], str] = lambda _row: ""
        """Why a permission cannot be changed; empty if it can."""
        self._build()
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_row(self, row: Row | None, count: int = 0) -> None:
        """Shows this tool, source or failure, or nothing; `count` is the number of a source's tools."""
        same = row is not None and (row, count) == (self._row, self._count)
        self._row, self._count = row, count
        self.setVisible(row is not None)
        if not same:
            self._fill()

    def _on_theme_changed(self) -> None:
        self.text.setMinimumHeight(theme().pixels(LEAST_TEXT))
        self._fill()

    def _fill(self) -> None:
        row = self._row
        self._fill_permission(row)
        self.insert.setVisible(isinstance(row, ToolRow) and row.is_callable)
        self.file.setVisible(isinstance(row, ErrorRow) and bool(row.file))
        for button in (self.edit, self.reload, self.log):
            button.setVisible(isinstance(row, SourceRow))
        if isinstance(row, ToolRow):
            self.text.setHtml(details_html(row))
        elif isinstance(row, ErrorRow):
            self.text.setHtml(error_html(row))
        elif isinstance(row, SourceRow):
            self.edit.setEnabled(row.is_written)
            self.edit.setToolTip("" if row.is_written else UNWRITTEN)
            self.text.setHtml(source_html(row, self._count))

    def _fill_permission(self, row: Row | None) -> None:
        shown = isinstance(row, SourceRow) or (isinstance(row, ToolRow) and row.is_callable)
        self.permission.setVisible(shown)
        if isinstance(row, ToolRow) and shown:
            own, why_fixed = row.own_permission, self.why_fixed(row)
            self.permission.show_of(row.permission, row.permission_by, own, why_fixed)
        elif isinstance(row, SourceRow):
            own = row.permission
            self.permission.show_of_source(own, self.why_fixed(row))

    def _asks(self, verb: str) -> Callable[[], None]:
        def ask() -> None:
            if isinstance(self._row, SourceRow):
                self.source_requested.emit(verb, self._row.seat)

        return ask

    def _on_insert(self) -> None:
        if isinstance(self._row, ToolRow):
            self.insert_requested.emit(self._row.call_in(self.language))

    def _on_file(self) -> None:
        if isinstance(self._row, ErrorRow):
            self.file_requested.emit(self._row.file, self._row.line or 1)

    def _button(self, text: str, about: str, act: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(plain_tip(about))
        button.clicked.connect(lambda: act())
        return button

    def _build(self) -> None:
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        buttons = FlowLayout(spacing=8)
        buttons.setContentsMargins(10, 4, 10, 10)
        for button in (self.insert, self.edit, self.reload, self.log, self.file):
            buttons.addWidget(button)
        column.addWidget(self.text, 1)
        column.addWidget(self.permission)
        column.addLayout(buttons)

    def minimumSizeHint(self) -> QSize:
        # The splitter above does not ask how high it is when it is so narrow that its buttons stand in two rows.
        least = super().minimumSizeHint()
        return QSize(least.width(), self._column.minimumHeightForWidth(max(self.width(), least.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
