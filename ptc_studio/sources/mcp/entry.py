"""An MCP server as the workspace file has it."""

from typing import Literal, Self

from pydantic import Field, model_validator

from ptc_studio.sources.entry_fields import (
    CallTime,
    Environment,
    Folder,
    Name,
    PermissionsByName,
    Program,
    Seconds,
    Secrets,
    ToolsPermission,
    WebAddress,
    Words,
    WorkspaceEntry,
)

Transport = Literal["stdio", "http"]
OAUTH_NAMES = ("client_id", "client_secret", "metadata_url", "scope")


class McpEntry(WorkspaceEntry):
    """A server: either a `command` that is started, or a `url` that is called."""

    kind: Literal["mcp"] = "mcp"
    name: Name = Field(title="Name", description="The namespace of its tools: `name.tool`.")
    command: Program | None = Field(
        default=None, title="Command", description="The program that is the server, such as `npx`."
    )
    args: Words = Field(default=(), title="Arguments", description="What the program is started with.")
    env: Environment = Field(default={})
    cwd: Folder | None = Field(
        default=None, title="Working folder", description="Where the program starts; the workspace's folder if empty."
    )
    url: WebAddress | None = Field(
        default=None, title="Address", description="Of a server that speaks streamable HTTP."
    )
    headers: Secrets = Field(
        default={},
        title="Headers",
        description="Sent with every request, such as `Authorization: Bearer ${secret:NAME}`.",
    )
    oauth: Secrets = Field(
        default={},
        title="Sign-in",
        description="Only for a server that registers no clients by itself: `client_id`, `client_secret`, "
        "`metadata_url`, `scope`. To sign in, use Sign in at the source.",
    )
    start_timeout: Seconds = Field(
        default=20.0, title="Time to start", description="Seconds until the server must have listed its tools."
    )
    permission: ToolsPermission = None
    permissions: PermissionsByName = Field(default={})
    timeout: CallTime = None

    @property
    def transport(self) -> Transport:
        """How the server is spoken to."""
        return "stdio" if self.command else "http"

    @property
    def location(self) -> str:
        """What messages call the server's whereabouts, without anything secret."""
        return self.command or self.url or ""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.command and self.url:
            raise ValueError("has both a `command` and a `url`: keep one of them")
        if not self.command and not self.url:
            raise ValueError("has neither a `command` nor a `url`: give one of them")
        if odd := [name for name in self.oauth if name not in OAUTH_NAMES]:
            raise ValueError(f"has {odd[0]!r} under `oauth`, which means nothing: use {', '.join(OAUTH_NAMES)}")
        wrong = ("headers", "oauth") if self.command else ("args", "env", "cwd")
        if found := [field for field in wrong if getattr(self, field)]:
            way = "command" if self.command else "url"
            raise ValueError(f"has a `{way}`, where `{found[0]}` means nothing: take it away")
        return self
