"""How arguments become a request: all that is known of an operation before it is called, and its body."""

import base64
import binascii
import mimetypes
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, quote_plus

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core import codec
from ptc_studio.sources.http.messages import HttpRefused
from ptc_studio.sources.placeholders import as_text

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


FILE_LIMIT = 64_000_000
_LONGEST_PATH = 1000


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file to be sent."""

    content: bytes
    name: str
    media_type: str


def sent_file(value: Any, name: str, folder: Path) -> SentFile:
    """The file that an argument means; raises HttpRefused.

    A text that names a file of the workspace means that file: a `Path` of a script arrives as a text.
    """
    if isinstance(value, str) and _names_file(value, folder):
        value = {"path": value}
    if not isinstance(value, dict):
        return SentFile(as_text(value).encode(), name, "application/octet-stream")
    if isinstance(value.get("path"), str):
        path = (folder / value["path"]).resolve()
        content, name = _read(path, value["path"], folder), path.name
    else:
        content = _decoded(value.get("base64"), name)
    name = value.get("filename") or name
    guessed = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return SentFile(content, name, value.get("content_type") or guessed)


def _names_file(text: str, folder: Path) -> bool:
    if not text or len(text) > _LONGEST_PATH or not text.isprintable():
        return False
    try:
        path = (folder / text).resolve()
        return path.is_relative_to(folder.resolve()) and path.is_file()
    except OSError:
        return False


def _read(path: Path, shown: str, folder: Path) -> bytes:
    if not path.is_relative_to(folder.resolve()):
        raise HttpRefused(f"The file {shown!r} lies outside of the workspace: only files inside can be sent.")
    try:
        if not path.is_file():
            raise HttpRefused(f"There is no file {shown!r} in the workspace.")
        if path.stat().st_size > FILE_LIMIT:
            raise HttpRefused(f"The file {shown!r} has more than {FILE_LIMIT // 1_000_000} MB.")
        return read_bytes(path, FILE_LIMIT)
    except OSError as error:
        raise HttpRefused(f"The file {shown!r} cannot be read: {error.strerror}.") from None


def _decoded(text: Any, name: str) -> bytes:
    try:
        return base64.b64decode(text if isinstance(text, str) else "", validate=True)
    except (binascii.Error, ValueError):
        raise HttpRefused(f"The argument {name!r} is no base64.") from None


def written_body(plan: BodyPlan, value: Any, files: frozenset[str], folder: Path) -> tuple[bytes, str]:
    """The bytes, and the content type; `files` are the properties that are files."""
    if plan.kind == "json":
        # A document may say that anything goes.
        return codec.encode(value), "application/json" if "*" in plan.media_type else plan.media_type
    if plan.kind == "lines" and isinstance(value, list):
        return b"".join(codec.encode(item) + b"\n" for item in value), plan.media_type
    if plan.kind == "form" and isinstance(value, dict):
        return form_text(value, plan).encode(), plan.media_type
    if plan.kind == "multipart" and isinstance(value, dict):
        return _multipart(plan, value, files, folder)
    if plan.kind == "binary":
        file = sent_file(value, "body", folder)
        return file.content, file.media_type if "*" in plan.media_type else plan.media_type
    charset = "" if "charset" in plan.media_type else "; charset=utf-8"
    return as_text(value).encode(), plan.media_type + charset


def form_text(value: dict[str, Any], plan: BodyPlan | None = None) -> str:
    """The value as a form writes it; lists are repeated, and objects are JSON, unless the document says otherwise."""
    encodings = plan.parts if plan else {}
    pairs: list[Pair] = []
    for name, item in value.items():
        encoding = encodings.get(name)
        if encoding is not None and encoding.style and isinstance(item, list | dict):
            pairs += query_pairs(_styled(name, encoding), item)
        else:
            as_json = encoding is not None and encoding.media_type == "application/json"
            listed = item if isinstance(item, list) and not as_json else [item]
            pairs += [(quote_plus(name), quote_plus(as_text(one))) for one in listed]
    return "&".join(f"{name}={text}" for name, text in pairs)


def _styled(name: str, encoding: PartEncoding) -> RequestArgument:
    return RequestArgument(name, name, "query", encoding.style, encoding.explode, encoding.reserved)


def _multipart(plan: BodyPlan, value: dict[str, Any], files: frozenset[str], folder: Path) -> tuple[bytes, str]:
    boundary = secrets.token_hex(16)
    body = b"".join(
        f"--{boundary}\r\n{head}\r\n\r\n".encode() + content + b"\r\n"
        for head, content in _parts(plan, value, files, folder)
    )
    kind = plan.media_type.partition(";")[0].strip()
    return body + f"--{boundary}--\r\n".encode(), f"{kind}; boundary={boundary}"


def _parts(plan: BodyPlan, value: dict[str, Any], files: frozenset[str], folder: Path) -> Iterator[tuple[str, bytes]]:
    for name, item in value.items():
        encoding = plan.parts.get(name, PartEncoding())
        if name in files:
            for one in item if isinstance(item, list) else [item]:
                yield _file_part(name, sent_file(one, name, folder), encoding.media_type)
        elif encoding.style and isinstance(item, list | dict):
            for part, text in _pairs(_styled(name, encoding), item, _PLAIN_TEXT):
                yield _part_head(part, ""), text.encode()
        else:
            as_json = encoding.media_type == "application/json"
            for one in item if isinstance(item, list) and not as_json else [item]:
                usual = "application/json" if isinstance(one, dict | list) else ""
                yield _part_head(name, encoding.media_type or usual), as_text(one).encode()


def _part_head(name: str, kind: str) -> str:
    head = f"Content-Disposition: form-data; name={_quoted(name)}"
    return head + (f"\r\nContent-Type: {_one_line(kind)}" if kind else "")


def _file_part(name: str, file: SentFile, declared: str) -> tuple[str, bytes]:
    kind = declared if declared and "*" not in declared else file.media_type
    head = f"Content-Disposition: form-data; name={_quoted(name)}; filename={_quoted(file.name)}"
    return f"{head}\r\nContent-Type: {_one_line(kind)}", file.content


def _quoted(text: str) -> str:
    """As browsers write names: what would end the text or the line is percent-encoded."""
    return '"' + text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A") + '"'


def _one_line(text: str) -> str:
    return " ".join(text.split())


_RESERVED = ":/?#[]@!$&'()*+,;="
_JOINTS = {"form": ",", "simple": ",", "spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Spelling:
    """How names, values and what stands between them are written."""

    name: Callable[[Any], str]
    value: Callable[[Any], str]
    joint: Callable[[str], str]


_PLAIN_TEXT = _Spelling(as_text, as_text, str)


def path_text(argument: RequestArgument, value: Any) -> str:
    """What stands in the path in place of `{name}`, percent-encoded."""
    if argument.as_json:
        return _percent(_json(value))
    if argument.style == "matrix":
        return _matrix(argument, value)
    if argument.style == "label":
        return "." + _joined(value, "." if argument.explode else ",", argument.explode, _percent)
    return _joined(value, _encoded_joint(_JOINTS.get(argument.style, ",")), argument.explode, _percent)


def query_pairs(argument: RequestArgument, value: Any) -> Iterator[Pair]:
    """Names and values of the query, percent-encoded; none for an empty list."""

    def written(item: Any) -> str:
        return quote(as_text(item), safe=_RESERVED if argument.reserved else "")

    if argument.as_json:
        yield _percent(argument.wire_name), _percent(_json(value))
    else:
        yield from _pairs(argument, value, _Spelling(_percent, written, _encoded_joint))


def query_text(argument: RequestArgument, value: Any) -> str:
    """A value that is the whole query."""
    if argument.as_json:
        return _percent(_json(value))
    return form_text(value) if isinstance(value, dict) else quote(as_text(value), safe=_RESERVED)


def _pairs(argument: RequestArgument, value: Any, spelling: _Spelling) -> Iterator[Pair]:
    name = argument.wire_name
    if argument.style == "deepObject" and isinstance(value, dict | list):
        yield from ((spelling.name(inner), spelling.value(item)) for inner, item in _deep(name, value))
    elif isinstance(value, list) and argument.explode:
        yield from ((spelling.name(name), spelling.value(item)) for item in value)
    elif isinstance(value, dict) and argument.explode:
        for key, item in value.items():
            for one in item if isinstance(item, list) else [item]:
                yield spelling.name(key), spelling.value(one)
    elif value not in ([], {}):
        joint = spelling.joint(_JOINTS.get(argument.style, ","))
        yield spelling.name(name), _joined(value, joint, False, spelling.value)


def header_text(argument: RequestArgument, value: Any) -> str:
    """The value of a header."""
    joint = _JOINTS.get(argument.style, ",")
    return _json(value) if argument.as_json else _joined(value, joint, argument.explode, as_text)


def cookie_text(argument: RequestArgument, value: Any) -> str:
    """`name=value`, with what would end a cookie percent-encoded."""
    written = _percent(_json(value)) if argument.as_json else _joined(value, ",", False, _percent)
    return f"{argument.wire_name}={written}"


def _matrix(argument: RequestArgument, value: Any) -> str:
    name = _percent(argument.wire_name)
    if isinstance(value, list) and argument.explode:
        return "".join(f";{name}={_percent(item)}" for item in value)
    if isinstance(value, dict) and argument.explode:
        return "".join(f";{_percent(key)}={_percent(item)}" for key, item in value.items())
    return f";{name}={_joined(value, ',', False, _percent)}"


def _joined(value: Any, joint: str, explode: bool, written: Any) -> str:
    if isinstance(value, list):
        return joint.join(written(item) for item in value)
    if isinstance(value, dict):
        pairs = [(written(key), written(item)) for key, item in value.items()]
        return joint.join(f"{key}={item}" if explode else f"{key}{joint}{item}" for key, item in pairs)
    return written(value)


def _deep(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """In brackets, as PHP, Rack and qs read them: a list of plain values has `[]`, other lists number their items."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _deep(f"{name}[{key}]", item)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _deep(f"{name}[{number if isinstance(item, dict | list) else ''}]", item)
    else:
        yield name, value


def _encoded_joint(joint: str) -> str:
    return joint if joint == "," else _percent(joint)


def _percent(value: Any) -> str:
    return quote(as_text(value), safe="")


def _json(value: Any) -> str:
    return codec.encode(value).decode()
