"""Completes what is typed in an editor: tools and parameters at once, the rest of Python when jedi has answered."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QTextCursor

from ptc_studio.ui.editor.background import CompletionWorker
from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.editor.completion_popup import MOST_ROWS, CompletionPopup
from ptc_studio.ui.language.context import (
    REACH,
    CallContext,
    context_before,
    js_context_before,
    js_word_before,
    word_before,
)
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.suggestions import (
    LANGUAGES,
    Suggestion,
    callee_hint,
    js_suggestions,
    ranked,
    tool_suggestions,
)

FEWEST_LETTERS = 2
WARM_UP_AFTER = 1_000
ASK_AFTER = 80
LOOK_AFTER = 10
"""Milliseconds after a key: the letter is to be seen first."""
Complete = Callable[[str, int, int, tuple[ToolHint, ...]], list[Suggestion]]
STARTS = ".({, \"'"
"""Typed after one of these, a list may open before any letter."""
BACKSPACE = "\b"
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
        self._hints: tuple[ToolHint, ...] = ()
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
        self._hints = hints

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
        return js_context_before(text) if self._is_js else context_before(text)

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
        if context.word.isdigit():
            return False
        if context.base or context.tool_name or len(context.word) >= FEWEST_LETTERS:
            return True
        return context.at_argument and callee_hint(context, self._hints) is not None

    def _show(self, context: CallContext, keep: str = "") -> None:
        rows = (js_suggestions if self._is_js else tool_suggestions)(context, self._hints)
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
        job = partial(self._complete, self._editor.text, line, column - 1, self._hints)
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
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab) and chosen is not None:
            self._accept(chosen)
        else:
            return False
        return True

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
