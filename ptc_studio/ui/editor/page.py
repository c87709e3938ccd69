"""One tab's worth: a text, its file, and everything that helps with it, such as what looks for problems."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ptc_studio.storage.buffers import Buffer
from ptc_studio.storage.text_files import Stamp, TextFile, TextFileError, read_text, stamp_of, write_text
from ptc_studio.ui.editor.background import BackgroundWorker, CompletionWorker, TypeWorker
from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.editor.completion import Completion
from ptc_studio.ui.editor.file_notice import FileNotice
from ptc_studio.ui.editor.find_bar import FindBar
from ptc_studio.ui.language.hints import ToolHint, by_name
from ptc_studio.ui.language.names import PLAIN, language_of, script_name
from ptc_studio.ui.language.problems import Findings, Problem, look_over
from ptc_studio.ui.language.target_calls import TargetCalls
from ptc_studio.ui.language.target_problems import (
    TYPED,
    Missing,
    TargetChoiceInput,
    TargetFindings,
    TypeCheckInput,
    look_over_for,
)
from ptc_studio.ui.language.tool_mentions import ToolUse

PAUSE = 250
TYPED_PAUSE = 500
"""A compiler takes a second of a whole core: it is not started between two words."""


class ProblemFinder(QObject):
    """Watches one editor.

    Signals: found(revision, problems): the text of that revision of the document has these problems.
    """

    found = Signal(int, list)

    def __init__(
        self,
        editor: CodeEditor,
        worker: BackgroundWorker | None = None,
        types: TypeWorker | None = None,
        folder: Callable[[], Path | None] = lambda: None,
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._worker = worker or BackgroundWorker("problems", self)
        self._types = types
        self._folder = folder
        self._hints: tuple[ToolHint, ...] = ()
        self._looks = 0
        """How often was looked: an answer to another look than the last comes too late."""
        self.known: list[Problem] = []
        """What was found last."""
        self.uses: list[ToolUse] = []
        """The tools that the text uses, as far as it could be read last."""
        self.note = ""
        """What is missing to find more."""
        self.going: Callable[[], TargetChoiceInput] | None = None
        """Says where the script is going, which it is looked at for, too."""
        self.target, self.reason = "", ""
        """The target that it was looked at for last, and what in the text tells of it."""
        self.missing: tuple[Missing, ...] = ()
        """What it needs there and nobody gave."""
        self.calls: TargetCalls | None = None
        """How tools are called there."""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self.refresh)
        editor.text_edited.connect(self.look_soon)

    def set_hints(self, hints: tuple[ToolHint, ...]) -> None:
        """The tools that a script may call."""
        self._hints = hints
        self.look_soon()

    def look_soon(self) -> None:
        """Looks in a moment: to read a long text takes its time, and it is to be seen first."""
        self._pause.start(TYPED_PAUSE if self._is_typed else PAUSE)

    def catch_up(self) -> None:
        """Looks now if it would in a moment: what is run may just have been typed."""
        if self._pause.isActive():
            self._pause.stop()
            self.refresh()

    def refresh(self) -> None:
        """Looks now."""
        self._looks += 1
        editor, number, revision = self._editor, self._looks, self._editor.document().revision()
        refresh = TypeCheckInput(editor.text, editor.language, self._hints, self._folder())
        then = partial(self._on_answered, number, revision)
        types, going = self._types, self.going() if self.going is not None else None
        names = tuple(going.given.inputs) if going is not None else ()
        plainly: Callable[[TypeCheckInput], Findings] = lambda given: look_over(  # noqa: E731 - as below
            given.code, given.language, given.hints, names
        )
        worker = self._worker
        if types is not None and self._is_typed:
            unwanted = lambda: types.is_closed or number != self._looks  # noqa: E731 - said once, where it belongs
            worker, plainly = types, lambda given: types.types.findings(given, unwanted)
        worker.run(self, partial(_looked_over, going, refresh, plainly), then)

    @property
    def _is_typed(self) -> bool:
        return self._types is not None and self._editor.language in TYPED

    def _on_answered(self, number: int, revision: int, findings: Findings) -> None:
        if (number, revision) == (self._looks, self._editor.document().revision()):
            self.known, self.note = findings.problems, findings.note
            self.uses = self.uses if findings.uses is None else findings.uses
            if isinstance(findings, TargetFindings):
                self.target, self.reason = findings.target, findings.reason
                self.missing, self.calls = findings.missing, findings.calls
            self._editor.set_problems(findings.problems)
            self.found.emit(revision, findings.problems)
        elif number == self._looks and not self._pause.isActive():
            # The text is another one meanwhile, and nobody has said so.
            self.look_soon()


def _looked_over(
    going: TargetChoiceInput | None, given: TypeCheckInput, plainly: Callable[[TypeCheckInput], Findings]
) -> Findings:
    return plainly(given) if going is None else look_over_for(going, given, plainly)


@dataclass(frozen=True, slots=True)
class LineMark:
    """One such line."""

    line: int
    condition: str = ""
    enabled: bool = True


class LineMarks(QObject):
    """The marks of one editor, which its gutter shows and sets.

    Signals: changed: one came or went, or stands in another line.
    """

    changed = Signal()

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._anchored: list[tuple[QTextCursor, LineMark]] = []
        self._known: tuple[LineMark, ...] = ()
        self._length = editor.document().characterCount()
        editor.gutter.line_clicked.connect(self.toggle)
        editor.document().contentsChange.connect(self._on_contents_change)

    @property
    def all(self) -> tuple[LineMark, ...]:
        """From the first line to the last."""
        return self._known

    def toggle(self, line: int) -> None:
        """Sets a mark, or takes it away."""
        others = [mark for mark in self._known if mark.line != line]
        self.set(others if len(others) < len(self._known) else [*others, LineMark(line)])

    def set(self, marks: Iterable[LineMark]) -> None:
        """These and no others; those beyond the end stand in the last line."""
        self._anchor(marks)
        self._tell()

    def _anchor(self, marks: Iterable[LineMark]) -> None:
        document = self._editor.document()
        self._anchored = []
        for mark in marks:
            block = document.findBlockByNumber(min(max(mark.line, 1), document.blockCount()) - 1)
            self._anchored.append((QTextCursor(block), mark))

    def _tell(self) -> None:
        """One mark a line, and only what is new is told."""
        found: dict[int, LineMark] = {}
        for cursor, mark in self._anchored:
            line = cursor.blockNumber() + 1
            found.setdefault(line, LineMark(line, mark.condition, mark.enabled))
        known = tuple(found[line] for line in sorted(found))
        if known != self._known:
            self._known = known
            self._editor.gutter.set_stops({mark.line: mark.enabled for mark in known})
            self.changed.emit()

    def _on_contents_change(self, position: int, removed: int, _added: int) -> None:
        before, self._length = self._length, self._editor.document().characterCount()
        if not self._anchored:
            return
        if position == 0 and removed >= before - 1:
            # Another text altogether: nothing tells where its lines come from, so the numbers stay.
            self._anchor(self._known)
        self._tell()


class EditorPage(QWidget):
    """A text with its file, if it has one.

    Signals: renamed: its title, path or language is another.
    """

    renamed = Signal()

    def __init__(
        self, title: str, language: str, thinker: CompletionWorker, checker: BackgroundWorker, types: TypeWorker
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
        self._hints: dict[str, ToolHint] = {}
        self.editor.documentation_at = self._documentation_at
        self.finder = ProblemFinder(self.editor, checker, types, lambda: self.path.parent if self.path else None)
        column = QVBoxLayout(self)
        column.setSpacing(0)
        column.setContentsMargins(0, 0, 0, 0)
        # What is read stays where it is when the file's notice comes: that is below.
        for widget in (self.find_bar, self.editor, self.notice):
            column.addWidget(widget)
        self.finder.found.connect(self._on_looked_at)
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

    def follow_file(self, path: Path) -> None:
        """Its file has another name from now on; what is typed and not saved stays so."""
        self.path = path
        if language_of(path) != PLAIN:
            self.editor.set_language(language_of(path))
        self.look_at_file()
        self.renamed.emit()

    def set_hints(self, hints: tuple[ToolHint, ...]) -> None:
        self._hints = by_name(hints)
        self.completion.set_hints(tuple(hint for hint in hints if hint.granted))
        self.finder.set_hints(hints)
        self._colour_tools()

    def _on_looked_at(self) -> None:
        if self.completion.set_calls(self.finder.calls):
            self._colour_tools()

    def _colour_tools(self) -> None:
        """The names of tools are seen in the text: their own, and those that they have where the script is going."""
        calls = self.finder.calls
        self.editor.set_tool_names({*self._hints, *(calls.names if calls else ())})

    def tool_at(self, line: int, column: int) -> ToolHint | None:
        """The tool whose name stands there, as far as the text has been read."""
        uses = (use for use in self.finder.uses if use.line == line and use.column <= column <= use.end_column)
        return next((self._hints[use.tool] for use in uses if use.tool in self._hints), None)

    def _documentation_at(self, line: int, column: int) -> str:
        hint, calls = self.tool_at(line, column), self.finder.calls
        if hint is None:
            return ""
        signature = calls.signature(hint, calls.name_of(hint.own_name)) if calls else hint.shown_signature
        return f"{signature}\n\n{hint.description}\n\nF12 shows where it comes from"

    def look_at_file(self) -> None:
        """Follows the file where nothing was typed here; else says so if someone else changed or deleted it."""
        now = stamp_of(self.path) if self.path else None
        if self.path is None or now == self._stamp:
            return
        if now is None:
            self.editor.document().setModified(True)
            self.notice.say(
                f"{self.path.name} was deleted on disk", ("Save again", self._save_again), ("Keep mine", self._keep)
            )
        elif not self.modified:
            self.reload()
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
