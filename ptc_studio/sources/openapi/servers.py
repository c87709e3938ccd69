"""Where the service is: what the user says, else what the document says."""

from typing import Any
from urllib.parse import urljoin

from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.operations import Operation


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
