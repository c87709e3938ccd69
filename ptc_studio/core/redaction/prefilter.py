"""The quick look at a value's JSON text that spares walking the value: it may be wrong only by calling for a walk."""

import re

from ptc_studio.core.redaction.gates import Gate, literal
from ptc_studio.core.redaction.key_names import ENDINGS
from ptc_studio.core.redaction.keys import BETWEEN, SecretKeys
from ptc_studio.core.redaction.secrets import KnownSecrets
from ptc_studio.core.redaction.shapes import GATE_PATTERNS

_SHALLOW = 200
"""A value with fewer brackets than this is not too deep to show."""
_END = r'"[ \t\r\n]*:'
"""A text that is a value may end like a key, but no colon follows."""
_KEYS = re.compile(rf'"([^"]*+)(?={_END})'.encode())
"""Finds every key of a JSON text without escapes, and perhaps what stands between two strings."""


class Prefilter:
    """Knows the shapes, keys and secrets whose absence from a JSON text proves that nothing is to be hidden."""

    def __init__(self, keys: SecretKeys, secrets: KnownSecrets) -> None:
        self._keys = keys
        self._secrets = secrets
        # Lower-casing or escaping could hide other names from a comparison with the text.
        self._usable = all(name.isascii() and name.isalnum() for name in keys.names)
        if self._usable:
            escape = r"\\u"
            certain = [*GATE_PATTERNS, escape, f"(?i:{'|'.join(map(_spellings, sorted(keys.names)))})"]
            self._certain = Gate(certain)
            self._gate = Gate([*certain, f"(?i:{'|'.join(map(_endings, ENDINGS))})"])

    def clean(self, text: bytes) -> bool:
        """Whether a walk of the value with this JSON text would find nothing."""
        if not self._usable or (self._gate.opens(text) and not self._only_seemed(text)):
            return False
        needles = self._secrets.needles()
        # The escapes that are left, such as \\n, cannot stand in the midst of a shape or a key, but of a known secret.
        if needles.texts and (b"\\" in text or needles.touch_utf8(text)):
            return False
        return len(text) < _SHALLOW or text.count(b"[") + text.count(b"{") < _SHALLOW

    def _only_seemed(self, text: bytes) -> bool:
        """Whether it was keys that do not count: many a list ends with its `next_page_token`."""
        if self._certain.opens(text) or b"\\" in text:
            return False
        return all(self._keys.rule(key.decode("utf-8", "replace")) is None for key in set(_KEYS.findall(text)))


def _spellings(name: str) -> str:
    """A pattern for every key that is squashed to this name."""
    separators = "[-_ ]*"
    return f'"{separators}{separators.join(name)}{separators}{_END}'


def _endings(name: str) -> str:
    """A pattern for every key that ends with the words of this name, and for some others."""
    separators = f"[{literal(BETWEEN)}]*"
    return f"{separators.join(name)}{separators}{_END}"
