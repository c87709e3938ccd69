"""OAuth from a document's security schemes: client credentials, and a person with a browser."""

import json
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.source import OpenApiSource
from ptc_studio.sources.references import References
from ptc_studio.sources.sign_in import SignInFailed
from tests.sources.fake_ticket import FakeTicket
from tests.sources.http.fakes import TokenEndpoint
from tests.sources.http.web_server import WebServer, answer

CLIENT = "client_id=me client_secret=${secret:KEY} scope=read,write"


class Service(TokenEndpoint):
    """A service with a token endpoint, and the source of its document."""

    def __init__(self, server: WebServer, folder: Path, flow: str) -> None:
        super().__init__(
            server, "token-number", "again", {"error": "invalid_client", "error_description": "Who are you?"}
        )
        flows = {
            "clientCredentials": {"tokenUrl": f"{server.url}/token", "scopes": {}},
            "authorizationCode": {
                "authorizationUrl": f"{server.url}/authorize", "tokenUrl": f"{server.url}/token", "scopes": {},
            },
        }  # fmt: skip
        document = {
            "openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": server.url}],
            "security": [{"login": []}],
            "paths": {"/thing": {"get": {"operationId": "thing", "responses": {"200": {"description": "ok"}}}}},
            "components": {"securitySchemes": {"login": {"type": "oauth2", "flows": {flow: flows[flow]}}}},
        }  # fmt: skip
        (folder / "api.json").write_text(json.dumps(document))
        server.answers["/thing"] = lambda request: answer({"as": request.header("authorization")})
        self.source = OpenApiSource(
            OpenApiEntry(name="api", document="api.json", auth={"login": CLIENT}, allow_origins=(server.url,)),
            folder=folder,
            references=References({"KEY": "hush-hush"}.get),
            sign_ins=self.sign_ins,
        )

    def call(self) -> Any:
        [tool] = self.source.refresh().tools
        return tool.invoke(tool.bind({}), FakeTicket())


def test_client_credentials_get_a_token_once_and_again_when_it_is_over(server: WebServer, tmp_path: Path):
    service = Service(server, tmp_path, "clientCredentials")
    assert service.call() == {"as": "Bearer token-number-1"}
    assert service.call() == {"as": "Bearer token-number-1"}
    assert service.forms == [
        {"grant_type": "client_credentials", "scope": "read write", "client_id": "me", "client_secret": "hush-hush"}
    ]
    assert not service.source.can_sign_in
    assert "token-number-1" in service.hidden


def test_a_refused_client_is_told_in_the_servers_words_and_without_its_secret(server: WebServer, tmp_path: Path):
    service = Service(server, tmp_path, "clientCredentials")
    service.refuses = True
    with pytest.raises(SignInFailed, match="answered 400: Who are you") as raised:
        service.call()
    assert "hush-hush" not in str(raised.value)


def test_a_person_signs_in_with_the_browser_and_the_token_is_refreshed(server: WebServer, tmp_path: Path):
    service = Service(server, tmp_path, "authorizationCode")
    service.source.refresh()
    assert service.source.can_sign_in
    with pytest.raises(SignInFailed, match="asks for a sign-in"):
        service.call()
    service.source.sign_in(service.browse)
    assert service.call() == {"as": "Bearer token-number-1"}
    assert (service.forms[0]["grant_type"], service.forms[0]["code"]) == ("authorization_code", "c0de")
    assert len(service.forms[0]["code_verifier"]) >= 43
    [key] = service.store.values
    service.store.set(key, json.dumps({**json.loads(service.store.values[key]), "expires_at": 1}))
    assert service.call() == {"as": "Bearer token-number-2"}
    assert service.forms[1]["grant_type"] == "refresh_token"
    assert service.source.status.log[-1] == "sign-in: the token is there"
    assert service.source.sign_out()
    with pytest.raises(SignInFailed, match="asks for a sign-in"):
        service.call()


@pytest.mark.parametrize(
    ("brought", "message"),
    [({"error": "access_denied"}, "refused the sign-in"), ({"state": "forged"}, "another state")],
)
def test_a_refusal_or_a_forged_answer_ends_the_sign_in(server: WebServer, tmp_path: Path, brought: Any, message: str):
    service = Service(server, tmp_path, "authorizationCode")
    service.source.refresh()
    with pytest.raises(SignInFailed, match=message):
        service.source.sign_in(lambda url: service.browse(url, **brought))
    assert service.forms == []
