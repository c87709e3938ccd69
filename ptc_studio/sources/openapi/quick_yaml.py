"""Reads large YAML quickly: libyaml finds the events, and plain values are made of them right away.

Scalars are those of YAML 1.2, as OpenAPI wants them: `no` is a text and `2024-01-01` is one, too. An alias is the very
object of its anchor, so that a few lines cannot become gigabytes.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

_NUMBER = re.compile(r"[-+]?[0-9]+|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_MERGE = "<<"
DEPTH = 500
SECOND_TRY = 4_000_000
"""So long a text is read by Python, which takes a hundred times as long."""
_DIGITS = 400
"""A number of more digits is taken for a text."""


class BadYaml(Exception):
    """The text is no YAML; the message says why."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def quick_yaml(text: str) -> Any:
    """The value of the first document in the text; raises BadYaml.

    What libyaml, a reader of YAML 1.1, stumbles over gets a second try by a reader of 1.2.
    """
    try:
        return _built(_libyaml_events(text))
    except BadYaml:
        if len(text) > SECOND_TRY:
            raise
        with contextlib.suppress(BadYaml):
            return _built(_ruamel_events(text))
        raise


def _built(events: Iterable[Any]) -> Any:
    builder = _Builder()
    for event in events:
        if not builder.take(event):
            break
    return builder.value


def _libyaml_events(text: str) -> Iterator[Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise BadYaml(str(error.problem or error.context), mark.line + 1 if mark else 1) from None
    except yaml.YAMLError as error:
        raise BadYaml(" ".join(str(error).split()), 1) from None


def _ruamel_events(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            if type(event).__name__ == "ScalarEvent":
                event.value = _whole_characters(event.value)
            yield event
    except (YAMLError, ValueError, RecursionError) as error:
        raise BadYaml(" ".join(str(error).split()), 1) from None


def _whole_characters(text: str) -> str:
    """With pairs of surrogates, as JSON writes them, put together."""
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Builder:
    """Puts events together. What is open lies on a stack, so that deep nesting costs no recursion."""

    def __init__(self) -> None:
        self.value: Any = None
        self._stack: list[Any] = []
        self._keys: list[Any] = []
        self._anchors: dict[str, Any] = {}
        self._open: dict[int, str] = {}

    def take(self, event: Any) -> bool:
        """One event; False after the end of the document."""
        kind = type(event).__name__
        if kind == "ScalarEvent":
            # The first says that it has neither quotes nor a tag.
            self._add(scalar(event.value) if event.implicit[0] else event.value, event)
        elif kind == "MappingStartEvent":
            self._start({}, event)
        elif kind == "SequenceStartEvent":
            self._start([], event)
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._end()
        elif kind == "AliasEvent":
            self._add(self._anchored(event), event)
        return kind != "DocumentEndEvent"

    def _start(self, container: Any, event: Any) -> None:
        if len(self._stack) >= DEPTH:
            # Also for libyaml's sake, which takes the longer for each the deeper it is.
            raise BadYaml("it is nested too deeply", event.start_mark.line + 1)
        if event.anchor:
            self._open[id(container)] = event.anchor
        self._add(container, event)
        self._stack.append(container)
        self._keys.append(_NO_KEY)

    def _end(self) -> None:
        container = self._stack.pop()
        self._keys.pop()
        self._open.pop(id(container), None)
        if isinstance(container, dict) and _MERGE in container:
            _merge(container)

    def _add(self, value: Any, event: Any) -> None:
        anchor = getattr(event, "anchor", None)
        if anchor and type(event).__name__ != "AliasEvent":
            self._anchors[anchor] = value
        if not self._stack:
            self.value = value
            return
        container = self._stack[-1]
        if isinstance(container, list):
            container.append(value)
        elif self._keys[-1] is _NO_KEY:
            self._keys[-1] = _key(value, event)
        else:
            container[self._keys[-1]] = value
            self._keys[-1] = _NO_KEY

    def _anchored(self, event: Any) -> Any:
        line = event.start_mark.line + 1
        if event.anchor not in self._anchors:
            raise BadYaml(f"there is no anchor {event.anchor!r}", line)
        if event.anchor in self._open.values():
            raise BadYaml(f"the anchor {event.anchor!r} contains itself", line)
        return self._anchors[event.anchor]


_NO_KEY = object()


@lru_cache(10_000)
def scalar(text: str) -> Any:
    """What a text without quotes stands for."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > _DIGITS or not _NUMBER.fullmatch(text):
        return text
    if text.startswith(("0x", "0o")):
        return int(text, 0)
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def _key(value: Any, event: Any) -> str:
    """Keys are texts, as in JSON: the `200` of a response, too."""
    if isinstance(value, dict | list):
        raise BadYaml("a key must be a text", event.start_mark.line + 1)
    return getattr(event, "value", None) or str(value)


def _merge(container: dict[str, Any]) -> None:
    """`<<: *base` takes over what is not there."""
    merged = container.pop(_MERGE)
    for base in merged if isinstance(merged, list) else [merged]:
        if isinstance(base, dict):
            for key, value in base.items():
                container.setdefault(key, value)
