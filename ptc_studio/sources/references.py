"""`${env:NAME}` and `${secret:NAME}` in the workspace file: looked up when they are used, never stored."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from ptc_studio.core.errors import PtcError
from ptc_studio.core.redaction.shape import credential
from ptc_studio.sources.source import SourceFailed


def texts_in(value: Any) -> Iterator[str]:
    """A text itself, or every text of a list or mapping, in order; keys are no texts."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from texts_in(item)


def with_texts(value: Any, change: Callable[[str], Any]) -> Any:
    """The value with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: with_texts(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(with_texts(item, change) for item in value)
    return value


def secrets_in(entry: Any) -> Iterator[str]:
    """The names of the secrets that an entry of the workspace file refers to."""
    value = entry.model_dump(mode="json") if hasattr(entry, "model_dump") else entry
    for text in texts_in(value):
        yield from (found["name"] for found in REFERENCE.finditer(text) if found["kind"] == "secret")


def with_secret_renamed(value: Any, name: str, to: str) -> Any:
    """The value with references to one secret leading to another."""
    return with_texts(value, lambda text: text.replace(f"${{secret:{name}}}", f"${{secret:{to}}}"))


REFERENCE = re.compile(r"\$\{(?P<kind>[a-z]+):(?P<name>[^}]*)\}")
FindSecret = Callable[[str], str | None]


class References:
    """Puts values in the place of references."""

    def __init__(
        self,
        secret: FindSecret = lambda _name: None,
        environment: Mapping[str, str] | None = None,
        used: Callable[[str, str], None] = lambda _name, _value: None,
    ) -> None:
        """`used` is told of each variable of the environment whose value looks like a secret."""
        self._used = used
        self._secret = secret
        self._environment = os.environ if environment is None else environment

    def resolved(self, value: Any) -> Any:
        """The value with every reference in its texts replaced; raises SourceFailed for one that leads nowhere."""
        return with_texts(value, lambda text: REFERENCE.sub(self._look_up, text))

    def _look_up(self, found: re.Match[str]) -> str:
        kind, name = found["kind"], found["name"]
        if kind == "env":
            if name not in self._environment:
                raise SourceFailed(f"The environment variable {name!r} is not set: set it, or change {found[0]}.")
            value = self._environment[name]
            if credential(value) and not value.startswith(("/", "~", "http://", "https://")):
                self._used(name, value)
            return value
        if kind == "secret":
            try:
                value = self._secret(name)
            except PtcError as error:
                raise SourceFailed(f"The secret {name!r} cannot be had: {error}") from None
            if value is None:
                raise SourceFailed(f"There is no secret {name!r}: add it to the secrets, or change {found[0]}.")
            return value
        raise SourceFailed(f"{found[0]} is no reference: write ${{env:NAME}} or ${{secret:NAME}}.")


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
