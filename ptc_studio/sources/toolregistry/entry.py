"""A registry of the ToolRegistry library as the workspace file has it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ptc_studio.core.tools import Permission

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Name = Annotated[str, Field(min_length=1)]


class ToolRegistryEntry(BaseModel):
    """A Python module that holds a `ToolRegistry`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["toolregistry"] = "toolregistry"
    name: Name = Field(title="Name", description="The namespace of its tools: `name.tool`.")
    module: Name = Field(
        title="Module",
        description="A file such as `agents/tools.py`, or a module such as `agents.tools`, here or installed.",
    )
    object: Name | None = Field(
        None, title="Object", description="The registry's name in the module; needed only where there are several."
    )
    start_timeout: Seconds = Field(
        30.0, title="Time to start", description="Seconds until the module must have been imported."
    )
    permission: Permission | None = Field(
        None, title="Permission", description="For all its tools, unless `permissions` says otherwise."
    )
    permissions: dict[str, Permission] = Field(
        {}, title="Permissions", description="By a tool's name, or a pattern such as `*.delete_*`."
    )
    timeout: Seconds | None = Field(None, title="Time for a call", description="Seconds; the tool's own if empty.")
