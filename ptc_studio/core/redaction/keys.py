"""The names of keys whose values are secret, whatever they look like; and what the user says is no secret.

The built-in names count wherever a key ends with them, word by word, for the last word says what a thing is:
`card_token` is a token, `token_count` is a count. The user's own names count for whole keys alone: whoever hides
`name` does not mean `file_name`.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ptc_studio.core.redaction.redacted import MARKER_START, rule_name

WHOLE: tuple[str, ...] = (
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
    "privatekeyid",
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
"""Keys of exactly these names."""

ENDINGS: tuple[str, ...] = (
    "password",
    "password1",
    "password2",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "credential",
    "credentials",
    "apikey",
    "privatekey",
    "secretkey",
    "accesskey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "authkey",
    "subscriptionkey",
    "authcookie",
    "sessioncookie",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "apitoken",
    "clientsecret",
    "fastlykey",
)
"""Keys whose last words are these: `card_token`, `stripeSecretKey`."""

HARMLESS: dict[str, frozenset[str]] = {
    "token": frozenset({
        "next", "previous", "prev", "page", "paging", "pagination", "continuation", "continue", "cursor", "sync",
        "resume", "start", "end", "stop", "first", "last", "bos", "eos", "pad", "unk", "sep", "cls", "mask", "special",
        "per", "input", "output", "prompt", "completion",
    }),
    "password": frozenset({"forgot", "forgotten", "lost", "reset", "change"}),
}  # fmt: skip
"""What, right before an ending, makes it something else: a place in a list, a piece of text, a page of a site."""


BETWEEN = "-_ .:[]"
"""What may stand between, and behind, the words of a key."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SPACES = re.compile(r"[-_ ]+")
_SEPARATORS = re.compile(f"[{re.escape(BETWEEN)}]+")
_LAST_LETTERS = frozenset(name[-3:] for name in ENDINGS)
_MOST_WORDS = 3
"""No ending has more words, however it is taken apart: `pass_word`, `private key`."""
_LONGEST_RULE = 40
_CACHE_SIZE = 4096


def squash(key: str) -> str:
    """The key in one spelling: `apiKey`, `API-Key` and `api_key` are all `apikey`."""
    return key.lower().replace("_", "").replace("-", "").replace(" ", "")


class SecretKeys:
    """The built-in names and the user's own."""

    def __init__(self, extra: Iterable[str] = (), harmless: frozenset[str] = frozenset()) -> None:
        """`harmless` are keys, squashed, that count in no case."""
        self.extra = tuple(extra)
        self._harmless = harmless
        self.names = frozenset(WHOLE) | {squash(key) for key in self.extra if squash(key)}
        self._rules: dict[str, str | None] = {}

    def rule(self, key: str) -> str | None:
        """The rule that hides the key's value: the key itself in snake_case; none if the key is harmless."""
        try:
            return self._rules[key]
        except KeyError:
            rule = self._rule(key)
        # Keys of a result are few and come again; those of a hostile one must not fill the memory.
        if len(key) < 100:
            if len(self._rules) >= _CACHE_SIZE:
                self._rules.clear()
            self._rules[key] = rule
        return rule

    @property
    def remembered(self) -> int:
        """How many keys are known by heart; bounded, whatever a flood of results brings."""
        return len(self._rules)

    def knows(self, rule: str) -> bool:
        """Whether the rule's name is that of a secret key, and nothing else is in it."""
        return squash(rule) in self.names

    def _rule(self, key: str) -> str | None:
        flat = squash(key)
        if flat in self._harmless:
            return None
        if flat in self.names:
            return _snake_case(key)
        # Nearly all keys are told by this alone.
        if flat.rstrip(BETWEEN)[-3:] not in _LAST_LETTERS:
            return None
        found = ending(key)
        return found and (_snake_case(key) if len(key) <= _LONGEST_RULE else found)


def ending(key: str) -> str | None:
    """The last words of the key, if they make it a secret one."""
    if MARKER_START in key:
        # What it was called is hidden already, and the marker's words are not its own.
        return None
    words = _words(key)
    for count in range(1, min(_MOST_WORDS, len(words)) + 1):
        name = "".join(words[-count:])
        if name in ENDINGS and not _is_harmless(name, words[:-count]):
            return "_".join(words[-count:])
    return None


def _is_harmless(name: str, before: list[str]) -> bool:
    return bool(before) and before[-1] in HARMLESS.get(name, ())


def _words(key: str) -> list[str]:
    return [word for word in _SEPARATORS.split(_CAMEL.sub("_", key).lower()) if word]


def _snake_case(key: str) -> str:
    return rule_name(_SPACES.sub("_", _CAMEL.sub("_", key)).strip("_[]").lower())


PREFIX = "sha256:"
_NO_TEXTS: frozenset[str] = frozenset()


def fingerprint(value: str) -> str:
    """What stands for the value where exceptions are kept: if it was one after all, nothing is given away."""
    return PREFIX + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Exceptions:
    """All of them. The user's stored secrets are hidden whatever these say."""

    rules: frozenset[str] = _NO_TEXTS
    keys: frozenset[str] = _NO_TEXTS
    """In one spelling; see `squash`."""
    values: frozenset[str] = _NO_TEXTS
    """Fingerprints."""

    @classmethod
    def of(cls, rules: Iterable[str] = (), keys: Iterable[str] = (), values: Iterable[str] = ()) -> "Exceptions":
        return cls(frozenset(rules), frozenset(map(squash, keys)), frozenset(values))

    def __bool__(self) -> bool:
        return bool(self.rules or self.keys or self.values)

    def has_key(self, key: str) -> bool:
        return bool(self.keys) and squash(key) in self.keys

    def has_value(self, value: str) -> bool:
        return bool(self.values) and fingerprint(value) in self.values


NONE = Exceptions()
