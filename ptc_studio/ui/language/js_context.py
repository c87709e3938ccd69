"""Where the cursor stands in JavaScript or TypeScript: after which dots, in the call of which tool, at which key."""

import re

from ptc_studio.ui.language.call_context import REACH, CallContext, split_arguments

_TEXTS = re.compile(
    r"/\*[\s\S]*?\*/|//[^\n]*(?=\n)"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
)
_OPEN_TEXT = re.compile(r"//[^\n]*$|/\*[\s\S]*$|[\"'][^\n]*$|`[\s\S]*$")
_BY_NAME = re.compile(r"\bcall_?[tT]ool\(\s*[\"'`]([\w.-]*)$")
_WORD = re.compile(r"((?:[\w$]+\.)*)([\w$]*)$")
_CALLEE = re.compile(r"\btools\.((?:[\w$]+\.)*[\w$]+)\s*$")
_KEY = re.compile(r"\s*([\w$]+)")
_BRACKET = re.compile(r"[()\[\]{}]")
_CLOSING = ")]}"


def js_context_before(text: str) -> CallContext:
    """The context at the end of the text; the callee is without `tools.`."""
    text = text[-REACH:]
    by_name = _BY_NAME.search(text)
    if by_name:
        return CallContext(word=by_name[1], in_text=True, tool_name=True)
    bare = _TEXTS.sub(lambda match: "_" * len(match[0]), text)
    open_text = _OPEN_TEXT.search(bare)
    if open_text:
        _, placeholder, code = open_text[0].rpartition("${") if open_text[0].startswith("`") else ("", "", "")
        return js_context_before(code) if placeholder and "}" not in code else CallContext(in_text=True)
    found = _WORD.search(bare)
    base, word = (found[1].rstrip("."), found[2]) if found else ("", "")
    callee, arguments, in_object = _open_call(bare[: len(bare) - len(word)])
    parts = split_arguments(arguments)
    named = frozenset(match[1] for part in parts[:-1] if in_object and (match := _KEY.match(part)))
    first = in_object or len(parts) == 1
    at_argument = bool(callee) and not base and first and not parts[-1].strip()
    return CallContext(word, base, callee, len(parts) - 1, named, at_argument, in_object=in_object)


def js_word_before(text: str) -> str:
    """The identifier, or in the first string of a `call_tool` the tool's name, that the text ends in."""
    found = _BY_NAME.search(text) or _WORD.search(text)
    return found[found.lastindex or 0] if found else ""


def _open_call(text: str) -> tuple[str, str, bool]:
    """The tool whose call is open, what it is given so far, and whether that is inside an object."""
    depth = 0
    for bracket in reversed(list(_BRACKET.finditer(text))):
        if bracket[0] in _CLOSING:
            depth += 1
        elif depth:
            depth -= 1
        else:
            before = text[: bracket.start()].rstrip()
            in_object = bracket[0] == "{" and before.endswith("(")
            callee = _CALLEE.search(before[:-1] if in_object else before) if in_object or bracket[0] == "(" else None
            return (callee[1], text[bracket.end() :], in_object) if callee else ("", "", False)
    return "", "", False
