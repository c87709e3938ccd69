"""An MCP server as the workspace file has it."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ptc_studio.core.tools import Permission

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Name = Annotated[str, Field(min_length=1)]
Transport = Literal["stdio", "http"]


class McpEntry(BaseModel):
    """A server: either a `command` that is started, or a `url` that is called."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["mcp"] = "mcp"
    name: Name = Field(title="Name", description="The namespace of its tools: `name.tool`.")
    command: Name | None = Field(None, title="Command", description="The program that is the server, such as `npx`.")
    args: tuple[str, ...] = Field((), title="Arguments", description="What the program is started with.")
    env: dict[str, str] = Field(
        {}, title="Environment", description="Variables for the program; `${secret:NAME}` and `${env:NAME}` work."
    )
    cwd: str | None = Field(
        None, title="Working folder", description="Where the program starts; the workspace's folder if empty."
    )
    url: Name | None = Field(None, title="Address", description="Of a server that speaks streamable HTTP.")
    headers: dict[str, str] = Field(
        {}, title="Headers", description="Sent with every request, such as `Authorization: Bearer ${secret:NAME}`."
    )
    start_timeout: Seconds = Field(
        20.0, title="Time to start", description="Seconds until the server must have listed its tools."
    )
    permission: Permission | None = Field(
        None, title="Permission", description="For all its tools, unless `permissions` says otherwise."
    )
    permissions: dict[str, Permission] = Field(
        {}, title="Permissions", description="By a tool's name, or a pattern such as `*.delete_*`."
    )
    timeout: Seconds | None = Field(None, title="Time for a call", description="Seconds; the studio's own if empty.")

    @property
    def transport(self) -> Transport:
        """How the server is spoken to."""
        return "stdio" if self.command else "http"

    @property
    def place(self) -> str:
        """What messages call the server's whereabouts, without anything secret."""
        return self.command or self.url or ""

    @field_validator("url")
    @classmethod
    def _web_address(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(("http://", "https://", "${")):
            raise ValueError(f"{url!r} is no web address: write http://... or https://...")
        return url

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.command and self.url:
            raise ValueError("has both a `command` and a `url`: keep one of them")
        if not self.command and not self.url:
            raise ValueError("has neither a `command` nor a `url`: give one of them")
        wrong = ("headers",) if self.command else ("args", "env", "cwd")
        if found := [field for field in wrong if getattr(self, field)]:
            way = "command" if self.command else "url"
            raise ValueError(f"has a `{way}`, where `{found[0]}` means nothing: take it away")
        return self
