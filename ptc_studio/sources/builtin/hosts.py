"""Which hosts `http_get` may speak to. Asked with the very address that is then connected to."""

import ipaddress
import socket
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from ptc_studio.sources.builtin.entry import ANY_PUBLIC_HOST
from ptc_studio.sources.http.errors import HttpRefused

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], list[str]]
"""From a host and a port to its addresses; raises OSError."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def system_addresses(host: str, port: int) -> list[str]:
    """What the system's resolver says."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(item[4][0]) for item in found))


class HostRules:
    """Without any patterns every public host; else those that fit, wherever they are."""

    def __init__(self, patterns: Sequence[str], resolve: Resolve = system_addresses) -> None:
        self._patterns = [pattern.lower() for pattern in patterns if pattern != ANY_PUBLIC_HOST]
        self._public = not patterns or ANY_PUBLIC_HOST in patterns
        self._resolve = resolve

    def addresses(self, host: str, port: int) -> list[str]:
        """Where to connect to. The name is looked up once: a second answer could be another. Raises HttpRefused."""
        host = host.strip("[]").rstrip(".").lower()
        if any(_fits(pattern, host, port) for pattern in self._patterns):
            return self._resolve(host, port)
        if not self._public:
            raise HttpRefused(f"The host {host!r} is not in `http_hosts` of the built-in tools: add it there.")
        found = self._resolve(host, port)
        for address in found:
            if not is_public(address):
                raise HttpRefused(
                    f"The host {host!r} is {address}, on this machine or in its network, where http_get does not go: "
                    f"add '{host}:{port}' to `http_hosts` of the built-in tools if it is meant."
                )
        return found


def is_public(address: str) -> bool:
    """Whether the address is one of the internet at large, also where it wraps another."""
    try:
        found: Address = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = _wrapped(found)
    return found.is_global and not found.is_multicast and (inner is None or is_public(str(inner)))


def _wrapped(address: Address) -> Address | None:
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


def _fits(pattern: str, host: str, port: int) -> bool:
    name, colon, wanted = pattern.rpartition(":")
    if not colon or not wanted.isdigit() or (":" in name and not name.endswith("]")):
        return fnmatchcase(host, pattern.strip("[]"))
    return port == int(wanted) and fnmatchcase(host, name.strip("[]"))
