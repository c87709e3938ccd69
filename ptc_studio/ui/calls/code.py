"""A call as the scripts of each language write it. Knows no Qt."""

import json
import keyword
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ptc_studio.core.trace import CallRecord

Write = Callable[[Any], str]
_JS_NAME = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_C_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_CSHARP_WORD = re.compile(
    "abstract|as|base|bool|break|byte|case|catch|char|checked|class|const|continue|decimal|default|delegate|do|double|"
    "else|enum|event|explicit|extern|false|finally|fixed|float|for|foreach|goto|if|implicit|in|int|interface|internal|"
    "is|lock|long|namespace|new|null|object|operator|out|override|params|private|protected|public|readonly|ref|return|"
    "sbyte|sealed|short|sizeof|stackalloc|static|string|struct|switch|this|throw|true|try|typeof|uint|ulong|unchecked|"
    "unsafe|ushort|using|virtual|void|volatile|while"
)
_GAP = re.compile(r"(?:=>? ?|: |--[\w.-]+ )(?=[,)}]| [-}]|$)")
"""What stands before a value, in every language that has a skeleton, where none follows."""
WAT_PLACE = 65_000
"""Where the texts of a call are put: near the end of a module's first page of memory."""


class Blank:
    """A place for a value that is still to be written."""

    def __repr__(self) -> str:
        return ""


def call_code(name: str, arguments: Any, language: str) -> str:
    """The call in that language; in Python for those that have no form of their own."""
    return _WRITERS.get(language, _python)(name, arguments)


def skeleton(name: str, needed: Iterable[str], language: str) -> str:
    """The call with a place for each of the needed arguments."""
    return call_code(name, {parameter: Blank() for parameter in needed}, language)


def first_gap(call: str) -> int:
    """Where the first value of a skeleton is to be written; its end if it has no place for one."""
    gap = _GAP.search(call)
    return gap.end() if gap else len(call)


def _python(name: str, arguments: Any) -> str:
    if isinstance(arguments, dict) and all(map(_is_python_name, [*name.split("."), *arguments])):
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
    return f"call_tool({json.dumps(name)}, {arguments!r})"


def _is_python_name(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def _javascript(name: str, arguments: Any) -> str:
    path = "tools"
    for step in name.split("."):
        path += f".{step}" if _JS_NAME.fullmatch(step) else f"[{json.dumps(step)}]"
    return f"await {path}({_javascript_value(arguments) if arguments else ''})"


def _javascript_value(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{_javascript_key(key)}: {_javascript_value(item)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    return _listed(value, _javascript_value, "[{}]")


def _javascript_key(key: str) -> str:
    return key if _JS_NAME.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _go(name: str, arguments: Any) -> str:
    given = f", Args{_go_fields(arguments)}" if isinstance(arguments, dict) and arguments else ""
    return f"MustCallTool[any]({json.dumps(name)}{given})"


def _go_value(value: Any) -> str:
    if isinstance(value, dict):
        return f"map[string]any{_go_fields(value)}"
    return "nil" if value is None else _listed(value, _go_value, "[]any{{{}}}")


def _go_fields(value: dict[str, Any]) -> str:
    return f"{{{', '.join(f'{_text(key)}: {_go_value(item)}' for key, item in value.items())}}}"


def _rust(name: str, arguments: Any) -> str:
    given = arguments if isinstance(arguments, dict) else {}
    pairs = ", ".join(f"{_rust_text(key)} => {_rust_argument(item)}" for key, item in given.items())
    return f"call_tool::<Value>({_rust_text(name)}, args! {{{pairs}}})?;"


def _rust_argument(value: Any) -> str:
    return f"json!({_rust_value(value)})" if value is None or isinstance(value, dict | list) else _rust_value(value)


def _rust_value(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_rust_text(key)}: {_rust_value(item)}' for key, item in value.items())}}}"
    if isinstance(value, str):
        return _rust_text(value)
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**31) <= value < 2**31:
        return f"{value}_i64" if -(2**63) <= value < 2**63 else f"{value}_i128"
    return _listed(value, _rust_value, "[{}]")


def _rust_text(text: str) -> str:
    known = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(known.get(c) or (c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in text) + '"'


def _csharp(name: str, arguments: Any) -> str:
    given = f", {_csharp_value(arguments)}" if isinstance(arguments, dict) and arguments else ""
    return f"CallTool({json.dumps(name)}{given});"


def _csharp_value(value: Any) -> str:
    if isinstance(value, dict):
        if value and all(_C_NAME.fullmatch(key) and not _CSHARP_WORD.fullmatch(key) for key in value):
            return f"new {{ {', '.join(f'{key} = {_csharp_member(item)}' for key, item in value.items())} }}"
        pairs = ", ".join(f"[{_text(key)}] = {_csharp_value(item)}" for key, item in value.items())
        return f"new Dictionary<string, object> {{ {pairs} }}"
    return _listed(value, _csharp_value, "new object[] {{ {} }}")


def _csharp_member(value: Any) -> str:
    """An anonymous object does not know of what type a null is."""
    return "(object)null" if value is None else _csharp_value(value)


def _bash(name: str, arguments: Any) -> str:
    words = [name]
    for key, value in (arguments if isinstance(arguments, dict) else {}).items():
        words += [f"--{key}", _shell_word(value)]
    return " ".join(words).rstrip()


def _shell_word(value: Any) -> str:
    if isinstance(value, Blank):
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if re.fullmatch(r"[\w./:=+-]+", text) else "'" + text.replace("'", "'\\''") + "'"


def _wat(name: str, arguments: Any) -> str:
    """Two lines: there are no texts in this language, only bytes at a place."""
    given = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"), default=lambda _: None)
    called, parameters = name.encode(), given.encode()
    places = (WAT_PLACE, len(called), WAT_PLACE + len(called), len(parameters))
    numbers = " ".join(f"(i32.const {number})" for number in places)
    return f'(data (i32.const {WAT_PLACE}) "{_wat_text(called + parameters)}")\n(call $tool_invoke {numbers})'


def _wat_text(octets: bytes) -> str:
    return "".join(
        f"\\{chr(octet)}" if chr(octet) in '"\\' else chr(octet) if 32 <= octet < 127 else f"\\{octet:02x}"
        for octet in octets
    )


def _listed(value: Any, write: Write, form: str) -> str:
    """A list in the form, anything else as JSON has it."""
    if isinstance(value, Blank):
        return ""
    return form.format(", ".join(map(write, value))) if isinstance(value, list) else _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_WRITERS: dict[str, Callable[[str, Any], str]] = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "go": _go,
    "rust": _rust,
    "csharp": _csharp,
    "bash": _bash,
    "wat": _wat,
}


TABLE_COLUMNS = (
    "id",
    "parent_id",
    "depth",
    "name",
    "status",
    "duration_ms",
    "started_ms",
    "line",
    "arguments",
    "outcome",
)


def as_json(records: list[CallRecord]) -> str:
    """One record as an object, several as a list."""
    return json.dumps(records[0] if len(records) == 1 else records, ensure_ascii=False, indent=2)


def as_code(record: CallRecord, language: str = "python") -> str:
    """The call as a script of that language would make it."""
    return call_code(record["alias"] or record["tool"], record["arguments"], language)


def table_lines(records: Iterable[CallRecord]) -> Iterator[str]:
    """Tab-separated values, the header first."""
    yield "\t".join(TABLE_COLUMNS)
    for record in records:
        yield "\t".join(map(_cell, _row(record)))


def _row(record: CallRecord) -> tuple[Any, ...]:
    error = record["error"]
    outcome = f"{error['type']}: {error['message']}" if error else record["result"]
    name = record["alias"] or record["tool"]
    known = (record["id"], record["parent_id"], record["depth"], name, record["status"] or "running")
    return (*known, record["duration_ms"], record["started_ms"], record["line"], record["arguments"], outcome)


def _cell(value: Any) -> str:
    """A text that breaks neither row nor column."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.replace("\t", " ").replace("\r", " ").replace("\n", " ")
