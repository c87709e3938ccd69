"""A folder of Python functions as the workspace file has it."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ptc_studio.core.tools import Permission

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Name = Annotated[str, Field(min_length=1)]


class FunctionsEntry(BaseModel):
    """Every function of the Python files in a folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["functions"] = "functions"
    path: Path = Field(title="Folder", description="Where the Python files are, from the workspace's folder.")
    name: Name = Field(
        default="functions",
        title="Name",
        description="If you give one, `name.function` leads to each function as well.",
    )
    tools: tuple[str | dict[str, Any], ...] = Field(
        default=(),
        title="Functions",
        description="Which of them, as `module:function` or `module:All`; all of them if empty.",
    )
    isolation: Literal["thread", "process"] = Field(
        default="thread", title="Run in", description="A process can be killed when a function is stuck or crashes."
    )
    permission: Permission | None = Field(
        default=None, title="Permission", description="For all its tools, unless `permissions` says otherwise."
    )
    permissions: dict[str, Permission] = Field(
        default={}, title="Permissions", description="By a tool's name, or a pattern such as `delete_*`."
    )
    timeout: Seconds | None = Field(
        default=None, title="Time for a call", description="Seconds; the studio's own if empty."
    )
