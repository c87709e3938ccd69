"""Questions to the user, awaited: a modal loop of Qt's own would break the running coroutine."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QHeaderView, QMessageBox, QTreeView, QWidget

from ptc_studio.processes.process_tree import unmarked
from ptc_studio.ui.language.names import EXTENSIONS
from ptc_studio.ui.theme import theme


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


Chosen = Callable[[Path], object]
BUNDLE = ".ptcrun"
WIDTH, HEIGHT = 860, 520


def choose_script(parent: QWidget, folder: Path | None, chosen: Chosen) -> None:
    """Has the user choose a script to open, or a bundle, beginning in that folder."""
    kinds = " ".join(f"*{ending}" for ending in (*EXTENSIONS, BUNDLE))
    dialog = QFileDialog(parent, "Open a script", str(folder or ""), f"Scripts and bundles ({kinds});;All files (*)")
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _show(dialog, chosen)


def choose_folder(parent: QWidget, chosen: Chosen) -> None:
    """Has the user choose a folder to open."""
    _choose_folder(parent, "Open a folder as the workspace", chosen)


def choose_new_workspace(parent: QWidget, chosen: Chosen) -> None:
    """Has the user choose a folder that is to become a workspace."""
    _choose_folder(parent, "Choose a folder to save it in", chosen)


def name_new_workspace(parent: QWidget, chosen: Chosen) -> None:
    """Has the user name a folder that is not there yet."""
    suggestion = Path.home() / "my-workspace"
    dialog = QFileDialog(parent, "New workspace: name its folder", str(suggestion.parent))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setLabelText(QFileDialog.DialogLabel.Accept, "Create")
    dialog.selectFile(suggestion.name)
    _show(dialog, chosen)


def choose_target(parent: QWidget, suggestion: Path, chosen: Chosen) -> None:
    """Has the user choose where to save."""
    dialog = QFileDialog(parent, "Save as", str(suggestion), _scripts())
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(str(suggestion))
    _show(dialog, chosen)


def choose_file(parent: QWidget, suggestion: Path, chosen: Chosen) -> None:
    """Has the user choose a file of any kind to write."""
    dialog = QFileDialog(parent, "Save as", str(suggestion), f"*{suggestion.suffix};;All files (*)")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(str(suggestion))
    _show(dialog, chosen)


def choose_cassette(parent: QWidget, folder: Path, chosen: Chosen) -> None:
    """Has the user choose a cassette to replay."""
    dialog = QFileDialog(parent, "Replay a cassette", str(folder), "Cassettes (*.json);;All files (*)")
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _show(dialog, chosen)


def choose_conversation(parent: QWidget, chosen: Chosen) -> None:
    """Has the user choose a conversation to import."""
    kinds = "Conversations (*.json *.jsonl *.ndjson *.txt *.sse *.log);;All files (*)"
    dialog = QFileDialog(parent, "Import a conversation", "", kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _show(dialog, chosen)


def _choose_folder(parent: QWidget, title: str, chosen: Chosen) -> None:
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    _show(dialog, chosen)


def _scripts() -> str:
    return f"Scripts ({' '.join(f'*{extension}' for extension in EXTENSIONS)});;All files (*)"


def _show(dialog: QFileDialog, chosen: Chosen) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.resize(theme().pixels(WIDTH), theme().pixels(HEIGHT))
    # Where the desktop has no dialog of its own, Qt's cuts what stands in narrow columns.
    for view in dialog.findChildren(QTreeView):
        for column in range(1, view.header().count()):
            view.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()


def open_outside(url: QUrl) -> bool:
    """Hands the address to the desktop; the program that opens it is the user's, and outlives the studio."""
    with unmarked():
        return QDesktopServices.openUrl(url)
