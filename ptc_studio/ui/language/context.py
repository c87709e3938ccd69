"""Where the cursor stands in the code: in which word, after which dots, in the call of which tool."""

import re
from dataclasses import dataclass
from functools import cache

REACH = 2_000
"""How many characters before the cursor are looked at."""
LONGEST_NAME = 200
"""How many characters before a bracket may belong to the name of what is called."""
_TEXTS = re.compile(
    r"\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|(\"\"\"|''')"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*(?=\n)"
)
_OPEN_TEXT = re.compile(r"[\"'][^\n]*$|#[^\n]*$|\"\"\"[\s\S]*$|'''[\s\S]*$")
_BY_NAME = re.compile(r"\bcall_tool(?:_async)?\(\s*[\"']([\w.]*)$")
_WORD = re.compile(r"((?:\w+\.)*)(\w*)$")
_CALLEE = re.compile(r"([A-Za-z_][\w.]*)\s*$")
_NAMED = re.compile(r"^\s*(\w+)\s*=(?!=)")
_DICT_KEY = re.compile(r"[\"'](\w+)[\"']\s*:")
_CLOSING, _OPENING = ")]}", "([{"
_BRACKET = re.compile(r"[()\[\]{}]")


@dataclass(frozen=True, slots=True)
class CallContext:
    """What can be told from the text before the cursor."""

    word: str = ""
    """The identifier that is being typed."""
    base: str = ""
    """What stands before its last dot: `aio` of `aio.get_or`."""
    callee: str = ""
    """The function whose brackets are open, without `aio.`."""
    placed: int = 0
    """How many arguments before this one are given by position."""
    named: frozenset[str] = frozenset()
    """Those given by name."""
    at_argument: bool = False
    """Whether an argument may begin here."""
    in_text: bool = False
    """In a string or a comment."""
    tool_name: bool = False
    """In the first string of a `call_tool`."""
    in_object: bool = False
    """Between the braces of the one object that a call is given, where a key may begin."""


def context_before(text: str) -> CallContext:
    """The context at the end of the text."""
    text = text[-REACH:]
    by_name = _BY_NAME.search(text)
    if by_name:
        return CallContext(word=by_name[1], in_text=True, tool_name=True)
    bare = _TEXTS.sub(lambda match: match[1] or "_" * len(match[0]), text)
    if _OPEN_TEXT.search(bare):
        return CallContext(in_text=True)
    found = _WORD.search(_last_line(bare))
    base, word = (found[1].rstrip("."), found[2]) if found else ("", "")
    before = len(bare) - len(word)
    callee, arguments, in_object = _open_call(bare[:before], _CALLEE)
    parts = split_arguments(arguments)
    empty = bool(callee) and not base and not parts[-1].strip()
    if in_object:
        # The keys are texts, which are hidden in what the brackets are looked for in.
        keys = frozenset(_DICT_KEY.findall(text[before - len(arguments) : before]))
        return CallContext(word, base, callee, 0, keys, in_object=empty)
    named = frozenset(match[1] for part in parts[:-1] if (match := _NAMED.match(part)))
    placed = sum(1 for part in parts[:-1] if not _NAMED.match(part))
    return CallContext(word, base, callee.removeprefix("aio."), placed, named, empty)


def word_before(text: str) -> str:
    """The identifier, or in the first string of a `call_tool` the tool's name, that the text ends in."""
    found = _BY_NAME.search(text) or _WORD.search(text)
    return found[found.lastindex or 0] if found else ""


def _last_line(text: str) -> str:
    return text[text.rfind("\n") + 1 :]


def _open_call(text: str, called: re.Pattern[str]) -> tuple[str, str, bool]:
    """What is called at the innermost open bracket, what it is given so far, and whether that is inside an object.

    The object, or dict, is the first argument.
    """
    depth = 0
    for bracket in reversed(list(_BRACKET.finditer(text))):
        if bracket[0] in _CLOSING:
            depth += 1
        elif depth:
            depth -= 1
        else:
            before = text[: bracket.start()].rstrip()[-LONGEST_NAME:]
            in_object = bracket[0] == "{" and before.endswith("(")
            name = called.search(before[:-1] if in_object else before) if in_object or bracket[0] == "(" else None
            return (name[1], text[bracket.end() :], in_object) if name else ("", "", False)
    return "", "", False


def split_arguments(arguments: str) -> list[str]:
    """The arguments, split at the commas that are not in brackets of their own."""
    parts, depth = [""], 0
    for letter in arguments:
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


_JS_TEXTS = re.compile(
    r"/\*[\s\S]*?\*/|//[^\n]*(?=\n)"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
)
_JS_OPEN_TEXT = re.compile(r"//[^\n]*$|/\*[\s\S]*$|[\"'][^\n]*$|`[\s\S]*$")
_JS_BY_NAME = re.compile(r"\bcall_?[tT]ool\(\s*[\"'`]([\w.-]*)$")
_JS_WORD = re.compile(r"((?:[\w$]+\.)*)([\w$]*)$")
_KEY = re.compile(r"\s*([\w$]+)")


def js_context_before(text: str, root: str = "tools") -> CallContext:
    """The context at the end of the text; the callee is without the root, where there is one."""
    text = text[-REACH:]
    by_name = _JS_BY_NAME.search(text)
    if by_name:
        return CallContext(word=by_name[1], in_text=True, tool_name=True)
    bare = _JS_TEXTS.sub(lambda match: "_" * len(match[0]), text)
    open_text = _JS_OPEN_TEXT.search(bare)
    if open_text:
        _, placeholder, code = open_text[0].rpartition("${") if open_text[0].startswith("`") else ("", "", "")
        return js_context_before(code, root) if placeholder and "}" not in code else CallContext(in_text=True)
    found = _JS_WORD.search(bare)
    base, word = (found[1].rstrip("."), found[2]) if found else ("", "")
    callee, arguments, in_object = _open_call(bare[: len(bare) - len(word)], _js_callee(root))
    parts = split_arguments(arguments)
    named = frozenset(match[1] for part in parts[:-1] if in_object and (match := _KEY.match(part)))
    first = in_object or len(parts) == 1
    at_argument = bool(callee) and not base and first and not parts[-1].strip()
    return CallContext(word, base, callee, len(parts) - 1, named, at_argument, in_object=in_object)


def js_word_before(text: str) -> str:
    """The identifier, or in the first string of a `call_tool` the tool's name, that the text ends in."""
    found = _JS_BY_NAME.search(text) or _JS_WORD.search(text)
    return found[found.lastindex or 0] if found else ""


@cache
def _js_callee(root: str) -> re.Pattern[str]:
    before = rf"\b{root}\." if root else r"(?<![\w$.])"
    return re.compile(rf"{before}((?:[\w$]+\.)*[\w$]+)\s*$")
