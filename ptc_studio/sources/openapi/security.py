"""How a request shows who sends it: keys of the user's, put where the document's security schemes want them."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin

from ptc_studio.sources.http.auth import Credentials
from ptc_studio.sources.http.client import HARMLESS_HEADERS
from ptc_studio.sources.http.messages import UnconfirmedServer
from ptc_studio.sources.http.oauth import SchemeTokens, client_of
from ptc_studio.sources.http.templates import origin_of
from ptc_studio.sources.openapi.documents import BrokenDocumentReference, DocumentLocation, Documents
from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.operations import Operation
from ptc_studio.sources.references import REFERENCE, References, UsedSecrets

TokensFor = Callable[[str, Mapping[str, Any]], SchemeTokens]


class UnfitKeys(Exception):
    """Keys for a scheme that is none; the message says which there are."""


class Security:
    """The schemes of a document, and the references to the user's keys for them."""

    def __init__(self, documents: Documents, auth: Mapping[str, str], tokens: TokensFor) -> None:
        document = documents.top()
        self._auth = auth
        self._default = document.get("security")
        self.schemes = _schemes(documents, document)
        for name in auth:
            if name not in self.schemes:
                known = f"it has {', '.join(self.schemes)}" if self.schemes else "it has none: use `headers`"
                raise UnfitKeys(f"has no security scheme {name!r} for the key under `auth`; {known}")
        self.tokens = {
            name: tokens(name, self.schemes[name])
            for name, value in auth.items()
            if self.schemes[name].get("type") == "oauth2" and client_of(value) is not None
        }
        """Of the OAuth schemes for which the user gave a client, and not a token."""

    @property
    def key_parameters(self) -> frozenset[tuple[str, str]]:
        """Places and names of keys that the user gave: no script has to pass them."""
        given = (self.schemes[name] for name in self._auth)
        return frozenset((str(one.get("in")), str(one.get("name"))) for one in given if one.get("type") == "apiKey")

    def ways(self, operation: Operation) -> tuple[tuple[str, ...], ...]:
        """The schemes of each way that the operation knows."""
        found = operation.node.get("security", self._default)
        if not isinstance(found, list):
            # The document does not say: what the user has keys for is used.
            return (tuple(self._auth),)
        return tuple(tuple(map(str, way)) for way in found if isinstance(way, dict))

    def chosen(self, ways: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
        """The first way for which there are all keys; empty if there is none."""
        return next((way for way in ways if way and all(one in self._auth for one in way)), ())

    def credentials(self, ways: tuple[tuple[str, ...], ...], used: UsedSecrets) -> Credentials:
        """By the way that is chosen; nothing if there is none. Raises SourceFailed."""
        credentials = Credentials()
        for name in self.chosen(ways):
            key = used.resolved(self._auth[name])
            client = client_of(key) if name in self.tokens else None
            if client is not None:
                key = self.tokens[name].token(client, used)
            credentials.apply(self.schemes[name], key, used)
        return credentials

    def hint(self, ways: tuple[tuple[str, ...], ...]) -> str:
        """What to do where the service does not let the request in."""
        if not ways or () in ways or any(all(one in self._auth for one in way) for way in ways):
            return ""
        wanted = " or ".join(" and ".join(map(repr, way)) for way in ways)
        return f"the document asks for {wanted}: give the key under `auth`"


def _schemes(documents: Documents, document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    components = document.get("components")
    nodes = components.get("securitySchemes") if isinstance(components, dict) else None
    found: dict[str, dict[str, Any]] = {}
    for name, node in (nodes if isinstance(nodes, dict) else {}).items():
        try:
            resolved = documents.resolved(DocumentLocation(node, documents.root)).node
        except BrokenDocumentReference:
            continue
        if isinstance(resolved, dict):
            found[name] = resolved
    return found


class CredentialOrigins:
    """The servers that the user's keys and headers may go to: the document's own, and those that the user named."""

    def __init__(self, entry: OpenApiEntry, address: str | None, references: References) -> None:
        """`address` is the document's own, if it came from the web."""
        self._entry = entry
        self._address = address
        self._references = references
        self.has_headers = any(
            name.lower() not in HARMLESS_HEADERS or REFERENCE.search(value) for name, value in entry.headers.items()
        )
        """Whether every request has headers of the user's own that may be keys."""

    def check(self, url: str) -> None:
        """Raises UnconfirmedServer for an address at any other server."""
        if not self.allows(url):
            origin, name = origin_of(url), self._entry.name
            raise UnconfirmedServer(
                f"Nothing was sent to {origin}: the document of {name!r} names that server, and your keys and headers "
                f"would go there. If that is meant, write `allow_origins: [{origin}]` into the source {name!r} of "
                "studio.yaml, or its `base_url`."
            )

    def allows(self, url: str) -> bool:
        """Whether they may be sent to that address."""
        named = (self._address, self._references.resolved(self._entry.base_url), *self._entry.allow_origins)
        return origin_of(url) in {origin_of(each) for each in named if each}


class NoServer(Exception):
    """Nobody knows where; the message completes a sentence that begins with the document."""


class Servers:
    """Finds the address for each operation."""

    def __init__(self, entry: OpenApiEntry, document: dict[str, Any], address: str | None) -> None:
        self._entry = entry
        self._servers = _list(document)
        self._address = address
        """The document's own, if it came from the web."""

    def base_url(self, operation: Operation | None = None) -> str:
        """The address without a slash at its end; raises NoServer."""
        if self._entry.base_url is not None:
            return self._entry.base_url.rstrip("/")
        own = (_list(operation.node) or _list(operation.item.node)) if operation else []
        server = own[0] if own else self._chosen()
        url = self._with_variables(server)
        if not url.startswith(("http://", "https://")):
            if self._address is None:
                raise NoServer("does not say where the service is: give its address as `base_url`")
            url = urljoin(self._address, url)
        return url.partition("?")[0].rstrip("/")

    def _chosen(self) -> dict[str, Any]:
        if not self._servers:
            return {"url": "/"}
        if self._entry.server >= len(self._servers):
            count = len(self._servers)
            raise NoServer(f"has {count} server{'s' * (count != 1)}, so there is no number {self._entry.server}")
        return self._servers[self._entry.server]

    def _with_variables(self, server: dict[str, Any]) -> str:
        url = str(server.get("url", "/"))
        variables = server.get("variables")
        for name, node in (variables if isinstance(variables, dict) else {}).items():
            node = node if isinstance(node, dict) else {}
            value = self._entry.variables.get(name, str(node.get("default", "")))
            allowed = node.get("enum")
            if isinstance(allowed, list) and allowed and value not in map(str, allowed):
                raise NoServer(f"takes {', '.join(map(str, allowed))} for the variable {name!r}, not {value!r}")
            url = url.replace(f"{{{name}}}", value)
        if "{" in url:
            missing = url.partition("{")[2].partition("}")[0]
            raise NoServer(f"has a variable {missing!r} in its server's address: give it under `variables`")
        return url


def _list(node: dict[str, Any]) -> list[dict[str, Any]]:
    servers = node.get("servers")
    return [server for server in servers if isinstance(server, dict)] if isinstance(servers, list) else []
