"""Secret values that are known exactly: the vault's, and those seen under a secret key."""

import base64
import json
import re
from collections.abc import Iterator
from threading import Lock
from typing import NamedTuple
from urllib.parse import quote, quote_plus

from ptc_studio.core.redaction.redacted import Span, rule_name
from ptc_studio.core.redaction.shape import SubstringFilter, literal, utf8

_PERCENT = re.compile(r"%[0-9A-F]{2}")


def plain_forms(secret: str) -> set[str]:
    """The secret itself, URL-encoded (also whole), JSON-escaped and in hex."""
    data = secret.encode("utf-8", "surrogatepass")
    digits = data.hex()
    every = "".join(f"%{byte:02X}" for byte in data)
    quoted = {quote(data), quote(data, safe=""), quote_plus(data), every}
    lowered = {_PERCENT.sub(lambda match: match[0].lower(), form) for form in quoted}
    lowered |= {digits, digits.upper(), "".join(f"\\x{byte:02x}" for byte in data)}
    escaped = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    escaped |= {form.replace("/", "\\/") for form in escaped}
    return {secret} | quoted | lowered | escaped


def base64_forms(secret: str) -> set[str]:
    """What every base64 text around the secret contains, wherever in it the secret begins."""
    data = secret.encode("utf-8", "surrogatepass")
    cores = set(_cores(data))
    return cores | {core.replace("+", "-").replace("/", "_") for core in cores}


def _cores(data: bytes) -> Iterator[str]:
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + data).decode("ascii")
        # A character holds six bits: those that share bits with a neighbour or with the padding vary.
        yield encoded[-(-shift * 8 // 6) : (shift + len(data)) * 8 // 6]


SHORTEST_SECRET = 6
MOST_LEARNED = 128
"""So many of the learned values, the newest, are looked for in all their forms, anywhere."""
MOST_OLDER = 8192
"""So many older ones are looked for as whole words: a set tells of one as quickly as of all."""

_GATE_AFTER = 64
_LARGEST_GATE = 65_536
_REST_OF_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{0,2}={0,2}")


class Needle(NamedTuple):
    """One form of one secret."""

    text: str
    """What is looked for: the form, or of a long one most of it, so that one that was cut is found as well."""
    rule: str
    is_base64: bool
    before: str = ""
    after: str = ""
    """The rest of the form, as much of which is hidden as is there."""


_CUT_FROM = 24


def _needles(form: str, rule: str, *, is_base64: bool) -> list[Needle]:
    """What finds the form, and what was cut from either of its ends."""
    size = len(form)
    if size < _CUT_FROM or any(map(str.isspace, form)):
        return [Needle(form, rule, is_base64)]
    most = -(-size * 3 // 4)
    head = Needle(form[:most], rule, is_base64, after=form[most:])
    return [head] if is_base64 else [head, Needle(form[-most:], rule, is_base64, before=form[:-most])]


def _common(one: str, other: str) -> int:
    """How long their common beginning is."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


class Needles:
    """All forms of all secrets at one moment, longest first."""

    def __init__(self, needles: list[Needle], older: "OlderSecrets | None" = None) -> None:
        self.older = older or OlderSecrets()
        self.all = tuple(sorted(needles, key=lambda needle: -len(needle.text)))
        self.texts = tuple(needle.text for needle in self.all)
        self.spaced = tuple(text for text in self.texts if any(map(str.isspace, text)))
        self.rules = frozenset(needle.rule for needle in self.all)
        self._texts_utf8 = tuple(map(utf8, self.texts))
        self._size = sum(map(len, self._texts_utf8))
        self._questions = 0
        self._gate: SubstringFilter | None = None
        self._longest = len(self.texts[0]) if self.texts else 0
        self._by_first: dict[str, list[str]] = {}
        for text in self.texts:
            self._by_first.setdefault(text[0], []).append(text)

    def touch(self, text: str) -> bool:
        """Whether any of them is in the text."""
        return bool(self.texts) and (self.touch_utf8(utf8(text)) or self.older.touch(text))

    def touch_utf8(self, text: bytes) -> bool:
        """The same for a text in UTF-8."""
        if self._gate is None and self._count_question():
            self._gate = SubstringFilter(map(literal, self.texts))
        if self._gate is not None:
            return self._gate.opens(text)
        return any(needle in text for needle in self._texts_utf8)

    def _count_question(self) -> bool:
        """Whether a gate is worth its making: where secrets are learned at every call, it would be thrown away."""
        self._questions += 1
        return self._questions > _GATE_AFTER and self._size <= _LARGEST_GATE

    def spans(self, text: str, start: int) -> Iterator[Span]:
        """Where they are in the text."""
        for needle in self.all:
            at = text.find(needle.text, start)
            while at >= 0:
                end = at + len(needle.text)
                end += _common(needle.after, text[end : end + len(needle.after)])
                rest = _REST_OF_BASE64.match(text, end) if needle.is_base64 else None
                begun = at - _common(needle.before[::-1], text[max(start, at - len(needle.before)) : at][::-1])
                yield Span(begun, begun, rest.end() if rest else end, needle.rule)
                at = text.find(needle.text, end)
        yield from self.older.spans(text, start)

    def begun(self, text: str, start: int) -> int:
        """Where the end of the text is the beginning of one of them; the length of the text if nowhere."""
        if self.older:
            return start
        for at in range(max(start, len(text) - self._longest), len(text)):
            candidates = self._by_first.get(text[at])
            if candidates and any(needle.startswith(text[at:]) for needle in candidates):
                return at
        return len(text)

    def begun_with_spaces(self, text: str, start: int) -> int:
        """The same for those that hold white space, which a line's or a word's end does not settle."""
        first = len(text)
        for needle in self.spaced:
            at = text.find(needle[0], max(start, len(text) - len(needle) + 1))
            while 0 <= at < first:
                if needle.startswith(text[at:]):
                    first = at
                at = text.find(needle[0], at + 1)
        return first


_WORD = re.compile(r"""[^\s"'`<>(){}\[\],;=&\\]{6,}""")
_ENDS = ".:!?*|"


class OlderSecrets:
    """Learned values that are not among the newest, by the longest word of each."""

    def __init__(self) -> None:
        self._rules: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._rules)

    def copy(self) -> "OlderSecrets":
        copied = OlderSecrets()
        copied._rules = dict(self._rules)
        return copied

    def add(self, value: str, rule: str) -> None:
        """Keeps the value, and lets go of the one that was kept longest if there are too many."""
        words = [word.strip(_ENDS) for word in _WORD.findall(value)]
        word = max(words, key=len, default="")
        if len(word) >= SHORTEST_SECRET:
            self._rules[word] = rule
            if len(self._rules) > MOST_OLDER:
                del self._rules[next(iter(self._rules))]

    def touch(self, text: str) -> bool:
        """Whether one of them is a word of the text."""
        return bool(self._rules) and any(word.strip(_ENDS) in self._rules for word in _WORD.findall(text))

    def spans(self, text: str, start: int) -> Iterator[Span]:
        """Where they are in the text."""
        for match in _WORD.finditer(text, start) if self._rules else ():
            word = match[0].strip(_ENDS)
            rule = self._rules.get(word)
            if rule is not None:
                at = match.start() + match[0].index(word)
                yield Span(at, at, at + len(word), rule)


class KnownSecrets:
    """A growing set of secret values; any thread may add to it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._forms: dict[str, list[Needle]] = {}
        self._learned: dict[str, str] = {}
        self._given: set[str] = set()
        self._past: set[str] = set()
        self._older = OlderSecrets()
        self._needles: Needles | None = Needles([])
        self.version = 0
        """Counts the additions."""

    def add(self, name: str, value: str) -> None:
        """Hide this value from now on, as `secret:NAME`; too short a value is ignored."""
        with self._lock:
            self._learned.pop(value.strip(), None)
            self._given.add(rule_name(f"secret:{name}"))
            self._insert(name, value.strip())

    def learn(self, name: str, value: str) -> None:
        """Hide a value that was seen, as long as it is among the newest of those."""
        with self._lock:
            if value in self._past or not self._insert(name, value):
                return
            self._learned[value] = name
            if len(self._learned) > MOST_LEARNED:
                oldest = next(iter(self._learned))
                self._older.add(oldest, rule_name(f"secret:{self._learned.pop(oldest)}"))
                del self._forms[oldest]
                if len(self._past) > MOST_OLDER:
                    self._past.clear()
                self._past.add(oldest)

    def copy(self) -> "KnownSecrets":
        """One that knows the same now, and learns apart."""
        copied = KnownSecrets()
        with self._lock:
            copied._forms, copied._learned = dict(self._forms), dict(self._learned)
            copied._given, copied._past, copied._needles = set(self._given), set(self._past), None
            copied._older = self._older.copy()
        return copied

    def is_given(self, rule: str) -> bool:
        """Whether the rule is that of a secret that the user gave, and not only seen somewhere."""
        return rule in self._given

    def needles(self) -> Needles:
        """What to look for; made anew only after an addition."""
        needles = self._needles
        if needles is None:
            with self._lock:
                needles = Needles([needle for forms in self._forms.values() for needle in forms], self._older)
                self._needles = needles
        return needles

    def _insert(self, name: str, value: str) -> bool:
        if len(value) < SHORTEST_SECRET or value in self._forms:
            return False
        rule = rule_name(f"secret:{name}")
        plain = plain_forms(value)
        self._forms[value] = [each for form in plain for each in _needles(form, rule, is_base64=False)]
        encoded = base64_forms(value) - plain
        self._forms[value] += [each for form in encoded for each in _needles(form, rule, is_base64=True)]
        self._needles = None
        self.version += 1
        return True
