"""What keys do in the editor beyond what Qt does: indents, comments, brackets that close themselves."""

from collections.abc import Callable

from PySide6.QtGui import QTextCursor

from ptc_studio.ui.language.brackets import PAIRS, closes_itself, indent_after, indent_of, outdented, toggled_comments
from ptc_studio.ui.language.names import comment_mark, quotes_of


def break_line(cursor: QTextCursor, unit: str, language: str) -> None:
    """A new line, indented as the code asks for; a closing bracket goes to a line of its own."""
    before, after = _context(cursor)
    indent = indent_after(before, unit, language)
    cursor.beginEditBlock()
    cursor.insertText("\n" + indent)
    if before and after and PAIRS.get(before.rstrip()[-1:]) == after[0]:
        position = cursor.position()
        cursor.insertText("\n" + indent_of(before))
        cursor.setPosition(position)
    elif after.strip():
        _drop_blanks_after(cursor)
    cursor.endEditBlock()


def is_half_of_pair(letter: str, language: str) -> bool:
    """Whether it is a bracket or a quote."""
    return bool(letter) and (letter in PAIRS or letter in PAIRS.values() or letter in quotes_of(language))


def type_pair(cursor: QTextCursor, letter: str, language: str) -> bool:
    """Handles a bracket or quote: goes over one that is there, encloses the selection, or closes itself."""
    quotes = quotes_of(language)
    if not is_half_of_pair(letter, language):
        return False
    before, after = _context(cursor)
    opens = letter in PAIRS or letter in quotes
    if cursor.hasSelection():
        return opens and _enclose(cursor, letter)
    if after.startswith(letter) and letter not in PAIRS and not before.endswith("\\"):
        return cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
    if opens and closes_itself(letter, before, after, quotes):
        tripled = before.endswith(letter * 2) and letter in quotes
        _insert_around(cursor, letter, letter * 3 if tripled else PAIRS.get(letter, letter))
        return True
    return False


def delete_pair(cursor: QTextCursor, unit: str, language: str) -> bool:
    """Handles backspace: in an empty pair both go, in the indent a whole step does."""
    before, after = _context(cursor)
    if cursor.hasSelection() or not before:
        return False
    opening = before[-1]
    closing = PAIRS.get(opening) or (opening if opening in quotes_of(language) else "")
    if closing and after.startswith(closing) and not (opening == closing and before[-2:-1] == opening):
        cursor.beginEditBlock()
        cursor.deletePreviousChar()
        cursor.deleteChar()
        cursor.endEditBlock()
        return True
    if before.isspace() and before.endswith(" ") and unit != "\t":
        _remove_before(cursor, len(before) - len(outdented(before, unit)))
        return True
    return False


def indent(cursor: QTextCursor, unit: str) -> None:
    """Tab: to the next step, or all selected lines one step to the right."""
    if cursor.hasSelection():
        _change_lines(cursor, lambda lines: [unit + line if line.strip() else line for line in lines])
    elif unit == "\t":
        cursor.insertText(unit)
    else:
        cursor.insertText(" " * (len(unit) - cursor.positionInBlock() % len(unit)))


def outdent(cursor: QTextCursor, unit: str) -> None:
    """Shift+Tab: the lines one step to the left."""
    _change_lines(cursor, lambda lines: [outdented(line, unit) for line in lines])


def toggle_comment(cursor: QTextCursor, language: str) -> None:
    """Comments the lines out, or in."""
    _change_lines(cursor, lambda lines: toggled_comments(lines, comment_mark(language)))


def _context(cursor: QTextCursor) -> tuple[str, str]:
    """What stands before and after the selection on its lines."""
    document = cursor.document()
    first, last = document.findBlock(cursor.selectionStart()), document.findBlock(cursor.selectionEnd())
    return (
        _units(first.text(), 0, cursor.selectionStart() - first.position()),
        _units(last.text(), cursor.selectionEnd() - last.position(), None),
    )


def _units(text: str, start: int, end: int | None) -> str:
    """A part of the text by UTF-16 units, as Qt counts."""
    if text.isascii():
        return text[start:end]
    octets = text.encode("utf-16-le", "surrogatepass")
    return octets[2 * start : None if end is None else 2 * end].decode("utf-16-le", "replace")


def _enclose(cursor: QTextCursor, opening: str) -> bool:
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    text = cursor.selectedText()
    cursor.insertText(f"{opening}{text}{PAIRS.get(opening, opening)}")
    cursor.setPosition(start + 1)
    cursor.setPosition(end + 1, QTextCursor.MoveMode.KeepAnchor)
    return True


def _insert_around(cursor: QTextCursor, opening: str, closing: str) -> None:
    cursor.beginEditBlock()
    cursor.insertText(opening)
    position = cursor.position()
    cursor.insertText(closing)
    cursor.setPosition(position)
    cursor.endEditBlock()


def _drop_blanks_after(cursor: QTextCursor) -> None:
    _, after = _context(cursor)
    for _ in range(len(after) - len(after.lstrip(" \t"))):
        cursor.deleteChar()


def _remove_before(cursor: QTextCursor, count: int) -> None:
    cursor.movePosition(QTextCursor.MoveOperation.PreviousCharacter, QTextCursor.MoveMode.KeepAnchor, count)
    cursor.removeSelectedText()


def _change_lines(cursor: QTextCursor, change: Callable[[list[str]], list[str]]) -> None:
    """Changes the lines of the selection as one step of undo; the selection then covers them."""
    document, had_selection = cursor.document(), cursor.hasSelection()
    first = document.findBlock(cursor.selectionStart())
    last = document.findBlock(cursor.selectionEnd())
    if had_selection and last.position() == cursor.selectionEnd() and last != first:
        last = last.previous()
    block, lines = first, [first.text()]
    while block != last:
        block = block.next()
        lines.append(block.text())
    cursor.beginEditBlock()
    number = first.blockNumber()
    for offset, (old, new) in enumerate(zip(lines, change(lines), strict=True)):
        if old != new:
            _replace_start(QTextCursor(document.findBlockByNumber(number + offset)), old, new)
    cursor.endEditBlock()
    if had_selection:
        _select_lines(cursor, number, number + len(lines) - 1)


def _replace_start(cursor: QTextCursor, old: str, new: str) -> None:
    """Replaces only what differs, so that a cursor in the rest of the line stays where it is."""
    shared = len(_shared_end(old, new))
    head = len(_shared_start(old[: len(old) - shared], new[: len(new) - shared]))
    cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.MoveAnchor, head)
    removed = len(old) - shared - head
    cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor, removed)
    cursor.insertText(new[head : len(new) - shared])


def _shared_start(one: str, other: str) -> str:
    count = next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return one[: min(len(one), len(other)) if count is None else count]


def _shared_end(one: str, other: str) -> str:
    return _shared_start(one[::-1], other[::-1])


def _select_lines(cursor: QTextCursor, first: int, last: int) -> None:
    document = cursor.document()
    cursor.setPosition(document.findBlockByNumber(first).position())
    end = document.findBlockByNumber(last)
    cursor.setPosition(end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor)
