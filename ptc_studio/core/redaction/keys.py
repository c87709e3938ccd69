"""The names of keys whose values are secret, whatever they look like."""

import re
from collections.abc import Iterable

from ptc_studio.core.redaction.markers import rule_name

_BUILT_IN: tuple[str, ...] = (
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "userpassword",
    "dbpassword",
    "databasepassword",
    "oldpassword",
    "newpassword",
    "currentpassword",
    "adminpassword",
    "rootpassword",
    "secret",
    "secrets",
    "clientsecret",
    "apisecret",
    "appsecret",
    "consumersecret",
    "sharedsecret",
    "signingsecret",
    "webhooksecret",
    "secretvalue",
    "apikey",
    "xapikey",
    "openaiapikey",
    "anthropicapikey",
    "apitoken",
    "xapitoken",
    "token",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "bearertoken",
    "idtoken",
    "sessiontoken",
    "securitytoken",
    "oauthtoken",
    "bottoken",
    "secrettoken",
    "jwttoken",
    "csrftoken",
    "xsrftoken",
    "xauthtoken",
    "xaccesstoken",
    "xcsrftoken",
    "githubtoken",
    "personalaccesstoken",
    "awssessiontoken",
    "xamzsecuritytoken",
    "devicetoken",
    "authorization",
    "proxyauthorization",
    "cookie",
    "cookies",
    "setcookie",
    "sessioncookie",
    "privatekey",
    "privatekeypem",
    "sshprivatekey",
    "secretkey",
    "secretaccesskey",
    "awssecretaccesskey",
    "accesskey",
    "awsaccesskey",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "sessionkey",
    "accountkey",
    "storagekey",
    "authkey",
    "credential",
    "credentials",
)

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[-_ ]+")
_CACHE_SIZE = 4096


def squash(key: str) -> str:
    """The key in one spelling: `apiKey`, `API-Key` and `api_key` are all `apikey`."""
    return key.lower().replace("_", "").replace("-", "").replace(" ", "")


class SecretKeys:
    """The built-in names and the user's own."""

    def __init__(self, extra: Iterable[str] = ()) -> None:
        self.extra = tuple(extra)
        self.names = frozenset(_BUILT_IN) | {squash(key) for key in self.extra if squash(key)}
        self._rules: dict[str, str | None] = {}

    def rule(self, key: str) -> str | None:
        """The rule that hides the key's value: the key itself in snake_case; none if the key is harmless."""
        try:
            return self._rules[key]
        except KeyError:
            rule = _snake_case(key) if squash(key) in self.names else None
        # Keys of a result are few and come again; those of a hostile one must not fill the memory.
        if len(self._rules) < _CACHE_SIZE and len(key) < 100:
            self._rules[key] = rule
        return rule

    def knows(self, rule: str) -> bool:
        """Whether the rule's name is that of a secret key."""
        return squash(rule) in self.names


def _snake_case(key: str) -> str:
    return rule_name(_SEPARATORS.sub("_", _CAMEL.sub("_", key)).strip("_").lower())
