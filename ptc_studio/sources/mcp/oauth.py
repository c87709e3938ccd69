"""Signing in to a remote server by OAuth 2.1, through the SDK's provider; each step is told in the server's log."""

import asyncio
import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ptc_studio.sources.sign_in import HOST, PATH, LoopbackRedirect, OpenBrowser, SignInFailed, SignIns

if TYPE_CHECKING:
    import httpx2
    from mcp.client.auth import OAuthClientProvider
    from mcp.client.auth.oauth2 import OAuthContext
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthToken

    from ptc_studio.sources.mcp.process import LogLines

CLIENT_NAME = "PTC Studio"
ASK = "asks for a sign-in: use Sign in at the source, or `ptc-studio sign-in {name}`"


@dataclass(frozen=True, slots=True)
class OAuthSettings:
    """What the entry says, with its references resolved."""

    client_id: str = ""
    client_secret: str = ""
    metadata_url: str = ""
    """The address of a client metadata document, which is the client's id then."""
    scope: str = ""


class SavedTokens:
    """The tokens and the registration for one server, as one value of the keyring. The SDK's `TokenStorage`.

    A keyring may take seconds, hence the threads.
    """

    def __init__(self, name: str, url: str, sign_ins: SignIns, log: "LogLines | None" = None) -> None:
        digest = hashlib.sha256(url.encode()).hexdigest()[:12]
        self.key = f"oauth_{name}_{digest}"
        self._sign_ins = sign_ins
        self._log = log
        self.context: OAuthContext | None = None
        """The provider's, while there is one."""

    @property
    def has_tokens(self) -> bool:
        return "tokens" in self._read()

    def forget(self) -> bool:
        """Signs out; False if nobody was signed in."""
        known = bool(self._read())
        self._sign_ins.store.delete(self.key)
        return known

    async def get_tokens(self) -> "OAuthToken | None":
        from mcp.shared.auth import OAuthToken

        kept = (await asyncio.to_thread(self._read)).get("tokens")
        if kept is None:
            return None
        tokens = OAuthToken.model_validate(kept)
        self._hide(tokens)
        return tokens

    async def set_tokens(self, tokens: "OAuthToken") -> None:
        # Hidden before they are kept, so that no moment is left in which they could be shown.
        self._hide(tokens)
        metadata = self.context.oauth_metadata if self.context else None
        kept = {
            "tokens": tokens.model_dump(mode="json", exclude_none=True),
            "expires_at": time.time() + tokens.expires_in if tokens.expires_in is not None else None,
            "metadata": metadata.model_dump(mode="json", exclude_none=True) if metadata else None,
        }
        await asyncio.to_thread(self._write, kept)

    async def restore(self, context: "OAuthContext") -> None:
        """Has the provider know when the token expires and where it is refreshed: it forgets that at its end."""
        from mcp.shared.auth import OAuthMetadata

        self.context = context
        kept = await asyncio.to_thread(self._read)
        context.token_expiry_time = kept.get("expires_at")
        if kept.get("metadata"):
            context.oauth_metadata = OAuthMetadata.model_validate(kept["metadata"])

    async def get_client_info(self) -> "OAuthClientInformationFull | None":
        from mcp.shared.auth import OAuthClientInformationFull

        kept = (await asyncio.to_thread(self._read)).get("client")
        return OAuthClientInformationFull.model_validate(kept) if kept else None

    async def set_client_info(self, client_info: "OAuthClientInformationFull") -> None:
        client = client_info.model_dump(mode="json", exclude_none=True)
        await asyncio.to_thread(self._write, {"client": client})

    async def forget_client(self) -> None:
        """Has the client registered anew, such as because its address is taken."""
        await asyncio.to_thread(self._write, {"client": None})

    def _hide(self, tokens: "OAuthToken") -> None:
        for value in filter(None, (tokens.access_token, tokens.refresh_token)):
            self._sign_ins.hide(self.key, value)
            if self._log is not None:
                self._log.hide([value])

    def _read(self) -> dict[str, Any]:
        try:
            kept = json.loads(self._sign_ins.store.find(self.key) or "{}")
        except ValueError:
            return {}
        return kept if isinstance(kept, dict) else {}

    def _write(self, parts: Mapping[str, Any]) -> None:
        kept = {**self._read(), **parts}
        text = json.dumps({name: one for name, one in kept.items() if one is not None})
        self._sign_ins.store.set(self.key, text)


class SignIn:
    """One server's: makes the SDK's provider for a connection, with a browser if somebody asked for the sign-in."""

    def __init__(self, name: str, url: str, settings: OAuthSettings, sign_ins: SignIns, log: "LogLines") -> None:
        self._name, self._url, self._settings, self._log = name, url, settings, log
        self.tokens = SavedTokens(name, url, sign_ins, log)

    async def provider(
        self, open_browser: OpenBrowser | None, may_browse: Callable[[], bool]
    ) -> "tuple[OAuthClientProvider, LoopbackRedirect]":
        """The provider, and what is to be closed after it. Without a browser, tokens are used and refreshed only."""
        from mcp.client.auth import OAuthClientProvider

        redirect = await self._redirect()
        await self._take_given_client(redirect.url)
        provider = OAuthClientProvider(
            self._url,
            self._client_metadata(redirect.url),
            self.tokens,
            self._on_redirect(open_browser, may_browse),
            self._on_callback(redirect),
            self._settings.metadata_url or None,
        )
        await self.tokens.restore(provider.context)
        return provider, redirect

    async def _redirect(self) -> LoopbackRedirect:
        """On the port that the client was registered with, as long as it is free."""
        redirect, known = LoopbackRedirect(), await self.tokens.get_client_info()
        uris = [str(uri) for uri in known.redirect_uris or ()] if known else []
        port = next((urlsplit(uri).port for uri in uris if urlsplit(uri).hostname == HOST), None)
        if port is not None and await redirect.open(port):
            return redirect
        if not await redirect.open():
            raise SignInFailed("No port of this machine is free for the sign-in.")
        if known is not None and not self._settings.client_id:
            self._log.add("sign-in: the port of the last registration is taken, so the client is registered anew")
            await self.tokens.forget_client()
        return redirect

    async def _take_given_client(self, redirect_url: str) -> None:
        from mcp.shared.auth import OAuthClientInformationFull

        given = self._settings
        if given.client_id:
            method = "client_secret_post" if given.client_secret else "none"
            info: Mapping[str, Any] = {
                "client_id": given.client_id,
                "client_secret": given.client_secret or None,
                "redirect_uris": [redirect_url],
                "token_endpoint_auth_method": method,
            }
            await self.tokens.set_client_info(OAuthClientInformationFull.model_validate(info))

    def _client_metadata(self, redirect_url: str) -> Any:
        from mcp.shared.auth import OAuthClientMetadata

        return OAuthClientMetadata.model_validate(
            {
                "client_name": CLIENT_NAME,
                "redirect_uris": [redirect_url],
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": "client_secret_post" if self._settings.client_secret else "none",
                "scope": self._settings.scope or None,
            }
        )

    def _on_redirect(
        self, open_browser: OpenBrowser | None, may_browse: Callable[[], bool]
    ) -> Callable[[str], Awaitable[None]]:
        async def redirect(url: str) -> None:
            if open_browser is None or not may_browse():
                raise SignInFailed(f"The MCP server {self._name!r} {ASK.format(name=self._name)}.")
            self._log.add(f"sign-in: the browser is sent to {url.partition('?')[0]}")
            open_browser(url)

        return redirect

    def _on_callback(self, redirect: LoopbackRedirect) -> "Callable[[], Awaitable[AuthorizationCodeResult]]":
        async def callback() -> "AuthorizationCodeResult":
            from mcp.shared.auth import AuthorizationCodeResult

            self._log.add(f"sign-in: waiting for the browser at http://{HOST}{PATH}")
            brought = await redirect.redirected()
            self._log.add("sign-in: the browser came back with a code")
            return AuthorizationCodeResult(code=brought.code, state=brought.state, iss=brought.issuer)

        return callback


async def tell_step(response: "httpx2.Response", log: "LogLines", server_url: str) -> None:
    """Writes one step of a sign-in into the log: where it went and what came; never a value."""
    url = response.request.url
    plain = f"{url.scheme}://{url.netloc.decode('ascii', 'replace')}{url.path}"
    if plain == server_url.partition("?")[0] and response.status_code not in (401, 403):
        return
    log.add(f"sign-in: {response.request.method} {plain} answered {response.status_code} {response.reason_phrase}")
