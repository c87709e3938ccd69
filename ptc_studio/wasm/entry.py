"""A WebAssembly module as a tool, as the workspace file has it."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ptc_studio.core.tools import Permission
from ptc_studio.sources.entry_fields import CodeFile, Count, Holds, Name, Prose, Seconds, Text, WorkspaceEntry


class WasmEntry(WorkspaceEntry):
    """A module that is a tool."""

    kind: Literal["wasm"] = "wasm"
    name: Name = Field(title="Name", description="The tool's name; a dot puts it into a namespace: `image.resize`.")
    path: CodeFile = Field(
        title="Module", description="The file, `.wasm` or as text `.wat`, seen from the workspace's folder."
    )
    description: Prose = Field(default="", title="Description", description="What the tool does.")
    parameters: dict[str, Any] = Field(
        default={},
        title="Parameters",
        description="JSON Schema of each parameter by name: `width: {type: integer}`. One with a default may be left "
        "out. The module is given all of them as one JSON object.",
    )
    output: dict[str, Any] | None = Field(
        default=None, title="Result", description="JSON Schema of what the module returns."
    )
    aliases: Annotated[tuple[Text, ...], Holds("items")] | None = Field(
        default=None,
        title="Tools that it may call",
        description="Aliases, or names of tools. Without this the module may not call tools at all.",
    )
    memory_mb: Annotated[Count, Field(le=4096)] = Field(
        default=64, title="Memory", description="Megabytes that one call may use."
    )
    fuel: Count = Field(
        default=10_000_000_000,
        title="Fuel",
        description="Instructions that one call may execute, about; a bound beside time.",
    )
    max_invocations: Count = Field(
        default=20, title="Calls at most", description="How often it may call tools in one execution."
    )
    permission: Permission | None = Field(
        default=None, title="Permission", description="Whether a call is allowed, asked about or denied."
    )
    permissions: dict[str, Permission] = Field(
        default={}, title="Permissions", description="By the tool's name, or a pattern such as `image.*`."
    )
    timeout: Seconds | None = Field(default=None, title="Time limit", description="Seconds for one call.")
