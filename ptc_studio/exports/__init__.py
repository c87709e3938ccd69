"""What leaves the studio for other systems: definitions and types of tools; and what comes from them.

A format more is a function that writes it and a row here: the command line and the window offer it by itself. The table
is read by the command line's help, so what a row writes with is imported when it is written.
"""

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target


@dataclass(frozen=True, slots=True)
class DefinitionFormat:
    """A way to describe tools."""

    id: str
    title: str
    """As people know it."""
    file: str
    """What it is usually saved as."""
    language: str
    """In which it is coloured."""
    writer: str
    """The module of this package, and in it the function from tools as they are shown to the definitions."""


FORMATS = {
    row.id: row
    for row in (
        DefinitionFormat("anthropic", "Anthropic", "tools.json", "json", "vendors:anthropic"),
        DefinitionFormat("openai", "OpenAI", "tools.json", "json", "vendors:openai"),
        DefinitionFormat("mcp", "MCP", "tools.json", "json", "vendors:mcp"),
        DefinitionFormat("schema", "JSON Schema", "tools.schema.json", "json", "vendors:plain_schema"),
        DefinitionFormat("pyi", "Python .pyi", "tools.pyi", "python", "pyi:pyi"),
        DefinitionFormat("dts", "TypeScript .d.ts", "tools.d.ts", "typescript", "dts:dts"),
    )
}


def definitions(targets: "Iterable[Target]", form: str) -> str | list[dict[str, Any]]:
    """The tools as scripts see them: a list of definitions, or for `pyi` and `dts` the text of a file."""
    from ptc_studio.exports.schemas import shown

    module, function = FORMATS[form].writer.split(":")
    write = getattr(importlib.import_module(f"{__name__}.{module}"), function)
    return write([shown(target) for target in targets])
