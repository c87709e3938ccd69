"""The face of redaction: raw values go in, `Redacted` ones come out."""

import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

from ptc_studio.core.redaction.encoded import ENCODED_GATES
from ptc_studio.core.redaction.exceptions import NONE, Exceptions
from ptc_studio.core.redaction.keys import BETWEEN, ENDINGS, SecretKeys
from ptc_studio.core.redaction.lens import HiddenPart
from ptc_studio.core.redaction.patterns import UserPattern
from ptc_studio.core.redaction.redacted import SEAL, Redacted, Redaction
from ptc_studio.core.redaction.secrets import KnownSecrets
from ptc_studio.core.redaction.shape import SubstringFilter, literal, utf8
from ptc_studio.core.redaction.shapes import JSON_GATE_PATTERNS
from ptc_studio.core.redaction.text import REACH, StreamRedactor, TextRules
from ptc_studio.core.redaction.values import TOO_DEEP, KeyReader, Walk

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

    def clean(self, text: bytes) -> bool:
        """Whether a walk of the value with this JSON text would find nothing."""
        if not self._usable or (self._gate.opens(text) and not self._only_seemed(text)):
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
        self, value: Any, where: str, *, json_text: str | bytes | None = None, limit: int | None = None
    ) -> Redacted:
        """A JSON value without its secrets, sharing what is untouched: the caller must not change it afterwards.

        `json_text` is the value's JSON as the caller has it already; it only saves time. A value whose JSON is longer
        than `limit` bytes becomes the beginning of that JSON, as a string.
        """
        if limit is not None:
            if json_text is None:
                json_text = _encoded(value)
            if json_text is None or _size(json_text) > limit:
                return self._excerpt(value, where, json_text, limit)
        if json_text is not None and not self._patterns and self._prefilter.clean(_bytes(json_text)):
            return Redacted(SEAL, value)
        return Redacted(SEAL, *self._walked(value, where))

    def learn(self, json_text: bytes, value: Callable[[], Any]) -> None:
        """Learns what stands under secret keys: before anybody is given the value, for he may print it at once."""
        if self._prefilter.has_keys(json_text):
            with suppress(RecursionError, ValueError):
                KeyReader(self._keys, self._rules).learn(value())

    def text(self, text: str, where: str) -> Redacted:
        """A text without its secrets."""
        result, rules = self._rules.redact(text)
        return Redacted(SEAL, result, tuple(Redaction(rule, where, "$") for rule in rules))

    def explained(self, value: Any) -> list[HiddenPart]:
        """What is hidden of a value or a text, with what it is: see `lens`."""
        walk = Walk(self._keys, self._rules, "lens")
        walk.findings = []
        with suppress(RecursionError):
            walk.value(value)
        return walk.findings

    def key_rule(self, key: str) -> str | None:
        """The rule that hides what stands under this key, if one does."""
        return self._keys.rule(key)

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
