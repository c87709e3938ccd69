"""The text field for code: numbers, colours, indents, brackets, marks."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QRect, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QShowEvent,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from ptc_studio.ui.calls.code import first_gap
from ptc_studio.ui.editor import keys
from ptc_studio.ui.editor.gutter import Decorations, Gutter, LineTops, to_characters, to_units
from ptc_studio.ui.editor.highlighter import Highlighter, LineRepainting
from ptc_studio.ui.language.brackets import unit_of
from ptc_studio.ui.language.names import PLAIN
from ptc_studio.ui.language.problems import Problem, Severity
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import CODE_PIXELS, SPACE
from ptc_studio.ui.widgets.labels import plain_tip

USUAL_TAB = 4


@dataclass(frozen=True, slots=True)
class EditorOptions:
    """What the user chose for all texts."""

    pixels: int = CODE_PIXELS
    """How large the letters are, before zoom."""
    columns: int = 0
    """Of a step of indentation where the text has none of its own, and of a tab; 0: as is usual in its language."""
    wraps: bool = False
    pairs: bool = True
    """Whether brackets and quotes close themselves."""
    suggests: bool = True
    """Whether completion comes unasked."""

    @classmethod
    def chosen(cls, get: Callable[[str, Any], Any]) -> "EditorOptions":
        """From the settings, where each stands under its name with `editor_` before it."""
        return cls(**{each.name: get(f"editor_{each.name}", each.default) for each in fields(cls)})


ZOOM_STEP = 0.1
CONTROL = Qt.KeyboardModifier.ControlModifier
UNMODIFIED = frozenset((Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier))
NOT_WRITING = CONTROL | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
EDITS: dict[int, Callable[[QTextCursor, str, str], object]] = {
    int(Qt.Key.Key_Return): keys.break_line,
    int(Qt.Key.Key_Enter): keys.break_line,
    int(Qt.Key.Key_Tab): lambda cursor, unit, _language: keys.indent(cursor, unit),
    int(Qt.Key.Key_Backtab): lambda cursor, unit, _language: keys.outdent(cursor, unit),
    int(Qt.Key.Key_Backspace): keys.delete_pair,
}
"""What these do at the cursor, with the unit of indents and the language."""


class CodeEditor(QPlainTextEdit):
    """One text with all that helps to write it.

    Signals: line_activated(line): the cursor has moved to another line; text_edited: the text has changed by
    anything but `set_text`; typed(letter): a key has written something; focus_left: the keyboard goes elsewhere;
    mending_asked(problem): a problem is to be mended in the way that it knows itself.
    """

    line_activated = Signal(int)
    text_edited = Signal()
    typed = Signal(str)
    focus_left = Signal()
    mending_asked = Signal(object)

    def __init__(self, text: str = "", language: str = PLAIN, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("codeEditor")
        self.setAccessibleName("Code")
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.options = EditorOptions()
        # It fills its ground itself, so that a key does not have everything behind it painted, too.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.before_key: Callable[[QKeyEvent], bool] | None = None
        """Asked about each key first; what it returns true for goes no further."""
        self.documentation_at: Callable[[int, int], str] = lambda _line, _column: ""
        """What there is to say of the name at a line and column, both from 1."""
        self._language, self._unit, self._line = language, unit_of(text, language), 1
        self._loading = False
        self.gutter = Gutter(self)
        tops = LineTops(self)
        self.decorations = Decorations(self, tops)
        self.decorations.language = language
        repainting = LineRepainting(self, self.decorations, tops)
        self.highlighter = Highlighter(self.document(), language, self)
        self.highlighter.on_coloured = repainting.on_coloured
        self._connect()
        self._apply_theme()
        self.set_text(text)

    @property
    def language(self) -> str:
        return self._language

    @property
    def text(self) -> str:
        return self.toPlainText()

    @property
    def cursor_place(self) -> tuple[int, int]:
        """Line and column of the cursor, both from 1, in characters."""
        return _place(self.textCursor())

    def set_text(self, text: str) -> None:
        """Another text altogether; forgets what could be undone."""
        self._loading = True
        self.setPlainText(text)
        self._loading = False
        self._unit = unit_of(text, self._language, self.options.columns)
        self.document().setModified(False)
        self._colour_visible()

    def replace_text(self, text: str) -> None:
        """Another text as one step that can be undone; the cursor stays near where it was."""
        line, column = self.cursor_place
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.go_to(line, column)

    def set_language(self, language: str) -> None:
        self._language = language
        self._unit = unit_of(self.text, language, self.options.columns)
        self.decorations.language = language
        self.highlighter.set_language(language)

    def set_options(self, options: EditorOptions) -> None:
        """What the user chose; the text and what could be undone stay."""
        if options == self.options:
            return
        self.options = options
        modes = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(modes.WidgetWidth if options.wraps else modes.NoWrap)
        self._unit = unit_of(self.text, self._language, options.columns)
        self._apply_theme()
        self._colour_visible()

    def set_tool_names(self, names: AbstractSet[str]) -> None:
        self.highlighter.set_tool_names(names)

    def mark_line(self, line: int | None) -> None:
        """Marks a line, such as that of a selected call, and brings it into view."""
        self.decorations.mark_line(line)
        if line is not None:
            self._bring_into_view(line)

    def set_problems(self, problems: Sequence[Problem]) -> None:
        """Underlines them and marks their lines."""
        gravest: dict[int, Severity] = {}
        for each in problems:
            if gravest.get(each.line) != "error":
                gravest[each.line] = each.severity
        self.gutter.set_problems(gravest)
        self.decorations.set_problems(problems)

    def go_to(self, line: int, column: int = 1) -> None:
        """Puts the cursor there, in the middle of the view if it was not seen."""
        block = self.document().findBlockByNumber(min(max(line, 1), self.blockCount()) - 1)
        offset = min(to_units(block.text(), max(column, 1) - 1), block.length() - 1)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + offset)
        self._bring_into_view(block.blockNumber() + 1)
        self.setTextCursor(cursor)

    def mend(self) -> bool:
        """Has the problem at the cursor mended, or the first of its line that can be; whether there is one."""
        cursor = self.textCursor()
        block = cursor.block()
        places = (cursor.position(), *range(block.position(), block.position() + block.length()))
        found = (problem for location in places if (problem := self.decorations.problem_at(location, mendable=True)))
        problem = next(found, None)
        if problem is not None:
            self.mending_asked.emit(problem)
        return problem is not None

    def insert_call(self, call: str) -> None:
        """Writes the call where the cursor is, and puts the cursor where its first value belongs."""
        cursor = self.textCursor()
        start = cursor.selectionStart()
        cursor.insertText(call)
        cursor.setPosition(start + to_units(call, first_gap(call)))
        self.setTextCursor(cursor)

    def toggle_comment(self) -> None:
        self._with_cursor(lambda cursor: keys.toggle_comment(cursor, self._language))

    def visible_lines(self) -> tuple[int, int]:
        """The first and last block in view, from 0."""
        first = self.firstVisibleBlock().blockNumber()
        return first, first + self.viewport().height() // max(1, self.fontMetrics().height()) + 1

    def _connect(self) -> None:
        self.blockCountChanged.connect(self._fit_gutter)
        self.updateRequest.connect(self._on_update_request)
        self.cursorPositionChanged.connect(self._on_cursor_moved)
        self.document().contentsChange.connect(self._on_contents_change)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        # Once, before there is a text: for Qt another margin is a change of the text, which could be undone.
        self.document().setDocumentMargin(theme().pixels(SPACE))
        theme().changed.connect(self._apply_theme)

    def _apply_theme(self) -> None:
        font, colour, palette = QFont(theme().code_font()), theme().colour, self.palette()
        pixels = theme().pixels(self.options.pixels)
        font.setPixelSize(pixels)
        # The window's style sheet says how large letters are: who differs needs one of his own.
        sheet = f"#codeEditor, Gutter {{ font-size: {pixels}px; }}" if self.options.pixels != CODE_PIXELS else ""
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)
        chosen = colour("accent")
        chosen.setAlpha(90)
        palette.setColor(QPalette.ColorRole.Base, colour("panel"))
        palette.setColor(QPalette.ColorRole.Text, colour("text"))
        palette.setColor(QPalette.ColorRole.Highlight, chosen)
        palette.setColor(QPalette.ColorRole.HighlightedText, colour("text"))
        self.setPalette(palette)
        self.setFont(font)
        self.gutter.setFont(font)
        self.setTabStopDistance((self.options.columns or USUAL_TAB) * QFontMetricsF(font).horizontalAdvance(" "))
        self.setCursorWidth(max(2, theme().pixels(2)))
        self._fit_gutter()

    def _fit_gutter(self) -> None:
        width, above = self.gutter.needed_width(), theme().pixels(SPACE)
        self.setViewportMargins(width, above, 0, 0)
        area = self.contentsRect()
        self.gutter.setGeometry(QRect(area.left(), area.top() + above, width, area.height() - above))

    def _bring_into_view(self, line: int) -> None:
        block, bar = self.document().findBlockByNumber(line - 1), self.verticalScrollBar()
        height, row = max(1, self.fontMetrics().height()), block.firstLineNumber()
        rows = self.viewport().height() // height
        if not bar.value() <= row < bar.value() + rows - 1:
            bar.setValue(max(0, row - (rows + 1) // 2))
        if self.options.wraps:
            # How many rows the lines before it take is known once they are laid out, as they are for this.
            top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
            if top >= (rows - 1) * height:
                bar.setValue(bar.value() + round(top / height) - rows // 2)

    def _colour_visible(self) -> None:
        self.highlighter.show_lines(*self.visible_lines())

    def _with_cursor(self, change: Callable[[QTextCursor], object]) -> bool:
        """Lets something move or edit at the cursor; true if it says that it did."""
        cursor = self.textCursor()
        done = change(cursor)
        if done is not False:
            self.setTextCursor(cursor)
        return done is not False

    def _on_contents_change(self, position: int, removed: int, added: int) -> None:
        del position
        if not self._loading and (removed or added):
            self.text_edited.emit()

    def _on_cursor_moved(self) -> None:
        line = self.textCursor().blockNumber() + 1
        if line != self._line:
            self._line = line
            self.gutter.update()
            if not self._loading:
                self.line_activated.emit(line)

    def _on_scrolled(self) -> None:
        self._colour_visible()
        if self.decorations.has_matches:
            self.decorations.draw()

    def _on_update_request(self, _area: QRect, moved: int) -> None:
        if moved:
            self.gutter.scroll(0, moved)
        else:
            self.gutter.follow()

    def _command(self, event: QKeyEvent) -> bool:
        """The keys with Control that are the editor's own."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier & ~Qt.KeyboardModifier.ShiftModifier != CONTROL:
            return False
        match event.key():
            case Qt.Key.Key_K:
                self.toggle_comment()
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                theme().set_zoom(theme().zoom + ZOOM_STEP)
            case Qt.Key.Key_Minus:
                theme().set_zoom(theme().zoom - ZOOM_STEP)
            case Qt.Key.Key_0:
                theme().set_zoom(1.0)
            case _:
                return False
        return True

    def _mends(self, event: QKeyEvent) -> bool:
        """Alt+Return, at a problem that it knows how to mend."""
        alone = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier
        return alone and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.mend()

    def _edit(self, event: QKeyEvent) -> bool:
        """The keys that write otherwise than Qt would."""
        change = EDITS.get(event.key())
        if change is not None:
            return self._with_cursor(lambda cursor: change(cursor, self._unit, self._language))
        letter = event.text() if self.options.pairs else ""
        return keys.is_half_of_pair(letter, self._language) and self._with_cursor(
            lambda cursor: keys.type_pair(cursor, letter, self._language)
        )

    def _changes(self, event: QKeyEvent, unmodified: bool) -> bool:
        """Whether the key did something that is the editor's own."""
        if self.isReadOnly():
            return False
        if unmodified:
            return self._edit(event)
        return self._command(event) or (not event.modifiers() & NOT_WRITING and self._edit(event))

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        # Files are for the tabs to open, not for the text to swallow.
        return source.hasText() and not source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        if self.canInsertFromMimeData(source):
            self.textCursor().insertText(source.text())
            self.ensureCursorVisible()

    def viewportEvent(self, event: QEvent) -> bool:
        # Not in `event`, where a key comes by seven times, mostly to ask about input methods. Its class first: Python
        # makes an object of the type of every event that is asked for it.
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            cursor = self.cursorForPosition(self.viewport().mapFromGlobal(event.globalPos()))
            problem = self.decorations.problem_at(cursor.position())
            text = _told(problem) if problem else self.documentation_at(*_place(cursor))
            QToolTip.showText(event.globalPos(), plain_tip(text), self)
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Nearly every key: what asks for single modifiers takes longer than Qt takes to write the letter.
        unmodified = event.modifiers() in UNMODIFIED
        if (self.before_key is not None and self.before_key(event)) or (not unmodified and self._mends(event)):
            return
        if self._changes(event, unmodified):
            self.ensureCursorVisible()
        else:
            super().keyPressEvent(event)
        text = event.text()
        if text and (unmodified or not event.modifiers() & CONTROL):
            self.typed.emit(text)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        problem = self.decorations.problem_at(self.cursorForPosition(event.pos()).position(), mendable=True)
        if problem is not None:
            mending = QAction(f"Grant {problem.ungranted}", menu)
            mending.triggered.connect(lambda: self.mending_asked.emit(problem))
            first = menu.actions()[0]
            menu.insertAction(first, mending)
            menu.insertSeparator(first)
        menu.popup(event.globalPos())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        self.decorations.paint_grounds(painter, event.rect())
        painter.end()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_gutter()
        self._colour_visible()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._colour_visible()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & CONTROL:
            theme().set_zoom(theme().zoom + (ZOOM_STEP if event.angleDelta().y() > 0 else -ZOOM_STEP))
            event.accept()
            return
        super().wheelEvent(event)


def _place(cursor: QTextCursor) -> tuple[int, int]:
    return cursor.blockNumber() + 1, to_characters(cursor.block().text(), cursor.positionInBlock()) + 1


def _told(problem: Problem) -> str:
    return f"{problem.message}\nAlt+Enter grants it" if problem.ungranted else problem.message
