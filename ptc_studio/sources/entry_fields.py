"""What the entries of the workspace file have in common: the base of their models, and the types of their fields."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ptc_studio.core.tools import Permission


class WorkspaceEntry(BaseModel):
    """A part of a file that people write: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _web_address(text: str) -> str:
    if not text.startswith(("http://", "https://", "${")):
        raise ValueError(f"{text!r} is no web address: write http://... or https://...")
    return text


Text = Annotated[str, Field(min_length=1)]
Name = Text
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Count = Annotated[int, Field(ge=1, strict=True)]
WebAddress = Annotated[Text, AfterValidator(_web_address)]

# The fields of most kinds that bring several tools; each is written with its default, as `timeout: CallTime = None`.
ToolsPermission = Annotated[
    Permission | None,
    Field(title="Permission", description="For all its tools, unless `permissions` says otherwise."),
]
PermissionsByName = Annotated[
    dict[str, Permission],
    Field(title="Permissions", description="By a tool's name, or a pattern such as `*.delete_*`."),
]
CallTime = Annotated[Seconds | None, Field(title="Time for a call", description="Seconds; the studio's own if empty.")]
Environment = Annotated[
    dict[str, str],
    Field(title="Environment", description="Variables for the program; `${secret:NAME}` and `${env:NAME}` work."),
]
