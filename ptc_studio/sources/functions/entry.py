"""A folder of Python functions as the workspace file has it."""

import os
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from ptc_studio.core.tools import Permission
from ptc_studio.sources.entry_fields import CallTime, CodeFolder, Holds, Name, ToolsPermission, WorkspaceEntry

FUNCTIONS_VARIABLES = ("PTC_FUNCTIONS_DIR", "MAC_FUNCTIONS_DIR")
TOOLS_FOLDER = "tools"
"""Where the tools of a folder are that says nothing else."""


class FunctionsEntry(WorkspaceEntry):
    """Every function of the Python files in a folder."""

    kind: Literal["functions"] = "functions"
    path: CodeFolder = Field(title="Folder", description="Where the Python files are, from the workspace's folder.")
    name: Name = Field(
        default="functions",
        title="Name",
        description="If you give one, `name.function` leads to each function as well.",
    )
    tools: Annotated[tuple[str | dict[str, Any], ...], Holds("functions")] = Field(
        default=(),
        title="Functions",
        description="Which of them, as `module:function` or `module:All`; all of them if empty.",
    )
    isolation: Literal["thread", "process"] = Field(
        default="thread", title="Run in", description="A process can be killed when a function is stuck or crashes."
    )
    nested: bool = Field(default=True, title="Folders within", description="Whether the folders in it are read, too.")
    run_modules: bool = Field(
        default=False,
        title="Import scripts, too",
        description="Else only files of definitions are imported: a script is executed by Run alone.",
    )
    permission: ToolsPermission = None
    permissions: dict[str, Permission] = Field(
        default={}, title="Permissions", description="By a tool's name, or a pattern such as `delete_*`."
    )
    timeout: CallTime = None


def functions_named_by_environment() -> Path | None:
    """The folder of functions that the environment names, for those who name none themselves."""
    named = next(filter(None, map(os.environ.get, FUNCTIONS_VARIABLES)), None)
    return Path(named) if named else None


def functions_of(folder: Path) -> FunctionsEntry:
    """What a folder without a workspace file offers: its `tools`, else the Python files that lie in it.

    Folders within are not read then: whoever opens a project does not want its tests and its environment imported.
    """
    if (folder / TOOLS_FOLDER).is_dir():
        return FunctionsEntry(path=Path(TOOLS_FOLDER))
    return FunctionsEntry(path=Path(), nested=False)
