"""`${env:NAME}` and `${secret:NAME}` in the workspace file: looked up when they are used, never stored."""

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from ptc_studio.sources.json_texts import with_texts
from ptc_studio.sources.source import SourceFailed

REFERENCE = re.compile(r"\$\{(?P<kind>[a-z]+):(?P<name>[^}]*)\}")
FindSecret = Callable[[str], str | None]


class References:
    """Puts values in the place of references."""

    def __init__(self, secret: FindSecret = lambda _name: None, environment: Mapping[str, str] | None = None) -> None:
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
            return self._environment[name]
        if kind == "secret":
            value = self._secret(name)
            if value is None:
                raise SourceFailed(f"There is no secret {name!r}: add it to the secrets, or change {found[0]}.")
            return value
        raise SourceFailed(f"{found[0]} is no reference: write ${{env:NAME}} or ${{secret:NAME}}.")
