"""Lets a module that is written as text know its line: WebAssembly itself has no notion of one.

Before each instruction that calls, branches or may trap, the text is given another one that keeps the line in a
global variable of the module. Lines stay what they are, for nothing is put in but within them.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

LINE_GLOBAL = "ptc.line"
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|;;[^\n]*|\(;|[()]|[^\s()";]+|[;"]', re.DOTALL)
_MARKED = re.compile(
    r"(?:return_)?call(?:_indirect|_ref)?|unreachable|br|br_if|throw"
    r"|i(?:32|64)\.(?:div|rem)_[su]|i(?:32|64)\.trunc_f\d\d_[su]"
    r"|[a-z0-9]+\.(?:load|store)\w*|(?:memory|table)\.\w+"
)
_GLOBAL = f'(global ${LINE_GLOBAL} (export "{LINE_GLOBAL}") (mut i32) (i32.const 0))'


class _Token(NamedTuple):
    text: str
    start: int
    line: int


def with_lines(text: str) -> str:
    """The same module with its lines in it."""
    pieces: list[str] = []
    copied = 0

    def put_in(piece: str, at: int) -> None:
        nonlocal copied
        pieces.extend((text[copied:at], piece))
        copied = at

    marks: list[int | None] = []
    end, before = len(text), ""
    for token in _tokens(text):
        if token.text == "(":
            marks.append(None)
        elif token.text == ")":
            mark = marks.pop() if marks else None
            if mark is not None:
                # The operands of a folded instruction come first; this is then the last of them.
                put_in(f" (global.set ${LINE_GLOBAL} (i32.const {mark}))", token.start)
            end = token.start if not marks and text.lstrip().startswith("(module") else end
        elif _MARKED.fullmatch(token.text):
            if before == "(" and marks:
                marks[-1] = token.line
            else:
                put_in(f"i32.const {token.line} global.set ${LINE_GLOBAL} ", token.start)
        before = token.text
    put_in(_GLOBAL, max(end, copied))
    return "".join((*pieces, text[copied:]))


def has_content(text: str) -> bool:
    """Whether there is more than comments and white space."""
    return next(_tokens(text), None) is not None


def function_lines(text: str) -> list[int]:
    """The line where each function begins, by its number in the module."""
    found: list[int] = []
    heads: list[str] = []
    before = ""
    for token in _tokens(text):
        if token.text == "(":
            heads.append("")
        elif token.text == ")":
            heads = heads[:-1]
        elif before == "(" and heads:
            heads[-1] = token.text
            if token.text == "func" and (heads[:-1] or ["module"])[-1] in ("module", "import"):
                found.append(token.line)
        before = token.text
    return found


def _tokens(text: str) -> Iterator[_Token]:
    """Parentheses, words and strings; comments are passed over."""
    at, line, counted = 0, 1, 0
    while found := _TOKEN.search(text, at):
        at = found.end()
        if found[0] == "(;":
            at = _comment_end(text, at)
        elif not found[0].startswith(";;"):
            line += text.count("\n", counted, found.start())
            counted = found.start()
            yield _Token(found[0], found.start(), line)


def _comment_end(text: str, at: int) -> int:
    """Behind the end of a comment that began before; comments may hold others."""
    depth = 1
    for found in re.compile(r"\(;|;\)").finditer(text, at):
        depth += 1 if found[0] == "(;" else -1
        if depth == 0:
            return found.end()
    return len(text)
