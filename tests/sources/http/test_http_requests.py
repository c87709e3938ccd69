"""What is sent: the right bytes, whatever the arguments are."""

import json

import pytest

from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.sources.http.messages import HttpRefused
from ptc_studio.sources.source import SourceFailed
from tests.sources.http.conftest import Connect
from tests.sources.http.web_server import WebServer, answer


def test_a_get_sends_exactly_the_path_query_and_headers(connect: Connect, server: WebServer) -> None:
    api = connect(
        url=f"{server.url}/users/{{id}}/posts",
        query={"q": "{q}", "tag": "{tags?}", "fixed": "a b"},
        headers={"X-Trace": "t-{id}", "Authorization": "Bearer ${secret:KEY}"},
    )
    assert api.call("api", id="ä/b?c", q="1&2=3", tags=["x", "y z"]) == {}
    sent = server.last
    assert (sent.method, sent.body) == ("GET", b"")
    assert sent.target == "/users/%C3%A4%2Fb%3Fc/posts?q=1%262%3D3&tag=x&tag=y%20z&fixed=a%20b"
    assert sent.headers == (
        ("Host", f"127.0.0.1:{server.port}"),
        ("Accept", "application/json, */*;q=0.8"),
        ("User-Agent", "ptc-studio"),
        ("X-Trace", "t-ä/b?c"),
        ("Authorization", "Bearer s3cret-value"),
        ("Accept-Encoding", "gzip"),
    )


def test_what_lacks_its_argument_is_left_out(connect: Connect, server: WebServer) -> None:
    api = connect(
        method="POST",
        url=f"{server.url}/x",
        query={"q": "{q?}"},
        headers={"X-Q": "v{q?}"},
        body={"a": "{a}", "b": "{b?}", "c": ["{b?}", 1]},
    )
    api.call("api", a=None)
    assert server.last.target == "/x"
    assert server.last.header("X-Q") is None
    assert server.last.body == b'{"a":null,"c":[1]}'


def test_a_json_body_keeps_the_types_of_its_arguments(connect: Connect, server: WebServer) -> None:
    api = connect(method="PUT", url=server.url, body={"n": "{n}", "deep": [{"o": "{o}"}], "text": "n={n}!", "k": True})
    api.call("api", n=3, o={"x": [1.5, None]})
    assert json.loads(server.last.body) == {"n": 3, "deep": [{"o": {"x": [1.5, None]}}], "text": "n=3!", "k": True}
    assert server.last.header("Content-Type") == "application/json"
    assert server.last.header("Content-Length") == str(len(server.last.body))


@pytest.mark.parametrize(
    ("fields", "body", "content_type"),
    [
        ({"body": "{x}"}, b'{"a":[1]}', "application/json"),
        ({"body": "<x>{x}</x>"}, b'<x>{"a":[1]}</x>', "text/plain; charset=utf-8"),
        ({"body": "{x}", "body_as": "text"}, b'{"a":[1]}', "text/plain; charset=utf-8"),
        ({"body": '{"q": "{{x}}", "v": {x}}'}, b'{"q": "{x}", "v": {"a":[1]}}', "text/plain; charset=utf-8"),
        (
            {"body": {"a b": "{x}", "c": "1&2"}, "body_as": "form"},
            b"a%20b=%7B%22a%22%3A%5B1%5D%7D&c=1%262",
            "application/x-www-form-urlencoded",
        ),
        (
            {"body": "{x}", "headers": {"content-type": "application/vnd.x+json"}},
            b'{"a":[1]}',
            "application/vnd.x+json",
        ),
    ],
)
def test_bodies_of_other_kinds(
    connect: Connect, server: WebServer, fields: dict, body: bytes, content_type: str
) -> None:
    schema = {"parameters": {"x": {}}}
    connect(method="POST", url=server.url, **schema, **fields).call("api", x={"a": [1]})
    assert (server.last.body, server.last.header("Content-Type")) == (body, content_type)


def test_parameters_are_made_of_the_places(connect: Connect, server: WebServer) -> None:
    api = connect(url=f"{server.url}/{{a}}", query={"b": "{b?}"}, method="POST", body={"c": "{c}", "d": "x{a}"})
    spec = api.tools["api"].spec
    text = {"type": ["string", "number", "boolean"]}
    assert spec.parameters == {
        "type": "object",
        "properties": {"a": text, "b": {}, "c": {}},
        "required": ["a", "c"],
        "additionalProperties": False,
    }
    assert [(one.name, one.required) for one in spec.signature] == [("a", True), ("c", True), ("b", False)]
    with pytest.raises(UnfitArguments, match="missing 'c'"):
        api.call("api", a=1)


def test_given_parameters_are_checked_and_have_defaults(connect: Connect, server: WebServer) -> None:
    parameters = {"n": {"type": "integer", "default": 5}, "q": {"type": "string"}}
    api = connect(url=server.url, query={"n": "{n}", "q": "{q}"}, parameters=parameters)
    api.call("api", q="x")
    assert server.last.target == "/?n=5&q=x"
    with pytest.raises(UnfitValues, match="'n': 'many' is not of type 'integer'"):
        api.call("api", q="x", n="many")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"query": {"a": "{a}"}, "parameters": {"b": {}}}, "{a} is used, but `parameters` has no 'a'"),
        ({"parameters": {"b": {}}}, "the parameter 'b' is used nowhere"),
        ({"query": {"a": "{a}"}, "parameters": {"a": {"type": "text"}}}, "its schema is broken"),
        ({"extract": "$.["}, "its `extract` is no JSONPath"),
    ],
)
def test_a_request_that_cannot_work_is_left_out_and_told_of(
    connect: Connect, server: WebServer, fields: dict, message: str
) -> None:
    api = connect(url=server.url, **fields)
    assert api.tools == {}
    assert "The request 'api' is left out: " in api.errors[0]
    assert message in api.errors[0]


def test_several_requests_share_address_headers_and_query(connect: Connect, server: WebServer) -> None:
    requests = [{"name": "get", "url": "/a/{id}"}, {"name": "put", "url": "/b", "method": "PUT", "headers": {"X": "2"}}]
    api = connect(
        base_url=f"{server.url}/v1/", headers={"X": "1", "Y": "1"}, query={"key": "${secret:ODD}"}, requests=requests
    )
    assert set(api.tools) == {"api.get", "api.put"}
    api.call("api.get", id=1)
    assert (server.last.target, server.last.header("X")) == ("/v1/a/1?key=a%2Fb%20c%2Bd", "1")
    api.call("api.put")
    assert (server.last.target, server.last.header("X"), server.last.header("Y")) == (
        "/v1/b?key=a%2Fb%20c%2Bd",
        "2",
        "1",
    )
    assert server.last.header("Content-Length") == "0"


@pytest.mark.parametrize("value", ["..", ".", "%2e%2E"])
def test_an_argument_cannot_lead_to_another_path(connect: Connect, server: WebServer, value: str) -> None:
    api = connect(url=f"{server.url}/users/{{id}}/posts")
    if "%" in value:
        api.call("api", id=value)
        assert server.last.target == "/users/%252e%252E/posts"
    else:
        with pytest.raises(HttpRefused, match="would lead to another path"):
            api.call("api", id=value)
        assert server.received == []


@pytest.mark.parametrize("value", ["evil.example/", "a@evil", "x:80", "", "a.b"])
def test_an_argument_cannot_lead_to_another_host(connect: Connect, value: str) -> None:
    api = connect(url="http://{region}.example.invalid/x")
    with pytest.raises(HttpRefused, match="'region' is part of the host"):
        api.call("api", region=value)


def test_an_argument_cannot_add_a_header(connect: Connect, server: WebServer) -> None:
    api = connect(url=server.url, headers={"X-Name": "{name}"})
    with pytest.raises(HttpRefused, match="'X-Name' .* line break"):
        api.call("api", name="a\r\nX-Evil: 1")
    assert server.received == []


def test_an_argument_is_never_looked_up_as_a_reference(connect: Connect, server: WebServer) -> None:
    api = connect(url=f"{server.url}/{{a}}", method="POST", headers={"X": "{a}"}, body={"a": "{a}", "b": "<{a}>"})
    api.call("api", a="${secret:KEY}")
    assert json.loads(server.last.body) == {"a": "${secret:KEY}", "b": "<${secret:KEY}>"}
    assert server.last.header("X") == "${secret:KEY}"
    assert server.last.target == "/%24%7Bsecret%3AKEY%7D"


def test_a_reference_in_a_body_is_resolved(connect: Connect, server: WebServer) -> None:
    connect(url=server.url, method="POST", body={"key": "${secret:KEY}"}).call("api")
    assert json.loads(server.last.body) == {"key": "s3cret-value"}


def test_a_missing_secret_is_named(connect: Connect, server: WebServer) -> None:
    api = connect(url=server.url, headers={"X": "${secret:NONE}"})
    with pytest.raises(SourceFailed, match="There is no secret 'NONE'"):
        api.call("api")


def test_an_answer_is_reduced_by_a_path(connect: Connect, server: WebServer) -> None:
    server.answers["*"] = answer({"items": [{"n": 1, "ok": True}, {"n": 2}], "total": 2})
    assert connect(url=server.url, extract="$.total").call("api") == 2
    assert connect(url=server.url, extract="$.items[*].n").call("api") == [1, 2]
    assert connect(url=server.url, extract="$.items[?@.ok].n").call("api") == [1]
    assert connect(url=server.url, extract="$.nothing").call("api") is None
    assert connect(url=server.url, extract="$..nothing").call("api") == []


def test_the_entry_timeout_is_the_tools(connect: Connect) -> None:
    assert connect(url="http://127.0.0.1/", timeout=2.5).tools["api"].spec.timeout == 2.5
