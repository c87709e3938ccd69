"""The built-in tools as the workspace file has them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ptc_studio.core.tools import Permission

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Count = Annotated[int, Field(ge=1, strict=True)]
BuiltinName = Literal["read_file", "write_file", "list_files", "http_get", "time", "sleep", "json_query", "echo"]
ALL_TOOLS: tuple[BuiltinName, ...] = (
    "read_file",
    "write_file",
    "list_files",
    "http_get",
    "time",
    "sleep",
    "json_query",
    "echo",
)
ANY_PUBLIC_HOST = "*"


class BuiltinEntry(BaseModel):
    """The tools of the studio itself."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["builtin"] = "builtin"
    name: Annotated[str, Field(min_length=1)] = Field(
        "std", title="Name", description="The namespace of the tools: `std.read_file`."
    )
    tools: tuple[BuiltinName, ...] = Field(ALL_TOOLS, title="Tools", description="Which of them there are.")
    http_hosts: tuple[str, ...] = Field(
        (),
        title="Hosts for http_get",
        description="If empty, every public host, but nothing on this machine or in its network. Else only these, as "
        "`api.example.org`, `*.example.org` or `localhost:8000`, wherever they are; `*` adds every public host.",
    )
    max_bytes: Count = Field(
        10_000_000, title="Bytes at most", description="Of a file that is read or written, or of an answer of the web."
    )
    http_timeout: Seconds = Field(
        30.0, title="Time for http_get", description="Seconds until the whole answer must be there."
    )
    permission: Permission | None = Field(
        None,
        title="Permission",
        description="For all its tools. Without it `write_file` asks and the others are allowed.",
    )
    permissions: dict[str, Permission] = Field(
        {}, title="Permissions", description="By a tool's name, or a pattern such as `std.*_file`."
    )
    timeout: Seconds | None = Field(None, title="Time for a call", description="Seconds; the studio's own if empty.")

    @field_validator("http_hosts")
    @classmethod
    def _hosts(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        for host in hosts:
            if not host or "/" in host or "@" in host or any(sign.isspace() for sign in host):
                raise ValueError(f"{host!r} is no host: write `api.example.org`, `*.example.org` or `localhost:8000`")
        return hosts
