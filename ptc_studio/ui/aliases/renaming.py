"""Has the open scripts follow when an alias gets another name."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from ptc_studio.ui.aliases.uses import Place, uses_of
from ptc_studio.ui.widgets.editor.columns import to_units

if TYPE_CHECKING:
    from ptc_studio.ui.widgets.editor.page import EditorPage
    from ptc_studio.ui.window import MainWindow


@dataclass(frozen=True, slots=True)
class Uses:
    """What of the open scripts calls the alias."""

    calls: int
    scripts: int

    def __str__(self) -> str:
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        return f"{calls} in {'1 open script' if self.scripts == 1 else f'{self.scripts} open scripts'}"


def count_uses(window: "MainWindow", name: str) -> Uses:
    """How often the open scripts call it."""
    counts = [len(uses_of(name, page.text, page.language)) for page in window.editors.pages]
    return Uses(sum(counts), sum(map(bool, counts)))


def rename_uses(window: "MainWindow", former: str, name: str) -> None:
    """Writes the new name in every open script: one step to undo in each."""
    for page in window.editors.pages:
        found = uses_of(former, page.text, page.language)
        if found:
            _replace(page, found, name)


def _replace(page: "EditorPage", found: list[Place], name: str) -> None:
    document = page.editor.document()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    # From the end: what comes before stays where it is.
    for line, column, length in reversed(found):
        block = document.findBlockByNumber(line)
        begin, end = (to_units(block.text(), each) for each in (column, column + length))
        cursor.setPosition(block.position() + begin)
        cursor.setPosition(block.position() + end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(name)
    cursor.endEditBlock()
