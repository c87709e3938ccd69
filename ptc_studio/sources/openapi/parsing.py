"""Makes data of the bytes of a document, JSON or YAML, and says in one sentence why if it cannot."""

from typing import Any

from ptc_studio.core import codec
from ptc_studio.sources.openapi.quick_yaml import BadYaml, quick_yaml


class UnfitDocument(Exception):
    """The document cannot be used; the message completes a sentence that begins with its name."""


def parsed(data: bytes) -> dict[str, Any]:
    """The document's top mapping; raises UnfitDocument."""
    text = _decoded(data)
    start = text.lstrip()[:200].lower()
    if not start:
        raise UnfitDocument("is empty")
    if start.startswith(("<!doctype", "<html", "<?xml", "<")):
        raise UnfitDocument("is a web page or XML, not an OpenAPI document: give the address of the document itself")
    value = _json(text) if start[0] in "{[" else None
    if value is None:
        value = _yaml(text)
    if not isinstance(value, dict):
        raise UnfitDocument("is no OpenAPI document: it must be a mapping with `openapi` and `paths`")
    return value


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnfitDocument(f"is not UTF-8 text (byte {error.start})") from None


def _json(text: str) -> Any:
    """None where it is none: what begins like JSON may be YAML."""
    try:
        return codec.decode(text)
    except ValueError as error:
        fault = " ".join(str(error).split())
    try:
        return quick_yaml(text)
    except BadYaml:
        raise UnfitDocument(f"is broken JSON: {fault}") from None


def _yaml(text: str) -> Any:
    try:
        return quick_yaml(text)
    except BadYaml as fault:
        raise UnfitDocument(f"is broken YAML at line {fault.line}: {fault}") from None
