"""What the tests of requests and commands share."""

import threading
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any

from ptc_studio.core.tools import Tool
from ptc_studio.sources.sign_in import MemoryTokens, SignIns
from tests.sources.fake_ticket import FakeTicket
from tests.sources.http.web_server import WebServer, answer


class Client:
    """A source of any kind, and short ways to its tools."""

    def __init__(self, source: Any) -> None:
        self.source = source

    @property
    def tools(self) -> dict[str, Tool]:
        return {tool.spec.name: tool for tool in self.source.refresh().tools}

    @property
    def errors(self) -> list[str]:
        return [error.message for error in self.source.refresh().errors]

    def call(self, name: str, /, ticket: FakeTicket | None = None, **arguments: Any) -> Any:
        tool = self.tools[name]
        return tool.invoke(tool.bind(arguments), ticket or FakeTicket())


class TokenEndpoint:
    """Where a source gets its tokens from, at a server, and the user who agrees to it in a browser."""

    def __init__(self, server: WebServer, token: str, refresh: str, refusal: Mapping[str, str]) -> None:
        self.server, self.lifetime, self.refuses = server, 3600, False
        self.forms: list[dict[str, str]] = []
        self.store, self.hidden = MemoryTokens(), set[str]()
        self.sign_ins = SignIns(self.store, lambda _name, value: self.hidden.add(value))
        self._token, self._refresh, self._refusal = token, refresh, refusal
        server.answers["/token"] = self._answer

    def browse(self, url: str, **instead: str) -> None:
        """A user who agrees, unless told otherwise."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        brought = {"code": "c0de", "state": asked["state"], **instead}
        back = f"{asked['redirect_uri']}?{urllib.parse.urlencode(brought)}"
        threading.Thread(target=lambda: urllib.request.urlopen(back, timeout=20).read(), daemon=True).start()

    def _answer(self, request: Any) -> Any:
        self.forms.append(dict(urllib.parse.parse_qsl(request.body.decode())))
        if self.refuses:
            return answer(self._refusal, "400 Bad Request")
        token = f"{self._token}-{len(self.forms)}"
        return answer({"access_token": token, "expires_in": self.lifetime, "refresh_token": self._refresh})
