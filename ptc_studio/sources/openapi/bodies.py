"""Writes the body of a request in the content type that the document asks for."""

import base64
import binascii
import mimetypes
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core import codec
from ptc_studio.sources.http.messages import HttpRefused
from ptc_studio.sources.openapi.plans import BodyPlan, RequestArgument
from ptc_studio.sources.placeholders import as_text

FILE_LIMIT = 64_000_000


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file to be sent."""

    content: bytes
    name: str
    media_type: str


def sent_file(value: Any, name: str, folder: Path) -> SentFile:
    """The file that an argument means; raises HttpRefused."""
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
    if plan.kind == "form" and isinstance(value, dict):
        return _form(value).encode(), plan.media_type
    if plan.kind == "multipart" and isinstance(value, dict):
        return _multipart(plan, value, files, folder)
    if plan.kind == "binary":
        file = sent_file(value, "body", folder)
        return file.content, file.media_type if "*" in plan.media_type else plan.media_type
    charset = "" if "charset" in plan.media_type else "; charset=utf-8"
    return as_text(value).encode(), plan.media_type + charset


def _form(value: dict[str, Any]) -> str:
    pairs = ((name, one) for name, item in value.items() for one in (item if isinstance(item, list) else [item]))
    return "&".join(f"{quote_plus(name)}={quote_plus(as_text(item))}" for name, item in pairs)


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
        declared = plan.part_types.get(name, "")
        for one in item if isinstance(item, list) else [item]:
            if name in files:
                yield _file_part(name, sent_file(one, name, folder), declared)
            else:
                kind = declared or ("application/json" if isinstance(one, dict | list) else "")
                head = f"Content-Disposition: form-data; name={_quoted(name)}"
                yield head + (f"\r\nContent-Type: {kind}" if kind else ""), as_text(one).encode()


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
_JOINTS = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C"}
Pair = tuple[str, str]


def path_text(argument: RequestArgument, value: Any) -> str:
    """What stands in the path in place of `{name}`, percent-encoded."""
    if argument.as_json:
        return _percent(_json(value))
    if argument.style == "matrix":
        return _matrix(argument, value)
    prefix, joint = (".", "." if argument.explode else ",") if argument.style == "label" else ("", ",")
    return prefix + _joined(value, joint, argument.explode, _percent)


def query_pairs(argument: RequestArgument, value: Any) -> Iterator[Pair]:
    """Names and values of the query, percent-encoded; none for an empty list."""
    name = _percent(argument.wire_name)

    def written(item: Any) -> str:
        return quote(as_text(item), safe=_RESERVED if argument.reserved else "")

    if argument.as_json:
        yield name, _percent(_json(value))
    elif argument.style == "deepObject" and isinstance(value, dict):
        yield from _deep(name, value, written)
    elif isinstance(value, list) and argument.explode:
        yield from ((name, written(item)) for item in value)
    elif isinstance(value, dict) and argument.explode:
        for key, item in value.items():
            for one in item if isinstance(item, list) else [item]:
                yield _percent(str(key)), written(one)
    elif value not in ([], {}):
        yield name, _joined(value, _JOINTS.get(argument.style, ","), False, written)


def header_text(argument: RequestArgument, value: Any) -> str:
    """The value of a header."""
    return _json(value) if argument.as_json else _joined(value, ",", argument.explode, as_text)


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


def _deep(name: str, value: dict[str, Any], written: Any) -> Iterator[Pair]:
    for key, item in value.items():
        inner = f"{name}%5B{_percent(key)}%5D"
        if isinstance(item, dict):
            yield from _deep(inner, item, written)
        else:
            yield from ((inner, written(one)) for one in (item if isinstance(item, list) else [item]))


def _percent(value: Any) -> str:
    return quote(as_text(value), safe="")


def _json(value: Any) -> str:
    return codec.encode(value).decode()
