"""Tokens for a document's OAuth schemes: by client credentials, or by a person who signs in with a browser."""

import asyncio
import base64
import hashlib
import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.messages import HttpRequest, HttpResponse
from ptc_studio.sources.references import UsedSecrets
from ptc_studio.sources.sign_in import LoopbackRedirect, OpenBrowser, SignInFailed, SignIns

_PART = re.compile(r"(client_id|client_secret|scope)=([^\s]+)")
_ADDRESSES = ("authorizationUrl", "tokenUrl", "refreshUrl")
EARLY = 30.0
"""Seconds before its end from which on a token is not used any longer."""
SECONDS = 30.0
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """Who asks for tokens."""

    client_id: str
    client_secret: str = ""
    scope: str = ""


def client_of(value: str) -> OAuthClient | None:
    """The client that stands under `auth` as `client_id=… client_secret=… scope=a,b`; None for a ready token."""
    found = dict(_PART.findall(value))
    if "client_id" not in found:
        return None
    scope = found.get("scope", "").replace(",", " ")
    return OAuthClient(found["client_id"], found.get("client_secret", ""), scope)


class SchemeTokens:
    """The tokens of one scheme of one source. Any thread may ask; one at a time gets a new one."""

    def __init__(
        self,
        source: str,
        name: str,
        scheme: Mapping[str, Any],
        client: HttpClient,
        sign_ins: SignIns,
        check: Callable[[str], None] = lambda _address: None,
    ) -> None:
        """`check` raises where nothing of the client's may be sent to an address that the scheme names."""
        self._check = check
        flows = scheme.get("flows")
        self._flows: Mapping[str, Any] = flows if isinstance(flows, Mapping) else {}
        self._name = name
        self._client = client
        self._sign_ins = sign_ins
        self._key = f"oauth_{source}_{name}"
        self._lock = threading.Lock()
        self._own: tuple[OAuthClient, str, float] | None = None

    @property
    def takes_person(self) -> bool:
        """Whether somebody can sign in."""
        return "authorizationCode" in self._flows

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the client's secret, its codes and its tokens are sent."""
        flows = (self._flows.get(name) for name in ("authorizationCode", "clientCredentials"))
        found = (flow.get(field) for flow in flows if isinstance(flow, Mapping) for field in _ADDRESSES)
        return tuple(dict.fromkeys(address for address in found if isinstance(address, str)))

    def token(self, client: OAuthClient, used: UsedSecrets) -> str:
        """A token that is still good; raises SignInFailed."""
        with self._lock:
            token = self._signed_in(client) if self.takes_person else None
            if token is None and "clientCredentials" in self._flows:
                token = self._by_credentials(client)
            if token is None:
                raise SignInFailed(f"The scheme {self._name!r} asks for a sign-in: use Sign in at the source.")
        self._sign_ins.hide(self._key, token)
        return used.hide(token)

    def sign_in(self, client: OAuthClient, open_browser: OpenBrowser, tell: Tell) -> None:
        """Has a person sign in, and keeps what comes of it; waits for it."""
        kept = asyncio.run(self._authorized(client, open_browser, tell))
        with self._lock:
            self._save(kept)

    def forget(self) -> bool:
        """Signs out; False if nobody was signed in."""
        with self._lock:
            known = self._sign_ins.store.find(self._key) is not None
            self._sign_ins.store.delete(self._key)
            self._own = None
            return known

    def _by_credentials(self, client: OAuthClient) -> str:
        if self._own is None or self._own[0] != client or self._own[2] < time.time():
            asked = {"grant_type": "client_credentials", **({"scope": client.scope} if client.scope else {})}
            got = self._asked(self._address("clientCredentials", "tokenUrl"), asked, client)
            self._own = (client, got["access_token"], got["expires_at"])
        return self._own[1]

    def _signed_in(self, client: OAuthClient) -> str | None:
        kept = json.loads(self._sign_ins.store.find(self._key) or "{}")
        if kept.get("access_token") and kept.get("expires_at", 0) > time.time():
            return kept["access_token"]
        if not kept.get("refresh_token"):
            return None
        flow = self._flows["authorizationCode"]
        address = flow.get("refreshUrl") or self._address("authorizationCode", "tokenUrl")
        try:
            got = self._asked(address, {"grant_type": "refresh_token", "refresh_token": kept["refresh_token"]}, client)
        except SignInFailed:
            # It was revoked, or is too old: a person has to sign in again.
            return None
        self._save({"refresh_token": kept["refresh_token"], **got})
        return got["access_token"]

    async def _authorized(self, client: OAuthClient, open_browser: OpenBrowser, tell: Tell) -> dict[str, Any]:
        for address in self.addresses:
            self._check(address)
        redirect = LoopbackRedirect()
        if not await redirect.open():
            raise SignInFailed("No port of this machine is free for the sign-in.")
        verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
        digest = hashlib.sha256(verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": client.client_id,
            "redirect_uri": redirect.url,
            "state": state,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            **({"scope": client.scope} if client.scope else {}),
        }
        try:
            address = self._address("authorizationCode", "authorizationUrl")
            tell(f"sign-in: the browser is sent to {address.partition('?')[0]}")
            open_browser(f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}")
            brought = await redirect.redirected()
        finally:
            redirect.close()
        if not secrets.compare_digest(brought.state or "", state):
            raise SignInFailed("The browser came back with another state than it was sent with: try again.")
        tell("sign-in: the browser came back with a code")
        form = {
            "grant_type": "authorization_code",
            "code": brought.code,
            "redirect_uri": asked["redirect_uri"],
            "code_verifier": verifier,
        }
        got = await asyncio.to_thread(self._asked, self._address("authorizationCode", "tokenUrl"), form, client)
        tell("sign-in: the token is there")
        return got

    def _address(self, flow: str, field: str) -> str:
        address = self._flows[flow].get(field) if isinstance(self._flows[flow], Mapping) else None
        if not isinstance(address, str) or not address.startswith(("http://", "https://")):
            raise SignInFailed(f"The document has no usable {field!r} for the scheme {self._name!r}.")
        return address

    def _asked(self, address: str, form: Mapping[str, str], client: OAuthClient) -> dict[str, Any]:
        """What the token endpoint gives; raises SignInFailed with its own words, and never with a secret."""
        self._check(address)
        sent = {**form, "client_id": client.client_id}
        if client.client_secret:
            sent["client_secret"] = client.client_secret
        headers = (("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"))
        request = HttpRequest("POST", address, f"The token of {self._name!r}", headers, urlencode(sent).encode())
        answer = self._client.send(request, None, seconds=SECONDS)
        document = _document(answer)
        token = document.get("access_token")
        if not 200 <= answer.status < 300 or not isinstance(token, str):
            why = document.get("error_description") or document.get("error") or answer.reason
            raise SignInFailed(f"The token endpoint of {self._name!r} answered {answer.status}: {str(why)[:200]}")
        lasts = document.get("expires_in")
        until = time.time() + max(float(lasts) - EARLY, 1.0) if isinstance(lasts, int | float) else time.time() + 3600
        more = {"refresh_token": document["refresh_token"]} if isinstance(document.get("refresh_token"), str) else {}
        return {"access_token": token, "expires_at": until, **more}

    def _save(self, kept: Mapping[str, Any]) -> None:
        for name in ("access_token", "refresh_token"):
            if kept.get(name):
                self._sign_ins.hide(self._key, kept[name])
        self._sign_ins.store.set(self._key, json.dumps(kept))


def _document(answer: HttpResponse) -> dict[str, Any]:
    try:
        document = json.loads(answer.body)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
