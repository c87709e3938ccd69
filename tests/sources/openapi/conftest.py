"""Documents, and sources of them."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.source import OpenApiSource
from ptc_studio.sources.references import References
from tests.sources.http.fakes import Client
from tests.sources.http.web_server import WebServer

Connect = Callable[..., Client]
ROOT = Path(__file__).parents[3]
DOCUMENTS = Path(os.environ.get("PTC_OPENAPI_DOCUMENTS", ROOT / ".venv" / "openapi"))
GITHUB = DOCUMENTS / "api.github.com.json"
SECRETS = {"KEY": "s3cret-value", "LOGIN": "joe:s3cret-word"}


def document(paths: dict[str, Any], version: str = "3.1.0", **rest: Any) -> dict[str, Any]:
    """A whole document with these paths."""
    return {"openapi": version, "info": {"title": "Test", "version": "1"}, "paths": paths, **rest}


def operation(**rest: Any) -> dict[str, Any]:
    """An operation that answers."""
    return {"responses": {"200": {"description": "Fine."}}, **rest}


def parameter(name: str, where: str, **rest: Any) -> dict[str, Any]:
    """A parameter of an operation."""
    return {"name": name, "in": where, "required": where == "path", "schema": {}, **rest}


def body(media_type: str, schema: Any = None, required: bool = True, **rest: Any) -> dict[str, Any]:
    """What an operation takes as its body."""
    return {"requestBody": {"required": required, "content": {media_type: {"schema": schema or {}, **rest}}}}


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Connect]:
    """Makes sources of documents, given as data or as the name of a file or address; they are closed afterwards."""
    made: list[Client] = []

    def make(given: Any, **fields: Any) -> Client:
        if not isinstance(given, str):
            (tmp_path / "api.json").write_text(json.dumps(given))
            given = "api.json"
        entry = OpenApiEntry(**{"name": "api", "document": given, **fields})
        made.append(Client(OpenApiSource(entry, folder=tmp_path, references=References(SECRETS.get, {}))))
        return made[-1]

    yield make
    for client in made:
        client.source.close()


@pytest.fixture(scope="session")
def github() -> Path:
    """The document of a large service, as it is."""
    if not GITHUB.exists():
        pytest.skip(f"no document at {GITHUB}: run packaging/openapi-documents .venv/openapi")
    return GITHUB


@pytest.fixture
def one(connect: Connect, server: WebServer):
    """Makes a client with one operation `x`, at the server."""

    def make(path: str = "/x", method: str = "get", fields: dict[str, Any] | None = None, **rest: Any) -> Client:
        top = {name: rest.pop(name) for name in ("components", "security", "servers", "version") if name in rest}
        return connect(
            document({path: {method: operation(operationId="x", **rest)}}, **top),
            **{"base_url": f"{server.url}/v1", **(fields or {})},
        )

    return make
