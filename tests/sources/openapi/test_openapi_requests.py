"""What an operation sends, byte for byte."""

import json
from typing import Any

import pytest

from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.sources.http.messages import HttpError, HttpRefused
from tests.sources.http.web_server import WebServer, answer
from tests.sources.openapi.conftest import Connect, body, document, operation, parameter


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
