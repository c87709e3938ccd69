"""Looks for problems in an editor's text, a moment after the last key, in a thread."""

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.problems import Findings, Problem, look_over
from ptc_studio.ui.language.uses import Use
from ptc_studio.ui.widgets.editor.code_editor import CodeEditor
from ptc_studio.ui.widgets.editor.worker import Worker

PAUSE = 250


class ProblemFinder(QObject):
    """Watches one editor.

    Signals: found(revision, problems): the text of that revision of the document has these problems.
    """

    found = Signal(int, list)

    def __init__(self, editor: CodeEditor, worker: Worker | None = None) -> None:
        super().__init__(editor)
        self._editor = editor
        self._worker = worker or Worker("problems", self)
        self._hints: tuple[ToolHint, ...] = ()
        self.known: list[Problem] = []
        """What was found last."""
        self.uses: list[Use] = []
        """The tools that the text uses, as far as it could be read last."""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self.look)
        editor.text_edited.connect(self._pause.start)

    def set_hints(self, hints: tuple[ToolHint, ...]) -> None:
        """The tools that a script may call."""
        self._hints = hints
        self._pause.start()

    def look_soon(self) -> None:
        """Looks in a moment: to read a long text takes its time, and it is to be seen first."""
        self._pause.start()

    def look(self) -> None:
        """Looks now."""
        editor, revision = self._editor, self._editor.document().revision()
        job = partial(look_over, editor.text, editor.language, self._hints)
        self._worker.run(self, job, partial(self._on_answered, revision))

    def _on_answered(self, revision: int, findings: Findings) -> None:
        if revision == self._editor.document().revision():
            self.known = findings.problems
            self.uses = self.uses if findings.uses is None else findings.uses
            self._editor.set_problems(findings.problems)
            self.found.emit(revision, findings.problems)
