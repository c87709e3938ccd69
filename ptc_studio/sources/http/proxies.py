"""Which proxy a request goes through: the environment's, as for every other program; never for this machine itself."""

import urllib.request
from urllib.parse import SplitResult, unquote, urlsplit

from ptc_studio.sources.http.errors import HttpUnreachable

_HERE = ("localhost", "127.", "::1")


def proxy_for(url: SplitResult) -> str | None:
    """The address of the proxy; raises HttpUnreachable for one of a kind that is not known."""
    host = url.hostname or ""
    if host.startswith(_HERE) or host.endswith(".localhost"):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or urllib.request.proxy_bypass(url.netloc.rpartition("@")[2]):
        return None
    scheme = urlsplit(proxy).scheme if "://" in proxy else "http"
    if scheme not in ("http", "https"):
        raise HttpUnreachable(
            f"The environment names a {scheme} proxy, which cannot be used: name one of http in {url.scheme}_proxy, "
            f"or add {host} to no_proxy."
        )
    return proxy if "://" in proxy else f"http://{proxy}"


def proxy_login(proxy: str) -> tuple[str, tuple[str, str] | None]:
    """The proxy's address without its user, and the user and password."""
    parts = urlsplit(proxy)
    plain = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return plain, (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
