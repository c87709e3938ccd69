"""What several JavaScript targets share: how they compile a script, and what they make of the names of tools."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ptc_studio.core.errors import PtcError
from ptc_studio.core.scripts import Script, Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.javascript_syntax import Syntax

RESERVED = frozenset(
    re.findall(
        r"\w+",
        "abstract arguments await boolean break byte case catch char class const continue debugger default "
        "delete do double else enum eval export extends false final finally float for function goto if "
        "implements import in instanceof int interface let long native new null package private protected "
        "public return short static super switch synchronized this throw throws transient true try typeof "
        "undefined var void volatile while with yield",
    )
)
IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


class RefusedTools(PtcError):
    """The target does not take the tools as they are, such as two that would have one name there."""


def body_of_a_function(script: Script, _tools: Sequence[Visible]) -> Mapping[str, Any]:
    """The script as the body of an async function, which is what it is compiled to."""
    syntax = Syntax(script.code)
    end = syntax.offset(len(syntax.data))
    return {"edits": [(0, 0, "(async () => {"), (end, end, "\n})")]}


def camel_case(name: str) -> str:
    """`get_price` and `get-price` as `getPrice`."""
    return re.sub(r"[-_.\s]+([a-zA-Z0-9])", lambda found: found[1].upper(), name)


def pascal_case(name: str) -> str:
    """`google-drive` as `GoogleDrive`."""
    camel = camel_case(name)
    return camel[:1].upper() + camel[1:]


def mapped_names(tools: Sequence[Visible], name_there: Callable[[str], str], place: str = "") -> dict[str, str]:
    """Each tool under what becomes of its names; raises RefusedTools where two tools' own names become one."""
    found: dict[str, str] = {}
    for visible in tools:
        own = visible.names[0]
        name = name_there(own)
        other = found.setdefault(name, own)
        if other != own:
            where = f' in provider "{place}"' if place else ""
            raise RefusedTools(f'Tool names "{other}" and "{own}" both sanitize to "{name}"{where}')
    for visible in tools:
        for name in visible.names[1:]:
            found.setdefault(name_there(name), visible.names[0])
    return found


def by_server(tools: Sequence[Visible]) -> dict[str, dict[str, str]]:
    """The tools by the namespaces that they have: for each, what they are called there and their own names."""
    found: dict[str, dict[str, str]] = {}
    for visible in tools:
        spaced = [name for name in visible.names if "." in name] or [f"tools.{visible.names[0]}"]
        for name in spaced:
            server, _, rest = name.partition(".")
            found.setdefault(server, {}).setdefault(rest, visible.names[0])
    return found


def described(tools: Sequence[Visible]) -> dict[str, str]:
    """The descriptions of the tools by their own names."""
    return {visible.names[0]: visible.target.spec.description for visible in tools}


def printed_lines(record: RunRecord) -> list[str]:
    """What the script printed, line by line: all that is left of a run that was ended from outside."""
    return record["stdout"].splitlines()


def ran_out_of_memory(record: RunRecord) -> bool:
    """Whether the limit of its memory ended the script."""
    error = record["error"]
    return error is not None and record["status"] == "crashed" and error["type"] == "MemoryError"


DISPOSED = "Isolate is already disposed"
"""With this the packages that use isolated-vm fail themselves, instead of replying, when the memory is used up."""


def message_of(record: RunRecord) -> str:
    """What the script failed with, in its own words."""
    error = record["error"]
    return str(error["message"]) if error else ""


_PLAIN = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
_IN_UNIONS = {**_PLAIN, "object": "object", "array": "any[]"}


def typescript_type(schema: Any) -> str:
    """The type of what a JSON Schema describes, as UTCP writes it: what it does not know is `any`."""
    if not isinstance(schema, dict):
        return "any"
    if schema.get("enum"):
        return " | ".join(json.dumps(value) if isinstance(value, str) else str(value) for value in schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_IN_UNIONS.get(one, "any") for one in kind)
    if kind == "object":
        required = schema.get("required") or ()
        fields = (schema.get("properties") or {}).items()
        parts = [f"{name}{'' if name in required else '?'}: {typescript_type(part)}" for name, part in fields]
        return f"{{ {'; '.join(parts)} }}" if parts else "{ [key: string]: any }"
    if kind == "array":
        return f"({typescript_type(schema['items'])})[]" if schema.get("items") else "any[]"
    return _PLAIN.get(str(kind), "any")
