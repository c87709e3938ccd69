"""The mocks of a window: its list, and the file that keeps them."""

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from ptc_studio.storage.workspace import WorkspaceError
from ptc_studio.ui.background_thread import in_thread
from ptc_studio.ui.breakpoints_and_mocks.mock_values import summary_of, tooltip_of
from ptc_studio.ui.breakpoints_and_mocks.panel import CheckedRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptc_studio.app import Studio
    from ptc_studio.storage.mock_store import MockEditor, MockEntry
    from ptc_studio.ui.breakpoints_and_mocks.panel import BreakpointsAndMocksPanel
    from ptc_studio.ui.context import Context


Back = Callable[[], object]
"""Takes a change back; may take its time."""
CHANGED = "mocks.yaml was changed outside meanwhile: nothing was written; look at the list again."


class MockEdits:
    """Every change is one step back; all raise WorkspaceError, with nothing written. Without a workspace mocks last as
    long as the window."""

    def __init__(self, context: "Context") -> None:
        self._context = context

    @property
    def _studio(self) -> "Studio":
        return self._context.workbench.studio

    @property
    def entries(self) -> "tuple[MockEntry, ...]":
        return self._studio.kept_mocks.entries if self._context.workbench.is_open else ()

    async def add(self, values: Mapping[str, Any]) -> Back:
        return await self._do(lambda editor: editor.add(values).undo, lambda entries: [*entries, values])

    async def replace(self, index: int, values: Mapping[str, Any]) -> Back:
        def replaced(entries: list[Any]) -> list[Any]:
            return [values if at == index else entry for at, entry in enumerate(entries)]

        return await self._do(lambda editor: editor.replace(index, values).undo, replaced)

    async def remove(self, indices: list[int]) -> Back:
        def removed(editor: "MockEditor") -> Back:
            backs = [editor.remove(index).undo for index in sorted(indices, reverse=True)]
            return lambda: [back() for back in reversed(backs)]

        return await self._do(removed, lambda entries: [e for at, e in enumerate(entries) if at not in indices])

    async def enable(self, indices: list[int], enabled: bool) -> Back:
        def switched(editor: "MockEditor") -> Back:
            backs = [editor.set_enabled(index, enabled).undo for index in indices]
            return lambda: [back() for back in reversed(backs)]

        def in_memory(entries: list[Any]) -> list[Any]:
            return [{**e, "enabled": enabled} if at in indices else e for at, e in enumerate(entries)]

        return await self._do(switched, in_memory)

    async def take_back(self, back: Back) -> None:
        """Has everything as it was before the change."""
        await in_thread(self._studio, back)
        await in_thread(self._studio, self._studio.kept_mocks.read)

    async def _do(self, in_file: "Callable[[MockEditor], Back]", in_memory: Callable[[list[Any]], list[Any]]) -> Back:
        studio = self._studio
        if studio.has_workspace:
            return await in_thread(studio, lambda: self._in_file(in_file))
        kept = studio.kept_mocks
        before = [entry.model_dump(exclude_unset=True) for entry in kept.entries]
        kept.hold(in_memory(before))
        return lambda: kept.hold(before)

    def _in_file(self, change: "Callable[[MockEditor], Back]") -> Back:
        from ptc_studio.storage.mock_store import MockEditor

        kept = self._studio.kept_mocks
        if kept.refresh():
            raise WorkspaceError(kept.fault or CHANGED)
        if kept.fault is not None:
            raise WorkspaceError(kept.fault)
        back = change(MockEditor(self._studio.folder))
        kept.read()
        return back


NOT_YET = "The workspace is still being opened: try again in a moment."


class MocksPresenter(QObject):
    """Signals: counted: other mocks count now."""

    counted = Signal()
    _spoken = Signal()
    """The studio's mocks changed, perhaps in another thread."""

    def __init__(self, context: "Context", panel: "BreakpointsAndMocksPanel") -> None:
        super().__init__(context.window)
        self._context, self._section = context, panel.mocks
        self.edits = MockEdits(context)
        self._fault: str | None = None
        section = panel.mocks
        self.all_button = section.add_all_button("Switches all mocks off, or on again", self._switch_all)
        self.add_button = section.add_button("+", "Adds a mock", self.edit)
        section.switched.connect(lambda row, on: self._start(self._enable([row], on)))
        section.activated.connect(self.edit)
        section.deleted.connect(lambda rows: self._start(self._remove(rows)))
        section.set_menu(self._menu)
        self._spoken.connect(self._show, Qt.ConnectionType.QueuedConnection)
        context.workbench.attached.connect(self._on_attached)
        if context.workbench.is_open:
            self._on_attached()
        self._show()

    @property
    def count(self) -> int:
        """How many are on."""
        bench = self._context.workbench
        return len(bench.studio.mocks.enabled) if bench.is_open else 0

    def edit(self, row: int | None = None) -> Any:
        """Opens the form of a mock, or of a new one."""
        if row is None:
            return self.mock({})
        entry = self.edits.entries[row]
        return self._open(entry.model_dump(exclude_unset=True), row)

    def mock(self, values: Mapping[str, Any]) -> Any:
        """Opens the form of a new mock, with some of it filled in; of the one for that name if there is one."""
        known = [entry.name for entry in self.edits.entries]
        if "value" not in values and values.get("name") in known:
            return self.edit(known.index(values["name"]))
        return self._open(values, None)

    def _open(self, values: Mapping[str, Any], row: int | None) -> Any:
        from ptc_studio.ui.breakpoints_and_mocks.mock_dialog import MockDialog

        if not self._context.workbench.is_open:
            self._context.messages.show_message(NOT_YET)
            return None
        dialog = MockDialog(self._context, self.edits, values, row)
        dialog.open()
        return dialog

    def _menu(self, rows: list[int]) -> "Sequence[tuple[str, Callable[[], object]]]":
        if not rows:
            return [("Add mock…", self.edit)]
        on = all(self.edits.entries[row].enabled for row in rows)
        single: list[tuple[str, Callable[[], object]]] = [
            ("Edit…", lambda: self.edit(rows[0])),
            ("Duplicate…", lambda: self._open(self.edits.entries[rows[0]].model_dump(exclude_unset=True), None)),
        ]
        return [
            *(single if len(rows) == 1 else ()),
            ("Disable" if on else "Enable", lambda: self._start(self._enable(rows, not on))),
            ("", lambda: None),
            ("Delete", lambda: self._start(self._remove(rows))),
        ]

    def _switch_all(self) -> None:
        entries = self.edits.entries
        on = any(entry.enabled for entry in entries)
        self._start(self._enable([row for row, entry in enumerate(entries) if entry.enabled == on], not on))

    async def _enable(self, rows: list[int], enabled: bool) -> None:
        try:
            await self.edits.enable(rows, enabled)
        finally:
            # A box that was ticked in vain is drawn as it is.
            self._show()

    async def _remove(self, rows: list[int]) -> None:
        names = [self.edits.entries[row].name for row in rows]
        back = await self.edits.remove(rows)
        what = f"the mock of {names[0]}" if len(names) == 1 else f"{len(names)} mocks"
        self._context.messages.offer(f"Deleted {what}.", "Undo", lambda: self._start(self.edits.take_back(back)))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._context.start_reported(work)

    def _show_error(self) -> None:
        """Once for each thing that is wrong with the file."""
        bench = self._context.workbench
        fault = bench.studio.kept_mocks.fault if bench.is_open else None
        if fault is not None and fault != self._fault:
            self._context.messages.show_message(f"{fault.rstrip('.')}. The mocks are as they were before.")
        self._fault = fault

    def _on_attached(self) -> None:
        self._context.workbench.studio.mocks.listen(self._spoken.emit)
        self._show()

    def _show(self) -> None:
        self._show_error()
        self._section.set_rows(
            [CheckedRow(each.name, summary_of(each), each.enabled, tip=tooltip_of(each)) for each in self.edits.entries]
        )
        self.counted.emit()
