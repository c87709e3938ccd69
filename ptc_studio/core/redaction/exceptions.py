"""What a rule hid and the user says is no secret: one value, what stands under a key, or all that a rule finds."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from ptc_studio.core.redaction.keys import squash

PREFIX = "sha256:"
_NO_TEXTS: frozenset[str] = frozenset()


def fingerprint(value: str) -> str:
    """What stands for the value where exceptions are kept: if it was one after all, nothing is given away."""
    return PREFIX + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Exceptions:
    """All of them. The user's stored secrets are hidden whatever these say."""

    rules: frozenset[str] = _NO_TEXTS
    keys: frozenset[str] = _NO_TEXTS
    """In one spelling; see `squash`."""
    values: frozenset[str] = _NO_TEXTS
    """Fingerprints."""

    @classmethod
    def of(cls, rules: Iterable[str] = (), keys: Iterable[str] = (), values: Iterable[str] = ()) -> "Exceptions":
        return cls(frozenset(rules), frozenset(map(squash, keys)), frozenset(values))

    def __bool__(self) -> bool:
        return bool(self.rules or self.keys or self.values)

    def has_key(self, key: str) -> bool:
        return bool(self.keys) and squash(key) in self.keys

    def has_value(self, value: str) -> bool:
        return bool(self.values) and fingerprint(value) in self.values


NONE = Exceptions()
