"""The quick look at a value's JSON text that spares walking the value: it may be wrong only by calling for a walk."""

from ptc_studio.core.redaction.keys import SecretKeys
from ptc_studio.core.redaction.secrets import KnownSecrets
from ptc_studio.core.redaction.shapes import triggered

_SHALLOW = 200
"""A value with fewer brackets than this is not too deep to show."""


class Prefilter:
    """Knows the names and secrets whose absence from a JSON text proves that nothing is to be hidden."""

    def __init__(self, keys: SecretKeys, secrets: KnownSecrets) -> None:
        self._secrets = secrets
        names = keys.names
        # Lower-casing or escaping could hide other names from a plain comparison.
        self._usable = all(name.isascii() and name.isalnum() for name in names)
        self._roots = tuple(name for name in names if not any(other != name and other in name for other in names))
        self._quoted = tuple(f'"{name}"' for name in names)

    def clean(self, text: str) -> bool:
        """Whether a walk of the value with this JSON text would find nothing."""
        if not self._usable or triggered(text) or self._has_secret_key(text):
            return False
        needles = self._secrets.needles()
        # An escape can stand in the midst of what is looked for; \n and the like cannot, save in a known secret.
        if "\\" in text and (needles.texts or "\\u" in text):
            return False
        if needles.touch(text):
            return False
        return len(text) < _SHALLOW or text.count("[") + text.count("{") < _SHALLOW

    def _has_secret_key(self, text: str) -> bool:
        squashed = text.lower().replace("_", "").replace("-", "").replace(" ", "")
        for root in self._roots:
            if root in squashed:
                return any(name in squashed for name in self._quoted)
        return False
