"""Named secrets: `store` finds and keeps them, in the `keyring`, which has a list of them, or in the encrypted `vault`;
`environment` has those of variables and of `.env` files."""

from ptc_studio.storage.secrets.environment import own_variables, secrets_of_environment, take_secret_variables
from ptc_studio.storage.secrets.keyring import BoundedKeyring, KeyringFailed
from ptc_studio.storage.secrets.store import SecretPlace, Secrets
from ptc_studio.storage.secrets.vault import SecretsError, SecretsLocked

__all__ = [
    "BoundedKeyring",
    "KeyringFailed",
    "SecretPlace",
    "Secrets",
    "SecretsError",
    "SecretsLocked",
    "own_variables",
    "secrets_of_environment",
    "take_secret_variables",
]
