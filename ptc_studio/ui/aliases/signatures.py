"""How a script sees an alias: its signature as the language writes it. Knows no Qt."""

import json
from collections.abc import Mapping
from typing import Any

from ptc_studio.core.registry import identifier
from ptc_studio.core.tools import Parameter, ToolSpec
from ptc_studio.ui.calls.code import skeleton

WIDEST = 48
"""A longer list of parameters has a line for each."""
_PYTHON = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "object": "dict"}
_SCRIPT = {"integer": "number", "object": "object"}
DEEPEST = 4


def signature_in(language: str, spec: ToolSpec) -> str:
    """The signature; for languages without one of their own, a call."""
    if language == "bash":
        return _bash(spec)
    if language in ("javascript", "typescript"):
        return _javascript(spec)
    if language in ("go", "rust", "csharp", "wat"):
        needed = [parameter.name for parameter in _parameters(spec) if parameter.required]
        return skeleton(spec.name, needed, language)
    return _python(spec)


def python_type(schema: Any, depth: int = 0) -> str:
    """A schema as a type of Python, without names of its own."""
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return "Any"
    if "enum" in schema:
        return f"Literal[{', '.join(map(_python_value, schema['enum']))}]"
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            return " | ".join(dict.fromkeys(python_type(part, depth + 1) for part in schema[key]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(python_type({**schema, "type": each}, depth + 1) for each in kind)
    if kind == "array":
        return f"list[{python_type(schema['items'], depth + 1)}]" if schema.get("items") else "list"
    return _PYTHON.get(str(kind), "dict" if "properties" in schema or "$ref" in schema else "Any")


def _python(spec: ToolSpec) -> str:
    properties: Mapping[str, Any] = spec.parameters.get("properties", {})
    told: list[str] = []
    star = False
    for parameter in _parameters(spec):
        if parameter.keyword_only and not star:
            star = True
            told.append("*")
        kind = parameter.annotation or python_type(properties.get(parameter.name))
        default = "" if parameter.required else f" = {_python_value(parameter.default)}"
        told.append(f"{parameter.name}: {kind}{default}")
    result = f"\n    -> {python_type(spec.output)}" if spec.output is not None else ""
    return f"{identifier(spec.name)}{_listed(told)}{result}"


def _javascript(spec: ToolSpec) -> str:
    properties: Mapping[str, Any] = spec.parameters.get("properties", {})
    told = [
        f"{parameter.name}{'' if parameter.required else '?'}: {_script_type(properties.get(parameter.name))}"
        for parameter in _parameters(spec)
    ]
    result = _script_type(spec.output) if spec.output is not None else "any"
    given = f"({{ {', '.join(told)} }})" if told else "()"
    if len(given) > WIDEST:
        given = "({\n" + "".join(f"    {each},\n" for each in told) + "})"
    return f"tools.{spec.name}{given}\n    : Promise<{result}>"


def _bash(spec: ToolSpec) -> str:
    words = []
    for parameter in _parameters(spec):
        word = f"--{parameter.name} {parameter.name.upper()}"
        words.append(word if parameter.required else f"[{word}]")
    one = " ".join([spec.name, *words])
    return one if len(one) <= WIDEST else " \\\n    ".join([spec.name, *words])


def _script_type(schema: Any, depth: int = 0) -> str:
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return "any"
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            return " | ".join(dict.fromkeys(_script_type(part, depth + 1) for part in schema[key]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(_script_type({**schema, "type": each}, depth + 1) for each in kind))
    if kind == "array":
        return f"{_script_type(schema.get('items'), depth + 1)}[]"
    return _SCRIPT.get(str(kind), str(kind)) if kind else "object" if "properties" in schema else "any"


def _parameters(spec: ToolSpec) -> tuple[Parameter, ...]:
    if spec.signature:
        return spec.signature
    required = spec.parameters.get("required", ())
    properties: Mapping[str, Any] = spec.parameters.get("properties", {})
    made = (Parameter(name, name in required, _default(part)) for name, part in properties.items())
    return tuple(sorted(made, key=lambda parameter: not parameter.required))


def _default(part: Any) -> Any:
    return part.get("default") if isinstance(part, Mapping) else None


def _listed(told: list[str]) -> str:
    one = f"({', '.join(told)})"
    return one if len(one) <= WIDEST else "(\n" + "".join(f"    {each},\n" for each in told) + ")"


def _python_value(value: Any) -> str:
    """As people write it: with double quotes."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
