"""A registry of the ToolRegistry library as the workspace file has it."""

from typing import Literal

from pydantic import Field

from ptc_studio.sources.entry_fields import (
    Module,
    Name,
    PermissionsByName,
    Seconds,
    Text,
    ToolsPermission,
    WorkspaceEntry,
)


class ToolRegistryEntry(WorkspaceEntry):
    """A Python module that holds a `ToolRegistry`."""

    kind: Literal["toolregistry"] = "toolregistry"
    name: Name = Field(title="Name", description="The namespace of its tools: `name.tool`.")
    module: Module = Field(
        title="Module",
        description="A file such as `agents/tools.py`, or a module such as `agents.tools`, here or installed.",
    )
    object: Text | None = Field(
        default=None,
        title="Object",
        description="The registry's name in the module; needed only where there are several.",
    )
    start_timeout: Seconds = Field(
        default=30.0, title="Time to start", description="Seconds until the module must have been imported."
    )
    permission: ToolsPermission = None
    permissions: PermissionsByName = Field(default={})
    timeout: Seconds | None = Field(
        default=None, title="Time for a call", description="Seconds; the tool's own if empty."
    )
