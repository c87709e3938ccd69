"""One tool as TypeScript writes it, on a line: what editors show beside its name."""

from dataclasses import dataclass

from ptc_studio.exports.dts_types import DtsTypes, key_text
from ptc_studio.exports.schemas import flat_object
from ptc_studio.exports.shown import Shown
from ptc_studio.exports.type_names import TypeNames
from ptc_studio.exports.type_reader import TypeReader
from ptc_studio.exports.types import AnyType, Type


@dataclass(frozen=True, slots=True)
class DtsSignature:
    """The types of a tool's parameters, by name, and of its result."""

    name: str
    parameters: dict[str, str]
    required: frozenset[str]
    result: str

    def __str__(self) -> str:
        fields = [
            f"{key_text(name)}{'' if name in self.required else '?'}: {kind}" for name, kind in self.parameters.items()
        ]
        given = f"{{ {'; '.join(fields)} }}" if fields else ""
        return f"tools.{self.name}({given}): Promise<{self.result}>"


def dts_signature(tool: Shown) -> DtsSignature:
    """The types as in the declarations, without the namespace that they are in."""
    names, types = TypeNames(), DtsTypes()
    record = TypeReader(tool.parameters, names, tool.name).record(flat_object(tool.parameters), "Arguments")
    result: Type = AnyType()
    if tool.output is not None:
        result = TypeReader(tool.output, names, tool.name).read(tool.output, "Result")
    return DtsSignature(
        tool.name,
        {field.name: types.inside(field.type) for field in record.fields},
        frozenset(field.name for field in record.fields if field.required),
        types.inside(result),
    )
