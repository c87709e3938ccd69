"""What operations send, checked by openapi-core; `python -m tests.sources.openapi.sweep` does the same with thousands."""

import json
from pathlib import Path

from tests.sources.openapi.conftest import document, operation
from tests.sources.openapi.sweep import Sweep, documents_below

FIELDS = {
    "type": "object",
    "required": ["kind", "count"],
    "properties": {
        "kind": {"enum": ["a", "b"]},
        "count": {"type": "integer"},
    },
}


def test_every_request_is_as_its_document_wants_it(tmp_path: Path) -> None:
    kinds = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
    paths = {
        f"/{number}/{{id}}": {
            "post": operation(
                parameters=[
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                    {"name": "deep", "in": "query", "style": "deepObject", "explode": True, "schema": FIELDS},
                    {"name": "l", "in": "query", "explode": False, "schema": {"type": "array", "minItems": 1}},
                    {"name": "X-H", "in": "header", "schema": {"type": "integer"}},
                    {"name": "c", "in": "cookie", "schema": {"type": "string", "minLength": 1}},
                ],
                requestBody={
                    "required": True,
                    "content": {kind: {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}}},
                },
            )
        }
        for number, kind in enumerate(kinds)
    }
    (tmp_path / "a.json").write_text(json.dumps(document(paths, "3.0.3")))
    sweep = Sweep(10)
    for path, found in documents_below(tmp_path):
        sweep.take(path, found)
    tally = sweep.tally
    assert (tally.crashed, tally.refused, tally.wrong) == ([], [], [])
    assert (tally.documents, tally.operations, tally.tools, tally.calls) == (1, 3, 3, 3)
    assert not tally.unchecked
