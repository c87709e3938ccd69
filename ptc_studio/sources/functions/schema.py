"""Turns a function's parameters into a JSON Schema, a signature, and a validator of arguments."""

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NotRequired, Required

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import PydanticSerializationError, to_jsonable_python
from typing_extensions import TypedDict

from ptc_studio.core.tools import JsonSchema, Parameter
from ptc_studio.sources.functions.annotations import (
    UnfitFunctionError,
    check_hidden,
    is_visible,
    parameters_of,
    type_of,
)
from ptc_studio.sources.functions.annotations import written as as_written
from ptc_studio.sources.functions.refusals import refusal

_CONFIG = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class CallShape:
    """What a function takes."""

    parameters: JsonSchema
    signature: tuple[Parameter, ...]
    validate: Callable[[Any], dict[str, Any]]
    """Gives the converted arguments, only those that were there; raises pydantic's ValidationError."""

    def bind(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the function wants them, or the refusal."""
        try:
            return self.validate(arguments)
        except ValidationError as error:
            raise refusal(tool, error, arguments, [parameter.name for parameter in self.signature]) from None


def shape_of(function: Callable[..., Any]) -> CallShape:
    """Reads the function's signature; raises UnfitFunctionError where that cannot be done."""
    parameters = parameters_of(function)
    check_hidden(parameters)
    visible = [parameter for parameter in parameters.values() if is_visible(parameter)]
    names = getattr(inspect.unwrap(function), "__globals__", {})
    hints = {parameter.name: type_of(parameter, names) for parameter in visible}
    try:
        adapter = _adapter(visible, hints)
        schema = _json_schema(adapter, visible)
    except Exception as error:  # noqa: BLE001 - a user's type may do anything when it is asked for its schema
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise UnfitFunctionError(f"its parameters have no JSON Schema: {reason}") from None
    signature = tuple(_seen(parameter, hints[parameter.name], function.__module__) for parameter in visible)
    return CallShape(schema, signature, adapter.validator.validate_python)


def _adapter(visible: list[inspect.Parameter], hints: dict[str, Any]) -> TypeAdapter[dict[str, Any]]:
    """A TypedDict rather than a model: any name can be a key, and what was left out stays out."""
    fields: dict[str, Any] = {}
    for parameter in visible:
        qualifier: Any = Required if _is_required(parameter) else NotRequired
        fields[parameter.name] = qualifier[hints[parameter.name]]
    arguments: Any = TypedDict("Arguments", fields)  # pyright: ignore[reportGeneralTypeIssues, reportArgumentType]
    arguments.__pydantic_config__ = _CONFIG
    return TypeAdapter(arguments)


def _json_schema(adapter: TypeAdapter[Any], visible: list[inspect.Parameter]) -> JsonSchema:
    schema = adapter.json_schema(schema_generator=_PlainJsonSchema)
    schema.pop("title", None)
    properties: dict[str, Any] = schema.setdefault("properties", {})
    for parameter in visible:
        default = _json_default(parameter)
        if default is not _ABSENT and parameter.name in properties:
            properties[parameter.name] = {**properties[parameter.name], "default": default}
    return schema


def _seen(parameter: inspect.Parameter, hint: Any, module: str) -> Parameter:
    default = _json_default(parameter)
    return Parameter(
        parameter.name,
        required=_is_required(parameter),
        default=None if default is _ABSENT else default,
        annotation=as_written(hint, module),
        keyword_only=parameter.kind is inspect.Parameter.KEYWORD_ONLY,
    )


def _is_required(parameter: inspect.Parameter) -> bool:
    return parameter.default is inspect.Parameter.empty


def _json_default(parameter: inspect.Parameter) -> Any:
    if _is_required(parameter):
        return _ABSENT
    try:
        default = to_jsonable_python(parameter.default)
        json.dumps(default, allow_nan=False)
    except (PydanticSerializationError, ValueError, TypeError, RecursionError):
        return _ABSENT
    return default


class _PlainJsonSchema(GenerateJsonSchema):
    """Without the titles that pydantic makes up, and open where a type has no JSON form."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> JsonSchemaValue:  # noqa: ARG002
        return {}
