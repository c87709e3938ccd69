"""Compares the arguments of a call, as they are written, with the parameters of its tool."""

import ast
from collections.abc import Iterator
from difflib import get_close_matches

from ptc_studio.ui.language.hints import ToolHint

Finding = tuple[ast.AST, str]


def argument_problems(hint: ToolHint, call: ast.Call, given: ast.Dict | None = None) -> Iterator[Finding]:
    """What is missing, unknown or too much; `given` is the dict of a `call_tool`.

    Whatever `*` or `**` may bring is never reported.
    """
    found = _named(call, given)
    positional = [] if given else [each for each in call.args if not isinstance(each, ast.Starred)]
    starred = not given and len(positional) < len(call.args)
    by_place = [parameter.name for parameter in hint.parameters if not parameter.keyword_only]
    if not starred:
        yield from _too_many(hint, positional, by_place)
    yield from _unknown(hint, found)
    placed = [] if starred else by_place[: len(positional)]
    yield from ((found[name], f"{hint.name} is given {name!r} twice") for name in placed if name in found)
    if not starred and not _has_stars(call, given):
        yield from _missing(hint, call.func if given is None else call, {*placed, *found})


def _named(call: ast.Call, given: ast.Dict | None) -> dict[str, ast.AST]:
    if given is None:
        return {each.arg: each for each in call.keywords if each.arg is not None}
    return {key.value: key for key in given.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}


def _has_stars(call: ast.Call, given: ast.Dict | None) -> bool:
    """Whether more may come than what is written; a computed key counts as well."""
    if given is None:
        return any(each.arg is None for each in call.keywords)
    return any(not isinstance(key, ast.Constant) for key in given.keys)


def _too_many(hint: ToolHint, positional: list[ast.expr], by_place: list[str]) -> Iterator[Finding]:
    if len(positional) > len(by_place):
        takes = f"takes {len(by_place)}" if by_place else "takes none"
        yield positional[len(by_place)], f"{hint.name} {takes} by position, {len(positional)} given"


def _unknown(hint: ToolHint, found: dict[str, ast.AST]) -> Iterator[Finding]:
    names = [parameter.name for parameter in hint.parameters]
    for name, node in found.items():
        if name not in names:
            close = get_close_matches(name, names, n=1, cutoff=0.6)
            better = f": did you mean {close[0]!r}?" if close else ""
            yield node, f"{hint.name} has no parameter {name!r}{better}"


def _missing(hint: ToolHint, where: ast.AST, have: set[str]) -> Iterator[Finding]:
    missing = [each.name for each in hint.parameters if each.required and each.name not in have]
    if missing:
        yield where, f"{hint.name} needs {', '.join(map(repr, missing))}"
