"""Which servers get the user's keys: the document's own and those that the user names, and no other unasked."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from ptc_studio.sources.http.messages import HttpUnusable, UnconfirmedServer
from ptc_studio.sources.http.templates import origin_of
from ptc_studio.sources.openapi.entry import OpenApiEntry
from tests.sources.conftest import MakeServer
from tests.sources.http.web_server import WebServer, answer
from tests.sources.openapi.conftest import Connect, document, operation

KEYED: dict[str, Any] = {"headers": {"Authorization": "Bearer ${secret:KEY}"}}
SCHEMES = {"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "key"}}}


def naming(*servers: WebServer, **rest: Any) -> dict[str, Any]:
    """A document that names the servers, for one operation each."""
    paths = {
        f"/{index}": {"get": operation(operationId=f"x{index}", servers=[{"url": server.url}])}
        for index, server in enumerate(servers)
    }
    return document(paths, servers=[{"url": servers[0].url}], **rest)


@pytest.mark.parametrize(
    "fields",
    [KEYED, {"headers": {"X-Odd": "1"}}, {"headers": {"User-Agent": "${secret:KEY}"}}, {"auth": {"key": "k"}}],
)
def test_a_server_that_only_the_document_names_gets_nothing_before_it_is_confirmed(
    connect: Connect, server: WebServer, fields: dict[str, Any]
) -> None:
    api = connect(naming(server, components=SCHEMES, security=[{"key": []}]), **fields)
    with pytest.raises(
        UnconfirmedServer, match=rf"Nothing was sent to {server.url}: .*`allow_origins: \[{server.url}\]`"
    ):
        api.call("api.x0")
    assert not server.received
    assert api.source.unconfirmed == (server.url,)
    [told] = api.errors
    assert server.url in told
    assert "allow_origins" in told


@pytest.mark.parametrize("fields", [{}, {"headers": {"Accept": "text/plain"}}, {"auth": {"key": "k"}}])
def test_where_no_key_is_sent_nothing_needs_to_be_confirmed(
    connect: Connect, server: WebServer, fields: dict[str, Any]
) -> None:
    api = connect(naming(server, components=SCHEMES, security=[]), **fields)
    api.call("api.x0")
    assert (api.errors, len(server.received)) == ([], 1)


def test_a_confirmed_server_and_the_one_that_the_user_named_get_the_key(connect: Connect, server: WebServer) -> None:
    for fields in ({"allow_origins": [f"{server.url}/any/path"]}, {"base_url": f"{server.url}/v1"}):
        api = connect(naming(server), **KEYED, **fields)
        api.call("api.x0")
        assert server.last.header("Authorization") == "Bearer s3cret-value"
        assert api.errors == []


def test_the_server_of_the_document_gets_the_key_and_another_one_does_not(
    connect: Connect, server: WebServer, make_server: MakeServer
) -> None:
    other = make_server()
    given = naming(server, other)
    given["paths"]["/here"] = {"get": operation(operationId="here")}
    server.answers["/openapi.json"] = answer(given)
    api = connect(f"{server.url}/openapi.json", **KEYED)
    for name in ("api.x0", "api.here"):
        api.call(name)
        assert server.last.header("Authorization") == "Bearer s3cret-value"
    with pytest.raises(UnconfirmedServer, match=other.url):
        api.call("api.x1")
    assert not other.received
    assert api.source.unconfirmed == (other.url,)


def test_a_document_that_changes_its_mind_gets_nothing_for_it(
    connect: Connect, server: WebServer, make_server: MakeServer, tmp_path: Any
) -> None:
    other = make_server()
    api = connect(naming(server), **KEYED, allow_origins=[server.url])
    api.call("api.x0")
    (tmp_path / "api.json").write_text(json.dumps(naming(other)))
    with pytest.raises(UnconfirmedServer, match=other.url):
        api.call("api.x0")
    assert not other.received


def test_a_clients_secret_goes_to_no_address_of_tokens_that_only_the_document_names(
    connect: Connect, server: WebServer, make_server: MakeServer
) -> None:
    thief = make_server()
    flow = {"tokenUrl": f"{thief.url}/token", "authorizationUrl": f"{thief.url}/sign", "scopes": {}}
    for name in ("clientCredentials", "authorizationCode"):
        schemes = {"securitySchemes": {"login": {"type": "oauth2", "flows": {name: flow}}}}
        client = {"auth": {"login": "client_id=me client_secret=${secret:KEY}"}}
        given = naming(server, components=schemes, security=[{"login": []}])
        api = connect(given, base_url=server.url, **client)
        assert api.source.refresh()
        assert api.source.unconfirmed == (thief.url,)
        opened: list[str] = []
        with pytest.raises(UnconfirmedServer, match=f"Nothing was sent to {thief.url}"):
            api.source.sign_in(opened.append) if api.source.can_sign_in else api.call("api.x0")
        assert (thief.received, opened) == ([], [])


@pytest.mark.parametrize("status", ["307 Temporary Redirect", "308 Permanent Redirect"])
def test_neither_key_nor_body_follows_a_redirect_to_another_server(
    connect: Connect, server: WebServer, make_server: MakeServer, status: str
) -> None:
    other = make_server()
    server.answers["*"] = answer(b"", status, Location=f"{other.url}/taken")
    body = {"content": {"application/json": {"schema": {"type": "object"}}}}
    paths = {"/x": {"post": operation(operationId="send", requestBody=body), "get": operation(operationId="get")}}
    api = connect(document(paths), base_url=server.url, **KEYED)
    with pytest.raises(HttpUnusable, match="leads to another server, http://.*: nothing was sent there"):
        api.call("api.send", body={"key": "k"})
    assert not other.received
    api.call("api.get")
    assert {name.lower() for name, _ in other.last.headers} <= {"host", "accept", "user-agent", "accept-encoding"}


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("HTTPS://API.Example.com:443/a?b", "https://api.example.com"),
        ("https://api.example.com./", "https://api.example.com"),
        ("https://good.example@evil.example/", "https://evil.example"),
        ("http://x:8080", "http://x:8080"),
        ("http://[::1]:80/", "http://[::1]"),
        ("ftp://x", ""),
        ("nowhere", ""),
        ("http://x:none", ""),
    ],
)
def test_a_server_is_known_by_scheme_host_and_port_however_it_is_written(address: str, origin: str) -> None:
    assert origin_of(address) == origin


def test_what_is_no_server_cannot_be_confirmed() -> None:
    with pytest.raises(ValidationError, match=r"'\*' is no server: write https://"):
        OpenApiEntry(name="a", document="x", allow_origins=("*",))
