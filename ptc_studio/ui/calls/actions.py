"""What can be done with calls: copy them, open and close the tree. The same in the menu and on the keys."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu

from ptc_studio.ui.calls.code import as_code, as_json, table_lines
from ptc_studio.ui.calls.nodes import CallNode
from ptc_studio.ui.calls.view import CallTreeView
from ptc_studio.ui.chunked_task import ChunkedTask


class CallCopying(QObject):
    """The three forms in which calls are copied.

    Signals: copied(int): so many calls are on the clipboard.
    """

    copied = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.language = "python"
        self._work = ChunkedTask(self)

    def copy_json(self, calls: Sequence[CallNode]) -> None:
        self._work.start(self._json(calls))

    def copy_code(self, calls: Sequence[CallNode]) -> None:
        """In the script's language, a line a call."""
        lines = (as_code(call.record(), self.language) for call in calls)
        self._work.start(self._lines(lines, len(calls)))

    def copy_table(self, calls: Sequence[CallNode]) -> None:
        self._work.start(self._lines(table_lines(call.record() for call in calls), len(calls)))

    def _json(self, calls: Sequence[CallNode]) -> Iterator[None]:
        if len(calls) == 1:
            self._put(as_json([calls[0].record()]), 1)
            return
        texts: list[str] = []
        for call in calls:
            texts.append("\n".join(f"  {line}" for line in as_json([call.record()]).splitlines()))
            yield
        self._put("[\n" + ",\n".join(texts) + "\n]", len(calls))

    def _lines(self, lines: Iterator[str], count: int) -> Iterator[None]:
        texts: list[str] = []
        for line in lines:
            texts.append(line)
            yield
        self._put("\n".join(texts), count)

    def _put(self, text: str, count: int) -> None:
        if count:
            QGuiApplication.clipboard().setText(text)
            self.copied.emit(count)


class CallActions:
    """The actions of a call tree."""

    def __init__(self, view: CallTreeView, copying: CallCopying, open_all: Callable[[], None]) -> None:
        self._view = view
        self.copy_json = self._add("Copy as JSON", "Ctrl+C", lambda: copying.copy_json(view.selected_calls()))
        self.copy_code = self._add("Copy as code", "Ctrl+Shift+C", lambda: copying.copy_code(view.selected_calls()))
        self.copy_table = self._add("Copy as table", "Ctrl+Alt+C", lambda: copying.copy_table(view.selected_calls()))
        self.again = self._add("Call again…", "", self._ask_again)
        self.stop_at = self._add("Break on this tool", "", lambda: self._ask_answer("break"))
        self.mock = self._add("Mock…", "", lambda: self._ask_answer("mock"))
        self._separator = QAction(view)
        self._separator.setSeparator(True)
        self.open_all = self._add("Expand all", "Alt+Shift+Right", open_all)
        self.close_all = self._add("Collapse all", "Alt+Shift+Left", view.collapseAll)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._on_menu_wanted)

    def _add(self, text: str, keys: str, work: Callable[[], None]) -> QAction:
        action = QAction(text, self._view)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda _checked=False: work())
        self._view.addAction(action)
        return action

    def menu(self) -> QMenu:
        """The context menu for what is selected."""
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copies = (self.copy_json, self.copy_code, self.copy_table)
        for action in copies:
            action.setEnabled(self._view.selectionModel().hasSelection())
        menu.aboutToHide.connect(lambda: [action.setEnabled(True) for action in copies])
        self.again.setEnabled(len(self._view.selected_calls()) == 1)
        for action in (self.stop_at, self.mock):
            action.setEnabled(self.again.isEnabled())
        self.mock.setText(self._mock_text())
        menu.addActions([self.again, self.stop_at, self.mock, *copies, self._separator, self.open_all, self.close_all])
        return menu

    def _ask_again(self) -> None:
        """Of one call; who selected several is not asked for which."""
        calls = self._view.selected_calls()
        if len(calls) == 1:
            self._view.again_requested.emit(calls[0].record())

    def _ask_answer(self, verb: str) -> None:
        calls = self._view.selected_calls()
        if len(calls) == 1:
            self._view.answer_requested.emit(verb, calls[0].record())

    def _mock_text(self) -> str:
        """A call that has ended has an answer to begin with."""
        calls = self._view.selected_calls()
        status = calls[0].record()["status"] if len(calls) == 1 else ""
        return {"ok": "Mock with this result…", "error": "Mock with this error…"}.get(status or "", "Mock…")

    def _on_menu_wanted(self, location: QPoint) -> None:
        # `popup`, not `exec`: a loop within the loop breaks a running task.
        self.menu().popup(self._view.viewport().mapToGlobal(location))
