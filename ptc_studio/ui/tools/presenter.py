"""Keeps the panel, the completion and the problems up with the tools, which come and go by themselves."""

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

from ptc_studio.core.registry import EVERYTHING, Grant, Registry
from ptc_studio.core.tools import Parameter
from ptc_studio.samples import is_example
from ptc_studio.ui.language.hints import ParameterHint, ToolHint
from ptc_studio.ui.tools.rows import AliasState, RowMaker, ToolRows, source_rows

if TYPE_CHECKING:
    from ptc_studio.app import Studio
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.grants.choice import GrantChoice


def hints_from(registry: Registry, grant: Grant) -> list[ToolHint]:
    """Every name that leads to a tool, and whether a script with the grant may call it."""
    found: list[ToolHint] = []
    for target in registry.targets(EVERYTHING):
        granted = target.granted_by(grant)
        parameters = tuple(_hint(parameter) for parameter in target.spec.signature)
        found += [
            ToolHint(
                name,
                description=target.spec.description,
                parameters=parameters,
                schema=target.spec.parameters,
                output=target.spec.output,
                tool=target.spec.name,
                granted=granted,
            )
            for name in registry.names_of(target)
        ]
    return found


def _hint(parameter: Parameter) -> ParameterHint:
    default = None if parameter.required else _code(parameter.default)
    return ParameterHint(parameter.name, parameter.annotation, parameter.required, default, parameter.keyword_only)


def _code(value: Any) -> str:
    """The value as Python has it."""
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return "..."
    return repr(value)


GATHER_MS = 50
"""So long changes gather before they are shown."""
RESTART_MS = 1_000
"""How often it is told when a server is started again."""


class ToolsPresenter(QObject):
    """Shows the tools of the workbench's studio in one window."""

    def __init__(self, context: "Context", grants: "GrantChoice") -> None:
        super().__init__(context.window)
        self._context, self._grants = context, grants
        self._maker = RowMaker()
        self._rows = ToolRows()
        """What is shown."""
        self._told: tuple[ToolRows, Grant] | None = None
        """What the editors know of."""
        self._loss_seen = False
        self._gathering = QTimer(self, singleShot=True, interval=GATHER_MS)
        self._gathering.timeout.connect(self._show)
        self._restarts = QTimer(self, singleShot=True, interval=RESTART_MS)
        self._restarts.timeout.connect(self._show)
        bench = context.workbench
        bench.tools_loaded.connect(self._show)
        bench.attached.connect(self._on_attached)
        grants.changed.connect(self._tell_hints)
        context.editors.page_opened.connect(self._on_page_opened)
        if bench.is_open:
            self._on_attached()

    def _on_attached(self) -> None:
        for page in self._context.editors.pages:
            self._on_page_opened(page)
        self._context.workbench.studio.on_tools_changed(self._on_tools_changed)
        self._gathering.start()

    def _on_page_opened(self, page: "EditorPage") -> None:
        """An example in a workspace has the sample tools, which are read for the first one."""
        bench = self._context.workbench
        if bench.is_open and bench.studio.has_workspace and is_example(page.path):
            bench.start_passing(self._load_samples(bench.studio))

    async def _load_samples(self, studio: "Studio") -> None:
        await studio.samples.load()
        self._context.editors.set_example_hints(hints_from(studio.samples.registry, EVERYTHING))

    def _on_tools_changed(self) -> None:
        # The studio outlives the window by a moment.
        if isValid(self) and not self._gathering.isActive():
            self._gathering.start()

    def _show(self) -> None:
        studio = self._context.workbench.studio
        told = [*studio.errors, *studio.scripts]
        rows = self._maker.rows(studio.registry, told, source_rows(studio.source_set.loaded_sources), _written(studio))
        if self._lacks_some(rows):
            return
        self._gathering.stop()
        self._rows = rows
        # The ticks are put right within, and the editors told.
        with self._grants.following():
            self._context.tools.set_tools(rows.tools, rows.aliases, rows.errors, rows.sources)
        if any(source.state == "restarting" for source in rows.sources):
            self._restarts.start()

    def _lacks_some(self, rows: ToolRows) -> bool:
        """A change takes tools and aliases out and puts them in again: what is gone must be so for a second look."""
        lost = not rows.names >= self._rows.names
        again, self._loss_seen = self._loss_seen, lost
        if lost and not again:
            self._gathering.start()
            return True
        self._loss_seen = False
        return False

    def _tell_hints(self) -> None:
        bench = self._context.workbench
        known = ToolRows(self._rows.tools, self._rows.aliases), bench.grant
        if known != self._told:
            self._told = known
            disabled = [
                ToolHint(
                    row.name, granted=False, fault=f"the alias {row.name!r} is disabled: enable it in the tool panel"
                )
                for row in self._rows.aliases
                if not row.enabled
            ]
            self._context.editors.set_hints([*hints_from(bench.studio.registry, bench.grant), *disabled])


def _written(studio: "Studio") -> list[AliasState]:
    """The aliases as the workspace file has them."""
    return [
        AliasState(
            entry.name, entry.tool, entry.description or "", entry.enabled, studio.file.line_of("aliases", location)
        )
        for location, entry in enumerate(studio.file.aliases)
    ]
