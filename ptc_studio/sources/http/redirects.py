"""Where an answer leads to another address: what is asked there, and what is not told there."""

from dataclasses import replace
from urllib.parse import SplitResult, urljoin, urlsplit

from ptc_studio.sources.http.addresses import encoded_address, is_address
from ptc_studio.sources.http.errors import HttpUnusable
from ptc_studio.sources.http.messages import HttpRequest, HttpResponse

MAX_REDIRECTS = 5
_KEEPING = (307, 308)
_CHANGING = (301, 302, 303)
# All else may be a key: what a header of the user's own means is not known here.
_HARMLESS = frozenset(("accept", "accept-language", "content-type", "user-agent"))
_PORTS = {"http": 80, "https": 443}


def redirected(request: HttpRequest, response: HttpResponse) -> HttpRequest | None:
    """The next request; None where there is none. Raises HttpUnusable for one that would be careless."""
    location = response.headers.get("location")
    if not location or response.status not in (*_KEEPING, *_CHANGING):
        return None
    try:
        url = encoded_address(urljoin(request.url, location.partition("#")[0]))
    except ValueError:
        url = ""
    if not is_address(url):
        raise HttpUnusable(f"{request.label} leads to an address that is none: check what the server sends.")
    here, there = urlsplit(request.url), urlsplit(url)
    if (here.scheme, there.scheme) == ("https", "http"):
        raise HttpUnusable(
            f"{request.label} leads from https to http, where everybody can read it: it is not followed."
        )
    following = replace(request, url=url)
    if response.status in _CHANGING and request.method not in ("GET", "HEAD"):
        kept = tuple(header for header in request.headers if not header[0].lower().startswith("content-"))
        following = replace(following, method="GET", body=None, headers=kept)
    if _origin(here) != _origin(there):
        harmless = tuple(header for header in following.headers if header[0].lower() in _HARMLESS)
        following = replace(following, headers=harmless)
    return following


def _origin(url: SplitResult) -> tuple[str, str, int]:
    return url.scheme, (url.hostname or "").lower(), url.port or _PORTS.get(url.scheme, 0)
