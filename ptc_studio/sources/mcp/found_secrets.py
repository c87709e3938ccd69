"""Finds keys in the settings of servers, and puts references in their place."""

import re

from ptc_studio.core.redaction import Redactor
from ptc_studio.core.redaction.keys import SecretKeys

_REFERENCE = re.compile(r"\$\{[a-z]+:[^}]*\}")
_PLACEHOLDER = re.compile(r"(?i)^(<.*>|\[.*\]|x{3,}|\*+|\.{3}|your[-_ ].*|.*[-_ ]here|change[-_ ]?me)$")
_SCHEME = re.compile(r"(?i)^(bearer|basic|token|apikey)\s+")


class FoundSecrets:
    """The keys that were found, by name, and the names whose value is not known."""

    def __init__(self) -> None:
        self._keys = SecretKeys()
        self._redactor = Redactor()
        self.values: dict[str, str] = {}
        self.missing: list[str] = []

    def needed(self, name: str) -> str:
        """A reference to a secret that the user has to give."""
        if name not in self.missing:
            self.missing.append(name)
        return f"${{secret:{name}}}"

    def variable(self, server: str, name: str, value: str) -> str:
        """The value of a variable of the environment, or a reference in its place."""
        if not self._is_secret(name, value):
            return value
        return self._kept(name, server, value)

    def header(self, server: str, name: str, value: str) -> str:
        """The same for a header; the scheme before the key stays."""
        if not self._is_secret(name, value) and name.lower() != "authorization":
            return value
        scheme = _SCHEME.match(value)
        start = scheme.end() if scheme else 0
        return value[:start] + self._kept(f"{server}_{name}", server, value[start:])

    def argument(self, server: str, value: str) -> str:
        """The same for an argument, where only the key's shape can tell."""
        option, equals, rest = value.partition("=")
        if equals and option.startswith("-"):
            if self._is_secret(option.lstrip("-"), rest):
                return option + equals + self._kept(f"{server}_{option.lstrip('-')}", server, rest)
            return value
        return self._kept(f"{server}_key", server, value) if self._has_shape(value) else value

    def _is_secret(self, name: str, value: str) -> bool:
        if not value or _REFERENCE.search(value):
            return False
        return self._keys.rule(name) is not None or self._has_shape(value)

    def _has_shape(self, value: str) -> bool:
        return bool(self._redactor.text(value, "import").redactions)

    def _kept(self, name: str, server: str, value: str) -> str:
        if not value or _REFERENCE.search(value):
            return value
        name = re.sub(r"\W+", "_", name).upper()
        if _PLACEHOLDER.match(value):
            return self.needed(name)
        if self.values.get(name, value) != value:
            name = re.sub(r"\W+", "_", f"{server}_{name}").upper()
        base, number = name, 2
        while self.values.get(name, value) != value:
            name, number = f"{base}_{number}", number + 1
        self.values[name] = value
        return f"${{secret:{name}}}"
