"""What an operation sends, byte for byte."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.sources.http.messages import HttpError, HttpRefused
from tests.sources.http.fakes import Client
from tests.sources.http.web_server import Received, WebServer, answer
from tests.sources.openapi.conftest import Connect, document, operation


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


def parameter(name: str, where: str, **rest: Any) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "schema": {}, **rest}


def body(media_type: str, schema: Any = None, required: bool = True, **rest: Any) -> dict[str, Any]:
    return {"requestBody": {"required": required, "content": {media_type: {"schema": schema or {}, **rest}}}}


def test_everything_goes_where_it_belongs(one, server: WebServer) -> None:
    api = one(
        "/users/{id}/{what}",
        "post",
        {"headers": {"X-Team": "t", "user-agent": "me"}},
        parameters=[
            parameter("id", "path"),
            parameter("what", "path"),
            parameter("q", "query"),
            parameter("X-H", "header"),
            parameter("session", "cookie"),
            parameter("theme", "cookie"),
            parameter("unused", "query"),
        ],
        **body("application/json", {"type": "object", "properties": {"a": {}, "b-c": {}}}),
    )
    assert (
        api.call("api.x", id="a/b ü", what=7, q="x&y=z", X_H="h", session="s;1", theme="dark", a=[1, None], b_c="é")
        == {}
    )
    sent = server.last
    assert (sent.method, sent.target) == ("POST", "/v1/users/a%2Fb%20%C3%BC/7?q=x%26y%3Dz")
    assert sent.headers == (
        ("Host", f"127.0.0.1:{server.port}"),
        ("Accept", "application/json, */*;q=0.8"),
        ("Content-Type", "application/json"),
        ("X-H", "h"),
        ("X-Team", "t"),
        ("user-agent", "me"),
        ("Cookie", "session=s%3B1; theme=dark"),
        ("Accept-Encoding", "gzip"),
        ("Content-Length", str(len(sent.body))),
    )
    assert sent.body == '{"a":[1,null],"b-c":"é"}'.encode()


COLOURS = ["blue", "black"]
RGB = {"R": 100, "G": 200}


@pytest.mark.parametrize(
    ("style", "explode", "value", "query"),
    [
        (None, None, "a b", "c=a%20b"),
        (None, None, "", "c="),
        (None, None, True, "c=true"),
        (None, None, COLOURS, "c=blue&c=black"),
        (None, None, [], ""),
        (None, None, RGB, "R=100&G=200"),
        ("form", False, COLOURS, "c=blue,black"),
        ("form", False, ["a,b", "c"], "c=a%2Cb,c"),
        ("form", False, RGB, "c=R,100,G,200"),
        ("spaceDelimited", False, COLOURS, "c=blue%20black"),
        ("pipeDelimited", False, COLOURS, "c=blue%7Cblack"),
        ("pipeDelimited", True, COLOURS, "c=blue&c=black"),
        ("deepObject", True, RGB, "c%5BR%5D=100&c%5BG%5D=200"),
        ("deepObject", None, {"a": {"b": [1, 2]}}, "c%5Ba%5D%5Bb%5D%5B%5D=1&c%5Ba%5D%5Bb%5D%5B%5D=2"),
        ("deepObject", True, ["a", "b"], "c%5B%5D=a&c%5B%5D=b"),
        ("deepObject", True, [{"a": 1}, {"a": 2}], "c%5B0%5D%5Ba%5D=1&c%5B1%5D%5Ba%5D=2"),
    ],
)
def test_styles_of_queries(one, server: WebServer, style, explode, value, query: str) -> None:
    given = {key: what for key, what in (("style", style), ("explode", explode)) if what is not None}
    one(parameters=[parameter("c", "query", **given)]).call("api.x", c=value)
    assert server.last.target == "/v1/x" + (f"?{query}" if query else "")


def test_reserved_characters_and_json_in_queries(one, server: WebServer) -> None:
    api = one(
        parameters=[
            parameter("r", "query", allowReserved=True),
            {"name": "j", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
        ]
    )
    api.call("api.x", r="a/b?c:d", j={"k": [1]})
    assert server.last.target == "/v1/x?r=a/b?c:d&j=%7B%22k%22%3A%5B1%5D%7D"


@pytest.mark.parametrize(
    ("style", "explode", "value", "path"),
    [
        ("simple", False, COLOURS, "blue,black"),
        ("simple", False, RGB, "R,100,G,200"),
        ("simple", True, RGB, "R=100,G=200"),
        ("label", False, COLOURS, ".blue,black"),
        ("label", True, COLOURS, ".blue.black"),
        ("label", True, RGB, ".R=100.G=200"),
        ("matrix", False, 5, ";c=5"),
        ("matrix", False, COLOURS, ";c=blue,black"),
        ("matrix", True, COLOURS, ";c=blue;c=black"),
        ("matrix", True, RGB, ";R=100;G=200"),
    ],
)
def test_styles_of_paths(one, server: WebServer, style: str, explode: bool, value, path: str) -> None:
    one("/p/{c}", parameters=[parameter("c", "path", style=style, explode=explode)]).call("api.x", c=value)
    assert server.last.target == f"/v1/p/{path}"


@pytest.mark.parametrize("value", ["..", "."])
def test_an_argument_cannot_lead_to_another_path(one, server: WebServer, value: str) -> None:
    api = one("/users/{id}/keys", parameters=[parameter("id", "path")])
    with pytest.raises(HttpRefused, match="would lead to another path"):
        api.call("api.x", id=value)
    with pytest.raises(HttpRefused, match="'id' is empty"):
        api.call("api.x", id="")
    assert server.received == []


def test_an_argument_cannot_add_a_header(one, server: WebServer) -> None:
    api = one(parameters=[parameter("X-H", "header"), parameter("c", "cookie")])
    with pytest.raises(HttpRefused, match="line break"):
        api.call("api.x", X_H="a\r\nX-Evil: 1")
    api.call("api.x", c="a; admin=1\r\nX: 1")
    assert server.last.header("Cookie") == "c=a%3B%20admin%3D1%0D%0AX%3A%201"


def test_lists_in_headers_and_names_the_document_forgot(one, server: WebServer) -> None:
    api = one(
        "/p/{forgotten}",
        parameters=[parameter("X-L", "header"), parameter("Accept", "header"), parameter("Authorization", "header")],
    )
    assert list(api.tools["api.x"].spec.parameters["properties"]) == ["X_L", "forgotten"]
    api.call("api.x", X_L=["a", "b"], forgotten="f")
    assert (server.last.target, server.last.header("X-L")) == ("/v1/p/f", "a,b")


def test_one_name_in_two_places_is_two_arguments(one, server: WebServer) -> None:
    api = one("/p/{id}", parameters=[parameter("id", "path"), parameter("id", "query"), parameter("id", "header")])
    api.call("api.x", id=1, id_query=2, id_header=3)
    assert (server.last.target, server.last.header("id")) == ("/v1/p/1?id=2", "3")


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


SCHEMES = {
    "header": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "query": {"type": "apiKey", "in": "query", "name": "key"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
    "bearer": {"type": "http", "scheme": "Bearer"},
    "basic": {"type": "http", "scheme": "basic"},
    "oauth": {"type": "oauth2", "flows": {}},
    "openid": {"type": "openIdConnect", "openIdConnectUrl": "https://x"},
}


@pytest.mark.parametrize(
    ("scheme", "key", "target", "header", "value"),
    [
        ("header", "${secret:KEY}", "/v1/x", "X-Key", "s3cret-value"),
        ("query", "${secret:KEY}", "/v1/x?key=s3cret-value", "X-Key", None),
        ("cookie", "${secret:KEY}", "/v1/x", "Cookie", "sid=s3cret-value"),
        ("bearer", "${secret:KEY}", "/v1/x", "Authorization", "Bearer s3cret-value"),
        (
            "basic",
            "${secret:LOGIN}",
            "/v1/x",
            "Authorization",
            f"Basic {base64.b64encode(b'joe:s3cret-word').decode()}",
        ),
        (
            "basic",
            "joe:${secret:KEY}",
            "/v1/x",
            "Authorization",
            f"Basic {base64.b64encode(b'joe:s3cret-value').decode()}",
        ),
        ("oauth", "${secret:KEY}", "/v1/x", "Authorization", "Bearer s3cret-value"),
        ("openid", "${secret:KEY}", "/v1/x", "Authorization", "Bearer s3cret-value"),
    ],
)
def test_keys_go_where_their_scheme_wants_them(one, server: WebServer, scheme, key, target, header, value) -> None:
    def echo(request: Received) -> bytes:
        return answer({"got": [request.target, *map(list, request.headers)]}, "418 Teapot")

    server.answers["*"] = echo
    api = one(fields={"auth": {scheme: key}}, components={"securitySchemes": SCHEMES}, security=[{scheme: []}])
    with pytest.raises(HttpError) as caught:
        api.call("api.x")
    assert (server.last.target, server.last.header(header)) == (target, value)
    shown = (
        str(caught.value) + repr(api.tools["api.x"].spec) + repr(api.source.__dict__) + repr(vars(api.tools["api.x"]))
    )
    assert "s3cret" not in shown
    assert (value or "s3cret").removeprefix("Basic ") not in str(caught.value)
    assert "•••" in str(caught.value)


def test_the_first_way_with_all_keys_is_taken(one, server: WebServer) -> None:
    ways = [{"bearer": []}, {"header": [], "query": []}, {"header": []}]
    api = one(fields={"auth": {"header": "h", "query": "q"}}, components={"securitySchemes": SCHEMES}, security=ways)
    api.call("api.x")
    assert (server.last.target, server.last.header("X-Key"), server.last.header("Authorization")) == (
        "/v1/x?key=q",
        "h",
        None,
    )


def test_an_operation_that_needs_no_key_gets_none(connect: Connect, server: WebServer) -> None:
    api = connect(
        document(
            {
                "/open": {"get": operation(operationId="open", security=[])},
                "/shut": {"get": operation(operationId="shut")},
            },
            components={"securitySchemes": SCHEMES},
            security=[{"header": []}],
        ),
        base_url=server.url,
        auth={"header": "k"},
    )
    api.call("api.open")
    assert server.last.header("X-Key") is None
    api.call("api.shut")
    assert server.last.header("X-Key") == "k"


def test_a_key_that_the_user_gave_is_no_argument(one) -> None:
    parameters = [parameter("key", "query"), parameter("q", "query")]
    api = one(
        fields={"auth": {"query": "k"}},
        components={"securitySchemes": SCHEMES},
        security=[{"query": []}],
        parameters=parameters,
    )
    assert list(api.tools["api.x"].spec.parameters["properties"]) == ["q"]


def test_a_closed_door_says_which_key_is_wanted(one, server: WebServer) -> None:
    server.answers["*"] = answer({}, "401 Unauthorized")
    api = one(components={"securitySchemes": SCHEMES}, security=[{"bearer": []}, {"header": [], "query": []}])
    with pytest.raises(HttpError, match=r"asks for 'bearer' or 'header' and 'query': give the key under `auth`"):
        api.call("api.x")


def test_servers_variables_and_overrides(connect: Connect, server: WebServer) -> None:
    servers = [
        {"url": "http://unused.invalid"},
        {
            "url": "http://127.0.0.1:{port}/{v}/",
            "variables": {"port": {"default": "1"}, "v": {"default": "v1", "enum": ["v1", "v2"]}},
        },
    ]
    paths = {
        "/x": {"get": operation(operationId="x")},
        "/y": {"get": operation(operationId="y", servers=[{"url": f"{server.url}/own"}])},
    }
    given = document(paths, servers=servers)
    api = connect(given, server=1, variables={"port": str(server.port), "v": "v2"})
    api.call("api.x")
    api.call("api.y")
    assert [one.target for one in server.received] == ["/v2/x", "/own/y"]
    assert "takes v1, v2 for the variable 'v', not 'v3'" in connect(given, server=1, variables={"v": "v3"}).errors[0]
    assert "has 2 servers, so there is no number 2" in connect(given, server=2).errors[0]


def test_a_file_that_does_not_say_where_the_service_is(connect: Connect) -> None:
    api = connect(document({"/x": {"get": operation(operationId="x")}}))
    assert api.errors == ["The document 'api.json' does not say where the service is: give its address as `base_url`."]
    with pytest.raises(HttpRefused, match="give the service's address as `base_url`"):
        api.call("api.x")


def test_arguments_are_checked_before_anything_is_sent(one, server: WebServer) -> None:
    api = one(parameters=[parameter("q", "query", required=True)])
    with pytest.raises(UnfitArguments, match="missing 'q'"):
        api.call("api.x")
    with pytest.raises(UnfitArguments, match="unexpected 'r'"):
        api.call("api.x", q=1, r=2)
    assert server.received == []


def test_answers_and_errors_are_those_of_every_request(one, server: WebServer) -> None:
    server.answers["*"] = answer({"message": "slow down"}, "429 Too Many Requests", Retry_After="7")
    with pytest.raises(HttpError) as caught:
        one("/p/{id}", parameters=[parameter("id", "path")]).call("api.x", id=1)
    assert str(caught.value) == (
        f"GET {server.url}/v1/p/{{id}} answered 429 Too Many Requests: {json.dumps({'message': 'slow down'})}"
        " (it asks to wait 7 s before the next try)"
    )


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


def test_what_is_read_only_beside_its_reference_is_not_asked_for(one) -> None:
    parts = {"schemas": {"S": {"type": "object"}}}
    schema = {"type": "object", "properties": {"a": {}, "s": {"$ref": "#/components/schemas/S", "readOnly": True}}}
    api = one(method="post", components=parts, **body("application/json", schema))
    assert list(api.tools["api.x"].spec.parameters["properties"]) == ["a"]


def test_an_operation_may_be_a_reference(connect: Connect, server: WebServer) -> None:
    shared = {"x-shared": {"ask": operation(operationId="ask", parameters=[parameter("q", "query")])}}
    api = connect(document({"/x": {"get": {"$ref": "#/x-shared/ask"}}}, **shared), base_url=server.url)
    assert api.errors == []
    api.call("api.ask", q=1)
    assert server.last.target == "/x?q=1"


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


def test_what_3_2_adds(connect: Connect, server: WebServer) -> None:
    media = {"mediaTypes": {"lines": {"itemSchema": {"type": "object"}}}}
    lines = {"required": True, "content": {"application/jsonl": {"$ref": "#/components/mediaTypes/lines"}}}
    whole = {
        "name": "filter",
        "in": "querystring",
        "content": {"application/x-www-form-urlencoded": {"schema": {"type": "object"}}},
    }
    paths = {
        "/x": {
            "query": operation(operationId="find", **body("application/json", {"type": "array"})),
            "additionalOperations": {"COPY": operation(operationId="copy"), "LINK": operation()},
        },
        "/y": {"post": operation(operationId="put", requestBody=lines), "get": operation(parameters=[whole])},
    }
    api = connect(document(paths, "3.2.0", components=media), base_url=server.url)
    assert api.errors == []
    assert list(api.tools) == ["api.find", "api.copy", "api.link_x", "api.get_y", "api.put"]
    api.call("api.find", body=[1])
    assert (server.last.method, server.last.body) == ("QUERY", b"[1]")
    api.call("api.copy")
    assert server.last.method == "COPY"
    api.call("api.put", body=[{"a": 1}, {"b": 2}])
    assert (server.last.body, server.last.header("Content-Type")) == (b'{"a":1}\n{"b":2}\n', "application/jsonl")
    api.call("api.get_y", filter={"a": "b c", "d": [1, 2]})
    assert server.last.target == "/y?a=b+c&d=1&d=2"


def test_headers_of_the_answer_are_there_for_the_asking(one, server: WebServer) -> None:
    server.answers["*"] = answer([1], Link='<http://x?page=2>; rel="next"')
    told = {"200": {"description": "", "headers": {"Link": {"schema": {"type": "string"}}}}}
    api = one(responses=told)
    assert api.call("api.x") == [1]
    full = api.call("api.x", with_headers=True)
    assert (full["status"], full["headers"]["link"], full["body"]) == (200, '<http://x?page=2>; rel="next"', [1])
    assert "with_headers" not in one().tools["api.x"].spec.parameters["properties"]
    asked = one(fields={"with_headers": ["GET *"]})
    assert asked.call("api.x", with_headers=True)["headers"]["link"].startswith("<http://x?page=2>")


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


def test_errors_of_alternatives_say_which_part_failed(one) -> None:
    card = {"type": "object", "required": ["number"], "properties": {"kind": {"const": "card"}, "number": {}}}
    bank = {
        "title": "Bank",
        "type": "object",
        "required": ["iban"],
        "properties": {"kind": {"const": "bank"}, "iban": {"type": "string"}},
    }
    components = {"schemas": {"Card": card}}
    schema = {"oneOf": [{"$ref": "#/components/schemas/Card"}, bank, {"type": "string"}]}
    api = one(method="post", components=components, **body("application/json", schema))

    def fault(value: Any) -> str:
        with pytest.raises(UnfitValues) as caught:
            api.tools["api.x"].bind({"body": value})
        return str(caught.value).partition(": ")[2]

    assert fault({"kind": "bank", "iban": 5}) == "'body.iban': 5 is not of type 'string' (as 'Bank')"
    assert fault({"kind": "card"}) == "'body': 'number' is a required property (as 'Card')"
    assert "is not of type 'object' or" in fault(5)
