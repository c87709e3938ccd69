"""Secrets that come by variables of the environment: taken out of it, so that no process that is started has them."""

import os
import re
from collections.abc import Iterator, Mapping

from ptc_studio.core.redaction import KnownSecrets

OVERRIDE = "PTC_SECRET_"
"""What a variable begins with that stands for a secret."""
VAULT_VARIABLE = "PTC_SECRETS_PASSPHRASE"
SECRET_VARIABLE = re.compile(
    r"(?i)(^|_)(api_?key|token|secrets?|(pg)?password|passwd|passphrase|credentials?|access_?key|private_?key)(_|$)"
)
_taken: dict[str, str] = {}


def take_secret_variables() -> None:
    """Has this process alone know them from now on: children inherit the rest of the environment."""
    for name in [name for name in os.environ if name.startswith(OVERRIDE) or name == VAULT_VARIABLE]:
        _taken[name] = os.environ.pop(name)


def own_variables() -> dict[str, str]:
    """Those of the secrets and their passphrase, taken or not: for the studio itself, and other windows of it."""
    left = {name: value for name, value in os.environ.items() if name.startswith(OVERRIDE) or name == VAULT_VARIABLE}
    return {**_taken, **left}


def override(name: str, variables: Mapping[str, str]) -> str | None:
    """The value that a variable gives a secret of that name."""
    found = variables.get(OVERRIDE + name)
    return variables.get(OVERRIDE + re.sub(r"\W", "_", name).upper()) if found is None else found


def secrets_of_environment() -> KnownSecrets:
    """What the environment holds in variables that are named as secrets are: it is hidden, too."""
    secrets = KnownSecrets()
    for name, value in _all_variables():
        if SECRET_VARIABLE.search(name):
            secrets.add(name, value)
    return secrets


def _all_variables() -> Iterator[tuple[str, str]]:
    yield from os.environ.items()
    yield from _taken.items()
