"""The Python interfaces that UTCP's code mode tells a script of its tools, as text."""

from collections.abc import Mapping, Sequence
from typing import Any

from ptc_studio.core.scripts import Visible
from ptc_studio.core.tools import JsonSchema

HEAD = (
    "# Auto-generated Python interfaces for UTCP tools\n"
    "from typing import TypedDict, Any, List, Dict, Optional, Union\nimport asyncio\n\n"
)
_TYPES = {
    "string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None",
    "object": "Dict[str, Any]", "array": "List[Any]",
}  # fmt: skip


def interfaces(tools: Sequence[Visible], names: Mapping[str, str]) -> dict[str, str]:
    """The interface of each tool, by every name that it has here and there."""
    found: dict[str, str] = {}
    for visible in tools:
        own = visible.names[0]
        called = [name for name, tool in names.items() if tool == own]
        # One with a namespace, as its manuals have it, where there is one.
        there = next((name for name in called if "." in name), called[0] if called else own)
        spec = visible.target.spec
        text = _interface(there, spec.description, spec.parameters, spec.output)
        found.update(dict.fromkeys((there, *visible.names), text))
    return found


def everything(found: Mapping[str, str]) -> str:
    """All of them as one text."""
    return HEAD + "\n".join(dict.fromkeys(found.values()))


def _interface(name: str, description: str, inputs: JsonSchema, outputs: JsonSchema | None) -> str:
    space, dot, tool = name.partition(".")
    if dot:
        content = (
            f"\n# Namespace: {space}\nclass {tool}Input(TypedDict):\n{_fields(inputs)}\n\n"
            f"class {tool}Output(TypedDict):\n{_fields(outputs)}"
        )
    else:
        content = f"{_class(inputs, f'{name}Input')}\n\n{_class(outputs, f'{name}Output')}"
    return f"{content}\n\n# {description}\n# Tags: \n# Access as: {name}(args)\n"


def _class(schema: JsonSchema | None, name: str) -> str:
    if not schema:
        return f"class {name}(TypedDict):\n    pass  # Any type"
    if schema.get("type") != "object":
        return f"{name} = {_type(schema)}"
    if not schema.get("properties"):
        return f"class {name}(TypedDict):\n    pass  # No specific properties defined"
    return f"class {name}(TypedDict):\n{_fields(schema)}"


def _fields(schema: JsonSchema | None) -> str:
    if not schema or schema.get("type") != "object":
        return "    pass  # Any type allowed"
    properties: Mapping[str, Any] = schema.get("properties") or {}
    if not properties:
        return "    pass  # No specific properties defined"
    lines: list[str] = []
    for name, part in properties.items():
        if isinstance(part, Mapping) and part.get("description"):
            lines.append(f"    # {part['description']}")
        text = _type(part)
        lines.append(f"    {name}: {text if name in (schema.get('required') or ()) else f'Optional[{text}]'}")
    return "\n".join(lines)


def _type(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        return "Any"
    if schema.get("enum"):
        return f"Literal[{', '.join(_literal(value) for value in schema['enum'])}]"
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_TYPES.get(each, "Any") for each in kind)
    if kind == "array" and isinstance(schema.get("items"), Mapping):
        return f"List[{_type(schema['items'])}]"
    return _TYPES.get(kind, "Any") if isinstance(kind, str) else "Any"


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
