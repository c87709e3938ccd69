"""Telling a random token from words: what keeps the loose shapes precise."""

import re
from itertools import pairwise

_SEPARATORS = re.compile(r"[^A-Za-z0-9]+")

_IDENTIFIER = re.compile(r"[_.]*+(?:[A-Z]?[a-z]{2,}+[_.]?+)++")


def mixed(token: str) -> bool:
    """Whether the token has a digit, or letters of both cases."""
    return any(map(str.isdigit, token)) or (token != token.lower() and token != token.upper())


def random_body(token: str) -> bool:
    """Whether what follows a telling prefix is more than hyphenated words."""
    parts = _SEPARATORS.split(token)
    if any(len(part) >= 20 or (len(part) >= 12 and mixed(part)) for part in parts):
        return True
    return len(token) >= 16 and _rich(token, digits=3)


def random_loose(token: str) -> bool:
    """The same after a prefix that ordinary words have too, such as `sk-`."""
    if any(len(part) >= 16 and mixed(part) for part in _SEPARATORS.split(token)):
        return True
    return len(token) >= 32 and _rich(token, digits=4)


def credential(token: str) -> bool:
    """Whether a word after `Bearer` or `Authorization:` is a credential and not prose."""
    parts = _SEPARATORS.split(token)
    if any(_credential_part(part) for part in parts):
        return True
    return len(token) >= 20 and sum(map(str.isdigit, token)) >= 4


def unnamed(token: str) -> bool:
    """The same where no known scheme stands before it: an identifier of code is none either."""
    return credential(token) and (token == token.lower() or not _IDENTIFIER.fullmatch(token))


def basic(token: str) -> bool:
    """Whether a word after `Basic` is base64 and not prose."""
    if len(token) < 6:
        return False
    return token.endswith("=") or any(map(str.isdigit, token)) or _turns(token) > 0


def _credential_part(part: str) -> bool:
    if len(part) >= 20:
        return True
    return (len(part) >= 8 and any(map(str.isdigit, part))) or (len(part) >= 12 and _turns(part) >= 2)


def _rich(token: str, digits: int) -> bool:
    return sum(map(str.isdigit, token)) >= digits and token != token.lower() and token != token.upper()


def _turns(token: str) -> int:
    return sum(one.islower() and other.isupper() for one, other in pairwise(token))
