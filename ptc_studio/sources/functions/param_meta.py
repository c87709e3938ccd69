"""What an author says of a parameter beyond its type: `Annotated[str, ParamMeta(description=..., enum=...)]`."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema


@dataclass(frozen=True)
class ParamMeta:
    """Description and permitted values of one parameter; for a list, the permitted values of its items."""

    description: str | None = None
    enum: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        # A list would make the annotation unhashable, and with it `Optional[Annotated[...]]` a TypeError.
        if self.enum is not None:
            object.__setattr__(self, "enum", tuple(self.enum))

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        if not self.enum:
            return schema
        return core_schema.no_info_after_validator_function(self._permitted, schema)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        described = dict(handler(schema))
        if self.description:
            described["description"] = self.description
        if self.enum:
            _set_enum(described, self.enum)
        return described

    def _permitted(self, value: Any) -> Any:
        items = value if isinstance(value, list | tuple | set | frozenset) else (value,)
        if all(self._is_permitted(item) for item in items):
            return value
        expected = " or ".join(repr(item) for item in self.enum or ())
        raise PydanticCustomError("enum", "Input should be {expected}", {"expected": expected})

    def _is_permitted(self, value: Any) -> bool:
        # None gets this far only where the type itself has it.
        if value is None:
            return True
        plain = value.value if isinstance(value, Enum) else value
        return any(plain == item and isinstance(plain, bool) == isinstance(item, bool) for item in self.enum or ())


def _set_enum(described: dict[str, Any], enum: Sequence[Any]) -> None:
    if described.get("type") == "array":
        described["items"] = {**described.get("items", {}), "enum": list(enum)}
        return
    optional = any(branch.get("type") == "null" for branch in described.get("anyOf", ()))
    described["enum"] = [*enum, None] if optional and None not in enum else list(enum)
