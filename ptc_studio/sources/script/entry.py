"""A script as a tool, as the workspace file has it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ptc_studio.core.tools import Permission

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Text = Annotated[str, Field(min_length=1)]


class ScriptEntry(BaseModel):
    """A saved script that is a tool."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["script"] = "script"
    name: Text = Field(title="Name", description="The tool's name; a dot puts it into a namespace: `report.monthly`.")
    path: Text = Field(title="Script", description="The file, seen from the workspace's folder.")
    runtime: Text | None = Field(
        None, title="Runtime", description="Which runtime executes it. Without one the file's ending decides."
    )
    description: str = Field(
        "", title="Description", description="What the tool does. Without one, the script's first comment or docstring."
    )
    parameters: dict[str, Any] = Field(
        {},
        title="Parameters",
        description="JSON Schema of each parameter by name: `city: {type: string}`. One with a default may be left "
        "out. In Python, JavaScript and shell scripts they are variables, and `arguments` is all of them; "
        "other languages call the tool `arguments`.",
    )
    output: dict[str, Any] | None = Field(
        None,
        title="Result",
        description="JSON Schema of the result: the script's value, else what it prints, as JSON if it is that. "
        "With `type: string` what it prints is taken as it is.",
    )
    permission: Permission | None = Field(
        None, title="Permission", description="Whether a call is allowed, asked about or denied."
    )
    permissions: dict[str, Permission] = Field(
        {}, title="Permissions", description="By the tool's name, or a pattern such as `report.*`."
    )
    timeout: Seconds | None = Field(
        None, title="Time limit", description="Seconds for one call, compiling the script included."
    )
