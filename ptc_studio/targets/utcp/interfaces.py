"""The TypeScript interfaces that a script of UTCP's code mode can ask for: `__interfaces` and `__getToolInterface`."""

from collections.abc import Mapping, Sequence
from typing import Any

from ptc_studio.core.scripts import Visible
from ptc_studio.targets.javascript_conventions import typescript_type


def interfaces(tools: Sequence[Visible], names: Mapping[str, str]) -> dict[str, Any]:
    """All of them as one text, and each by the tool's name."""
    there: dict[str, str] = {}
    for name, own in names.items():
        # Every tool is one of a manual there.
        if own not in there or ("." in name and "." not in there[own]):
            there[own] = name
    each: dict[str, str] = {}
    texts: list[str] = []
    for visible in tools:
        own, spec = visible.names[0], visible.target.spec
        texts.append(_of_tool(there.get(own, own), spec.description, spec.parameters, spec.output))
        each |= dict.fromkeys(visible.names, texts[-1])
    return {"all": "// Auto-generated TypeScript interfaces for UTCP tools\n" + "\n\n".join(texts), "each": each}


def _of_tool(name: str, description: str, inputs: Mapping[str, Any], output: Mapping[str, Any] | None) -> str:
    manual, dot, tool = name.partition(".")
    if dot:
        body = (
            f"\nnamespace {manual} {{\n  interface {tool}Input {{\n{_properties(inputs)}\n  }}\n\n"
            f"  interface {tool}Output {{\n{_properties(output)}\n  }}\n}}"
        )
    else:
        body = f"{_declared(inputs, f'{name}Input')}\n\n{_declared(output, f'{name}Output')}"
    about = description.replace("*/", "*\\/").replace("\n", " ")
    return f"\n{body}\n\n/**\n * {about}\n * Tags: \n * Access as: {name}(args)\n */"


def _properties(schema: Mapping[str, Any] | None, indent: str = "    ") -> str:
    if not schema or schema.get("type") != "object":
        return f"{indent}[key: string]: any;"
    required = schema.get("required") or ()
    lines: list[str] = []
    for name, part in (schema.get("properties") or {}).items():
        if part.get("description"):
            lines.append(f"{indent}/** {part['description'].replace('*/', '*' + chr(92) + '/')} */")
        lines.append(f"{indent}{name}{'' if name in required else '?'}: {typescript_type(part)};")
    return "\n".join(lines) or f"{indent}[key: string]: any;"


def _declared(schema: Mapping[str, Any] | None, name: str) -> str:
    if not schema or not schema.get("type"):
        return f"type {name} = any;"
    if schema["type"] == "object":
        return f"interface {name} {{\n{_properties(schema, '  ')}\n}}"
    return f"type {name} = {typescript_type(schema)};"
