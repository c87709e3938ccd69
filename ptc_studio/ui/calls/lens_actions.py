"""What the lens is asked for: to reveal what was hidden, and to have it shown from now on."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from ptc_studio.core.originals import Originals
from ptc_studio.core.redaction.exceptions import fingerprint
from ptc_studio.ui.calls.lens import SECONDS, RedactionList, key_of
from ptc_studio.ui.dialogs import questions
from ptc_studio.ui.workspace_edits import WorkspaceEdits

if TYPE_CHECKING:
    from ptc_studio.core.trace import CallRecord, RedactionRecord
    from ptc_studio.ui.context import Context

CONFIRM = f"Show what was hidden for {SECONDS} seconds? Whoever sees this screen sees it, too. It is not stored."
GONE = "It is not known any more: only the last run's are, in memory, and nothing of them is stored."
STORED = "It is one of your own secrets, and stays hidden: see Tools, Secrets."
NO_WORKSPACE = "There is no workspace to keep it in: File, Open workspace."


class RedactionLens(QObject):
    """Answers the list of what was hidden."""

    def __init__(self, context: "Context", shown: RedactionList) -> None:
        super().__init__(context.window)
        self._context, self._shown = context, shown
        self._originals = Originals()
        bench = context.workbench
        bench.attached.connect(self._on_attached)
        bench.run_started.connect(self._originals.forget)
        bench.closed.connect(self._originals.forget)
        shown.reveal_asked.connect(lambda call, hidden: context.start_reported(self._reveal(call, hidden)))
        shown.exception_asked.connect(
            lambda call, hidden, kind: context.start_reported(self._except(call, hidden, kind))
        )
        if bench.is_open:
            self._on_attached()

    def _on_attached(self) -> None:
        self._context.workbench.studio.executor.originals = self._originals

    async def _original(self, call: "CallRecord", hidden: "RedactionRecord") -> str | None:
        found = await self._context.workbench.studio.in_thread(lambda: self._originals.reveal(call, hidden))
        if found is None:
            self._context.messages.show_message(GONE)
        return found

    async def _reveal(self, call: "CallRecord", hidden: "RedactionRecord") -> None:
        window = self._context.window
        if not await questions.ask(window, "Reveal", CONFIRM, accept="Reveal", reject="Cancel"):
            return
        found = await self._original(call, hidden)
        if found is not None:
            self._shown.show_revealed(call, hidden, found)

    async def _except(self, call: "CallRecord", hidden: "RedactionRecord", kind: str) -> None:
        studio = self._context.workbench.studio
        if not studio.has_workspace:
            self._context.messages.show_message(NO_WORKSPACE)
            return
        if studio.executor.redactor.secrets.is_given(hidden["rule"]):
            self._context.messages.show_message(STORED)
            return
        entry: dict[str, Any] = {kind: hidden["rule"] if kind == "rule" else key_of(hidden["path"])}
        if kind == "value":
            found = await self._original(call, hidden)
            if found is None:
                return
            entry = {"value": fingerprint(found)}
        known = [each.model_dump(exclude_none=True) for each in studio.file.redaction.exceptions]
        edits = WorkspaceEdits(self._context)
        if entry not in known:
            done = await edits.change(lambda editor: editor.set_redaction("exceptions", [*known, entry]))
            what = {"value": "This value", "key": f"What stands under {entry.get('key')!r}"}.get(
                kind, f"What {hidden['rule']!r} finds"
            )
            edits.offer_undo(done, f"{what} is shown from the next run on.")
