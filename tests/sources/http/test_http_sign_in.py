"""Requests that show who sends them: keys, passwords, tokens, and tokens that OAuth gives."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from ptc_studio.app import Setup, Studio
from ptc_studio.sources.http.entry import HttpEntry
from ptc_studio.sources.http.source import HttpSource
from ptc_studio.sources.references import References
from ptc_studio.sources.sign_in import SignInFailed
from tests.sources.http.conftest import SECRETS, Connect
from tests.sources.http.fakes import Client, TokenEndpoint
from tests.sources.http.web_server import WebServer, answer

OAUTH = {"client_id": "me", "client_secret": "${secret:KEY}", "scope": "read write"}


@pytest.fixture
def echo(server: WebServer) -> WebServer:
    """Answers with what was sent."""
    server.answers["/thing"] = lambda request: answer(
        {"headers": dict(request.headers), "target": request.target, "as": request.header("authorization")}
    )
    return server


@pytest.mark.parametrize(
    ("auth", "header", "value"),
    [
        ({"type": "bearer", "token": "${secret:KEY}"}, "Authorization", "Bearer s3cret-value"),
        (
            {"type": "basic", "user": "ann", "password": "${secret:KEY}"},
            "Authorization",
            "Basic YW5uOnMzY3JldC12YWx1ZQ==",
        ),
        ({"type": "api_key", "key_name": "X-Key", "key": "${secret:KEY}"}, "X-Key", "s3cret-value"),
        ({"type": "api_key", "key_name": "k", "key": "${secret:ODD}", "place": "cookie"}, "Cookie", "k=a%2Fb%20c%2Bd"),
    ],
)
def test_keys_passwords_and_tokens_go_where_they_belong(
    connect: Connect, echo: WebServer, auth: Any, header: str, value: str
) -> None:
    sent = connect(url=f"{echo.url}/thing", auth=auth).call("api")
    assert {name.lower(): text for name, text in sent["headers"].items()}[header.lower()] == value


def test_a_key_in_the_query_is_hidden_in_errors(connect: Connect, echo: WebServer) -> None:
    auth = {"type": "api_key", "key_name": "key", "key": "${secret:ODD}", "place": "query"}
    assert connect(url=f"{echo.url}/thing?a=1", auth=auth).call("api")["target"] == "/thing?a=1&key=a%2Fb%20c%2Bd"
    echo.answers["/nowhere"] = lambda request: answer({"nothing at": request.target}, "404 Not Found")
    with pytest.raises(Exception, match="404") as failed:
        connect(url=f"{echo.url}/nowhere", auth=auth).call("api")
    assert "a%2Fb" not in str(failed.value)
    assert SECRETS["ODD"] not in str(failed.value)


class TokenService(TokenEndpoint):
    """A token endpoint, and a source that uses it."""

    def __init__(self, server: WebServer, way: str) -> None:
        super().__init__(server, "canary-token", "canary-refresh", {"error": "invalid_grant"})
        more = {"authorization_url": f"{server.url}/authorize"} if way == "authorization_code" else {}
        auth = {"type": way, "token_url": f"{server.url}/token", **OAUTH, **more}
        entry = HttpEntry.model_validate({"name": "api", "url": f"{server.url}/thing", "auth": auth})
        self.source = HttpSource(entry, references=References(SECRETS.get), sign_ins=self.sign_ins)
        self.client = Client(self.source)


def test_client_credentials_get_a_token_of_their_own(echo: WebServer) -> None:
    service = TokenService(echo, "client_credentials")
    assert service.client.call("api")["as"] == "Bearer canary-token-1"
    assert service.client.call("api")["as"] == "Bearer canary-token-1"
    assert [form["grant_type"] for form in service.forms] == ["client_credentials"]
    assert service.forms[0]["scope"] == "read write"
    assert not service.source.can_sign_in
    service.source.close()


def test_a_person_signs_in_stays_signed_in_and_signs_out(echo: WebServer) -> None:
    service = TokenService(echo, "authorization_code")
    assert service.source.can_sign_in
    with pytest.raises(SignInFailed, match="use Sign in"):
        service.client.call("api")
    with pytest.raises(SignInFailed, match="refused"):
        service.source.sign_in(lambda url: service.browse(url, error="access_denied"))
    service.source.sign_in(service.browse)
    assert service.client.call("api")["as"] == "Bearer canary-token-1"
    log = "\n".join(service.source.status.log)
    assert "the browser came back with a code" in log
    assert "canary" not in log
    assert {"canary-token-1", "canary-refresh"} <= service.hidden
    # Over, and fetched anew; then revoked.
    service.lifetime = 0
    service.source.sign_in(service.browse)
    [key] = service.store.values
    service.store.values[key] = service.store.values[key].replace('"expires_at": ', '"expires_at": -')
    assert service.client.call("api")["as"] == "Bearer canary-token-3"
    assert service.forms[-1]["grant_type"] == "refresh_token"
    service.store.values[key] = service.store.values[key].replace('"expires_at": ', '"expires_at": -')
    service.refuses = True
    with pytest.raises(SignInFailed, match="use Sign in"):
        service.client.call("api")
    assert service.source.sign_out()
    assert not service.source.sign_out()
    assert not service.store.values
    service.source.close()


async def test_no_token_is_in_a_record_a_log_or_a_file(echo: WebServer, tmp_path: Path) -> None:
    service = TokenService(echo, "client_credentials")
    echo.answers["/leak"] = lambda request: answer({"you sent": request.header("authorization")})
    file = tmp_path / "studio.yaml"
    file.write_text(
        f"""\
version: 1
sources:
  - kind: http
    name: leak
    url: {echo.url}/leak
    auth: {{type: client_credentials, token_url: {echo.url}/token, client_id: me, client_secret: "${{env:CANARY}}"}}
"""
    )
    studio = Studio(Setup(tmp_path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CANARY", "canary-client-secret")
        await studio.load()
        record = await studio.call(studio.session(), "leak", {})
    await studio.close()
    assert record["status"] == "ok"
    assert service.forms[-1]["client_secret"] == "canary-client-secret"
    assert "canary" not in str(record)
    assert "canary" not in file.read_text()
    service.source.close()


def test_what_is_missing_or_odd_is_told() -> None:
    for auth in (
        {"type": "bearer"},
        {"type": "secret handshake"},
        {"type": "basic", "user": "a", "password": "", "x": 1},
    ):
        with pytest.raises(ValidationError):
            HttpEntry.model_validate({"name": "api", "url": "https://x.example", "auth": auth})
