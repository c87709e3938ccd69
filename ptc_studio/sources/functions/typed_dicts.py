"""Lets pydantic read `typing.TypedDict` before Python 3.12, where it insists on the one of typing_extensions."""

import dataclasses
import functools
import sys
import typing
from typing import Any, get_args, get_origin, get_type_hints

import typing_extensions
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema

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
        annotation.__get_pydantic_core_schema__ = _schema_of_twin
        _visit_all(get_type_hints(annotation, include_extras=True).values(), seen)
    elif isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        _visit_all(get_type_hints(annotation, include_extras=True).values(), seen)
    else:
        _visit_all(get_args(annotation), seen)


def _visit_all(annotations: typing.Iterable[Any], seen: set[int]) -> None:
    for annotation in annotations:
        _visit(annotation, seen)


def _schema_of_twin(source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    return handler.generate_schema(_twin(source))


@functools.lru_cache(256)
def _twin(original: Any) -> Any:
    hints = get_type_hints(original, include_extras=True)
    fields = {name: _qualified(hint, name in original.__required_keys__) for name, hint in hints.items()}
    return typing_extensions.TypedDict(original.__name__, fields)  # pyright: ignore[reportArgumentType]


def _qualified(hint: Any, required: bool) -> Any:
    if get_origin(hint) in (typing.Required, typing.NotRequired):
        return hint
    return typing_extensions.Required[hint] if required else typing_extensions.NotRequired[hint]
