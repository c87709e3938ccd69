"""Completes what is typed in an editor, in a list under the cursor: tools and parameters at once, Python with jedi."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.ui.editor.background import CompletionWorker
from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.suggestions import (
    LANGUAGES,
    REACH,
    ROOT,
    CallContext,
    Kind,
    Suggestion,
    callee_hint,
    context_before,
    js_context_before,
    js_word_before,
    ranked,
    word_before,
)
from ptc_studio.ui.language.target_calls import TargetCalls, suggestions_at
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import RADIUS, ROW, SPACE
from ptc_studio.ui.widgets.labels import PlainLabel

Index = QModelIndex | QPersistentModelIndex
SUGGESTION = Qt.ItemDataRole.UserRole


class SuggestionModel(QAbstractListModel):
    """Rows of suggestions; all are replaced at once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Suggestion] = []

    def set_rows(self, rows: Sequence[Suggestion]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == SUGGESTION:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        return f"{row.text} {row.detail}" if role == Qt.ItemDataRole.AccessibleTextRole else None


SIGNS: dict[Kind, tuple[str, str]] = {
    "tool": ("→", "tool"),
    "namespace": ("▸", "tool"),
    "parameter": ("=", "accent"),
    "function": ("ƒ", "muted"),
    "class": ("C", "muted"),
    "module": ("M", "muted"),
    "keyword": ("k", "keyword"),
    "name": ("·", "muted"),
}


class SuggestionRow(QStyledItemDelegate):
    """One row: sign, name, and at the right its type."""

    def _paint_texts(self, painter: QPainter, area: QRect, row: Suggestion) -> None:
        sign, colour = SIGNS[row.kind]
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme().code_font())
        painter.setPen(theme().colour(colour))
        painter.drawText(area, left, sign)
        area.setLeft(area.left() + theme().pixels(5 * SPACE))
        painter.setPen(theme().colour("tool" if row.kind in ("tool", "namespace") else "text"))
        painter.drawText(area, left, row.text)
        area.setLeft(area.left() + QFontMetrics(theme().code_font()).horizontalAdvance(row.text) + 4 * SPACE)
        painter.setFont(theme().text_font(small=True))
        painter.setPen(theme().colour("muted"))
        detail = QFontMetrics(painter.font()).elidedText(row.detail, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, detail)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        area: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        if option.state & QStyle.StateFlag.State_Selected:  # pyright: ignore[reportAttributeAccessIssue]
            painter.fillRect(area, theme().colour("selection"))
        self._paint_texts(painter, area.adjusted(2 * SPACE, 0, -2 * SPACE, 0), index.data(SUGGESTION))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        del option, index
        return QSize(0, theme().pixels(ROW))


MOST_ROWS = 9
WIDTHS = (260, 460)


class CompletionPopup(QFrame):
    """Floats over a window without ever taking the focus from the text.

    Signals: accepted(suggestion): a row was clicked.
    """

    accepted = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.moved = False
        """Whether another row was chosen than the first."""
        self.setObjectName("completionPopup")
        self.setAccessibleName("Completions")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._model = SuggestionModel(self)
        self._list = QListView(self)
        self._signature, self._description, self._line = PlainLabel(), PlainLabel(), QFrame()
        self._lay_out()
        self._apply_theme()
        theme().changed.connect(self._apply_theme)
        self.hide()

    def show_at(self, cursor: QRect, rows: Sequence[Suggestion], keep: str = "") -> None:
        """Shows the rows under the cursor, or over it where there is more room; the place is the window's.

        The row with the text to keep is chosen, else the first.
        """
        self._model.set_rows(rows)
        self.moved = self.moved and bool(keep)
        chosen = next((index for index, row in enumerate(rows) if row.text == keep), 0)
        self._list.setCurrentIndex(self._model.index(chosen))
        self._explain()
        size = self._wanted_size(rows)
        self.setGeometry(QRect(self._corner(cursor, size), size))
        self.raise_()
        self.show()

    def current(self) -> Suggestion | None:
        return self._list.currentIndex().data(SUGGESTION)

    def offers(self, text: str) -> bool:
        """Whether one of the rows is just that."""
        rows = (self._model.index(row).data(SUGGESTION) for row in range(self._model.rowCount()))
        return any(each.text == text for each in rows)

    def move_by(self, rows: int) -> None:
        """Chooses another row; goes round at the ends, except by pages."""
        self.moved = True
        count, row = self._model.rowCount(), self._list.currentIndex().row() + rows
        row = row % count if abs(rows) == 1 else min(max(row, 0), count - 1)
        self._list.setCurrentIndex(self._model.index(row))
        self._explain()

    def _explain(self) -> None:
        chosen = self.current()
        signature, description = (chosen.shown_signature, chosen.description) if chosen else ("", "")
        self._signature.setText(signature)
        self._description.setText(description.strip().split("\n\n")[0])
        self._signature.setVisible(bool(signature))
        self._description.setVisible(bool(description))
        self._line.setVisible(bool(signature or description))
        if self.isVisible():
            self.resize(self.width(), self._height(self.width()))

    def _wanted_size(self, rows: Sequence[Suggestion]) -> QSize:
        code, small = QFontMetrics(theme().code_font()), QFontMetrics(theme().text_font(small=True))
        widest = max(code.horizontalAdvance(row.text) + small.horizontalAdvance(row.detail) for row in rows)
        least, most = map(theme().pixels, WIDTHS)
        width = min(max(widest + theme().pixels(16 * SPACE), least), most, max(120, self._window.width() - 16))
        return QSize(width, self._height(width))

    def _height(self, width: int) -> int:
        rows = min(self._model.rowCount(), MOST_ROWS) * theme().pixels(ROW)
        self._list.setFixedHeight(rows)
        labels = [each for each in (self._signature, self._description) if each.text()]
        texts = sum(each.heightForWidth(width - 2) for each in labels)
        return rows + texts + (1 if labels else 0) + 2 * SPACE + 2

    def _corner(self, cursor: QRect, size: QSize) -> QPoint:
        window = self._window.rect()
        below = cursor.bottom() + SPACE
        above = cursor.top() - SPACE - size.height()
        top = above if below + size.height() > window.bottom() and above >= 0 else below
        left = max(0, min(cursor.left() - theme().pixels(7 * SPACE), window.right() - size.width() - SPACE))
        return QPoint(left, top)

    def _lay_out(self) -> None:
        self._list.setModel(self._model)
        self._list.setItemDelegate(SuggestionRow(self._list))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._list.clicked.connect(lambda index: self.accepted.emit(index.data(SUGGESTION)))
        self._list.setUniformItemSizes(True)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._line.setFixedHeight(1)
        self._line.setObjectName("line")
        self._signature.setObjectName("signature")
        for label in (self._signature, self._description):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        column = QVBoxLayout(self)
        column.setSpacing(0)
        column.setContentsMargins(1, SPACE + 1, 1, SPACE + 1)
        for widget in (self._list, self._line, self._signature, self._description):
            column.addWidget(widget)
        column.addStretch()

    def _apply_theme(self) -> None:
        colours, radius = theme().colours, theme().pixels(RADIUS)
        self.setStyleSheet(f"""
            QFrame#completionPopup {{ background: {colours.raised}; border: 1px solid {colours.line};
                border-radius: {radius}px; }}
            QListView {{ background: {colours.raised}; border: 0; }}
            QFrame#line {{ background: {colours.line}; }}
            QLabel {{ color: {colours.muted}; padding: {SPACE}px {2 * SPACE}px; background: transparent; }}
            QLabel#signature {{ color: {colours.text}; padding-bottom: 0; }}""")
        self._signature.setFont(theme().code_font())
        self._description.setFont(theme().text_font(small=True))


FEWEST_LETTERS = 2
WARM_UP_AFTER = 1_000
ASK_AFTER = 80
LOOK_AFTER = 10
"""Milliseconds after a key: the letter is to be seen first."""
Complete = Callable[[str, int, int, tuple[ToolHint, ...]], list[Suggestion]]
STARTS = ".({, \"'"
"""Typed after one of these, a list may open before any letter."""
BACKSPACE = "\b"
RETURNS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
MOVES = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: MOST_ROWS, Qt.Key.Key_PageUp: -MOST_ROWS}


class Completion(QObject):
    """Serves one editor; its popup is a child of the editor's window."""

    def __init__(
        self, editor: CodeEditor, worker: CompletionWorker | None = None, complete: Complete | None = None
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._worker = worker or CompletionWorker(self)
        self._complete = complete or self._worker.python.complete
        self._own_hints: tuple[ToolHint, ...] = ()
        self.hints: tuple[ToolHint, ...] = ()
        """The tools under the names that they have where the script is going."""
        self._calls: TargetCalls | None = None
        self._popup: CompletionPopup | None = None
        self._known: list[Suggestion] = []
        """What jedi has answered for the word that is being typed."""
        self._word_start = -1
        self._revision = -1
        self._look_soon = QTimer(self, singleShot=True, interval=LOOK_AFTER)
        self._look_soon.timeout.connect(self._refresh)
        self._ask_soon = QTimer(self, singleShot=True, interval=ASK_AFTER)
        self._ask_soon.timeout.connect(self._ask)
        editor.before_key = self._on_key
        editor.cursorPositionChanged.connect(self._on_cursor_moved)
        editor.typed.connect(self._on_typed)
        editor.focus_left.connect(self.close)
        editor.verticalScrollBar().valueChanged.connect(self.close)

    @property
    def is_open(self) -> bool:
        return self._popup is not None and self._popup.isVisible()

    def set_hints(self, hints: tuple[ToolHint, ...]) -> None:
        self._own_hints = hints
        self.hints = hints if self._calls is None else self._calls.hints(hints)

    def set_calls(self, calls: TargetCalls | None) -> bool:
        """How tools are called where the script is going; None: as everywhere here. True if that is news."""
        if calls == self._calls:
            return False
        self._calls = calls
        self.set_hints(self._own_hints)
        return True

    def warm_up(self) -> None:
        """Has jedi loaded in the background, once the window has come to rest."""
        QTimer.singleShot(WARM_UP_AFTER, self, self._warm_up)

    def open(self) -> None:
        """Shows what fits here, asked for by the user."""
        self._refresh(asked=True)

    def close(self) -> None:
        self._look_soon.stop()
        self._ask_soon.stop()
        self._word_start = -1
        if self.is_open and self._popup is not None:
            self._popup.hide()

    def _warm_up(self) -> None:
        if self._editor.language == "python":
            self._worker.run(self, self._worker.python.warm_up, lambda _: None, key="warm")

    def _context(self) -> CallContext:
        cursor = self._editor.textCursor()
        reach = QTextCursor(cursor)
        reach.setPosition(max(0, cursor.position() - REACH), QTextCursor.MoveMode.KeepAnchor)
        text = reach.selectedText().replace("\u2029", "\n")
        root = self._calls.convention.root if self._calls is not None else ROOT
        return js_context_before(text, root) if self._is_js else context_before(text)

    @property
    def _is_js(self) -> bool:
        return self._editor.language in LANGUAGES

    def _refresh(self, *, asked: bool = False) -> None:
        self._look_soon.stop()
        context = self._context()
        start = self._editor.textCursor().position() - len(context.word)
        if (context.in_text and not context.tool_name) or not (asked or self._is_wanted(context)):
            self.close()
            return
        if start != self._word_start:
            self._word_start, self._known = start, []
        self._revision = self._editor.document().revision()
        if self._editor.language == "python" and not context.in_text and (asked or context.word or context.base):
            self._ask_soon.start()
        self._show(context)

    def _is_wanted(self, context: CallContext) -> bool:
        """Whether to offer something unasked."""
        if context.word.isdigit() or not self._editor.options.suggests:
            return False
        if context.base or context.tool_name or len(context.word) >= FEWEST_LETTERS:
            return True
        in_keys = context.in_object and (self._is_js or self._calls is not None)
        return (context.at_argument or in_keys) and callee_hint(context, self.hints) is not None

    def _show(self, context: CallContext, keep: str = "") -> None:
        rows = suggestions_at(context, self.hints, self._editor.language, self._calls)
        have = {row.text for row in rows}
        rows += ranked([row for row in self._known if row.text not in have], context.word)
        if not rows or (len(rows) == 1 and rows[0].text == context.word):
            if self._popup is not None:
                self._popup.hide()
            return
        self._show_rows(rows, context, keep)

    def _show_rows(self, rows: list[Suggestion], context: CallContext, keep: str) -> None:
        window = self._editor.window()
        if self._popup is None or self._popup.parentWidget() is not window:
            self._popup = CompletionPopup(window)
            self._popup.accepted.connect(self._accept)
        at = self._editor.textCursor()
        at.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.MoveAnchor, len(context.word))
        location = self._editor.cursorRect(at)
        corner = self._editor.viewport().mapTo(window, location.topLeft())
        self._popup.show_at(QRect(corner, location.size()), rows, keep)

    def _ask(self) -> None:
        """Asks jedi, in a thread; what it answers to an older text is dropped."""
        line, column = self._editor.cursor_place
        job = partial(self._complete, self._editor.text, line, column - 1, self.hints)
        self._worker.run(self, job, partial(self._on_answered, self._revision), key="complete")

    def _on_answered(self, revision: int, found: list[Suggestion]) -> None:
        if revision == self._editor.document().revision() and self._word_start >= 0 and found:
            self._known = found
            chosen = self._popup.current() if self.is_open and self._popup else None
            self._show(self._context(), chosen.text if chosen else "")

    def _accept(self, chosen: Suggestion) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(self._word_start, QTextCursor.MoveMode.KeepAnchor)
        self.close()
        cursor.insertText(chosen.text + chosen.after)
        if chosen.after:
            cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.MoveAnchor, len(chosen.after))
            self._editor.setTextCursor(cursor)
        self._editor.setFocus()

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.open()
            return True
        if self._look_soon.isActive() and not event.text().isidentifier():
            # What is chosen, or left, must be what the last letter asked for.
            self._refresh()
        if self.is_open and self._popup is not None and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return self._on_popup_key(event.key(), self._popup)
        return False

    def _on_popup_key(self, key: int, popup: CompletionPopup) -> bool:
        chosen = popup.current()
        if key in MOVES:
            popup.move_by(MOVES[Qt.Key(key)])
        elif key == Qt.Key.Key_Escape:
            self.close()
        elif chosen is not None and (key == Qt.Key.Key_Tab or (key in RETURNS and not self._is_written(popup))):
            self._accept(chosen)
        else:
            return False
        return True

    def _is_written(self, popup: CompletionPopup) -> bool:
        """Whether a whole word stands there already, and nothing else was chosen: then Return is a new line."""
        return not popup.moved and popup.offers(self._context().word)

    def _on_cursor_moved(self) -> None:
        """Closes when the cursor leaves the word; typing is seen to once the key has been handled."""
        if self._word_start < 0:
            return
        cursor = self._editor.textCursor()
        # With the line before, where the brackets of a `call_tool` may have been opened.
        before = f"{cursor.block().previous().text()}\n{cursor.block().text()[: cursor.positionInBlock()]}"
        word = (js_word_before if self._is_js else word_before)(before)
        if cursor.position() - len(word) != self._word_start:
            self.close()

    def _on_typed(self, letter: str) -> None:
        if letter.isidentifier() or letter.isdigit() or letter in STARTS or (letter == BACKSPACE and self.is_open):
            self._look_soon.start()
        else:
            self.close()
