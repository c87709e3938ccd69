"""Connects to the addresses that the rules have checked. Imported when the first request is made."""

from typing import Any

import httpcore2

from ptc_studio.sources.builtin.web_tools import HostRules
from ptc_studio.sources.http.network import BreakableBackend


class GuardedBackend(BreakableBackend):
    """Asks the rules at the connection itself, and connects by number: nobody looks the name up again."""

    def __init__(self, rules: HostRules) -> None:
        super().__init__()
        self._rules = rules

    def connect_tcp(self, host: str, port: int, *more: Any, **options: Any) -> httpcore2.NetworkStream:
        try:
            addresses = self._rules.addresses(host, port)
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        last: Exception = httpcore2.ConnectError("the host has no address")
        for address in addresses:
            try:
                return super().connect_tcp(address, port, *more, **options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                last = error
        raise last

    def connect_unix_socket(self, *_arguments: Any, **_options: Any) -> httpcore2.NetworkStream:
        raise httpcore2.ConnectError("sockets of this machine are not for http_get")
