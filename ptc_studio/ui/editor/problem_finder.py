"""Looks for problems in an editor's text, a moment after the last key, in a thread."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from ptc_studio.ui.editor.background import BackgroundWorker, TypeWorker
from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.problems import Findings, Problem, look_over
from ptc_studio.ui.language.tool_mentions import ToolUse
from ptc_studio.ui.language.type_problems import TYPED, TypeCheckInput

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

    def refresh(self) -> None:
        """Looks now."""
        self._looks += 1
        editor, number, revision = self._editor, self._looks, self._editor.document().revision()
        refresh = TypeCheckInput(editor.text, editor.language, self._hints, self._folder())
        then = partial(self._on_answered, number, revision)
        types = self._types
        if types is not None and self._is_typed:
            unwanted = lambda: types.is_closed or number != self._looks  # noqa: E731 - said once, where it belongs
            types.run(self, partial(types.types.findings, refresh, unwanted), then)
        else:
            self._worker.run(self, partial(look_over, refresh.code, refresh.language, refresh.hints), then)

    @property
    def _is_typed(self) -> bool:
        return self._types is not None and self._editor.language in TYPED

    def _on_answered(self, number: int, revision: int, findings: Findings) -> None:
        if (number, revision) == (self._looks, self._editor.document().revision()):
            self.known, self.note = findings.problems, findings.note
            self.uses = self.uses if findings.uses is None else findings.uses
            self._editor.set_problems(findings.problems)
            self.found.emit(revision, findings.problems)
