"""Which key an operation sends, and where."""

import base64

import pytest

from ptc_studio.sources.http.messages import HttpError
from tests.sources.http.web_server import Received, WebServer, answer
from tests.sources.openapi.conftest import Connect, document, operation, parameter

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
