"""Documents that are broken, hostile, or none at all."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ptc_studio.sources.openapi.documents import WebFetch
from ptc_studio.sources.source import SourceFailed
from tests.sources.http.test_http_ends import Patience
from tests.sources.http.web_server import WebServer, answer
from tests.sources.openapi.conftest import Connect, document, operation


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("<!DOCTYPE html><html></html>", "is a web page or XML, not an OpenAPI document"),
        ("[1, 2]", "must be a mapping with `openapi` and `paths`"),
        ("just a text", "must be a mapping"),
        ('{"openapi": "3.0.0", ', "is broken JSON: EOF"),
        ("openapi: 3.0.0\npaths:\n  a: [1\n", "is broken YAML at line"),
        ("a: &x\n  b: *x\n", "is broken YAML at line 2: the anchor 'x' contains itself"),
        ("a: *nothing\n", "there is no anchor 'nothing'|undefined alias"),
        ("? [a]\n: 1\n", "a key must be a text"),
        ('{"swagger": "2.0", "paths": {}}', "has no `paths`"),
        ('{"swagger": "1.2", "paths": {"/": {}}}', "is Swagger 1.2: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can"),
        ('{"openapi": "4.0.0", "paths": {"/": {}}}', "is OpenAPI 4.0.0: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can"),
        ('{"paths": {"/": {}}}', "it has no `openapi` key"),
        ('{"openapi": "3.1.0"}', "has no `paths`"),
        ('{"openapi": "3.1.0", "paths": []}', "has no `paths`"),
        ('{"openapi": "3.1.0", "paths": {}}', "has no `paths`"),
    ],
)
def test_what_is_no_document_is_told(connect: Connect, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.yaml").write_text(text)
    api = connect("x.yaml")
    with pytest.raises(SourceFailed, match=f"The document 'x.yaml' .*{message}"):
        api.source.refresh()
    assert api.source.status.state == "failed"


def test_bytes_that_are_no_text_are_told(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"openapi: \xff\xff")
    with pytest.raises(SourceFailed, match="is not UTF-8 text"):
        connect("x.yaml").source.refresh()


def test_a_missing_file_is_told_and_found_once_it_is_there(connect: Connect, tmp_path: Path) -> None:
    api = connect("later.yaml")
    with pytest.raises(SourceFailed, match="'later.yaml' does not exist: check its path"):
        api.source.refresh()
    (tmp_path / "later.yaml").write_text("openapi: 3.0.0\npaths: {/x: {get: {}}}")
    assert list(api.tools) == ["api.get_x"]


def test_a_broken_part_is_left_out_and_the_rest_works(connect: Connect) -> None:
    def with_parameter(schema):
        return {"get": operation(parameters=[{"name": "q", "in": "query", "schema": schema}])}

    api = connect(
        document(
            {
                "/good": {"get": operation()},
                "/nowhere": with_parameter({"$ref": "#/components/schemas/None"}),
                "/deep": with_parameter({"type": "array", "items": {"$ref": "#/components/x"}}),
                "/circle": with_parameter({"$ref": "#/components/schemas/A"}),
                "/file": with_parameter({"$ref": "missing.json#/a"}),
                "/upwards": with_parameter({"$ref": "../../etc/passwd"}),
                "/elsewhere": with_parameter({"$ref": "https://example.invalid/x.json"}),
                "/anchor": with_parameter({"$ref": "#name"}),
                "/nameless": {"get": operation(parameters=[{"in": "query"}])},
                "/misplaced": {"get": operation(parameters=[{"in": "body", "name": "x"}])},
                "/text": {"get": "text"},
                "slashless": {"get": operation()},
                "/list": [],
                "/bodyless": {"post": operation(requestBody={"$ref": "#/nothing"})},
            },
            components={"schemas": {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}},
            servers=[{"url": "http://x"}],
        )
    )
    assert list(api.tools) == ["api.get_good"]
    found = dict(zip([error.partition(" of the document")[0] for error in api.errors], api.errors, strict=True))
    assert len(found) == 13
    for label, words in {
        "GET /nowhere": "'#/components/schemas/None' leads nowhere: there is no 'None'",
        "GET /deep": "there is no 'x'",
        "GET /circle": "leads round in a circle",
        "GET /file": "leads to a document that does not exist",
        "GET /upwards": "lies outside of the folder",
        "GET /elsewhere": "leads to another server: bundle the document",
        "GET /anchor": "names an anchor, which is not supported",
        "GET /nameless": "has no name",
        "GET /misplaced": "is in 'body'",
        "GET /text": "must be a mapping",
        "slashless": "must begin with '/'",
        "/list": "must begin with '/' and have operations",
        "POST /bodyless": "leads nowhere",
    }.items():
        assert words in found[label], label


def test_two_operations_with_one_id_are_both_there(connect: Connect) -> None:
    paths = {"/a": {"get": operation(operationId="x")}, "/b": {"get": operation(operationId="x")}}
    api = connect(document(paths, servers=[{"url": "http://x"}]))
    assert list(api.tools) == ["api.x", "api.get_b"]
    assert api.errors == [
        "GET /b of the document 'api.json' has the id 'x' of GET /a, so it is named by its path instead."
    ]


def test_a_document_that_would_grow_without_end_is_bounded(connect: Connect, tmp_path: Path) -> None:
    laughs = "\n".join(
        f"x{n}: &x{n} {{properties: {{{', '.join(f'p{i}: *x{n - 1}' for i in range(9))}}}}}" for n in range(1, 12)
    )
    (tmp_path / "x.yaml").write_text(
        f"openapi: 3.1.0\nx0: &x0 {{type: string}}\n{laughs}\n"
        "paths:\n  /a: {get: {parameters: [{name: q, in: query, schema: *x11}]}}\n  /b: {get: {}}\n"
    )
    before = time.thread_time()
    api = connect("x.yaml", base_url="http://x")
    assert list(api.tools) == ["api.get_b"]
    assert "too large" in api.errors[0]
    assert time.thread_time() - before < 30


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_a_document_that_is_nested_without_end_is_told(connect: Connect, tmp_path: Path, opening: str) -> None:
    (tmp_path / "x.json").write_text('{"openapi": "3.1.0", "paths": {"/": {"get": {}}}, "x": ' + opening * 100_000)
    with pytest.raises(SourceFailed, match="broken JSON"):
        connect("x.json").source.refresh()


def test_a_deep_schema_is_left_out(connect: Connect, tmp_path: Path) -> None:
    deep = '{"items": ' * 150 + "{}" + "}" * 150
    (tmp_path / "x.json").write_text(
        '{"openapi": "3.1.0", "paths": {"/": {"get": {"parameters": [{"name": "q", "in": "query", "schema": '
        + deep
        + "}]}}}}"
    )
    assert "nested too deeply" in " ".join(connect("x.json").errors)


def test_a_document_of_the_web_is_fetched_once(connect: Connect, server: WebServer) -> None:
    server.answers["/api/openapi.json"] = answer(document({"/x": {"get": operation()}}, servers=[{"url": "../v2"}]))
    server.answers["/v2/x"] = answer("here")
    api = connect(f"{server.url}/api/openapi.json")
    assert api.call("api.get_x") == "here"
    api.source.refresh()
    assert [one.target for one in server.received] == ["/api/openapi.json", "/v2/x"]
    api.source.reload()
    api.source.refresh()
    assert len(server.received) == 3


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (answer("no", "404 Not Found"), "the server answered 404 Not Found"),
        (answer("<html>", Content_Type="text/html"), "is a web page or XML"),
        (answer(b"no gzip at all", Content_Encoding="gzip"), "cannot be unpacked"),
    ],
)
def test_a_document_that_cannot_be_fetched_is_told(
    connect: Connect, server: WebServer, sent: bytes, message: str
) -> None:
    server.answers["*"] = sent
    with pytest.raises(SourceFailed, match=message):
        connect(f"{server.url}/x").source.refresh()


def test_a_server_that_is_not_there_is_told(connect: Connect, server: WebServer) -> None:
    server.close()
    with pytest.raises(SourceFailed, match="is not to be had. GET .* nobody listens there"):
        connect(f"{server.url}/x").source.refresh()


@pytest.mark.parametrize("way", ["silent", "dripping"])
def test_a_server_that_keeps_one_waiting_is_given_up(
    connect: Connect, server: WebServer, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience = Patience()
    server.answers["*"] = patience.silent if way == "silent" else patience.dripping(b"HTTP/1.1 200 OK\r\n\r\n{")
    monkeypatch.setattr(WebFetch.__init__, "__defaults__", (0.3,))
    before = time.monotonic()
    with pytest.raises(SourceFailed, match="was broken off: there was no whole answer in time"):
        connect(f"{server.url}/x").source.refresh()
    assert time.monotonic() - before < 20
    patience.over.set()


def test_a_key_for_no_scheme_is_told(connect: Connect) -> None:
    schemes = {"securitySchemes": {"real": {"type": "http", "scheme": "bearer"}}}
    api = connect(document({"/": {"get": operation()}}, components=schemes), auth={"wrong": "${secret:KEY}"})
    with pytest.raises(SourceFailed, match="has no security scheme 'wrong' for the key under `auth`; it has real"):
        api.source.refresh()


def test_a_reference_that_is_redirected_to_another_server_is_not_followed(
    connect: Connect, server: WebServer, make_server: Callable[[], WebServer]
) -> None:
    other = make_server()
    path = {"get": operation(parameters=[{"$ref": "part.json#/p"}])}
    server.answers |= {
        "/api.json": answer(document({"/x": path, "/y": {"get": operation()}})),
        "/part.json": answer(b"", "302 Found", Location=f"{other.url}/x"),
    }
    with pytest.raises(SourceFailed, match=r"part\.json leads to another server, .*: nothing was sent there"):
        connect(f"{server.url}/api.json").source.refresh()
    assert not other.received
