"""Documents of Swagger 2.0, read as they are."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ptc_studio.core.errors import UnfitValues
from tests.sources.http.fakes import Client
from tests.sources.http.web_server import WebServer
from tests.sources.openapi.conftest import Connect

PET = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "tag": {"x-nullable": True}}}


def swagger(paths: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"swagger": "2.0", "info": {"title": "Shop", "version": "1"}, "paths": paths, **rest}


@pytest.fixture
def one(connect: Connect, server: WebServer):
    """Makes a client with one operation `x`, at the server."""

    def make(method: str = "get", path: str = "/x", top: dict[str, Any] | None = None, **node: Any) -> Client:
        node = {"operationId": "x", "responses": {"200": {"description": "Fine."}}, **node}
        return connect(swagger({path: {method: node}}, **(top or {})), base_url=server.url)

    return make


def test_a_document_of_2_0_is_a_source(connect: Connect) -> None:
    node = {
        "operationId": "list",
        "parameters": [{"$ref": "#/parameters/limit"}],
        "responses": {200: {"$ref": "#/responses/pets"}},
    }
    given = swagger(
        {"/pets": {"parameters": [{"name": "shop", "in": "query", "type": "string"}], "get": node}},
        host="shop.test",
        basePath="/v1",
        schemes=["http", "wss", "https"],
        parameters={
            "limit": {"name": "limit", "in": "query", "type": "integer", "maximum": 5, "exclusiveMaximum": True}
        },
        responses={"pets": {"description": "", "schema": {"type": "array", "items": {"$ref": "#/definitions/Pet"}}}},
        definitions={"Pet": PET},
    )
    api = connect(given)
    assert api.errors == []
    tool = api.tools["api.list"]
    assert tool.spec.parameters["properties"] == {
        "shop": {"type": "string"},
        "limit": {"type": "integer", "exclusiveMaximum": 5},
    }
    assert tool.spec.output["items"] == {"$ref": "#/$defs/Pet"}
    assert tool.plan.base_url == "https://shop.test/v1"
    jsonschema.Draft202012Validator.check_schema(tool.spec.output)


@pytest.mark.parametrize(
    ("collection", "query"),
    [(None, "a%2Cb,c"), ("csv", "a%2Cb,c"), ("ssv", "a%2Cb%20c"), ("tsv", "a%2Cb%09c"), ("pipes", "a%2Cb%7Cc")],
)
def test_lists_in_queries_and_paths(one, server: WebServer, collection: str | None, query: str) -> None:
    more = {"collectionFormat": collection} if collection else {}
    listed = {"type": "array", "items": {"type": "string"}, **more}
    one(parameters=[{"name": "l", "in": "query", **listed}]).call("api.x", l=["a,b", "c"])
    assert server.last.target == f"/x?l={query}"
    one(path="/p/{l}", parameters=[{"name": "l", "in": "path", "required": True, **listed}]).call(
        "api.x", l=["a,b", "c"]
    )
    assert server.last.target == f"/p/{query}"


def test_lists_that_repeat_their_name(one, server: WebServer) -> None:
    listed = {"name": "l", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"}
    one(parameters=[{"in": "query", **listed}]).call("api.x", l=["a", "b"])
    assert server.last.target == "/x?l=a&l=b"


def test_a_body_is_sent_as_what_the_operation_consumes(one, server: WebServer) -> None:
    body = {"name": "pet", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Pet"}}
    top = {"definitions": {"Pet": PET}, "consumes": ["application/vnd.pet+json"]}
    api = one("post", top=top, parameters=[body])
    api.call("api.x", name="Rex", tag=None)
    assert json.loads(server.last.body) == {"name": "Rex", "tag": None}
    assert server.last.header("Content-Type") == "application/vnd.pet+json"
    with pytest.raises(UnfitValues, match="'name': 5 is not of type 'string'"):
        api.call("api.x", name=5)


def test_forms_and_files(one, server: WebServer, tmp_path: Path) -> None:
    (tmp_path / "cat.png").write_bytes(b"\x89PNG")
    plain = {"name": "a", "in": "formData", "type": "string", "required": True}
    listed = {"name": "l", "in": "formData", "type": "array", "items": {"type": "integer"}}
    one("post", parameters=[plain, listed]).call("api.x", a="x y", l=[1, 2])
    assert (server.last.body, server.last.header("Content-Type")) == (
        b"a=x+y&l=1,2",
        "application/x-www-form-urlencoded",
    )
    one("post", parameters=[plain, {"name": "f", "in": "formData", "type": "file"}]).call("api.x", a="1", f="cat.png")
    assert b'name="f"; filename="cat.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG' in server.last.body


def test_security_definitions(connect: Connect, server: WebServer) -> None:
    given = swagger(
        {"/x": {"get": {"operationId": "x", "responses": {}}}},
        securityDefinitions={
            "login": {"type": "basic"},
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "oauth": {"type": "oauth2", "flow": "accessCode", "tokenUrl": "https://t", "authorizationUrl": "https://a"},
        },
        security=[{"login": []}, {"key": []}],
    )
    connect(given, base_url=server.url, auth={"login": "a:b"}).call("api.x")
    assert server.last.header("Authorization") == "Basic YTpi"
    connect(given, base_url=server.url, auth={"key": "${secret:KEY}"}).call("api.x")
    assert server.last.header("X-Key") == "s3cret-value"


def test_parts_in_other_files_keep_their_references(connect: Connect, tmp_path: Path, server: WebServer) -> None:
    shared = {
        "parameters": {"Body": {"name": "b", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Deep"}}},
        "definitions": {"Deep": {"type": "object", "properties": {"next": {"$ref": "more.json#/definitions/Leaf"}}}},
    }
    (tmp_path / "shared.json").write_text(json.dumps(shared))
    (tmp_path / "more.json").write_text(json.dumps({"definitions": {"Leaf": {"type": "integer"}}}))
    node = {"operationId": "x", "parameters": [{"$ref": "shared.json#/parameters/Body"}], "responses": {}}
    api = connect(swagger({"/x": {"post": node}}), base_url=server.url)
    assert api.errors == []
    with pytest.raises(UnfitValues, match="'next': 'a' is not of type 'integer'"):
        api.call("api.x", next="a")
    api.call("api.x", next=1)
    assert server.last.body == b'{"next":1}'


def test_the_kind_of_patch_can_be_chosen(one, server: WebServer) -> None:
    kinds = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"]
    body = {"name": "body", "in": "body", "required": True, "schema": {"type": "object"}}
    api = one("patch", consumes=kinds, parameters=[body])
    api.call("api.x", body={"spec": 1})
    assert server.last.header("Content-Type") == "application/merge-patch+json", "the one that takes an object"
    api.call("api.x", body={"spec": 1}, content_type="application/json-patch+json")
    assert (server.last.body, server.last.header("Content-Type")) == (b'{"spec":1}', "application/json-patch+json")
    with pytest.raises(UnfitValues, match="'content_type': 'text/x' is not one of"):
        api.call("api.x", body={}, content_type="text/x")
