r"""Secrets that a text names: `password=...`, cookies, and the user and password in an address.

What is named so is a secret only if it looks like one: code, forms and documentation are full of the names.
"""

import re
from collections.abc import Callable

from ptc_studio.core.redaction.keys import ending
from ptc_studio.core.redaction.shape import LOOSE_EDGE, SecretShape, credential, turns

_DUMMIES = frozenset({
    "password", "passwd", "passphrase", "passcode", "pass", "pw", "pwd", "secret", "secrets", "token", "tokens",
    "apikey", "api_key", "key", "keys", "user", "username", "string", "str", "text", "bytes", "number", "integer",
    "boolean", "bool", "object", "array", "any", "none", "null", "nil", "true", "false", "undefined", "required",
    "optional", "hidden", "input", "field", "value", "example", "sample", "dummy", "test", "testing", "changeme",
    "placeholder", "invalid", "incorrect", "expired", "missing", "unknown", "default", "disabled", "enabled",
    "unset", "empty", "redacted", "masked", "removed", "here",
})  # fmt: skip
_PLACEHOLDER = re.compile(
    r"(?i)[<{$%*\[].*|your.*|my.?(?:pass|secret|token|key).*|x{3,}.*|\.{3}.*|\*+|•+|(.)\1+|.*redacted.*"
)
_JOINED = re.compile(r"\+[A-Za-z_][\w.]*[),;\]]*")
_CODE = re.compile(r"[A-Za-z_]+|[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)+|[0-9]{1,5}|0x[0-9a-f]{1,8}")
"""A name, a member of something, a small number."""


def _is_dummy(value: str) -> bool:
    if value.startswith(("/", "~", "./")):
        # A path: `PWD=/home/ada`.
        return True
    lowered = value.lower().strip("_.-:!?")
    stem = lowered.rstrip("0123456789")
    # A name that ends with the word, as in `challengePassword`; or code behind the end of a text: `"PWD="+name`.
    named = value.isalpha() and lowered.endswith(("password", "passwd", "passphrase", "token", "secret", "key"))
    return not lowered or named or stem in _DUMMIES or bool(_PLACEHOLDER.fullmatch(value) or _JOINED.fullmatch(value))


def _password(match: re.Match[str]) -> bool:
    """Whether a word behind `password=` is one."""
    text, value = match.string, match["value"]
    if _is_dummy(value) or text[match.end() : match.end() + 1] in ("(", "[", "{"):
        return False
    if len(value) < 6:
        return False
    signs = {each for each in value if not each.isalnum() and each not in "_.-:/"}
    if len(signs) > 1 or (signs and (any(map(str.isdigit, value)) or turns(value))):
        return True
    if _in_form(match):
        return True
    if match["quote"]:
        return any(map(str.isdigit, value)) or turns(value) > 0
    return any(map(str.isdigit, value)) and not _CODE.fullmatch(value)


def _in_form(match: re.Match[str]) -> bool:
    """Whether it stands among the fields of a form or an address, or is given to a command or the environment."""
    text, name = match.string, match["name"]
    start = match.start()
    while start and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
        if match.start() - start > 40:
            return False
    before = text[max(0, start - 1) : start]
    if before in ("?", "&") or text[match.end() : match.end() + 1] == "&":
        return True
    whole = text[start : match.start()] + name
    if match["between"] != "=":
        return False
    return whole.startswith("--") or (whole.isupper() and before in ("", "\n", " ", ";", '"', "'", "`"))


def _secret(match: re.Match[str]) -> bool:
    """Whether a word behind `token=`, `api_key:` and the like is one."""
    text, value = match.string, match["value"]
    if _is_dummy(value) or _CODE.fullmatch(value) or text[match.end() : match.end() + 1] in ("(", "[", "{"):
        return False
    if not credential(value) or not any(map(str.isdigit, value)):
        return False
    start = match.start()
    while start and match.start() - start < 40 and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        start -= 1
    return ending(text[start : match.start()] + match["name"]) is not None


def _cookies(match: re.Match[str]) -> bool:
    """Whether one of the cookies is more than a word."""
    return any(credential(pair.partition("=")[2] or pair) for pair in match["value"].split(";"))


def _in_address(match: re.Match[str]) -> bool:
    value = match["value"]
    return len(value) >= 3 and not _is_dummy(value) and not (len(value) <= 5 and value.isdigit())


def _named(name: str, words: tuple[str, ...], check: Callable[[re.Match[str]], bool], least: int) -> SecretShape:
    either = "|".join(re.escape(word) for word in words)
    behind = r"""["'\\\]]{0,4}"""
    pattern = (
        rf"(?P<name>(?i:{either}))"
        rf"(?:{behind}(?P<between>[ \t]{{0,4}}(?:=>|:=|[:=])[ \t]{{0,4}})|(?<=--(?i:password))[ ])"
        rf"""(?P<quote>\\{{0,3}}["'`])?(?P<value>(?(quote)[^\s"'`\\]|[^\s"'`\\,;&<>()\[\]{{}}]){{{least},500}})"""
    )
    any_word = f"(?i:{either})"
    return SecretShape(
        name,
        words,
        re.compile(pattern),
        group="value",
        check=check,
        folded=True,
        gate=rf"""{any_word}(?:["'\\\]]{{0,4}}[ \t]{{0,4}}[:=]| )""",
        json_gate=rf"""{any_word}(?:(?:\\+["']|'|\]){{0,4}}[ \t]{{0,4}}[:=]| )""",
        encoded=False,
    )


_PAIR = r"""[A-Za-z0-9_.!#$%&*+^`|~-]{1,100}=[^\s;,"'\\]{0,4000}"""
_ADDRESS = r"""://[^\s/:@"'<>?#\\|]{0,200}:(?P<value>[^\s/@"'<>?#\\|]{1,300})@(?=[A-Za-z0-9\[_.%-])"""

NAMED_VALUES: tuple[SecretShape, ...] = (
    SecretShape(
        "sentry_dsn",
        ("://",),
        re.compile(r"://([0-9a-f]{32}(?::[0-9a-f]{32})?)@"),
        1,
        gate=r"://[0-9a-f]{32}[:@]",
        encoded=False,
    ),
    SecretShape(
        "url_password",
        ("://",),
        re.compile(_ADDRESS),
        "value",
        check=_in_address,
        gate=r"""://[^\s/:@"'<>]*:[^\s/@"'<>]+@""",
        encoded=False,
    ),
    SecretShape(
        "azure_account_key",
        ("accountkey=", "sharedaccesskey=", "sharedsecretissuer="),
        re.compile(r"(?i:accountkey|sharedaccesskey|sharedsecretissuer)=([A-Za-z0-9+/]{30,}={0,2})"),
        1,
        folded=True,
        encoded=False,
    ),
    SecretShape(
        "sas_signature",
        ("sig=",),
        re.compile(r"(?<=[?&;])sig=((?:[A-Za-z0-9+/_-]|%[0-9A-Fa-f]{2}){30,}={0,2})"),
        1,
        gate=r"[?&;]sig=",
        encoded=False,
    ),
    SecretShape(
        "cookie",
        ("cookie",),
        re.compile(
            r"""(?<=(?i:set)-)(?i:cookie2?)[\\"'\]]{0,4}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}[\\"'(]{0,3}"""
            r"""[A-Za-z0-9_.!#$%&*+^`|~-]{1,100}=(?P<value>[^\s;,"'\\]{6,4000})"""
        ),
        "value",
        check=_cookies,
        folded=True,
        gate=r"(?i:set-cookie)",
        encoded=False,
    ),
    SecretShape(
        "cookie",
        ("cookie",),
        re.compile(
            rf"""{LOOSE_EDGE}(?<!(?i:set)-)(?i:cookie)"""
            r"""[\\"'\]]{0,4}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}[\\"'(]{0,3}"""
            rf"""(?P<value>{_PAIR}(?:;[ \t]?{_PAIR}){{0,60}})"""
        ),
        "value",
        check=_cookies,
        folded=True,
        gate=r"""(?i:cookie)[\\"'\]]{0,4}[ \t]{0,4}(?:=>|[:=,])""",
        json_gate=r"""(?i:cookie)(?:\\+["']|'|\]){0,4}[ \t]{0,4}(?:=>|[:=,])""",
        encoded=False,
    ),
    _named("password", ("password", "passwd", "passphrase", "pwd"), _password, 6),
    _named(
        "secret_value",
        ("token", "secret", "api_key", "apikey", "api-key", "access_key", "accesskey", "access-key", "fastly-key"),
        _secret,
        10,
    ),
)
