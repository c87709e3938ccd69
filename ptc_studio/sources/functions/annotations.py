"""Reads the parameters of a function: which a script sees, their types, and what the author says of them."""

import dataclasses
import functools
import inspect
import re
import sys
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import SimpleNamespace
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typing_extensions
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


NEEDED = sys.version_info < (3, 12)


def make_readable(annotation: Any) -> None:
    """Gives every TypedDict that the annotation leads to a schema of its own."""
    if NEEDED:
        _visit(annotation, set())


def _visit(annotation: Any, seen: set[int]) -> None:
    if id(annotation) in seen:
        return
    seen.add(id(annotation))
    if typing.is_typeddict(annotation) and type(annotation).__module__ == "typing":
        annotation.__get_pydantic_core_schema__ = lambda source, handler: handler.generate_schema(_twin(source))
        _visit_all(get_type_hints(annotation, include_extras=True).values(), seen)
    elif isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        _visit_all(get_type_hints(annotation, include_extras=True).values(), seen)
    else:
        _visit_all(get_args(annotation), seen)


def _visit_all(annotations: typing.Iterable[Any], seen: set[int]) -> None:
    for annotation in annotations:
        _visit(annotation, seen)


@functools.lru_cache(256)
def _twin(original: Any) -> Any:
    hints = get_type_hints(original, include_extras=True)
    fields = {name: _qualified(hint, name in original.__required_keys__) for name, hint in hints.items()}
    return typing_extensions.TypedDict(original.__name__, fields)  # pyright: ignore[reportArgumentType]


def _qualified(hint: Any, required: bool) -> Any:
    if get_origin(hint) in (typing.Required, typing.NotRequired):
        return hint
    return typing_extensions.Required[hint] if required else typing_extensions.NotRequired[hint]


_OWN_PACKAGE = re.compile(r"_ptc_functions_\d+\.")
_COLLECTORS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class UnfitFunctionError(Exception):
    """A function that cannot be a tool; the message says why."""


def parameters_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """All parameters, by name."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError) as error:
        raise UnfitFunctionError(f"its signature cannot be read: {error}") from None


def is_visible(parameter: inspect.Parameter) -> bool:
    """True for what a script may pass."""
    return not parameter.name.startswith("_") and parameter.kind not in _COLLECTORS


def check_hidden(parameters: Mapping[str, inspect.Parameter]) -> None:
    """Nobody can fill a hidden parameter that has no default, but for `_context`."""
    for parameter in parameters.values():
        if is_visible(parameter) or parameter.kind in _COLLECTORS or parameter.name == "_context":
            continue
        if parameter.default is inspect.Parameter.empty:
            raise UnfitFunctionError(f"its parameter {parameter.name!r} is hidden from scripts, so it needs a default")


def type_of(parameter: inspect.Parameter, names: dict[str, Any]) -> Any:
    """The parameter's type, resolved with the names of the module it was written in."""
    if parameter.annotation is inspect.Parameter.empty:
        return Any
    holder = SimpleNamespace(__annotations__={"it": parameter.annotation})
    try:
        hint = get_type_hints(holder, globalns=names, include_extras=True)["it"]
        make_readable(hint)
    except NameError as error:
        raise UnfitFunctionError(
            f"the type of its parameter {parameter.name!r} names {error.name!r}, which the file does not define:"
            " import it at the top"
        ) from None
    except Exception as error:  # noqa: BLE001 - an annotation is any expression of the user's
        raise UnfitFunctionError(f"the type of its parameter {parameter.name!r} cannot be read: {error}") from None
    return _with_own_metadata(hint)


def written(hint: Any, module: str) -> str:
    """The type as its author would write it, without metadata."""
    if hint is Any:
        return ""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    return _OWN_PACKAGE.sub("", inspect.formatannotation(hint).replace(f"{module}.", ""))


def _with_own_metadata(hint: Any) -> Any:
    """Reads the `ParamMeta` of another catalogue as ours."""
    if get_origin(hint) is not Annotated:
        return hint
    base, *metadata = get_args(hint)
    for item in metadata:
        base = Annotated[base, _own(item)]
    return base


def _own(item: Any) -> Any:
    if type(item).__name__ != "ParamMeta" or isinstance(item, ParamMeta):
        return item
    return ParamMeta(getattr(item, "description", None), getattr(item, "enum", None))
