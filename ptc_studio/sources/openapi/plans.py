"""How arguments become a request: all that is known of an operation before it is called. Plans can be compared."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Where = Literal["path", "query", "querystring", "header", "cookie", "property", "body", "media_type", "with_headers"]
"""The last two are no part of the request: what the body is sent as, and whether the headers are answered, too."""
BodyKind = Literal["json", "lines", "form", "multipart", "text", "binary"]


@dataclass(frozen=True, slots=True)
class RequestArgument:
    """An argument, and its place in the request."""

    name: str
    """As the script writes it."""
    wire_name: str
    """As the document writes it."""
    where: Where
    style: str = ""
    explode: bool = False
    reserved: bool = False
    """Whether the query takes reserved characters as they are."""
    as_json: bool = False
    is_file: bool = False


@dataclass(frozen=True, slots=True)
class PartEncoding:
    """How a property of a form is written."""

    media_type: str = ""
    style: str = ""
    """Empty where the document asks for none."""
    explode: bool = True
    reserved: bool = False


@dataclass(frozen=True, slots=True)
class BodyPlan:
    """What the body is sent as."""

    kind: BodyKind
    media_type: str
    parts: Mapping[str, PartEncoding] = field(default_factory=dict[str, PartEncoding])
    """Of the properties of a form, as far as the document says."""
    required: bool = False


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """The whole request but for the values."""

    method: str
    path: str
    base_url: str
    """Empty if nobody knows it."""
    arguments: tuple[RequestArgument, ...]
    bodies: tuple[BodyPlan, ...]
    """The ways to send the body, the usual one first; none if there is no body."""
    security: tuple[tuple[str, ...], ...]
    """The schemes of each way to be let in; an empty one needs none."""

    @property
    def label(self) -> str:
        return f"{self.method} {self.base_url}{self.path}"

    def renamed(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments under the names that scripts write, whichever of the two was used."""
        own = {argument.name for argument in self.arguments}
        others = {argument.wire_name: argument.name for argument in reversed(self.arguments)}
        return {name if name in own else others.get(name, name): value for name, value in arguments.items()}
