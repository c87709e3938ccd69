"""The forms in which a secret travels: as it is, and as URL, JSON and base64 encode it."""

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

_PERCENT = re.compile(r"%[0-9A-F]{2}")


def plain_forms(secret: str) -> set[str]:
    """The secret itself, URL-encoded and JSON-escaped."""
    data = secret.encode("utf-8", "surrogatepass")
    quoted = {quote(data), quote(data, safe=""), quote_plus(data)}
    lowered = {_PERCENT.sub(lambda match: match[0].lower(), form) for form in quoted}
    escaped = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    escaped |= {form.replace("/", "\\/") for form in escaped}
    return {secret} | quoted | lowered | escaped


def base64_forms(secret: str) -> set[str]:
    """What every base64 text around the secret contains, wherever in it the secret begins."""
    data = secret.encode("utf-8", "surrogatepass")
    cores = set(_cores(data))
    return cores | {core.replace("+", "-").replace("/", "_") for core in cores}


def _cores(data: bytes) -> Iterator[str]:
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + data).decode("ascii")
        # A character holds six bits: those that share bits with a neighbour or with the padding vary.
        yield encoded[-(-shift * 8 // 6) : (shift + len(data)) * 8 // 6]
