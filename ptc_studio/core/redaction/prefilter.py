"""The quick look at a value's JSON text that spares walking the value: it may be wrong only by calling for a walk."""

from ptc_studio.core.redaction.gates import Gate
from ptc_studio.core.redaction.keys import SecretKeys
from ptc_studio.core.redaction.secrets import KnownSecrets
from ptc_studio.core.redaction.shapes import GATE_PATTERNS

_SHALLOW = 200
"""A value with fewer brackets than this is not too deep to show."""


class Prefilter:
    """Knows the shapes, keys and secrets whose absence from a JSON text proves that nothing is to be hidden."""

    def __init__(self, keys: SecretKeys, secrets: KnownSecrets) -> None:
        self._secrets = secrets
        # Lower-casing or escaping could hide other names from a comparison with the text.
        self._usable = all(name.isascii() and name.isalnum() for name in keys.names)
        if self._usable:
            escape = r"\\u"
            self._gate = Gate([*GATE_PATTERNS, escape, f"(?i:{'|'.join(map(_spellings, sorted(keys.names)))})"])

    def clean(self, text: bytes) -> bool:
        """Whether a walk of the value with this JSON text would find nothing."""
        if not self._usable or self._gate.opens(text):
            return False
        needles = self._secrets.needles()
        # The escapes that are left, such as \\n, cannot stand in the midst of a shape or a key, but of a known secret.
        if needles.texts and (b"\\" in text or needles.touch_utf8(text)):
            return False
        return len(text) < _SHALLOW or text.count(b"[") + text.count(b"{") < _SHALLOW


def _spellings(name: str) -> str:
    """A pattern for every key that is squashed to this name."""
    separators = "[-_ ]*"
    return f'"{separators}{separators.join(name)}{separators}"'
