"""The face of redaction: raw values go in, `Redacted` ones come out, without what stands under secret keys."""

import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Optional, TypeAlias, cast

from pydantic_core import PydanticSerializationError, to_json

from ptc_studio.core.redaction.encoded import ENCODED_GATES
from ptc_studio.core.redaction.keys import BETWEEN, ENDINGS, NONE, Exceptions, SecretKeys, ending
from ptc_studio.core.redaction.patterns import UserPattern
from ptc_studio.core.redaction.redacted import SEAL, HiddenPart, Redacted, Redaction, marker
from ptc_studio.core.redaction.secrets import KnownSecrets
from ptc_studio.core.redaction.shape import SubstringFilter, literal, utf8
from ptc_studio.core.redaction.shapes import JSON_GATE_PATTERNS
from ptc_studio.core.redaction.text import REACH, StreamRedactor, TextRules

Path: TypeAlias = Optional[tuple["Path", str | int]]  # noqa: UP045  (a string cannot be joined by |)

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def spell(path: Path) -> str:
    """The chain as text: `$.user.password`, `$.items[0]`, `$['odd key']`."""
    steps: list[str] = []
    while path is not None:
        path, step = path
        steps.append(_spell_step(step))
    return "$" + "".join(reversed(steps))


def _spell_step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if _PLAIN.fullmatch(step):
        return f".{step}"
    return "['" + step.replace("\\", "\\\\").replace("'", "\\'") + "']"


DEEPEST = 200
TOO_DEEP = "[too deep to show]"
_LEARNABLE = range(8, 4097)
_WORDLESS = 16
_PASSWORDS = ("password", "passwd", "pwd", "passphrase", "secret", "key", "passcode")
_ORDINARY = re.compile(
    r"(?i)(?:your|my|the|no|not|a|an)[_ .-].*|(.)\1*|.*(?:password|secret|token|api.?key|redacted|example|required"
    r"|optional|disabled|enabled|undefined|changeme|unknown|default|anonymous|unlimited|placeholder).*"
)
"""What stands under a secret key and is none: it would be hidden wherever somebody says the word."""


def is_learnable(rule: str, value: str) -> bool:
    """Whether the value, found under a secret key, is one to hide wherever else it comes."""
    if len(value) not in _LEARNABLE:
        return False
    digits, letters = any(map(str.isdigit, value)), any(map(str.isalpha, value))
    if digits and letters and not any(map(str.isspace, value)):
        return True
    if _ORDINARY.fullmatch(value):
        return False
    if rule.endswith(_PASSWORDS):
        return True
    # A token may be one of a language: `{"token": "operator"}`.
    return len(value) >= _WORDLESS and not any(map(str.isspace, value))


class KeyReader:
    """Learns what stands under the secret keys of a value, and nothing else: what must be done before it is used."""

    def __init__(self, keys: SecretKeys, rules: TextRules) -> None:
        self._keys = keys
        self._rules = rules

    def learn(self, value: Any, depth: int = 0) -> None:
        """Goes through the value."""
        if depth >= DEEPEST:
            return
        if isinstance(value, dict):
            for key, item in cast("dict[Any, Any]", value).items():
                rule = self._keys.rule(key) if isinstance(key, str) else None
                self._take(rule, item) if rule else self.learn(item, depth + 1)
        elif isinstance(value, (list, tuple)):
            for item in cast("list[Any]", value):
                self.learn(item, depth + 1)

    def _take(self, rule: str, value: Any) -> None:
        if isinstance(value, str) and self._rules.exceptions.has_value(value):
            return
        if isinstance(value, str) and not self._rules.is_marker(value) and is_learnable(rule, value):
            self._rules.secrets.learn(rule, value)
        elif isinstance(value, (dict, list, tuple)):
            inside = cast("dict[Any, Any] | list[Any]", value)
            for item in list(inside.values()) if isinstance(inside, dict) else inside:
                if isinstance(item, str) and len(item) >= _WORDLESS and is_learnable("token", item):
                    self._rules.secrets.learn(rule, item)


class Walk:
    """One walk through one value."""

    def __init__(self, keys: SecretKeys, rules: TextRules, where: str, budget: int | None = None) -> None:
        self._keys = keys
        self._rules = rules
        self._where = where
        self._budget = budget
        """How many more characters of JSON are wanted; what lies beyond is left out."""
        self._found: dict[Redaction, None] = {}
        self.findings: list[HiddenPart] | None = None
        """If it is a list, what was hidden is put there, too."""

    @property
    def redactions(self) -> tuple[Redaction, ...]:
        """What was hidden, in the order of the walk."""
        return tuple(self._found)

    def value(self, value: Any, path: Path = None, depth: int = 0) -> Any:
        """The value without its secrets; the very same object if it has none."""
        if isinstance(value, str):
            return self._text(value, path)
        if value is None or isinstance(value, (int, float)):
            self._spend(1)
            return value
        if depth >= DEEPEST:
            return self._text(TOO_DEEP, path)
        if isinstance(value, dict):
            return self._dict(cast("dict[str, Any]", value), path, depth)
        if isinstance(value, (list, tuple)):
            return self._list(cast("list[Any]", value), path, depth)
        # Not of JSON: shown as text, so that nothing slips through unseen.
        return self._text(str(value), path)

    def _list(self, items: list[Any], path: Path, depth: int) -> list[Any]:
        result: list[Any] = []
        same = True
        for index, item in enumerate(items):
            if self._spent():
                return result
            new = self.value(item, (path, index), depth + 1)
            same = same and new is item
            result.append(new)
        return items if same else result

    def _dict(self, items: dict[str, Any], path: Path, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        same = True
        for key, item in items.items():
            if self._spent():
                return result
            name = self._key(key, path)
            rule = self._keys.rule(key)
            if rule and name is not key:
                # What is hidden in the key must not stand in the rule.
                rule = ending(key) or "key"
            step = (path, name)
            new = self._secret(item, rule, step) if rule else self.value(item, step, depth + 1)
            same = same and new is item and name is key
            result[name if name not in result else _another(name, result)] = new
        return items if same else result

    def _key(self, key: str, path: Path) -> str:
        name, rules = self._rules.redact(key)
        self._note(rules, (path, name))
        self._spend(len(name) + 2)
        return name

    def _secret(self, value: Any, rule: str, path: Path) -> Any:
        if value is None or isinstance(value, bool) or value == "":
            return value
        if isinstance(value, str):
            if self._rules.is_marker(value):
                return value
            if self._rules.exceptions.has_value(value):
                return self._text(value, path)
            self._learn(rule, value)
        if self.findings is not None:
            self.findings.append(HiddenPart(rule, spell(path), value if isinstance(value, str) else _json(value)))
        self._note((rule,), path)
        self._spend(len(rule) + 13)
        return marker(rule)

    def _text(self, text: str, path: Path) -> str:
        if self._budget is not None and len(text) > self._budget:
            result, rules = self._rules.redact_head(text, max(self._budget, 0))
            self._budget = -1
        else:
            result, rules = self._rules.redact(text)
            self._spend(len(result) + 2)
        if rules and self.findings is not None:
            spans = self._rules.spans(text)
            self.findings += [
                HiddenPart(each.rule, spell(path), text[each.start : each.end], each.start) for each in spans
            ]
        self._note(rules, path)
        return result

    def _learn(self, rule: str, value: str) -> None:
        if is_learnable(rule, value):
            self._rules.secrets.learn(rule, value)

    def _note(self, rules: tuple[str, ...], path: Path) -> None:
        for rule in rules:
            self._found[Redaction(rule, self._where, spell(path))] = None

    def _spend(self, size: int) -> None:
        if self._budget is not None:
            self._budget -= size

    def _spent(self) -> bool:
        return self._budget is not None and self._budget < 0


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return TOO_DEEP


def _another(name: str, taken: dict[str, Any]) -> str:
    """A name that is free: two secret keys must not become one."""
    number = 2
    while f"{name}#{number}" in taken:
        number += 1
    return f"{name}#{number}"


_SHALLOW = 200
"""A value with fewer brackets than this is not too deep to show."""
_END = r'"[ \t\r\n]*:'
"""A text that is a value may end like a key, but no colon follows."""
_KEYS = re.compile(rf'"([^"]*+)(?={_END})'.encode())
"""Finds every key of a JSON text without escapes, and perhaps what stands between two strings."""


class Prefilter:
    """Knows the shapes, keys and secrets whose absence from a JSON text proves that nothing is to be hidden."""

    def __init__(self, keys: SecretKeys, secrets: KnownSecrets) -> None:
        self._keys = keys
        self._secrets = secrets
        # Lower-casing or escaping could hide other names from a comparison with the text.
        self._usable = all(name.isascii() and name.isalnum() for name in keys.names)
        if self._usable:
            escape = r"\\u"
            spellings = "|".join(map(_spellings, sorted(keys.names)))
            certain = [*JSON_GATE_PATTERNS, *ENCODED_GATES, escape, f"(?i:{spellings})"]
            self._certain = SubstringFilter(certain)
            self._gate = SubstringFilter([*certain, f"(?i:{'|'.join(map(_endings, ENDINGS))})"])
            names = "|".join([spellings, *map(_endings, ENDINGS)])
            self._names = SubstringFilter([escape, f"(?i:{names})"])

    def quiet(self, text: bytes) -> bool:
        """Whether there is no shape of a secret and no secret key in the JSON text, and nothing that looks like one."""
        return self._usable and not self._gate.opens(text)

    def clean(self, text: bytes, *, quiet: bool = False) -> bool:
        """Whether a walk of the value with this JSON text, which may be known to be quiet, would find nothing."""
        if not quiet and not self.quiet(text) and not (self._usable and self._only_seemed(text)):
            return False
        needles = self._secrets.needles()
        # The escapes that are left, such as \\n, cannot stand in the midst of a shape or a key, but of a known secret.
        if needles.texts and (b"\\" in text or needles.touch_utf8(text)):
            return False
        if needles.older and needles.older.touch(text.decode("utf-8", "replace")):
            return False
        return len(text) < _SHALLOW or text.count(b"[") + text.count(b"{") < _SHALLOW

    def has_keys(self, text: bytes) -> bool:
        """Whether the value with this JSON text may have a secret key."""
        return not self._usable or self._names.opens(text)

    def _only_seemed(self, text: bytes) -> bool:
        """Whether it was keys that do not count: many a list ends with its `next_page_token`."""
        if self._certain.opens(text) or b"\\" in text:
            return False
        return all(self._keys.rule(key.decode("utf-8", "replace")) is None for key in set(_KEYS.findall(text)))


def _spellings(name: str) -> str:
    """A pattern for every key that is squashed to this name."""
    separators = "[-_ ]*"
    return f'"{separators}{separators.join(name)}{separators}{_END}'


def _endings(name: str) -> str:
    """A pattern for every key that ends with the words of this name, and for some others."""
    separators = f"[{literal(BETWEEN)}]*"
    return f"{separators.join(name)}{separators}{_END}"


class Redactor:
    """Hides secrets by the built-in rules and the user's own; any thread may use it."""

    def __init__(
        self,
        *,
        keys: Iterable[str] = (),
        patterns: Iterable[tuple[str, str]] = (),
        secrets: KnownSecrets | None = None,
        exceptions: Exceptions = NONE,
    ) -> None:
        self.secrets = KnownSecrets() if secrets is None else secrets
        self.exceptions = exceptions
        self._keys = SecretKeys(keys, exceptions.keys)
        self._patterns = tuple(UserPattern(name, pattern) for name, pattern in patterns)
        self._rules = TextRules(self._keys, self._patterns, self.secrets, exceptions)
        self._prefilter = Prefilter(self._keys, self.secrets)

    def extended(self, keys: Iterable[str] = (), patterns: Iterable[tuple[str, str]] = ()) -> "Redactor":
        """A copy with more keys and patterns and the same known secrets."""
        mine = [(pattern.name, pattern.pattern) for pattern in self._patterns]
        return Redactor(
            keys=[*self._keys.extra, *keys],
            patterns=[*mine, *patterns],
            secrets=self.secrets,
            exceptions=self.exceptions,
        )

    def value(
        self,
        value: Any,
        where: str,
        *,
        json_text: str | bytes | None = None,
        limit: int | None = None,
        quiet: bool = False,
    ) -> Redacted:
        """A JSON value without its secrets, sharing what is untouched: the caller must not change it afterwards.

        `json_text` is the value's JSON as the caller has it already, and `quiet` what `learn` said of it; both only
        save time. A value whose JSON is longer than `limit` bytes becomes the beginning of that JSON, as a string.
        """
        if limit is not None:
            if json_text is None:
                json_text = _encoded(value)
            if json_text is None or (len(json_text) if type(json_text) is bytes else _size(json_text)) > limit:
                return self._excerpt(value, where, json_text, limit)
        if json_text is not None and not self._patterns and self._prefilter.clean(_bytes(json_text), quiet=quiet):
            return Redacted(SEAL, value)
        return Redacted(SEAL, *self._walked(value, where))

    def learn(self, json_text: bytes, value: Callable[[], Any]) -> bool:
        """Learns what stands under secret keys: before anybody is given the value, for he may print it at once.

        True if nothing in it so much as looks like a secret; see `value`.
        """
        if self._prefilter.quiet(json_text):
            return True
        if self._prefilter.has_keys(json_text):
            with suppress(RecursionError, ValueError):
                KeyReader(self._keys, self._rules).learn(value())
        return False

    def text(self, text: str, where: str) -> Redacted:
        """A text without its secrets."""
        result, rules = self._rules.redact(text)
        return Redacted(SEAL, result, tuple(Redaction(rule, where, "$") for rule in rules))

    def explained(self, value: Any) -> list[HiddenPart]:
        """What is hidden of a value or a text, with what it is: see `HiddenPart`."""
        walk = Walk(self._keys, self._rules, "lens")
        walk.findings = []
        with suppress(RecursionError):
            walk.value(value)
        return walk.findings

    def remembering(self, redacted: Redacted, before: tuple[Redaction, ...]) -> Redacted:
        """The same with what had been hidden in it before it came here: a marker does not tell by itself."""
        found = tuple(dict.fromkeys((*before, *redacted.redactions)))
        return Redacted(SEAL, redacted.value, found, redacted.truncated)

    def stream(self, where: str = "stdout") -> StreamRedactor:
        """For a text that comes in pieces."""
        return StreamRedactor(self._rules, where)

    def _walked(self, value: Any, where: str, budget: int | None = None) -> tuple[Any, tuple[Redaction, ...]]:
        version = self.secrets.version
        walk = Walk(self._keys, self._rules, where, budget)
        try:
            result = walk.value(value)
            if self.secrets.version != version:
                # A secret learned under its key may also stand in what was passed before.
                walk = Walk(self._keys, self._rules, where, budget)
                result = walk.value(value)
        except RecursionError:
            return TOO_DEEP, ()
        return result, walk.redactions

    def _excerpt(self, value: Any, where: str, json_text: str | bytes | None, limit: int) -> Redacted:
        if json_text is not None and not self._patterns:
            # Four bytes are the most that UTF-8 needs for a character.
            head = _decoded(json_text[: (limit + REACH) * (4 if isinstance(json_text, bytes) else 1)])
            if self._prefilter.clean(utf8(head[: limit + REACH])):
                return Redacted(SEAL, head[:limit], truncated=True)
        result, redactions = self._walked(value, where, limit)
        text = _decoded(_encoded(result) or json.dumps(result, separators=(",", ":")))
        if json_text is None and len(text) <= limit:
            return Redacted(SEAL, result, redactions)
        return Redacted(SEAL, text[:limit], redactions, truncated=True)


def _encoded(value: Any) -> bytes | None:
    """The value's JSON, if it has one: too deep a value or half a surrogate pair has not."""
    try:
        return to_json(value)
    except (PydanticSerializationError, ValueError, RecursionError):
        return None


def _size(json_text: str | bytes) -> int:
    if isinstance(json_text, bytes) or json_text.isascii():
        return len(json_text)
    return len(json_text.encode("utf-8", "surrogatepass"))


def _bytes(json_text: str | bytes) -> bytes:
    return json_text if isinstance(json_text, bytes) else utf8(json_text)


def _decoded(json_text: str | bytes) -> str:
    return json_text if isinstance(json_text, str) else json_text.decode("utf-8", "replace")
