"""A script as a tool, as the workspace file has it."""

from typing import Any, Literal

from pydantic import Field

from ptc_studio.core.tools import Permission
from ptc_studio.sources.entry_fields import CodeFile, Name, Prose, Seconds, Text, WorkspaceEntry


class ScriptEntry(WorkspaceEntry):
    """A saved script that is a tool."""

    kind: Literal["script"] = "script"
    name: Name = Field(title="Name", description="The tool's name; a dot puts it into a namespace: `report.monthly`.")
    path: CodeFile = Field(title="Script", description="The file, seen from the workspace's folder.")
    runtime: Text | None = Field(
        default=None, title="Runtime", description="Which runtime executes it. Without one the file's ending decides."
    )
    description: Prose = Field(
        default="",
        title="Description",
        description="What the tool does. Without one, the script's first comment or docstring.",
    )
    parameters: dict[str, Any] = Field(
        default={},
        title="Parameters",
        description="JSON Schema of each parameter by name: `city: {type: string}`. One with a default may be left "
        "out. In Python, JavaScript and shell scripts they are variables, and `arguments` is all of them; "
        "other languages call the tool `arguments`.",
    )
    output: dict[str, Any] | None = Field(
        default=None,
        title="Result",
        description="JSON Schema of the result: the script's value, else what it prints, as JSON if it is that. "
        "With `type: string` what it prints is taken as it is.",
    )
    permission: Permission | None = Field(
        default=None, title="Permission", description="Whether a call is allowed, asked about or denied."
    )
    permissions: dict[str, Permission] = Field(
        default={}, title="Permissions", description="By the tool's name, or a pattern such as `report.*`."
    )
    timeout: Seconds | None = Field(
        default=None, title="Time limit", description="Seconds for one call, compiling the script included."
    )
