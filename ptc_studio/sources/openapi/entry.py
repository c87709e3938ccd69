"""An OpenAPI document as the workspace file has it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ptc_studio.core.tools import Permission

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Name = Annotated[str, Field(min_length=1)]
Index = Annotated[int, Field(ge=0, strict=True)]


class OpenApiEntry(BaseModel):
    """A web service that a document of OpenAPI 3.0 or 3.1 describes: each of its operations is a tool."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["openapi"] = "openapi"
    name: Name = Field(title="Name", description="The namespace of its tools: `name.operation`.")
    document: Name = Field(
        title="Document", description="A file of JSON or YAML, seen from the workspace; or its web address."
    )
    base_url: Name | None = Field(
        None, title="Address of the service", description="In place of the document's own `servers`."
    )
    server: Index = Field(0, title="Server", description="Which of the document's `servers`, counted from 0.")
    variables: dict[str, str] = Field(
        {}, title="Variables", description="Values for the variables in that server's address."
    )
    auth: dict[str, str] = Field(
        {},
        title="Keys",
        description="By security scheme, such as `${secret:NAME}`; for HTTP basic `user:${secret:NAME}`.",
    )
    headers: dict[str, str] = Field(
        {}, title="Headers", description="Sent with every request, such as `Authorization: Bearer ${secret:NAME}`."
    )
    include: tuple[str, ...] = Field(
        (),
        title="Only these operations",
        description="By id, `GET /path` or `tag:name`, or a pattern such as `repos/*`; all if empty.",
    )
    exclude: tuple[str, ...] = Field((), title="Without these operations", description="Written as those above.")
    permission: Permission | None = Field(
        None, title="Permission", description="For all its tools, unless `permissions` says otherwise."
    )
    permissions: dict[str, Permission] = Field(
        {}, title="Permissions", description="By a tool's name, or a pattern such as `*.delete_*`."
    )
    timeout: Seconds | None = Field(None, title="Time for a call", description="Seconds; the studio's own if empty.")

    @property
    def is_remote(self) -> bool:
        """Whether the document has to be fetched."""
        return self.document.startswith(("http://", "https://", "${"))

    @field_validator("base_url")
    @classmethod
    def _web_address(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(("http://", "https://", "${")):
            raise ValueError(f"{url!r} is no web address: write http://... or https://...")
        return url
