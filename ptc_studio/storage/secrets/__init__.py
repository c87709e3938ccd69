"""Named secrets: `store` finds and keeps them, in the `keyring` or in the encrypted `vault`; `names` lists them,
`variables` are those of the environment, `dotenv` reads files of them."""

from ptc_studio.storage.secrets.keyring import BoundedKeyring, KeyringFailed
from ptc_studio.storage.secrets.store import SecretPlace, Secrets
from ptc_studio.storage.secrets.variables import own_variables, secrets_of_environment, take_secret_variables
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
