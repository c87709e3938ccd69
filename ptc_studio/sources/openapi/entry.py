"""An OpenAPI document as the workspace file has it."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from ptc_studio.sources.entry_fields import (
    CallTime,
    Document,
    Holds,
    Items,
    Name,
    PermissionsByName,
    Secrets,
    ToolsPermission,
    WebAddress,
    WorkspaceEntry,
)
from ptc_studio.sources.http.templates import origin_of

Index = Annotated[int, Field(ge=0, strict=True)]


class OpenApiEntry(WorkspaceEntry):
    """A web service that a document of OpenAPI 3 or Swagger 2.0 describes: each of its operations is a tool."""

    kind: Literal["openapi"] = "openapi"
    name: Name = Field(title="Name", description="The namespace of its tools: `name.operation`.")
    document: Document = Field(
        title="Document", description="A file of JSON or YAML, seen from the workspace; or its web address."
    )
    base_url: WebAddress | None = Field(
        default=None, title="Address of the service", description="In place of the document's own `servers`."
    )
    server: Index = Field(default=0, title="Server", description="Which of the document's `servers`, counted from 0.")
    variables: Annotated[dict[str, str], Holds("text")] = Field(
        default={}, title="Variables", description="Values for the variables in that server's address."
    )
    auth: Secrets = Field(
        default={},
        title="Keys",
        description="By security scheme, such as `${secret:NAME}`; for HTTP basic `user:${secret:NAME}`; for OAuth "
        "`client_id=ID client_secret=${secret:NAME} scope=a,b`, or a ready token.",
    )
    headers: Secrets = Field(
        default={},
        title="Headers",
        description="Sent with every request, such as `Authorization: Bearer ${secret:NAME}`.",
    )
    allow_origins: Items = Field(
        default=(),
        title="Servers that get them",
        description="Such as `https://api.example.com`: other servers than the document's own that it names, and that "
        "keys and headers may be sent to.",
    )
    include: Items = Field(
        default=(),
        title="Only these operations",
        description="By id, `GET /path` or `tag:name`, or a pattern such as `repos/*`; all if empty.",
    )
    exclude: Items = Field(default=(), title="Without these operations", description="Written as those above.")
    with_headers: Items = Field(
        default=(),
        title="Answers with headers",
        description="Operations that offer `with_headers` beside those whose headers the document tells of; as above.",
    )
    permission: ToolsPermission = None
    permissions: PermissionsByName = Field(default={})
    timeout: CallTime = None

    @field_validator("allow_origins")
    @classmethod
    def _servers(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if not origin_of(origin):
                raise ValueError(f"{origin!r} is no server: write https://... or http://...")
        return origins

    @property
    def is_remote(self) -> bool:
        """Whether the document has to be fetched."""
        return self.document.startswith(("http://", "https://", "${"))
