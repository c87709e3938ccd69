"""What a script of pydantic-ai's code mode is type-checked against: a stub of each tool, made of its schema."""

from collections.abc import Mapping, Sequence
from keyword import iskeyword
from typing import Any

from ptc_studio.core.json_schema import properties_of, required_of
from ptc_studio.core.scripts import Visible
from ptc_studio.core.tools import JsonSchema

HEAD = "import asyncio\nfrom typing import Any, TypedDict, NotRequired, Literal"
_TYPES = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None"}


def stubs(tools: Sequence[Visible], names: Mapping[str, str]) -> str:
    """The stubs of the tools, under their names there."""
    by_name = {visible.names[0]: visible for visible in tools}
    writer = _Writer()
    functions = [writer.function(there, by_name[own]) for there, own in names.items() if own in by_name]
    return "\n\n".join([HEAD, *writer.classes, *functions]) + "\n"


class _Writer:
    """Writes types; an object with known fields becomes a class of its own."""

    def __init__(self) -> None:
        self.classes: list[str] = []

    def function(self, name: str, visible: Visible) -> str:
        spec = visible.target.spec
        required = set(required_of(spec.parameters))
        fields = [
            f"{field}: {self.type(part, name, field)}{'' if field in required else f' = {_default(part)}'}"
            for field, part in properties_of(spec.parameters).items()
            if field.isidentifier() and not iskeyword(field)
        ]
        odd = len(fields) < len(properties_of(spec.parameters)) or spec.parameters.get("additionalProperties")
        given = ", ".join([*(["*", *fields] if fields else []), *(["**more: Any"] if odd else [])])
        result = self.type(spec.output, name, "Result") if spec.output is not None else "Any"
        return f"async def {name}({given}) -> {result}:\n    raise NotImplementedError()"

    def type(self, schema: Any, tool: str, field: str) -> str:
        if not isinstance(schema, Mapping) or "$ref" in schema or "allOf" in schema:
            return "Any"
        if schema.get("enum"):
            return f"Literal[{', '.join(map(repr, schema['enum']))}]" if _literal(schema["enum"]) else "Any"
        kinds: Any = schema.get("anyOf") or schema.get("oneOf")
        if kinds:
            return " | ".join(dict.fromkeys(self.type(each, tool, field) for each in kinds))
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(self.type({**schema, "type": each}, tool, field) for each in kind)
        if kind == "array":
            return f"list[{self.type(schema.get('items'), tool, f'{field}Item')}]"
        if kind == "object":
            return self._object(schema, tool, field)
        return _TYPES.get(str(kind), "Any")

    def _object(self, schema: JsonSchema, tool: str, field: str) -> str:
        properties = properties_of(schema)
        if not properties or not all(name.isidentifier() and not iskeyword(name) for name in properties):
            more = schema.get("additionalProperties")
            return f"dict[str, {self.type(more, tool, field) if isinstance(more, Mapping) else 'Any'}]"
        required = set(required_of(schema))
        name = f"_{tool}_{field}_{len(self.classes)}"
        lines = [f"class {name}(TypedDict):"]
        for key, part in properties.items():
            text = self.type(part, tool, key)
            lines.append(f"    {key}: {text if key in required else f'NotRequired[{text}]'}")
        self.classes.append("\n".join(lines))
        return name


def _default(part: Any) -> str:
    """As it is written there; what only JSON can say is left open."""
    value = part.get("default", ...) if isinstance(part, Mapping) else ...
    return repr(value) if value is None or isinstance(value, str | int | float) else "..."


def _literal(values: Sequence[Any]) -> bool:
    return all(isinstance(value, str | int | bool) or value is None for value in values)
