"""References resolved for one use, and their values kept out of what is said of it."""

import re
from typing import Any
from urllib.parse import quote, quote_plus

from ptc_studio.sources.json_texts import with_texts
from ptc_studio.sources.references import REFERENCE, References

_SHORTEST = 4
HIDDEN = "•••"


class UsedSecrets:
    """Resolves, and remembers what may not be shown. Lives as long as one request or command."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._values: set[str] = set()

    def __repr__(self) -> str:
        return "UsedSecrets()"

    def resolved(self, value: Any) -> Any:
        """The value with its references replaced; raises SourceFailed for one that leads nowhere."""
        return with_texts(value, lambda text: REFERENCE.sub(self._look_up, text))

    def _look_up(self, found: re.Match[str]) -> str:
        return self.hide(self._references.resolved(found[0]))

    def hide(self, value: str) -> str:
        """Has the value hidden, too, such as another form of a secret."""
        self._values.update(
            form for form in (value, quote(value, safe=""), quote_plus(value)) if len(form) >= _SHORTEST
        )
        return value

    def hidden(self, text: str) -> str:
        """The text without the secrets."""
        for value in sorted(self._values, key=len, reverse=True):
            text = text.replace(value, HIDDEN)
        return text
