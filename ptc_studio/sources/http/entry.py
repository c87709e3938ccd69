"""HTTP requests as the workspace file has them: one, which is one tool, or several under `requests`."""

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from ptc_studio.sources.entry_fields import (
    CallTime,
    Holds,
    Line,
    Name,
    PermissionsByName,
    Prose,
    Secrets,
    Text,
    ToolsPermission,
    WorkspaceEntry,
)
from ptc_studio.sources.http.auth import RequestAuthEntry
from ptc_studio.sources.placeholders import check_braces

Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
QueryValue = str | int | float | bool | list[str | int | float | bool]
_STATUS = re.compile(r"[1-5]([0-9]{2}|xx)")


class RequestFields(WorkspaceEntry):
    """What a request is made of. `{name}` in its texts is a parameter, `{name?}` one that may be left out."""

    description: Prose = Field(default="", title="Description", description="What it does, for people and models.")
    method: Method = Field(default="GET", title="Method")
    query: Annotated[dict[str, QueryValue], Holds("query")] = Field(
        default={},
        title="Query",
        description="What follows `?` in the address; one whose parameter is absent is left out.",
    )
    headers: Secrets = Field(
        default={},
        title="Headers",
        description="Sent with the request, such as `Authorization: Bearer ${secret:NAME}`.",
    )
    body: Any = Field(
        default=None, title="Body", description='JSON, in which `"{name}"` keeps the type of its argument; or a text.'
    )
    body_as: Literal["json", "form", "text"] | None = Field(
        default=None, title="Body is sent as", description="JSON or a text, by what it is, if empty."
    )
    parameters: dict[str, Any] = Field(
        default={},
        title="Parameters",
        description="Their JSON Schema by name; made of the places in the texts if empty.",
    )
    extract: Line | None = Field(
        default=None,
        title="Extract",
        description="A JSONPath, such as `$.items[*].name`: what the tool gives of the answer.",
    )
    expect: Annotated[tuple[int | str, ...], Holds("items")] = Field(
        default=("2xx",), title="Expected statuses", description="Such as 200 or 2xx; all others are errors."
    )
    timeout: CallTime = None

    @field_validator("expect")
    @classmethod
    def _statuses(cls, expect: tuple[int | str, ...]) -> tuple[int | str, ...]:
        for status in expect:
            if not _STATUS.fullmatch(str(status)):
                raise ValueError(f"{status!r} is no status: write 200 or 2xx")
        return expect

    @field_validator("query", "headers")
    @classmethod
    def _closed_braces(cls, value: dict[str, Any]) -> dict[str, Any]:
        check_braces(value)
        return value

    def expects(self, status: int) -> bool:
        """Whether an answer with that status is fine."""
        return any(str(status) == str(one) or f"{status // 100}xx" == one for one in self.expect)


class RequestEntry(RequestFields):
    """One of several requests."""

    name: Name = Field(title="Name", description="The tool is `source.name`.")
    url: Text = Field(title="Address", description="May begin with `/` if the source has a `base_url`.")


class HttpEntry(RequestFields):
    """A request that is one tool, of the source's own name; or several, each `name.request`."""

    kind: Literal["http"] = "http"
    name: Name = Field(title="Name", description="Of the tool; of its namespace if there are several requests.")
    url: Text | None = Field(default=None, title="Address", description="Such as `https://api.example.com/users/{id}`.")
    base_url: Text | None = Field(
        default=None, title="Beginning of addresses", description="Of those that begin with `/`."
    )
    requests: tuple[RequestEntry, ...] = Field(
        default=(),
        title="Requests",
        description="Several tools; the headers and the query of the source hold for all of them.",
    )
    auth: RequestAuthEntry | None = Field(
        default=None, title="Signing in", description="A key, a password, a token or OAuth, for all its requests."
    )
    permission: ToolsPermission = None
    permissions: PermissionsByName = Field(default={})

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.url is None) == (not self.requests):
            raise ValueError("needs either a `url` or `requests`: give one of the two")
        if self.requests:
            wrong = {"description", "method", "body", "body_as", "parameters", "extract", "expect"}
            if found := sorted(wrong & self.model_fields_set):
                raise ValueError(f"has `requests`: move `{found[0]}` into one of them")
        names = [request.name for request in self.requests]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"has two requests named {twice!r}: rename one")
        for request in (self.url, *(request.url for request in self.requests)):
            self._check_address(request)
        return self

    def named_requests(self) -> Iterator[tuple[str, str, RequestFields]]:
        """The name of each tool, its address and the rest."""
        if self.url is not None:
            yield self.name, self._address(self.url), self
        for request in self.requests:
            yield f"{self.name}.{request.name}", self._address(request.url), request

    def _address(self, url: str) -> str:
        return self.base_url.rstrip("/") + url if url.startswith("/") and self.base_url else url

    def _check_address(self, url: str | None) -> None:
        check_braces(url or "")
        if url is not None and not self._address(url).startswith(("http://", "https://", "${")):
            hint = "give a `base_url`" if url.startswith("/") else "write http://... or https://..."
            raise ValueError(f"{url!r} is no web address: {hint}")
