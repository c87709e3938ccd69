"""Reads the words of a command as the arguments of a call: `add 1 --b 2`, `--key=value`, `--loud`, `--no-loud`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.tools import ToolSpec
from ptc_studio.runtimes.bash.schemas import kinds, value_of

STDIN = "-"
_TRUTHS = ("true", "false")


class WrongUse(Exception):
    """Words that cannot be read as arguments."""


@dataclass(slots=True)
class Given:
    """What the words of a command stand for."""

    args: list[Any] = field(default_factory=list[Any])
    kwargs: dict[str, Any] = field(default_factory=dict[str, Any])
    timeout: float | None = None
    as_json: bool = False
    wants_help: bool = False
    from_stdin: bool = False


def read_arguments(words: Sequence[str], spec: ToolSpec, *, by_name: bool = False) -> Given:
    """The arguments; raises WrongUse. For `call_tool` (by_name) a JSON object as a word is always all arguments."""
    return _Reader(spec, by_name).read(list(words))


def read_object(text: str) -> dict[str, Any] | None:
    """The JSON object that the text is, or None."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = codec.decode(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


class _Reader:
    """Sorts words into options and others. An option that is no parameter of the tool may be one of the studio's."""

    def __init__(self, spec: ToolSpec, by_name: bool) -> None:
        self._by_name = by_name
        self._schema = spec.parameters
        self._known: dict[str, Any] = dict(spec.parameters.get("properties", {}))
        self._positional = [parameter.name for parameter in spec.signature if not parameter.keyword_only]
        self._options: dict[str, list[str]] = {}
        self._given = Given()

    def read(self, words: list[str]) -> Given:
        while words:
            word = words.pop(0)
            if word == "--":
                self._take_positional(words)
                break
            if word.startswith("--"):
                self._take_option(word[2:], words)
            else:
                self._take_positional([word])
        for name, texts in self._options.items():
            self._given.kwargs[name] = value_of(texts, self._known.get(name, {}), self._schema)
        return self._given

    def _take_positional(self, words: list[str]) -> None:
        for word in words:
            number = len(self._given.args)
            name = self._positional[number] if number < len(self._positional) else ""
            schema = self._known.get(name, {})
            if word == STDIN and "string" not in kinds(schema, self._schema):
                self._given.from_stdin = True
            elif (whole := self._whole(word, schema)) is not None:
                self._given.kwargs |= whole
            else:
                self._given.args.append(value_of([word], schema, self._schema))

    def _whole(self, word: str, schema: Any) -> dict[str, Any] | None:
        """All arguments in one JSON object, where the parameter itself takes none."""
        allowed = kinds(schema, self._schema)
        takes_it = "object" in allowed or (not allowed and bool(self._positional))
        return read_object(word) if self._by_name or not takes_it else None

    def _take_option(self, option: str, words: list[str]) -> None:
        option, equals, text = option.partition("=")
        name = self._parameter(option)
        if name not in self._known and self._take_own(option, text if equals else None, words):
            return
        if equals:
            self._add(name, text)
        elif name not in self._known and (denied := self._denied(option)) is not None:
            self._given.kwargs[denied] = False
        elif self._is_flag(name, words):
            self._given.kwargs[name] = True
        else:
            self._add(name, words.pop(0))

    def _add(self, name: str, text: str) -> None:
        texts = self._options.setdefault(name, [])
        texts.append(text)
        allowed = kinds(self._known.get(name, {}), self._schema)
        if len(texts) > 1 and allowed and "array" not in allowed:
            raise WrongUse(f"--{name} was given twice")

    def _take_own(self, option: str, text: str | None, words: list[str]) -> bool:
        """An option of the studio's, for a tool that has no parameter of that name."""
        match option:
            case "help":
                self._given.wants_help = True
            case "json":
                self._given.as_json = True
            case "timeout":
                self._given.timeout = _seconds(text if text is not None else words.pop(0) if words else "")
            case _:
                return False
        return True

    def _parameter(self, option: str) -> str:
        twin = option.replace("-", "_")
        return twin if option not in self._known and twin in self._known else option

    def _denied(self, option: str) -> str | None:
        name = self._parameter(option.removeprefix("no-"))
        return name if option.startswith("no-") and name in self._known else None

    def _is_flag(self, name: str, words: list[str]) -> bool:
        allowed = kinds(self._known.get(name, {}), self._schema)
        if "boolean" in allowed:
            takes_more = len(allowed - {"null"}) > 1
            return not words or not (words[0] in _TRUTHS or (takes_more and not words[0].startswith("--")))
        bare = not words or words[0].startswith("--")
        if bare and allowed:
            raise WrongUse(f"--{name} needs a value")
        return bare


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise WrongUse(f"--timeout needs a number of seconds, not {text!r}") from None
    if not seconds > 0:
        raise WrongUse("--timeout must be above 0")
    return seconds
