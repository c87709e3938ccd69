"""Reads the words of a command as the arguments of a call: `add 1 --b 2`, `--key=value`, `--loud`, `--no-loud`."""

import base64
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.calls import Outcome
from ptc_studio.core.json_schema import Part, flatten, kind_of, part_of
from ptc_studio.core.tools import JsonSchema, ToolSpec

_DEEPEST = 8
_UNREADABLE = object()


def kinds(schema: Any, root: JsonSchema) -> frozenset[str]:
    """The JSON types that the schema allows; empty where it says nothing."""
    return _kinds(part_of(schema, root))


def _kinds(part: Part, depth: int = 0) -> frozenset[str]:
    flat = flatten(part)
    found = set(flat.types())
    for choice in flat.choices() if depth < _DEEPEST else ():
        found |= _kinds(choice, depth + 1)
    constants = [flat.keywords["const"]] if "const" in flat.keywords else []
    return frozenset(found or map(kind_of, [*flat.keywords.get("enum", ()), *constants]))


def value_of(words: list[str], schema: Any, root: JsonSchema) -> Any:
    """What one option stands for; given several times, it is a list."""
    allowed = kinds(schema, root)
    if "array" in allowed:
        return _list(words, schema, root, allowed)
    if len(words) > 1:
        return [_single(word, allowed) for word in words]
    return _single(words[0], allowed)


def _list(words: list[str], schema: Any, root: JsonSchema, allowed: frozenset[str]) -> Any:
    if len(words) == 1:
        whole = _single(words[0], allowed)
        if isinstance(whole, list) or (not isinstance(whole, str) and kind_of(whole) in allowed):
            return whole
    inner = _item_kinds(schema, root)
    items: list[Any] = []
    for word in words:
        read = _read(word)
        if isinstance(read, list) and "array" not in inner:
            items += read
        else:
            items.append(_single(word, inner))
    return items


def _single(word: str, allowed: frozenset[str]) -> Any:
    """A text stays one wherever the parameter takes texts and the word is nothing else that it takes."""
    read = _read(word)
    if not allowed:
        return word if read is _UNREADABLE else read
    kind = None if read is _UNREADABLE else kind_of(read)
    fits = kind in allowed or (kind == "integer" and "number" in allowed)
    if fits and kind not in ("string", "null"):
        return read
    if "string" in allowed or read is _UNREADABLE:
        return word
    return read


def _read(word: str) -> Any:
    try:
        return codec.decode(word)
    except ValueError:
        return _UNREADABLE


def _item_kinds(schema: Any, root: JsonSchema) -> frozenset[str]:
    flat = flatten(part_of(schema, root))
    found = [each.items for each in (flat, *map(flatten, flat.choices())) if each.items]
    return _kinds(found[0]) if found else frozenset()


STDIN = "-"
BASE64 = ":base64"
"""The end of an option whose word stands for bytes, which no word can hold: `--data:base64 AP8Q`."""
_TRUTHS = ("true", "false")


class WrongUse(Exception):
    """Words that cannot be read as arguments."""


@dataclass(slots=True)
class GivenArguments:
    """What the words of a command stand for."""

    args: list[Any] = field(default_factory=list[Any])
    kwargs: dict[str, Any] = field(default_factory=dict[str, Any])
    timeout: float | None = None
    as_json: bool = False
    wants_help: bool = False
    from_stdin: bool = False


def read_arguments(words: Sequence[str], spec: ToolSpec, *, by_name: bool = False) -> GivenArguments:
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
        self._given = GivenArguments()

    def read(self, words: list[str]) -> GivenArguments:
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
        if option.endswith(BASE64) and option not in self._known:
            name = self._parameter(option.removesuffix(BASE64))
            self._given.kwargs[name] = _bytes(name, text if equals else words.pop(0) if words else "")
            return
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


def _bytes(name: str, text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except ValueError:
        raise WrongUse(f"--{name}{BASE64} needs a text in base64") from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise WrongUse(f"--timeout needs a number of seconds, not {text!r}") from None
    if not seconds > 0:
        raise WrongUse("--timeout must be above 0")
    return seconds


_KEYWORDS = "if then elif else fi for while until do done case esac in select function time coproc [[ ]] { } !"
_BUILTINS = """
. : [ alias bg break builtin caller cd command compgen complete continue declare dirs disown echo enable eval
exec exit export false fc fg getopts hash jobs kill let local logout mapfile popd printf pushd pwd read
readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask
unalias unset wait
"""
_UTILITIES = """
awk base64 basename bash bc cat chmod column comm cp curl cut date diff dirname du env expr find fold grep
gunzip gzip head jq join ln ls md5sum mkdir mktemp mv nl od paste printenv rev rg rm rmdir sed seq sh
sha256sum shuf sleep sort split stat tac tail tar tee timeout touch tr tree uniq wc wget which whoami xargs
yes yq
"""

RESERVED = frozenset(f"{_KEYWORDS} {_BUILTINS} {_UTILITIES}".split())


Call = Callable[[str, Any, Mapping[str, Any], float | None], Awaitable[Outcome]]
BY_NAME = "call_tool"


class PythonFunctions:
    """What bashkit's Python calls. A namespaced tool has no function of its own, and is called by `call_tool`."""

    def __init__(self, call: Call, tools: Iterable[str]) -> None:
        self._call = call
        self.names = [*(name for name in tools if name.isidentifier()), BY_NAME]

    async def __call__(self, fn_name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if fn_name == BY_NAME:
            return await self._by_name(*args, **kwargs)
        return await self._value(fn_name, args, kwargs)

    async def _by_name(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        timeout: float | None = None,
        *,
        timeout_secs: float | None = None,
    ) -> Any:
        return await self._value(name, (), arguments or {}, timeout_secs if timeout is None else timeout)

    async def _value(self, name: str, args: Any, kwargs: Mapping[str, Any], timeout: float | None = None) -> Any:
        outcome = await self._call(name, args, kwargs, timeout)
        outcome.unwrap()
        return codec.with_bytes(codec.decode(outcome.encoded), outcome.bytes_at)
