"""OAuth from a document's security schemes: client credentials, and a person with a browser."""

import json
import threading
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.source import OpenApiSource
from ptc_studio.sources.references import References
from ptc_studio.sources.sign_in import MemoryTokens, SignInFailed, SignIns
from tests.sources.fake_ticket import FakeTicket
from tests.sources.http.web_server import WebServer, answer

CLIENT = "client_id=me client_secret=${secret:KEY} scope=read,write"


class Service:
    """A service with a token endpoint, and the source of its document."""

    def __init__(self, server: WebServer, folder: Path, flow: str) -> None:
        self.server, self.forms, self.lifetime, self.refuses = server, [], 3600, False
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
        server.answers["/token"] = self._token
        server.answers["/thing"] = lambda request: answer({"as": request.header("authorization")})
        self.store, self.hidden = MemoryTokens(), set()
        self.source = OpenApiSource(
            OpenApiEntry(name="api", document="api.json", auth={"login": CLIENT}),
            folder=folder,
            references=References({"KEY": "hush-hush"}.get),
            sign_ins=SignIns(self.store, lambda _name, value: self.hidden.add(value)),
        )

    def call(self) -> Any:
        [tool] = self.source.refresh().tools
        return tool.invoke(tool.bind({}), FakeTicket())

    def browse(self, url: str, **instead: str) -> None:
        """A user who agrees, unless told otherwise."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        brought = {"code": "c0de", "state": asked["state"], **instead}
        back = f"{asked['redirect_uri']}?{urllib.parse.urlencode(brought)}"
        threading.Thread(target=lambda: urllib.request.urlopen(back, timeout=20).read(), daemon=True).start()

    def _token(self, request: Any) -> Any:
        form = dict(urllib.parse.parse_qsl(request.body.decode()))
        self.forms.append(form)
        if self.refuses:
            return answer({"error": "invalid_client", "error_description": "Who are you?"}, "400 Bad Request")
        number = len(self.forms)
        return answer({"access_token": f"token-number-{number}", "expires_in": self.lifetime, "refresh_token": "again"})


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
