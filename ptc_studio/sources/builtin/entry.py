"""The built-in tools as the workspace file has them."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from ptc_studio.core.tools import Permission
from ptc_studio.sources.entry_fields import CallTime, Count, Holds, Items, Name, Seconds, WorkspaceEntry

BuiltinName = Literal[
    "read_file", "write_file", "list_files", "http_get", "time", "sleep", "json_query", "echo", "code_execution"
]
USUAL_TOOLS: tuple[BuiltinName, ...] = (
    "read_file",
    "write_file",
    "list_files",
    "http_get",
    "time",
    "sleep",
    "json_query",
    "echo",
)
"""All but the one that executes code: whoever wants it names it."""
ANY_PUBLIC_HOST = "*"


class BuiltinEntry(WorkspaceEntry):
    """The tools of the studio itself."""

    kind: Literal["builtin"] = "builtin"
    name: Name = Field(default="std", title="Name", description="The namespace of the tools: `std.read_file`.")
    tools: Annotated[tuple[BuiltinName, ...], Holds("checklist")] = Field(
        default=USUAL_TOOLS,
        title="Tools",
        description="Which of them there are; `code_execution`, which runs code in any runtime, only if it is named.",
    )
    http_hosts: Items = Field(
        default=(),
        title="Hosts for http_get",
        description="If empty, every public host, but nothing on this machine or in its network. Else only these, as "
        "`api.example.org`, `*.example.org` or `localhost:8000`, wherever they are; `*` adds every public host.",
    )
    max_bytes: Count = Field(
        default=10_000_000,
        title="Bytes at most",
        description="Of a file that is read or written, or of an answer of the web.",
    )
    http_timeout: Seconds = Field(
        default=30.0, title="Time for http_get", description="Seconds until the whole answer must be there."
    )
    permission: Permission | None = Field(
        default=None,
        title="Permission",
        description="For all its tools. Without it `write_file` and `code_execution` ask and the others are allowed.",
    )
    permissions: dict[str, Permission] = Field(
        default={}, title="Permissions", description="By a tool's name, or a pattern such as `std.*_file`."
    )
    timeout: CallTime = None

    @field_validator("http_hosts")
    @classmethod
    def _hosts(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        for host in hosts:
            if not host or "/" in host or "@" in host or any(sign.isspace() for sign in host):
                raise ValueError(f"{host!r} is no host: write `api.example.org`, `*.example.org` or `localhost:8000`")
        return hosts
