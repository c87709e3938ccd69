"""One tab's worth: a text, its file, and everything that helps with it."""

from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ptc_studio.storage.buffers import Buffer
from ptc_studio.storage.text_files import Stamp, TextFile, TextFileError, read_text, stamp_of, write_text
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.names import PLAIN, language_of, script_name
from ptc_studio.ui.widgets.editor.code_editor import CodeEditor
from ptc_studio.ui.widgets.editor.completion import Completion
from ptc_studio.ui.widgets.editor.completion_worker import CompletionWorker
from ptc_studio.ui.widgets.editor.file_notice import FileNotice
from ptc_studio.ui.widgets.editor.find_bar import FindBar
from ptc_studio.ui.widgets.editor.line_marks import LineMarks
from ptc_studio.ui.widgets.editor.problem_finder import ProblemFinder
from ptc_studio.ui.widgets.editor.type_worker import TypeWorker
from ptc_studio.ui.widgets.editor.worker import Worker


class EditorPage(QWidget):
    """A text with its file, if it has one.

    Signals: renamed: its title, path or language is another.
    """

    renamed = Signal()

    def __init__(
        self, title: str, language: str, thinker: CompletionWorker, checker: Worker, types: TypeWorker
    ) -> None:
        super().__init__()
        self.id = uuid4().hex
        self._title = title
        self.path: Path | None = None
        self._manner = TextFile("")
        """How its file ends lines."""
        self._stamp: Stamp | None = None
        """The file as it was when this text was last the same."""
        self.editor = CodeEditor("", language, self)
        self.notice = FileNotice(self)
        self.marks = LineMarks(self.editor)
        self.find_bar = FindBar(self.editor)
        self.completion = Completion(self.editor, thinker)
        self.finder = ProblemFinder(self.editor, checker, types, lambda: self.path.parent if self.path else None)
        column = QVBoxLayout(self)
        column.setSpacing(0)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (self.notice, self.find_bar, self.editor):
            column.addWidget(widget)
        self.setFocusProxy(self.editor)

    @property
    def title(self) -> str:
        return self.path.name if self.path else self._title

    @property
    def script_name(self) -> str:
        """The path of its file, or the name that it would have as one."""
        return str(self.path) if self.path else script_name(self._title, self.language)

    @property
    def language(self) -> str:
        return self.editor.language

    def set_language(self, language: str) -> None:
        """Has the text be in another language."""
        self.editor.set_language(language)
        self.finder.look_soon()
        self.renamed.emit()

    @property
    def text(self) -> str:
        return self.editor.text

    @property
    def modified(self) -> bool:
        return self.editor.document().isModified()

    def load(self, path: Path) -> None:
        """Shows the file; raises `TextFileError`."""
        file = read_text(path)
        self.path, self._manner, self._stamp = path, file, file.stamp
        self.editor.set_language(language_of(path))
        self.editor.set_text(file.text)
        self.finder.look_soon()

    def fill(self, text: str) -> None:
        """A text that is in no file yet."""
        self.editor.set_text(text)
        self.editor.document().setModified(bool(text))
        self.finder.look_soon()

    def save(self, path: Path) -> None:
        """Writes the text to the file, which is its own from now on; raises `TextFileError`."""
        manner = self._manner
        self._stamp = write_text(path, TextFile(self.text, manner.newline, manner.marked))
        renamed, self.path = path != self.path, path
        if renamed and language_of(path) != PLAIN:
            self.editor.set_language(language_of(path))
        self.editor.document().setModified(False)
        self.notice.hide()
        if renamed:
            self.renamed.emit()

    def set_hints(self, hints: tuple[ToolHint, ...]) -> None:
        self.completion.set_hints(tuple(hint for hint in hints if hint.granted))
        self.finder.set_hints(hints)
        self.editor.set_tool_names({hint.name for hint in hints})

    def look_at_file(self) -> None:
        """Says so if the file was changed or deleted by someone else."""
        now = stamp_of(self.path) if self.path else None
        if self.path is None or now == self._stamp:
            return
        if now is None:
            self.editor.document().setModified(True)
            self.notice.say(
                f"{self.path.name} was deleted on disk", ("Save again", self._save_again), ("Keep mine", self._keep)
            )
        else:
            self.notice.say(f"{self.path.name} changed on disk", ("Reload", self.reload), ("Keep mine", self._keep))

    def reload(self) -> None:
        """Takes the file's text in place of this one, as a step that can be undone."""
        if self.path is None:
            return
        try:
            file = read_text(self.path)
        except TextFileError as error:
            self.notice.say(str(error), ("Keep mine", self._keep))
            return
        self._manner, self._stamp = file, file.stamp
        self.editor.replace_text(file.text)
        self.editor.document().setModified(False)
        self.notice.hide()

    def as_buffer(self) -> Buffer:
        """What is to be kept of it."""
        whole = self.modified or self.path is None
        return Buffer(
            self.id,
            self._title,
            self.language,
            str(self.path) if self.path else None,
            self.text if whole else None,
            self.editor.textCursor().position(),
            self._stamp.modified if self._stamp else None,
        )

    def restore(self, buffer: Buffer) -> None:
        """Stands as it stood; raises `TextFileError` if its file is gone and was all there was."""
        self.id = buffer.id
        path = Path(buffer.path) if buffer.path else None
        if buffer.text is None and path is not None:
            self.load(path)
        else:
            self._restore_text(buffer, path)
        cursor = self.editor.textCursor()
        cursor.setPosition(min(max(buffer.cursor, 0), self.editor.document().characterCount() - 1))
        self.editor.setTextCursor(cursor)

    def _restore_text(self, buffer: Buffer, path: Path | None) -> None:
        self.fill(buffer.text or "")
        self.path = path
        if path is None:
            return
        try:
            self._manner = read_text(path)
        except TextFileError:
            self._manner = TextFile("")
        now = stamp_of(path)
        changed = now is None or now.modified != buffer.modified
        self._stamp = Stamp(-1, -1) if changed and buffer.modified is not None else now
        self.look_at_file()

    def _save_again(self) -> None:
        if self.path is None:
            return
        try:
            self.save(self.path)
        except TextFileError as error:
            self.notice.say(str(error), ("Try again", self._save_again), ("Keep mine", self._keep))

    def _keep(self) -> None:
        """Mine stays; the file's state as of now is not worth another notice."""
        self._stamp = stamp_of(self.path) if self.path else None
        self.editor.document().setModified(True)
