"""The bar that finds and replaces in an editor."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import re2
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QToolButton, QWidget

from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.editor.gutter import Match
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, RADIUS, SPACE
from ptc_studio.ui.widgets.buttons import SearchBar
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip

MOST = 5_000


class InvalidExpression(Exception):
    """The expression, or the replacement, cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, and how."""

    text: str
    regex: bool = False
    case: bool = False
    whole_word: bool = False

    def find_all(self, text: str) -> Iterator[Any]:
        """The matches that are not empty, in order, up to a limit."""
        count = 0
        for match in self._pattern().finditer(text) if self.text else ():
            if match.end() > match.start():
                yield match
                count += 1
                if count >= MOST:
                    return

    def replacement(self, match: Any, template: str) -> str:
        """What takes the place of a match; groups count only for expressions."""
        if not self.regex:
            return template
        try:
            return match.expand(template)
        except (re.error, re2.error, IndexError) as error:
            raise InvalidExpression(f"replacement: {_message(error)}") from None

    def _pattern(self) -> Any:
        """An expression takes linear time whatever it is: it runs in the thread of the window."""
        if not self.regex:
            source = re.escape(self.text)
            source = rf"(?<!\w){source}(?!\w)" if self.whole_word else source
            return re.compile(source, re.NOFLAG if self.case else re.IGNORECASE)
        options = re2.Options()
        options.log_errors, options.case_sensitive = False, self.case
        source = rf"\b(?:{self.text})\b" if self.whole_word else self.text
        try:
            return re2.compile(f"(?m){source}", options)
        except re2.error as error:
            raise InvalidExpression(_message(error).replace(f"(?m){source}", self.text)) from None


def _message(error: Exception) -> str:
    text = error.args[0] if error.args else str(error)
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text)


def bar_style() -> str:
    """For bars of fields and buttons above or below the text."""
    colours, radius = theme().colours, theme().pixels(RADIUS)
    return f"""
    QFrame#bar {{ background: {colours.panel}; border: 0; border-bottom: 1px solid {colours.line}; }}
    QLabel {{ color: {colours.muted}; background: transparent; }}
    QLabel#wrong {{ color: {colours.error}; }}
    QLabel#notice {{ color: {colours.text}; }}
    QLabel#mark {{ color: {colours.warning}; }}
    QLineEdit {{ background: {colours.raised}; color: {colours.text}; border: 1px solid {colours.line};
        border-radius: {radius}px; padding: 0 {2 * SPACE}px; selection-background-color: {colours.selection};
        selection-color: {colours.text}; }}
    QLineEdit:focus {{ border-color: {colours.accent}; }}
    QLineEdit[wrong="true"] {{ border-color: {colours.error}; }}
    QToolButton, QPushButton {{ background: {colours.raised}; color: {colours.text}; border: 1px solid {colours.line};
        border-radius: {radius}px; padding: 0 {2 * SPACE}px; }}
    QToolButton:hover, QPushButton:hover {{ border-color: {colours.muted}; }}
    QToolButton:focus, QPushButton:focus {{ border-color: {colours.accent}; }}
    QToolButton:checked {{ background: {colours.selection}; border-color: {colours.accent}; color: {colours.accent}; }}
    QToolButton:disabled, QPushButton:disabled {{ color: {colours.muted}; }}
    """


PAUSE = 60


class FindBar(SearchBar):
    """Belongs to one editor and is hidden until it is asked for.

    Signals: closed: the bar was put away.
    """

    closed = Signal()

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__("Find", pause=PAUSE, parent=editor.parentWidget())
        self.setObjectName("bar")
        self._editor = editor
        self._matches: list[Match] = []
        self._found: dict[Match, Any] = {}
        self.field.setClearButtonEnabled(False)
        self.replace_field = QLineEdit(placeholderText="Replace with")
        self.replace_field.setAccessibleName("Replace with")
        self.wrong = PlainLabel()
        self.wrong.setObjectName("wrong")
        self.case = _button("Aa", "Match case", checkable=True)
        self.word = _button("W", "Whole words only", checkable=True)
        self.regex = _button(".*", "Regular expression", checkable=True)
        self._previous = _button("↑", "Previous match (Shift+Enter)")
        self._next = _button("↓", "Next match (Enter)")
        self._replace = _button("Replace", "Replace this match")
        self._replace_all = _button("Replace all", "Replace every match, as one step to undo")
        self._close = _button("✕", "Close (Escape)")
        self._lay_out()
        self._connect()
        self._apply_theme()
        self.hide()

    @property
    def match_count(self) -> int:
        return len(self._matches)

    def open(self) -> None:
        """Shows the bar; what is selected in the editor is what to look for."""
        chosen = self._editor.textCursor().selectedText()
        if chosen and "\u2029" not in chosen:
            self.field.setText(chosen)
        super().open()
        self.search()

    def search(self) -> None:
        self._pause.stop()
        self._found = self._find() if self.isVisible() else {}
        self._matches = list(self._found)
        self._editor.decorations.set_matches(self._matches)
        self._show_count()

    def go(self, *, back: bool = False) -> None:
        if self._pause.isActive():
            self.search()
        cursor = self._editor.textCursor()
        if back:
            before = [index for index, (at, _) in enumerate(self._matches) if at < cursor.selectionStart()]
            self._select(before[-1] if before else len(self._matches) - 1)
        else:
            self._select(self._index_from(cursor.selectionEnd()))

    def replace(self) -> None:
        """Replaces the match that is selected and goes to the next."""
        self.search()
        cursor = self._editor.textCursor()
        chosen = (cursor.selectionStart(), cursor.selectionEnd() - cursor.selectionStart())
        if chosen not in self._matches:
            self.go()
            return
        if self._replace_in(cursor, [chosen]):
            self.search()
            self.go()

    def replace_all(self) -> None:
        """Replaces every match; one step of undo takes all back."""
        self.search()
        count = len(self._matches)
        if count and self._replace_in(QTextCursor(self._editor.document()), self._matches):
            self.search()
            self.count.setText(f"{count} replaced")

    def put_away(self) -> None:
        self.hide()
        self._editor.decorations.set_matches(())
        self._editor.setFocus()
        self.closed.emit()

    def _search_asked(self) -> Search:
        options = self.regex.isChecked(), self.case.isChecked(), self.word.isChecked()
        return Search(self.field.text(), *options)

    def _find(self) -> dict[Match, Any]:
        """The matches by their places; says beside the field if what is looked for is no valid expression."""
        text = self._editor.text
        wide = not text.isascii() and max(text) > "\uffff"
        try:
            found = {_location(text, each, wide=wide): each for each in self._search_asked().find_all(text)}
        except InvalidExpression as error:
            self._show_wrong(f"▲ {error}")
            return {}
        self._show_wrong("")
        return found

    def _replace_in(self, cursor: QTextCursor, matches: list[Match]) -> bool:
        search, template = self._search_asked(), self.replace_field.text()
        try:
            changes = [(each, search.replacement(self._found[each], template)) for each in matches]
        except InvalidExpression as error:
            self._show_wrong(f"▲ {error}")
            return False
        cursor.beginEditBlock()
        for (start, length), text in reversed(changes):
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(text)
        cursor.endEditBlock()
        return True

    def _index_from(self, position: int) -> int:
        return next((index for index, (at, _) in enumerate(self._matches) if at >= position), 0)

    def _select(self, index: int) -> None:
        if not self._matches:
            return
        start, length = self._matches[index]
        cursor = self._editor.textCursor()
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        self._show_count()

    def _show_count(self) -> None:
        cursor = self._editor.textCursor()
        chosen = (cursor.selectionStart(), cursor.selectionEnd() - cursor.selectionStart())
        total = f"{len(self._matches)}{'+' if len(self._matches) >= MOST else ''}"
        if not self.field.text() or self.wrong.text():
            self.count.setText("")
        elif not self._matches:
            self.count.setText("no match")
        elif chosen in self._matches:
            self.count.setText(f"{self._matches.index(chosen) + 1} of {total}")
        else:
            self.count.setText(f"{total} match{'' if len(self._matches) == 1 else 'es'}")
        for button in (self._previous, self._next, self._replace, self._replace_all):
            button.setEnabled(bool(self._matches))

    def _show_wrong(self, message: str) -> None:
        self.wrong.setText(message)
        self.wrong.setVisible(bool(message))
        self.field.setProperty("wrong", bool(message))
        self.field.style().polish(self.field)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setSpacing(SPACE)
        grid.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        first = (self.field, self.case, self.word, self.regex, self._previous, self._next, self.count, self.wrong)
        for column, widget in enumerate(first):
            grid.addWidget(widget, 0, column)
        grid.addWidget(self._close, 0, 9)
        grid.addWidget(self.replace_field, 1, 0)
        replacing = QHBoxLayout()
        for button in (self._replace, self._replace_all):
            replacing.addWidget(button)
        replacing.addStretch()
        grid.addLayout(replacing, 1, 1, 1, 8)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(8, 2)

    def _connect(self) -> None:
        for option in (self.case, self.word, self.regex):
            option.toggled.connect(self.search)
        self._editor.text_edited.connect(self._on_text_edited)
        self._previous.clicked.connect(lambda: self.go(back=True))
        self._next.clicked.connect(lambda: self.go())
        self._replace.clicked.connect(self.replace)
        self._replace_all.clicked.connect(self.replace_all)
        self._close.clicked.connect(self.put_away)
        theme().changed.connect(self._apply_theme)

    def _apply_theme(self) -> None:
        self.setStyleSheet(bar_style())
        for child in (*self.findChildren(QLineEdit), *self.findChildren(QToolButton)):
            child.setFixedHeight(theme().pixels(FIELD))
        for child in self.findChildren(QWidget):
            child.setFont(theme().text_font())

    def _on_text_edited(self) -> None:
        if self.isVisible():
            self._pause.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        entered = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if entered and self.replace_field.hasFocus():
            self.replace()
        else:
            super().keyPressEvent(event)


def _location(text: str, found: Any, *, wide: bool) -> Match:
    """Where the match is in Qt's units."""
    start, length = found.start(), found.end() - found.start()
    if not wide:
        return start, length
    before = sum(letter > "\uffff" for letter in text[:start])
    return start + before, length + sum(letter > "\uffff" for letter in found[0])


def _button(text: str, tip: str, *, checkable: bool = False) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(plain_tip(tip))
    button.setCheckable(checkable)
    button.setAccessibleName(tip)
    return button
