"""The open texts, one tab each: opening, saving, closing, and bringing all back after a kill."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from ptc_studio.samples import is_example
from ptc_studio.storage.buffers import Buffer
from ptc_studio.storage.text_files import TextFileError
from ptc_studio.ui.editor.autosave import Autosave
from ptc_studio.ui.editor.background import BackgroundWorker, CompletionWorker, TypeWorker
from ptc_studio.ui.editor.code_editor import EditorOptions
from ptc_studio.ui.editor.file_notice import OpenFileWatch
from ptc_studio.ui.editor.page import EditorPage
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.line_lexer import LineLexer
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

UNSAVED, CLOSE = "●", "✕"
HEIGHT = 34
LINE = 2
WIDEST = 240


class TabStrip(QTabBar):
    """Draws itself after the tokens.

    Signals: close_asked(index): the cross or the middle button was pressed on a tab.
    """

    close_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Open files")
        self.setMovable(True)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self._pointer = QPoint(-1, -1)
        theme().changed.connect(self._apply_theme)
        self._apply_theme()

    def set_unsaved(self, index: int, unsaved: bool) -> None:
        """Whether the tab has the mark of an unsaved text."""
        if bool(self.tabData(index)) != unsaved:
            self.setTabData(index, unsaved)
            self.update()

    def _apply_theme(self) -> None:
        colours = theme().colours
        self.setFont(theme().text_font())
        self.setStyleSheet(
            f"QTabBar {{ background: {colours.panel}; }}"
            f"QTabBar QToolButton {{ background: {colours.raised}; border: 1px solid {colours.line}; }}"
        )
        self.updateGeometry()

    def _mark_area(self, tab: QRect) -> QRect:
        side = theme().pixels(4 * SPACE)
        return QRect(tab.right() - side - 2 * SPACE, tab.center().y() - side // 2, side, side)

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        area, chosen = self.tabRect(index), index == self.currentIndex()
        mark = self._mark_area(area)
        hovered = area.contains(self._pointer)
        if chosen:
            line = QRect(area.left(), self.height() - theme().pixels(LINE), area.width(), theme().pixels(LINE))
            painter.fillRect(line, theme().colour("accent"))
        painter.setFont(theme().text_font())
        painter.setPen(theme().colour("text" if chosen or hovered else "muted"))
        words = QRect(area.left() + 4 * SPACE, area.top(), mark.left() - area.left() - 5 * SPACE, area.height())
        title = QFontMetrics(painter.font()).elidedText(self.tabText(index), self.elideMode(), words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
        if hovered or self.tabData(index):
            painter.drawText(mark, Qt.AlignmentFlag.AlignCenter, CLOSE if hovered else UNSAVED)

    def _point_at(self, point: QPoint) -> None:
        if point != self._pointer:
            self._pointer = point
            self.update()

    def tabSizeHint(self, index: int) -> QSize:
        words = QFontMetrics(theme().text_font()).horizontalAdvance(self.tabText(index))
        width = min(words, theme().pixels(WIDEST)) + 4 * SPACE + theme().pixels(4 * SPACE) + 4 * SPACE
        return QSize(width, theme().pixels(HEIGHT))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(QPoint(-1, -1))
        super().leaveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(event.position().toPoint())
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.tabAt(event.position().toPoint())
        on_mark = index >= 0 and self._mark_area(self.tabRect(index)).contains(event.position().toPoint())
        if index >= 0 and (event.button() == Qt.MouseButton.MiddleButton or on_mark):
            self.close_asked.emit(index)
            return
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().colour("panel"))
        for index in range(self.count()):
            self._paint_tab(painter, index)


MOST_CLOSED = 20


class EditorTabs(QWidget):
    """All open texts.

    Signals: current_changed(page or None); page_opened(page); page_closed(page): just before it goes;
    modified_changed(page); foot_changed(height): what is asked below the text in front takes so much; failed(message):
    something could not be read, written or kept.
    """

    current_changed = Signal(object)
    page_opened = Signal(object)
    page_closed = Signal(object)
    modified_changed = Signal(object)
    foot_changed = Signal(int)
    failed = Signal(str)

    def __init__(self, buffers: Path | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("editorTabs")
        self.setAcceptDrops(True)
        self.open_dropped: Callable[[Path], object] = self.open_file
        """What is done with a file that is dropped."""
        self.new_language = "python"
        """That of a text that is begun."""
        self._hints: tuple[ToolHint, ...] = ()
        self._example_hints: tuple[ToolHint, ...] | None = None
        self._closed: list[Buffer] = []
        self._untitled, self._options = 0, EditorOptions()
        self._thinker, self._checker = CompletionWorker(self), BackgroundWorker("problems", self)
        self._types = TypeWorker(self)
        self._autosave = Autosave(buffers, self._order, self) if buffers else None
        self._watch = OpenFileWatch(self)
        self._strip, self._stack = TabStrip(self), QStackedWidget(self)
        self._line = QWidget(self)
        self._line.setProperty("role", "line")
        self._line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._lay_out()
        self._connect()
        self._apply_theme()

    @property
    def pages(self) -> list[EditorPage]:
        """From left to right."""
        return [
            page for index in range(self._stack.count()) if isinstance(page := self._stack.widget(index), EditorPage)
        ]

    def current(self) -> EditorPage | None:
        page = self._stack.currentWidget()
        return page if isinstance(page, EditorPage) else None

    def open_file(self, path: Path, line: int | None = None) -> EditorPage | None:
        """Shows the file, at that line, in the tab it has already or in a new one; tells by `failed` if it cannot."""
        path = path.absolute()
        page = next((page for page in self.pages if page.path == path), None)
        if page is None:
            page = self._made(path.name)
            try:
                page.load(path)
            except TextFileError as error:
                page.deleteLater()
                self.failed.emit(str(error))
                return None
            self._add(page)
        self.set_current(page)
        if line is not None:
            page.editor.go_to(line)
        return page

    @property
    def language(self) -> str:
        """That of the text in front, or of the next one that is begun."""
        page = self.current()
        return page.language if page is not None else self.new_language

    def new_untitled(self, text: str = "", language: str = "") -> EditorPage:
        """A tab with a text that is in no file yet."""
        self._untitled += 1
        page = self._made(f"untitled-{self._untitled}", language or self.new_language)
        page.fill(text)
        self._add(page)
        self.set_current(page)
        return page

    def save(self, page: EditorPage) -> bool:
        """Writes the page to its file; false if it has none yet, or cannot be written, which `failed` tells."""
        return page.path is not None and self.save_as(page, page.path)

    def save_as(self, page: EditorPage, path: Path) -> bool:
        """Writes the page to that file, which is its own from then on."""
        try:
            page.save(path.absolute())
        except TextFileError as error:
            self.failed.emit(str(error))
            return False
        self._keep(page)
        return True

    def close_page(self, page: EditorPage) -> None:
        """Closes it, saved or not; `reopen_closed` takes that back."""
        index = self._stack.indexOf(page)
        if index < 0:
            return
        page.completion.close()
        self.page_closed.emit(page)
        self._set_aside(page.as_buffer())
        self._strip.removeTab(index)
        self._stack.removeWidget(page)
        page.deleteLater()
        self._stack.setCurrentIndex(self._strip.currentIndex())
        self._on_pages_changed()
        self.current_changed.emit(self.current())

    def reopen_closed(self) -> EditorPage | None:
        """Brings the last closed tab back, with what was typed in it."""
        page = self._restored(self._closed.pop()) if self._closed else None
        if page is not None:
            self._keep(page)
            self.set_current(page)
        return page

    def restore(self) -> None:
        """Brings back what was open when the program last ended, however it ended."""
        found = self._autosave.store.load() if self._autosave else None
        self._closed = list(found.closed) if found else []
        if found and found.faults and self._autosave:
            self._autosave.failed.emit(" ".join(found.faults))
        for buffer in found.buffers if found else ():
            page = self._restored(buffer)
            if page is not None and found and buffer.id == found.current:
                self.set_current(page)

    def step(self, by: int) -> None:
        """Brings the next tab to the front, or the one before; from the last the first follows."""
        if self.pages:
            self.set_current(self.pages[(self._strip.currentIndex() + by) % len(self.pages)])

    def set_current(self, page: EditorPage) -> None:
        self._strip.setCurrentIndex(self._stack.indexOf(page))
        page.setFocus()

    def set_options(self, options: EditorOptions) -> None:
        """What the user chose for all texts, those to come among them."""
        self._options = options
        for page in self.pages:
            page.editor.set_options(options)

    def set_hints(self, hints: Iterable[ToolHint]) -> None:
        """The tools that scripts may call."""
        self._hints = tuple(hints)
        self._tell_hints()

    def set_example_hints(self, hints: Iterable[ToolHint]) -> None:
        """The same for the examples that are shipped, where they have tools of their own."""
        self._example_hints = tuple(hints)
        self._tell_hints()

    def _tell_hints(self) -> None:
        for page in self.pages:
            page.set_hints(self._hints_for(page))

    def _hints_for(self, page: EditorPage) -> tuple[ToolHint, ...]:
        return self._hints if self._example_hints is None or not is_example(page.path) else self._example_hints

    def warm_up(self) -> None:
        """Prepares in the background what the first text needs: the rules of its language are long in the making."""
        self._thinker.run(self, partial(LineLexer, "python"), lambda _: None, key="lexer")

    def use_compilers_of(self, trusted: Callable[[Path], bool]) -> None:
        """Says of which folders the compiler that lies there may be started."""
        self._types.types.trusts = trusted

    def shut_down(self) -> None:
        """Keeps what is not kept yet and ends the threads; to be called before the window goes."""
        if self._autosave and not self._autosave.shut_down():
            self.failed.emit("the last changes could not be kept in time")
        self._thinker.close()
        self._checker.close()
        self._types.close()

    def _made(self, title: str, language: str = "text") -> EditorPage:
        page = EditorPage(title, language, self._thinker, self._checker, self._types)
        page.editor.set_options(self._options)
        page.set_hints(self._hints)
        return page

    def _add(self, page: EditorPage) -> None:
        first = self._stack.count() == 0
        self._stack.addWidget(page)
        index = self._strip.addTab(page.title)
        self._strip.setTabToolTip(index, str(page.path or page.title))
        self._strip.set_unsaved(index, page.modified)
        page.editor.text_edited.connect(lambda: self._keep(page))
        page.editor.line_activated.connect(lambda _: self._keep(page))
        page.editor.document().modificationChanged.connect(lambda _: self._on_modified(page))
        page.renamed.connect(lambda: self._on_renamed(page))
        page.notice.toggled.connect(self._tell_foot)
        if self._hints_for(page) is not self._hints:
            page.set_hints(self._hints_for(page))
        self._keep(page)
        self._on_pages_changed()
        self.page_opened.emit(page)
        if first:
            page.completion.warm_up()

    def _restored(self, buffer: Buffer) -> EditorPage | None:
        page = self._made(buffer.title, buffer.language)
        try:
            page.restore(buffer)
        except TextFileError as error:
            page.deleteLater()
            self.failed.emit(str(error))
            self._forget(buffer.id)
            return None
        number = buffer.title.removeprefix("untitled-")
        self._untitled = max(self._untitled, int(number) if number.isdigit() else 0)
        self._add(page)
        return page

    def _set_aside(self, closed: Buffer) -> None:
        """Has a closed text kept, over restarts, too; an empty one that is in no file is not worth it."""
        if closed.path is None and not closed.text:
            self._forget(closed.id)
            return
        self._closed.append(closed)
        if self._autosave:
            self._autosave.page_closed(closed)
        while len(self._closed) > MOST_CLOSED:
            self._forget(self._closed.pop(0).id)

    def _forget(self, page_id: str) -> None:
        if self._autosave:
            self._autosave.forget(page_id)

    def _keep(self, page: EditorPage) -> None:
        if self._autosave:
            self._autosave.page_changed(page)

    def _order(self) -> tuple[list[str], str | None, list[str]]:
        current = self.current()
        return [page.id for page in self.pages], current.id if current else None, [each.id for each in self._closed]

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setSpacing(0)
        column.setContentsMargins(0, 0, 0, 0)
        self._line.setFixedHeight(1)
        for widget in (self._strip, self._line):
            column.addWidget(widget)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self._strip.currentChanged.connect(self._on_chosen)
        self._strip.tabMoved.connect(self._on_moved)
        self._strip.close_asked.connect(self._on_close_asked)
        self._watch.touched.connect(self._on_touched)
        theme().changed.connect(self._apply_theme)
        if self._autosave:
            self._autosave.failed.connect(self.failed)

    def _apply_theme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme().colour("panel"))
        self.setPalette(palette)
        self.setAutoFillBackground(True)

    def _on_pages_changed(self) -> None:
        self._watch.watch({page.path for page in self.pages if page.path})
        if self._autosave:
            self._autosave.order_changed()

    def _on_chosen(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        page = self.current()
        if page is not None and index == self._strip.currentIndex():
            page.look_at_file()
            self._on_pages_changed()
        self.current_changed.emit(page)

    def _tell_foot(self) -> None:
        page = self.current()
        asks = page is not None and not page.notice.isHidden()
        self.foot_changed.emit(page.notice.sizeHint().height() if page is not None and asks else 0)

    def _on_moved(self, start: int, end: int) -> None:
        page = self.pages[start]
        self._stack.removeWidget(page)
        self._stack.insertWidget(end, page)
        self._stack.setCurrentIndex(self._strip.currentIndex())
        self._on_pages_changed()

    def _on_close_asked(self, index: int) -> None:
        self.close_page(self.pages[index])

    def _on_modified(self, page: EditorPage) -> None:
        self._strip.set_unsaved(self._stack.indexOf(page), page.modified)
        self._keep(page)
        self.modified_changed.emit(page)

    def _on_renamed(self, page: EditorPage) -> None:
        index = self._stack.indexOf(page)
        self._keep(page)
        self._strip.setTabText(index, page.title)
        self._strip.setTabToolTip(index, str(page.path or page.title))
        self._on_pages_changed()

    def _on_touched(self, path: Path) -> None:
        for page in self.pages:
            if page.path == path:
                page.look_at_file()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        for url in event.mimeData().urls():
            if url.isLocalFile():
                self.open_dropped(Path(url.toLocalFile()))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            for page in self.pages:
                page.look_at_file()
        super().changeEvent(event)
