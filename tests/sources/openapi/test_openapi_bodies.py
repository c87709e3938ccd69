"""What an operation sends as its body, byte for byte."""

import json
from pathlib import Path

import pytest

from ptc_studio.sources.http.messages import HttpRefused
from tests.sources.http.web_server import WebServer
from tests.sources.openapi.conftest import body

FORM = {"type": "object", "properties": {"a": {"type": "string"}, "l": {"type": "array"}, "o": {"type": "object"}}}


@pytest.mark.parametrize(
    ("media_type", "schema", "arguments", "sent", "content_type"),
    [
        (
            "application/x-www-form-urlencoded",
            FORM,
            {"a": "x y&z", "l": [1, 2], "o": {"k": 1}},
            b"a=x+y%26z&l=1&l=2&o=%7B%22k%22%3A1%7D",
            "application/x-www-form-urlencoded",
        ),
        ("text/plain", {"type": "string"}, {"body": "grüß"}, "grüß".encode(), "text/plain; charset=utf-8"),
        (
            "application/octet-stream",
            {"type": "string", "format": "binary"},
            {"body": {"base64": "AP8="}},
            b"\x00\xff",
            "application/octet-stream",
        ),
        ("image/*", {}, {"body": {"base64": "AP8=", "filename": "a.png"}}, b"\x00\xff", "image/png"),
        ("application/vnd.api+json", {"type": "array"}, {"body": [1]}, b"[1]", "application/vnd.api+json"),
        ("*/*", {"type": "object"}, {"body": {"a": 1}}, b'{"a":1}', "application/json"),
    ],
)
def test_content_types(one, server: WebServer, media_type, schema, arguments, sent: bytes, content_type: str) -> None:
    one(method="post", **body(media_type, schema)).call("api.x", **arguments)
    assert (server.last.body, server.last.header("Content-Type")) == (sent, content_type)


def test_a_body_that_is_left_out_is_not_sent(one, server: WebServer) -> None:
    api = one(method="put", **body("application/json", {"type": "object", "properties": {"a": {}}}, required=False))
    api.call("api.x")
    assert (server.last.body, server.last.header("Content-Type"), server.last.header("Content-Length")) == (
        b"",
        None,
        "0",
    )


def test_multipart_with_files_of_the_workspace(one, server: WebServer, tmp_path: Path) -> None:
    (tmp_path / "cat.png").write_bytes(b"\x89PNG\r\n\x00")
    schema = {
        "type": "object",
        "required": ["photo"],
        "properties": {
            "name": {"type": "string"},
            "meta": {"type": "object"},
            "photo": {"type": "string", "format": "binary"},
            "more": {"type": "array", "items": {"contentMediaType": "application/octet-stream"}},
        },
    }
    api = one(
        method="post",
        **body("multipart/form-data", schema, encoding={"photo": {"contentType": "image/png, image/jpeg"}}),
    )
    api.call(
        "api.x",
        name='a"b',
        meta={"k": 1},
        photo={"path": "cat.png"},
        more=["text", {"base64": "AA==", "filename": "x\n.bin"}],
    )
    kind, _, boundary = server.last.header("Content-Type").partition("; boundary=")
    assert kind == "multipart/form-data"
    parts = [
        b'Content-Disposition: form-data; name="name"\r\n\r\na"b',
        b'Content-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"k":1}',
        b'Content-Disposition: form-data; name="photo"; filename="cat.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n\x00',
        b'Content-Disposition: form-data; name="more"; filename="more"\r\nContent-Type: application/octet-stream\r\n\r\ntext',
        b'Content-Disposition: form-data; name="more"; filename="x%0A.bin"\r\nContent-Type: application/octet-stream\r\n\r\n\x00',
    ]
    line = b"--" + boundary.encode()
    assert server.last.body == b"".join(line + b"\r\n" + part + b"\r\n" for part in parts) + line + b"--\r\n"


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ({"path": "../secret"}, "lies outside of the workspace"),
        ({"path": "/etc/passwd"}, "lies outside of the workspace"),
        ({"path": "link"}, "lies outside of the workspace"),
        ({"path": "none"}, "There is no file 'none'"),
        ({"base64": "§"}, "is no base64"),
    ],
)
def test_only_files_of_the_workspace_are_sent(one, server: WebServer, tmp_path: Path, file, message: str) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    with pytest.raises(HttpRefused, match=message):
        one(method="post", **body("application/octet-stream")).call("api.x", body=file)
    assert server.received == []


def test_a_required_body_is_sent_though_all_its_parts_are_optional(one, server: WebServer) -> None:
    schema = {"type": "object", "properties": {"a": {}}}
    one(method="post", **body("application/json", schema)).call("api.x")
    assert (server.last.body, server.last.header("Content-Type")) == (b"{}", "application/json")
    one(method="post", **body("application/x-www-form-urlencoded", schema)).call("api.x")
    assert (server.last.body, server.last.header("Content-Type")) == (b"", "application/x-www-form-urlencoded")


ENCODING = {
    "expand": {"style": "deepObject", "explode": True},
    "items": {"style": "deepObject", "explode": True},
    "ids": {"style": "form", "explode": False},
    "meta": {"contentType": "application/json"},
    "raw": {"allowReserved": True},
}


ENCODED = {
    "expand": ["a", "b"],
    "items": [{"price": "p", "tax": {"ids": ["t"]}}],
    "ids": [1, 2],
    "meta": [1, 2],
    "plain": "x",
}


def test_forms_are_encoded_as_the_document_says(one, server: WebServer) -> None:
    schema = {"type": "object", "properties": {name: {} for name in (*ENCODED, "raw")}}
    one(method="post", **body("application/x-www-form-urlencoded", schema, encoding=ENCODING)).call("api.x", **ENCODED)
    assert server.last.body.decode().replace("%5B", "[").replace("%5D", "]") == (
        "expand[]=a&expand[]=b&items[0][price]=p&items[0][tax][ids][]=t&ids=1,2&meta=[1%2C2]&plain=x"
    )
    one(method="post", **body("multipart/form-data", schema, encoding=ENCODING)).call("api.x", **ENCODED)
    sent = server.last.body.decode().split("\r\n")
    names = [line.partition("name=")[2] for line in sent if line.startswith("Content-Disposition")]
    assert names == [
        *('"expand[]"', '"expand[]"', '"items[0][price]"', '"items[0][tax][ids][]"', '"ids"', '"meta"', '"plain"'),
    ]
    assert "Content-Type: application/json" in sent
    assert sent[sent.index("Content-Type: application/json") + 2] == "[1,2]"


def test_a_part_that_is_required_but_not_described_can_be_given(one, server: WebServer) -> None:
    schema = {"type": "object", "properties": {"a": {}}, "required": ["a", "b"]}
    api = one(method="post", **body("application/json", schema))
    api.call("api.x", a=1, b=[2])
    assert json.loads(server.last.body) == {"a": 1, "b": [2]}


def test_xml_is_written_by_the_script(one, server: WebServer) -> None:
    api = one(method="post", **body("application/xml", {"type": "object", "properties": {"a": {"type": "string"}}}))
    api.call("api.x", body="<a>1</a>")
    assert (server.last.body, server.last.header("Content-Type")) == (b"<a>1</a>", "application/xml; charset=utf-8")


def test_a_content_type_is_chosen_where_several_can_carry_the_arguments(one, server: WebServer) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    kinds = ("application/xml", "application/x-www-form-urlencoded", "application/json")
    content = {kind: {"schema": schema} for kind in kinds}
    api = one(method="post", requestBody={"required": True, "content": content})
    assert api.tools["api.x"].spec.parameters["properties"]["content_type"]["enum"] == [
        "application/json",
        "application/x-www-form-urlencoded",
    ]
    api.call("api.x", a="1")
    assert server.last.body == b'{"a":"1"}'
    api.call("api.x", a="1", content_type="application/x-www-form-urlencoded")
    assert (server.last.body, server.last.header("Content-Type")) == (b"a=1", "application/x-www-form-urlencoded")


def test_a_whole_body_takes_whatever_its_content_type_does(one, server: WebServer) -> None:
    content = {"application/json": {"schema": {"type": "array"}}, "text/csv": {"schema": {"type": "string"}}}
    api = one(method="post", requestBody={"required": True, "content": content})
    api.call("api.x", body="a,b", content_type="text/csv")
    assert (server.last.body, server.last.header("Content-Type")) == (b"a,b", "text/csv; charset=utf-8")
    api.call("api.x", body=[1])
    assert server.last.body == b"[1]"


def test_a_path_is_the_file(one, server: WebServer, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "cat.png").write_bytes(b"\x89PNG")
    api = one(method="post", **body("application/octet-stream"))
    for given in (Path("in/cat.png"), "in/cat.png", str(tmp_path / "in" / "cat.png"), {"path": "in/cat.png"}):
        api.call("api.x", body=given)
        assert server.last.body == b"\x89PNG"
    api.call("api.x", body="in/dog.png")
    assert server.last.body == b"in/dog.png", "what names no file is a text"
    with pytest.raises(HttpRefused, match="There is no file 'in/dog.png'"):
        api.call("api.x", body=Path("in/dog.png"))
