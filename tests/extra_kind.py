"""A kind of source more: a package with its entry and its source, and a row in the table."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import Field

from ptc_studio.core.tools import Tool, ToolSpec
from ptc_studio.sources.entry_fields import CallTime, CodeFile, Name, PermissionsByName, ToolsPermission, WorkspaceEntry
from ptc_studio.sources.kinds import KINDS, Kind
from ptc_studio.sources.schema_tool import SchemaTool
from ptc_studio.sources.source import FileSource


class RecipeEntry(WorkspaceEntry):
    kind: Literal["recipe"] = "recipe"
    name: Name
    steps: CodeFile
    permission: ToolsPermission = None
    permissions: PermissionsByName = Field(default={})
    timeout: CallTime = None


class RecipeSource(FileSource):
    def __init__(self, entry: RecipeEntry, *, folder: Path) -> None:
        super().__init__(entry.name, folder, entry.steps)

    def _tool(self) -> Tool:
        spec = ToolSpec(self._name, "Cooks.", {"type": "object"}, self._name)
        return SchemaTool(spec, lambda _arguments, _ticket: self._path.read_text())


ROW = Kind("recipe", "Recipe", "Steps to cook.", RecipeEntry, f"{__name__}:RecipeSource", ("folder",), badge="cook")


@contextmanager
def extra_kind() -> Iterator[None]:
    """While this lasts, the row stands in the table."""
    from ptc_studio.storage.workspace import WorkspaceFile

    KINDS[ROW.id] = ROW
    WorkspaceFile.model_rebuild(force=True)
    try:
        yield
    finally:
        del KINDS[ROW.id]
        WorkspaceFile.model_rebuild(force=True)
