"""What the editor knows of a tool: enough to complete, explain and check a call of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ptc_studio.exports.schemas import Shown


@dataclass(frozen=True, slots=True)
class ParameterHint:
    """One parameter of a tool."""

    name: str
    annotation: str = ""
    required: bool = True
    default: str | None = None
    """As it is written in code, such as `"Q3"`."""
    keyword_only: bool = False

    def __str__(self) -> str:
        if self.required:
            return f"{self.name}: {self.annotation}" if self.annotation else self.name
        default = "..." if self.default is None else self.default
        return f"{self.name}: {self.annotation} = {default}" if self.annotation else f"{self.name}={default}"


@dataclass(frozen=True, slots=True)
class ToolHint:
    """One tool or alias, by the name under which a script calls it; the name may have dots."""

    name: str
    signature: str = ""
    description: str = ""
    parameters: tuple[ParameterHint, ...] = ()
    schema: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)
    """JSON Schema of the arguments, where there is one."""
    output: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)
    """JSON Schema of the result, likewise."""
    tool: str = ""
    """The tool's or alias's own name, where this is another one that leads to it."""
    granted: bool = True
    """Whether the script may call it."""
    fault: str = ""
    """Why nobody can call it, such as that the alias is disabled."""

    @property
    def own_name(self) -> str:
        return self.tool or self.name

    @property
    def shown_signature(self) -> str:
        """The signature as given, else one made of the parameters."""
        return self.signature or f"{self.name}({', '.join(map(str, self.parameters))})"


def by_name(hints: Iterable[ToolHint]) -> dict[str, ToolHint]:
    """The hints, to be found by name."""
    return {hint.name: hint for hint in hints}


def shown_hint(hint: ToolHint, also: tuple[str, ...] = ()) -> "Shown":
    """The tool, with the further names that it has."""
    from ptc_studio.core.tools import Parameter
    from ptc_studio.exports.schemas import Shown

    signature = tuple(
        Parameter(each.name, each.required, annotation=each.annotation, keyword_only=each.keyword_only)
        for each in hint.parameters
    )
    names = {each.name: {} for each in hint.parameters}
    schema = {"type": "object", "properties": names, **(hint.schema or {})}
    return Shown(hint.name, hint.description, hint.description, schema, signature, hint.output, also)


def known_by_name(hint: ToolHint, also: tuple[str, ...] = ()) -> "Shown":
    """The tool as one that takes and gives anything."""
    from ptc_studio.exports.schemas import Shown

    return Shown(hint.name, "", "", {"type": "object", "additionalProperties": True}, (), None, also)
