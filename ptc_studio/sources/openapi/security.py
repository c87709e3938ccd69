"""How a request shows who sends it: keys of the user's, put where the document's security schemes want them."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.sources.openapi.documents import BrokenReference, Documents, Place
from ptc_studio.sources.openapi.operations import Operation
from ptc_studio.sources.used_secrets import UsedSecrets


class UnfitKeys(Exception):
    """Keys for a scheme that is none; the message says which there are."""


@dataclass(slots=True)
class Credentials:
    """What goes with one request."""

    headers: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    query: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    cookies: dict[str, str] = field(default_factory=dict[str, str], repr=False)


class Security:
    """The schemes of a document, and the references to the user's keys for them."""

    def __init__(self, documents: Documents, auth: Mapping[str, str]) -> None:
        document = documents.top()
        self._auth = auth
        self._default = document.get("security")
        self._schemes = _schemes(documents, document)
        for name in auth:
            if name not in self._schemes:
                known = f"it has {', '.join(self._schemes)}" if self._schemes else "it has none: use `headers`"
                raise UnfitKeys(f"has no security scheme {name!r} for the key under `auth`; {known}")

    @property
    def key_parameters(self) -> frozenset[tuple[str, str]]:
        """Places and names of keys that the user gave: no script has to pass them."""
        given = (self._schemes[name] for name in self._auth)
        return frozenset((str(one.get("in")), str(one.get("name"))) for one in given if one.get("type") == "apiKey")

    def ways(self, operation: Operation) -> tuple[tuple[str, ...], ...]:
        """The schemes of each way that the operation knows."""
        found = operation.node.get("security", self._default)
        if not isinstance(found, list):
            # The document does not say: what the user has keys for is used.
            return (tuple(self._auth),)
        return tuple(tuple(map(str, way)) for way in found if isinstance(way, dict))

    def credentials(self, ways: tuple[tuple[str, ...], ...], used: UsedSecrets) -> Credentials:
        """By the first way for which there are all keys; nothing if there is none. Raises SourceFailed."""
        credentials = Credentials()
        for name in next((way for way in ways if way and all(one in self._auth for one in way)), ()):
            self._apply(self._schemes[name], used.resolved(self._auth[name]), credentials, used)
        return credentials

    def hint(self, ways: tuple[tuple[str, ...], ...]) -> str:
        """What to do where the service does not let the request in."""
        if not ways or () in ways or any(all(one in self._auth for one in way) for way in ways):
            return ""
        wanted = " or ".join(" and ".join(map(repr, way)) for way in ways)
        return f"the document asks for {wanted}: give the key under `auth`"

    def _apply(self, scheme: dict[str, Any], key: str, credentials: Credentials, used: UsedSecrets) -> None:
        if scheme.get("type") == "apiKey":
            places = {"query": credentials.query, "cookie": credentials.cookies}
            places.get(str(scheme.get("in")), credentials.headers)[str(scheme.get("name"))] = key
        elif str(scheme.get("scheme")).lower() == "basic":
            packed = used.hide(base64.b64encode(key.encode()).decode())
            credentials.headers["Authorization"] = f"Basic {packed}"
        elif scheme.get("type") == "http" and str(scheme.get("scheme")).lower() != "bearer":
            credentials.headers["Authorization"] = f"{scheme.get('scheme')} {key}"
        else:
            credentials.headers["Authorization"] = f"Bearer {key}"


def _schemes(documents: Documents, document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    components = document.get("components")
    nodes = components.get("securitySchemes") if isinstance(components, dict) else None
    found: dict[str, dict[str, Any]] = {}
    for name, node in (nodes if isinstance(nodes, dict) else {}).items():
        try:
            resolved = documents.resolved(Place(node, documents.root)).node
        except BrokenReference:
            continue
        if isinstance(resolved, dict):
            found[name] = resolved
    return found
