"""An authorization server and an MCP server that it protects, both of the official SDK, on a port of this machine."""

import asyncio
import json
import secrets
import socket
import threading
import time
import urllib.request
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizeError,
    ProviderTokenVerifier,
    RefreshToken,
    TokenError,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.lowlevel import Server
from mcp.shared.auth import OAuthToken


class Provider:
    """Whatever a test wants of the one who gives tokens."""

    def __init__(self) -> None:
        self.clients: dict[str, Any] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.access: dict[str, AccessToken] = {}
        self.refresh: dict[str, RefreshToken] = {}
        self.lifetime = 3600
        self.denies = False
        self.audience: str | None = None
        self.issued: list[str] = []
        self.asked: list[list[str] | None] = []
        self.refreshed = 0

    async def get_client(self, client_id: str) -> Any:
        return self.clients.get(client_id)

    async def register_client(self, client_info: Any) -> None:
        self.clients[client_info.client_id] = client_info.model_copy(update={"scope": "use admin"})

    async def authorize(self, client: Any, params: Any) -> str:
        self.asked.append(params.scopes)
        if self.denies:
            raise AuthorizeError("access_denied", "The user said no.")
        code = secrets.token_urlsafe(16)
        self.codes[code] = AuthorizationCode(
            code=code, scopes=params.scopes or ["use"], expires_at=time.time() + 60, client_id=client.client_id,
            code_challenge=params.code_challenge, redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly, resource=params.resource,
        )  # fmt: skip
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, client: Any, authorization_code: str) -> Any:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client: Any, authorization_code: AuthorizationCode) -> OAuthToken:
        self.codes.pop(authorization_code.code, None)
        return self._issue(client.client_id, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, client: Any, refresh_token: str) -> Any:
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(self, client: Any, refresh_token: RefreshToken, scopes: list[str]) -> OAuthToken:
        if self.refresh.pop(refresh_token.token, None) is None:
            raise TokenError("invalid_grant", "gone")
        self.refreshed += 1
        return self._issue(client.client_id, scopes or refresh_token.scopes, refresh_token.resource)

    async def load_access_token(self, token: str) -> AccessToken | None:
        found = self.access.get(token)
        return found if found and (found.expires_at or 0) > time.time() else None

    async def revoke_token(self, token: Any) -> None:
        self.access.pop(token.token, None)

    def revoke_all(self) -> None:
        self.access.clear()
        self.refresh.clear()

    def _issue(self, client_id: str, scopes: list[str], resource: str | None) -> OAuthToken:
        access, refresh = (f"tok-{secrets.token_urlsafe(24)}" for _ in range(2))
        self.issued += [access, refresh]
        self.access[access] = AccessToken(
            token=access, client_id=client_id, scopes=scopes, expires_at=int(time.time()) + self.lifetime,
            resource=self.audience or resource,
        )  # fmt: skip
        self.refresh[refresh] = RefreshToken(token=refresh, client_id=client_id, scopes=scopes, resource=resource)
        return OAuthToken(
            access_token=access,
            refresh_token=refresh,
            expires_in=self.lifetime,
            scope=" ".join(scopes),
            token_type="Bearer",
        )


class ProtectedServer:
    """Runs in a thread of its own; `browse` is a browser whose user agrees to everything."""

    def __init__(self) -> None:
        self.provider = Provider()
        bound = socket.socket()
        bound.bind(("127.0.0.1", 0))
        bound.listen(64)
        self.base = f"http://127.0.0.1:{bound.getsockname()[1]}"
        self.url = f"{self.base}/mcp"
        self.browsed: list[str] = []
        server = Server("protected", on_list_tools=self._list, on_call_tool=self._call)
        settings = AuthSettings(
            issuer_url=self.base, resource_server_url=self.url, required_scopes=["use"], validate_token_resource=True,
            client_registration_options=ClientRegistrationOptions(
                enabled=True, valid_scopes=["use", "admin"], default_scopes=["use"]
            ),
        )  # fmt: skip
        app = server.streamable_http_app(
            auth=settings, token_verifier=ProviderTokenVerifier(self.provider), auth_server_provider=self.provider
        )
        self._uvicorn = uvicorn.Server(
            uvicorn.Config(self._stepping_up(app), log_config=None, log_level="critical", timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(target=lambda: asyncio.run(self._uvicorn.serve([bound])), daemon=True)
        self._thread.start()
        while not self._uvicorn.started:
            time.sleep(0.01)

    def browse(self, url: str) -> None:
        self.browsed.append(url)
        threading.Thread(target=lambda: urllib.request.urlopen(url, timeout=20).read(), daemon=True).start()

    def close(self) -> None:
        self._uvicorn.should_exit = self._uvicorn.force_exit = True
        self._thread.join(10)

    async def _list(self, _ctx: Any, _params: Any) -> types.ListToolsResult:
        schema = {"type": "object"}
        return types.ListToolsResult(tools=[types.Tool(name=name, input_schema=schema) for name in ("use", "admin")])

    async def _call(self, _ctx: Any, params: Any) -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(type="text", text=f"did {params.name}")])

    def _stepping_up(self, app: Any) -> Any:
        """The tool `admin` needs a scope of its own."""

        async def wrapped(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] != "http" or scope["path"] != "/mcp" or scope["method"] != "POST":
                await app(scope, receive, send)
                return
            message = await receive()
            body = message.get("body", b"")
            token = dict(scope["headers"]).get(b"authorization", b"").decode().removeprefix("Bearer ")
            known = self.provider.access.get(token)
            if b'"name":"admin"' in body.replace(b" ", b"") and known and "admin" not in known.scopes:
                challenge = 'Bearer error="insufficient_scope", scope="use admin"'
                headers = [(b"www-authenticate", challenge.encode()), (b"content-type", b"application/json")]
                await send({"type": "http.response.start", "status": 403, "headers": headers})
                await send({"type": "http.response.body", "body": json.dumps({"error": "insufficient_scope"}).encode()})
                return
            sent = False

            async def again() -> Any:
                nonlocal sent
                if not sent:
                    sent = True
                    return message
                return await receive()

            await app(scope, again, send)

        return wrapped
