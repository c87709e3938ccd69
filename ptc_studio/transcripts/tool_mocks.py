"""Writes Python functions that stand in for the tools of a conversation, to run its programs changed or anew."""

import json
import keyword
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from ptc_studio.core.redaction import Redactor
from ptc_studio.core.responders.cassette import Cassette, RecordedCall
from ptc_studio.core.responders.examples import example
from ptc_studio.transcripts.vendors import DefinedTool

HEADER = '''\
"""Stand-ins for the tools of an imported conversation.

Each has the tool's parameters and description, and answers as the tool first did there. Replace bodies by real ones.
"""

from typing import Any
'''
TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list[Any]",
    "object": "dict[str, Any]",
}


def mocks_module(
    tools: Sequence[DefinedTool], cassettes: Iterable[Cassette], redactor: Redactor
) -> tuple[str, list[str]]:
    """The text of the module, without secrets, and a warning for each tool that cannot be a function."""
    answers: dict[str, RecordedCall] = {}
    for call in (call for cassette in cassettes for call in cassette.calls if call.status == "ok"):
        answers.setdefault(call.name, call)
    parts, left_out = [HEADER], list[str]()
    for tool in tools:
        names = [tool.name, *_properties(tool)]
        wrong = next((name for name in names if not _is_name(name)), None)
        if wrong is None:
            parts.append(_function(tool, answers.get(tool.name), redactor))
        else:
            left_out.append(f"The tool {tool.name!r} is no mock: {wrong!r} cannot be a name in Python.")
    return "\n\n".join(parts), left_out


def _function(tool: DefinedTool, answer: RecordedCall | None, redactor: Redactor) -> str:
    value = answer.result if answer is not None else example(tool.output).value if tool.output else ""
    lines = [f"def {tool.name}({', '.join(_parameters(tool, redactor))}) -> Any:"]
    if tool.description:
        lines.append(f"    {_docstring(redactor.text(tool.description, 'description').value)}")
    lines.append(f"    return {_literal(redactor.value(value, 'result').value)}")
    return "\n".join(lines) + "\n"


def _parameters(tool: DefinedTool, redactor: Redactor) -> Iterator[str]:
    properties = _properties(tool)
    found = tool.parameters.get("required")
    required = cast("list[Any]", found) if isinstance(found, list) else []
    for name in sorted(properties, key=lambda name: name not in required):
        about = properties[name] if isinstance(properties[name], Mapping) else {}
        kind = about.get("type")
        annotation = TYPES.get(kind, "Any") if isinstance(kind, str) else "Any"
        if name in required:
            yield f"{name}: {annotation}"
        else:
            optional = annotation if annotation == "Any" or "default" in about else f"{annotation} | None"
            default = redactor.value({name: about.get("default")}, "default").value[name]
            yield f"{name}: {optional} = {_literal(default)}"


def _properties(tool: DefinedTool) -> dict[str, Any]:
    found = tool.parameters.get("properties")
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _docstring(text: str) -> str:
    """The text as a docstring: what stands in it is never code."""
    plain = text.strip().replace("\\", "\\\\").replace('"', '\\"')
    indented = plain.replace("\n", "\n    ")
    return f'"""{indented}"""' if text.isprintable() or "\n" in text else repr(text)


def _literal(value: Any) -> str:
    """The value as Python has it: data of JSON, so that its `repr` is that."""
    try:
        return repr(json.loads(json.dumps(value, allow_nan=False)))
    except ValueError:
        # NaN and its like are no data of JSON's, nor names of Python's.
        return repr(json.dumps(value))


def _is_name(name: str) -> bool:
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
