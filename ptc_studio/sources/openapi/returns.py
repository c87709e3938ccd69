"""What an operation gives: the schema of its answer, made when somebody asks for it."""

from typing import Any

from ptc_studio.sources.http.answers import is_json
from ptc_studio.sources.openapi.documents import BrokenReference, Documents, Place
from ptc_studio.sources.openapi.keywords import types_of
from ptc_studio.sources.openapi.operations import Operation
from ptc_studio.sources.openapi.schemas import SchemaMaker

_NAMES = 12


def answer_place(operation: Operation, documents: Documents) -> Place | None:
    """Where the document has the schema of the first answer that means success; None if it has none."""
    responses = operation.node.get("responses")
    if not isinstance(responses, dict):
        return None
    fine = sorted(status for status in responses if str(status).startswith("2"))
    for status in (*fine, "default"):
        if status not in responses:
            continue
        place = documents.resolved(operation.place.at(responses[status], "responses", str(status)))
        content = place.node.get("content") if isinstance(place.node, dict) else None
        for media_type, node in (content if isinstance(content, dict) else {}).items():
            if is_json(media_type.partition(";")[0].strip().lower()) and isinstance(node, dict) and "schema" in node:
                return place.at(node["schema"], "content", media_type, "schema")
    return None


def answer_schema(operation: Operation, documents: Documents, maker: SchemaMaker) -> dict[str, Any] | None:
    """The whole schema; None if there is none that can be used."""
    try:
        place = answer_place(operation, documents)
        if place is None:
            return None
        needs: set[str] = set()
        schema = maker.schema(place, needs)
        return {**schema, "$defs": maker.definitions(needs)} if needs else schema
    except BrokenReference:
        return None


def answer_note(operation: Operation, documents: Documents) -> str:
    """The answer in one line: its type, and the names of its properties."""
    try:
        place = answer_place(operation, documents)
        return "" if place is None else f"Returns {_brief(place, documents)}."
    except BrokenReference:
        return ""


def _brief(place: Place, documents: Documents, depth: int = 0) -> str:
    place = documents.resolved(place)
    node = place.node if isinstance(place.node, dict) else {}
    kind = next(iter(types_of(node.get("type"))), "object" if "properties" in node else "")
    if kind == "array" and depth < 2:
        return f"a list: {_brief(place.at(node.get('items', {}), 'items'), documents, depth + 1)}"
    if kind == "object":
        names = list(node.get("properties") or ())
        shown = ", ".join(names[:_NAMES]) + (", …" if len(names) > _NAMES else "")
        return f"an object with {shown}" if shown else "an object"
    return f"a value of type {kind}" if kind else "JSON"
