"""Makes of a function and its docstring a description, a JSON Schema, a signature, and a validator of arguments."""

import inspect
import json
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import UnionType
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import ErrorDetails, PydanticSerializationError, to_jsonable_python
from typing_extensions import TypedDict

from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.core.tools import JsonSchema, Parameter
from ptc_studio.sources.functions.annotations import (
    UnfitFunctionError,
    check_hidden,
    is_visible,
    parameters_of,
    type_of,
)
from ptc_studio.sources.functions.annotations import written as as_written

LIMIT = 600
_SECTIONS = ("args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters")
_GOOGLE = re.compile(r"\*{0,2}(\w+)\s*(?:\(.*?\))?\s*:\s*(.*)")
_SPHINX = re.compile(
    r"[:@](?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*\s)?\*{0,2}\\?\*{0,2}(\w+)\s*:\s*(.*)"
)
_NUMPY = re.compile(r"\*{0,2}(\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?")
_UNDERLINE = re.compile(r"-{3,}|={3,}")


def documentation_of(function: Any) -> str:
    """The whole docstring, without its indentation."""
    return (inspect.getdoc(function) or "").strip()


def first_paragraph(doc: str) -> str:
    """The beginning of a docstring as one line, of at most 600 characters."""
    lines: list[str] = []
    for line in doc.splitlines():
        if not line.strip():
            break
        lines.append(line.strip())
    text = " ".join(lines)
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"


def parameter_descriptions(doc: str) -> dict[str, str]:
    """What the docstring says of each parameter, as one line each."""
    lines = doc.splitlines()
    found: dict[str, str] = {}
    for names, text in (*_sphinx(lines), *_sections(lines)):
        for name in names:
            if text and name not in found:
                found[name] = text
    return found


def _sphinx(lines: list[str]) -> Iterator[tuple[list[str], str]]:
    """`:param name: text`, and what is indented below it."""
    for number, line in enumerate(lines):
        if match := _SPHINX.fullmatch(line.strip()):
            yield [match[1]], _text(match[2], _indented(lines, number + 1, _indent(line)))


def _sections(lines: list[str]) -> Iterator[tuple[list[str], str]]:
    """What stands below `Args:`, or below an underlined `Parameters`."""
    for number, line in enumerate(lines):
        title, underlined = (
            line.strip().lower(),
            number + 1 < len(lines) and _UNDERLINE.fullmatch(lines[number + 1].strip()),
        )
        if underlined and title in _SECTIONS:
            yield from _numpy(lines, number + 2, _indent(line))
        elif title.endswith(":") and title[:-1] in _SECTIONS:
            yield from _google(_indented(lines, number + 1, _indent(line)))


def _google(block: list[str]) -> Iterator[tuple[list[str], str]]:
    least = min((_indent(line) for line in block if line.strip()), default=0)
    for number, line in enumerate(block):
        match = _GOOGLE.fullmatch(line.strip()) if _indent(line) == least else None
        if match:
            yield [match[1]], _text(match[2], _indented(block, number + 1, least))


def _numpy(lines: list[str], start: int, indent: int) -> Iterator[tuple[list[str], str]]:
    for number in range(start, len(lines)):
        line = lines[number]
        if number + 1 < len(lines) and _UNDERLINE.fullmatch(lines[number + 1].strip()):
            return
        match = _NUMPY.fullmatch(line.strip()) if line.strip() and _indent(line) == indent else None
        if match:
            names = [name.strip(" *") for name in match[1].split(",")]
            yield names, _text("", _indented(lines, number + 1, indent))


def _indented(lines: list[str], start: int, indent: int) -> list[str]:
    """The lines from there on that stand further in, up to the first that does not."""
    block: list[str] = []
    for line in lines[start:]:
        if line.strip() and _indent(line) <= indent:
            break
        block.append(line)
    return block


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _text(first: str, more: list[str]) -> str:
    text = " ".join(" ".join((first, *more)).split())
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"


ECHO_LIMIT = 80
_SUBJECT = re.compile(r"^(?:\w+ ){1,3}(?=should )")
_PARSING = re.compile(r", unable to parse.*")
_STRUCTURAL = {"missing": "is missing", "missing_argument": "is missing", "extra_forbidden": "is unexpected"}


def name_errors(given: Iterable[str], required: Iterable[str], known: Collection[str]) -> list[str]:
    """What is missing and what is too much."""
    given = list(given)
    takes = f"takes {', '.join(known)}" if known else "takes no arguments"
    missing = [f"missing {name!r}" for name in required if name not in given]
    return missing + [f"unexpected {name!r} ({takes})" for name in given if name not in known]


def refusal(
    tool: str, error: ValidationError, arguments: Mapping[str, Any], known: Collection[str]
) -> UnfitArguments | UnfitValues:
    """The refusal for what pydantic found; a missing or unexpected argument goes before a wrong value."""
    details = error.errors(include_url=False, include_context=False)
    missing = [str(detail["loc"][0]) for detail in details if _is_about_names(detail, "missing")]
    extra = [str(detail["loc"][0]) for detail in details if _is_about_names(detail, "extra_forbidden")]
    if missing or extra:
        return UnfitArguments(tool, "; ".join(name_errors(extra, missing, known)))
    return UnfitValues(tool, "; ".join(_value_faults(details, arguments)))


def _is_about_names(detail: ErrorDetails, kind: str) -> bool:
    return detail["type"] == kind and len(detail["loc"]) == 1


def _value_faults(details: list[ErrorDetails], arguments: Mapping[str, Any]) -> list[str]:
    """One fault a place: the branches of a union are told together."""
    found: dict[tuple[str, str], list[str]] = {}
    for detail in details:
        location = _location(detail, arguments)
        echo = "" if detail["type"] in _STRUCTURAL else f", got {_echo(detail['input'])}"
        reasons = found.setdefault((location, echo), [])
        reason = _reason(detail)
        if reason not in reasons:
            reasons.append(reason)
    return [f"{location!r}{_joined(reasons)}{echo}" for (location, echo), reasons in found.items()]


def _location(detail: ErrorDetails, value: Any) -> str:
    """The path within the arguments; a step that leads nowhere in them names a branch of a union."""
    text = ""
    last = len(detail["loc"]) - 1
    for index, step in enumerate(detail["loc"]):
        absent = index == last and detail["type"] in _STRUCTURAL
        if isinstance(step, int) and isinstance(value, list | tuple) and (absent or step < len(value)):
            text += f"[{step}]"
            value = None if absent else value[step]
        elif isinstance(value, Mapping) and (absent or step in value):
            text += f".{step}" if text else str(step)
            value = None if absent else value[step]
    return text


def _reason(detail: ErrorDetails) -> str:
    if detail["type"] in _STRUCTURAL:
        return _STRUCTURAL[detail["type"]]
    message = " ".join(detail["msg"].split())
    return _PARSING.sub("", _SUBJECT.sub("", message)).removeprefix("Value error, ")


def _joined(reasons: list[str]) -> str:
    if len(reasons) > 1 and all(reason.startswith("should be ") for reason in reasons):
        reasons = [reasons[0], *(reason.removeprefix("should be ") for reason in reasons[1:])]
    text = " or ".join(reasons)
    return f" {text}" if text.startswith(("should ", "is ")) else f": {text}"


def _echo(value: Any) -> str:
    text = repr(value[: ECHO_LIMIT + 1] if isinstance(value, str | bytes) else value)
    return text if len(text) <= ECHO_LIMIT else text[: ECHO_LIMIT - 1] + "…"


_CONFIG = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
_ABSENT = object()


@dataclass(frozen=True)
class CallShape:
    """What a function takes. Schema and validator are made when they are asked for: most functions are never called."""

    signature: tuple[Parameter, ...]
    visible: tuple[inspect.Parameter, ...]
    hints: Mapping[str, Any]
    doc: str = ""

    @cached_property
    def parameters(self) -> JsonSchema:
        return _json_schema(self._adapter, self.visible, parameter_descriptions(self.doc))

    @cached_property
    def validate(self) -> Callable[[Any], dict[str, Any]]:
        """Gives the converted arguments, only those that were there; raises pydantic's ValidationError."""
        return self._adapter.validator.validate_python

    @cached_property
    def _adapter(self) -> TypeAdapter[dict[str, Any]]:
        return _adapter(self.visible, self.hints)

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
    visible = tuple(parameter for parameter in parameters.values() if is_visible(parameter))
    names = getattr(inspect.unwrap(function), "__globals__", {})
    hints = {parameter.name: type_of(parameter, names) for parameter in visible}
    signature = tuple(_seen(parameter, hints[parameter.name], function.__module__) for parameter in visible)
    shape = CallShape(signature, visible, hints, documentation_of(function))
    if not all(map(_is_plain, hints.values())):
        _check_schema(shape)
    return shape


def _check_schema(shape: CallShape) -> None:
    """A type that is not Python's own may have no schema, which is to be told when the file is read."""
    try:
        _ = shape.parameters
    except Exception as error:  # noqa: BLE001 - a user's type may do anything when it is asked for its schema
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise UnfitFunctionError(f"its parameters have no JSON Schema: {reason}") from None


_PLAIN = frozenset((Any, str, int, float, bool, bytes, list, dict, tuple, set, frozenset, type(None), None))


def _is_plain(hint: Any) -> bool:
    """Whether the type certainly has a schema."""
    origin = get_origin(hint)
    if origin is None:
        return isinstance(hint, Hashable) and hint in _PLAIN
    if origin is Literal:
        return all(isinstance(value, str | int | bool | None) for value in get_args(hint))
    if origin is dict:
        return get_args(hint)[0] is str and _is_plain(get_args(hint)[1])
    return origin in (list, Union, UnionType) and all(map(_is_plain, get_args(hint)))


def _adapter(visible: Sequence[inspect.Parameter], hints: Mapping[str, Any]) -> TypeAdapter[dict[str, Any]]:
    """A TypedDict rather than a model: any name can be a key, and what was left out stays out."""
    fields: dict[str, Any] = {}
    for parameter in visible:
        qualifier: Any = Required if _is_required(parameter) else NotRequired
        fields[parameter.name] = qualifier[hints[parameter.name]]
    arguments: Any = TypedDict("Arguments", fields)  # pyright: ignore[reportGeneralTypeIssues, reportArgumentType]
    arguments.__pydantic_config__ = _CONFIG
    return TypeAdapter(arguments)


def _json_schema(
    adapter: TypeAdapter[Any], visible: Sequence[inspect.Parameter], descriptions: Mapping[str, str]
) -> JsonSchema:
    schema = adapter.json_schema(schema_generator=_PlainJsonSchema)
    schema.pop("title", None)
    properties: dict[str, Any] = schema.setdefault("properties", {})
    for parameter in visible:
        default = _json_default(parameter)
        if default is not _ABSENT and parameter.name in properties:
            properties[parameter.name] = {**properties[parameter.name], "default": default}
        if parameter.name in descriptions and "description" not in properties.get(parameter.name, {"description": ""}):
            properties[parameter.name] = {**properties[parameter.name], "description": descriptions[parameter.name]}
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
