"""Writes the body of a request in the content type that the document asks for."""

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from ptc_studio.core import codec
from ptc_studio.sources.openapi.files import SentFile, sent_file
from ptc_studio.sources.openapi.plans import BodyPlan
from ptc_studio.sources.placeholders import as_text


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
        said = plan.part_types.get(name, "")
        for one in item if isinstance(item, list) else [item]:
            if name in files:
                yield _file_part(name, sent_file(one, name, folder), said)
            else:
                kind = said or ("application/json" if isinstance(one, dict | list) else "")
                head = f"Content-Disposition: form-data; name={_quoted(name)}"
                yield head + (f"\r\nContent-Type: {kind}" if kind else ""), as_text(one).encode()


def _file_part(name: str, file: SentFile, said: str) -> tuple[str, bytes]:
    kind = said if said and "*" not in said else file.media_type
    head = f"Content-Disposition: form-data; name={_quoted(name)}; filename={_quoted(file.name)}"
    return f"{head}\r\nContent-Type: {_one_line(kind)}", file.content


def _quoted(text: str) -> str:
    """As browsers write names: what would end the text or the line is percent-encoded."""
    return '"' + text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A") + '"'


def _one_line(text: str) -> str:
    return " ".join(text.split())
