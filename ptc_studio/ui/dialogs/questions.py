"""Questions to the user, awaited: a modal loop of Qt's own would break the running coroutine."""

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


async def ask(parent: QWidget, title: str, text: str, *, accept: str, reject: str) -> bool:
    """True if the user chose `accept`. The safe answer, `reject`, is the default one."""
    box = QMessageBox(parent)
    # Before the text: Qt would look at it at once.
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(title)
    box.setText(text)
    yes = box.addButton(accept, QMessageBox.ButtonRole.DestructiveRole)
    no = box.addButton(reject, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(no)
    box.setEscapeButton(no)
    answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def on_finished() -> None:
        if not answer.done():
            answer.set_result(box.clickedButton() is yes)

    box.finished.connect(on_finished)
    box.open()
    try:
        return await answer
    finally:
        box.deleteLater()
