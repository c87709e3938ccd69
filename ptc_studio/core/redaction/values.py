"""Redacting a JSON value: its strings, the names of its keys, and what stands under secret keys."""

import json
import re
from typing import Any, Optional, TypeAlias, cast

from ptc_studio.core.redaction.keys import SecretKeys, ending
from ptc_studio.core.redaction.lens import HiddenPart
from ptc_studio.core.redaction.redacted import Redaction, marker
from ptc_studio.core.redaction.text import TextRules

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
