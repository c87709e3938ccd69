"""Will it run there? The script in front against every target: runs, runs with warnings, or cannot, and why."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHeaderView, QTreeView, QVBoxLayout, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import EmptyOverlay, PlainLabel, plain_tip

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.language.target_problems import Outlook, Verdict
    from ptc_studio.ui.panels import Panels
    from ptc_studio.ui.targets.choice import TargetChoice

COLUMNS = ("Target", "Will it run there?", "Line", "First reason")
TARGET, OUTLOOK, LINE, REASON = range(len(COLUMNS))
WORDS: "dict[Outlook, tuple[str, str]]" = {
    "runs": ("✓ runs", "ok"),
    "warned": ("▲ runs, with warnings", "warning"),
    "cannot": ("✕ cannot", "error"),
}
EMPTY = "Open a script to see here where it would run"
PAUSE = 500
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


class VerdictModel(QAbstractTableModel):
    """One row a target."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Verdict, ...] = ()

    def set_rows(self, rows: "Sequence[Verdict]") -> None:
        """The same targets with other verdicts are changed in place: the chosen row stays so."""
        new = tuple(rows)
        if [row.target for row in new] == [row.target for row in self.rows]:
            self.rows = new
            self.repaint()
            return
        self.beginResetModel()
        self.rows = new
        self.endResetModel()

    def repaint(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(COLUMNS) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        shown = orientation == Qt.Orientation.Horizontal and role == Role.DisplayRole
        return COLUMNS[section] if shown else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        word, tone = WORDS[row.outlook]
        match role:
            case Role.DisplayRole | Role.AccessibleTextRole:
                return (row.target, word, str(row.line) if row.line else "", row.reason)[column]
            case Role.ForegroundRole:
                return theme().colour((("text", tone, "muted", "muted"))[column])
            case Role.ToolTipRole:
                more = f"\n{row.warnings} in all" if row.warnings > 1 else ""
                return plain_tip(f"{row.name}\n{row.reason or word}{more}")
            case Role.TextAlignmentRole if column == LINE:
                return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            case _:
                return None


class EverywherePanel(QWidget):
    """The table, and a line that sums it up.

    Signals: line_activated(line): the place of the reason is to be seen. target_activated(id): there is no line; this
    is to be the target. shown: it has come to be seen.
    """

    line_activated = Signal(int)
    target_activated = Signal(str)
    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = VerdictModel(self)
        self.summary = PlainLabel()
        self.summary.setProperty("role", "muted")
        self.summary.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, SPACE)
        self.summary.hide()
        self.view = QTreeView(rootIsDecorated=False, uniformRowHeights=True, allColumnsShowFocus=True)
        self.view.setObjectName("everywhereView")
        self.view.setAccessibleName("Will it run there?")
        self.view.setModel(self.model)
        EmptyOverlay(self.view, EMPTY).watch(self.model)
        header = self.view.header()
        header.setStretchLastSection(True)
        header.setSectionsClickable(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column in (TARGET, OUTLOOK, LINE):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.view.activated.connect(self._on_activated)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.summary)
        column.addWidget(self.view, 1)
        self.setFocusProxy(self.view)

    def show_verdicts(self, title: str, rows: "Sequence[Verdict]") -> None:
        """Shows how the script of that title stands."""
        self.model.set_rows(rows)
        counts = {outlook: sum(row.outlook == outlook for row in rows) for outlook in WORDS}
        runs = f"{title} runs under {counts['runs'] + counts['warned']} of {len(rows)} targets"
        self.summary.setText(f"{runs}, {counts['warned']} of them with warnings" if counts["warned"] else runs)
        self.summary.setVisible(bool(rows))

    def _on_theme_changed(self) -> None:
        self.view.setStyleSheet(f"QTreeView::item {{ padding: 0 {theme().pixels(2 * SPACE)}px; }}")
        self.model.repaint()

    def _on_activated(self, index: QModelIndex) -> None:
        row = self.model.rows[index.row()]
        if row.line:
            self.line_activated.emit(row.line)
        else:
            self.target_activated.emit(row.target)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()


class EverywherePresenter(QObject):
    """Looks at the script in front while the panel is seen."""

    def __init__(self, context: "Context", panels: "Panels", targets: "TargetChoice") -> None:
        super().__init__(context.window)
        self._context, self._panel, self._targets = context, panels.everywhere, targets
        self._looks = 0
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._look)
        context.editors.current_changed.connect(self._on_page_changed)
        context.workbench.tools_loaded.connect(self._look_soon)
        targets.changed.connect(self._look_soon)
        context.commands["everywhereAction"].triggered.connect(lambda: panels.show("everywhere"))
        self._panel.shown.connect(self._look)
        self._panel.line_activated.connect(self._go_to)
        self._panel.target_activated.connect(targets.choose)

    def _on_page_changed(self, page: "EditorPage | None") -> None:
        if page is not None:
            page.editor.text_edited.connect(self._look_soon, Qt.ConnectionType.UniqueConnection)
        self._look_soon()

    def _look_soon(self) -> None:
        if self._panel.isVisible():
            self._pause.start()

    def _look(self) -> None:
        page, bench = self._context.editors.current(), self._context.workbench
        if page is None or not bench.is_open:
            self._panel.show_verdicts("", ())
            return
        self._looks += 1
        bench.start_passing(self._refresh(page, self._looks))

    async def _refresh(self, page: "EditorPage", number: int) -> None:
        from ptc_studio.ui.language.target_problems import verdicts

        going, missing, title = self._targets.going(page), self._targets.missing_runtimes(), page.title
        found = await self._context.workbench.studio.in_thread(partial(verdicts, page.text, going, missing))
        if number == self._looks:
            self._panel.show_verdicts(title, found)

    def _go_to(self, line: int) -> None:
        page = self._context.editors.current()
        if page is not None:
            page.editor.go_to(line)
            page.setFocus()
