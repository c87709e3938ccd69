"""Offers the arguments of former calls again; secrets never come back, because they were never kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ptc_studio.core.json_schema import Part, root_part
from ptc_studio.core.redaction.redacted import MARKER_START
from ptc_studio.ui.forms import one_line
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.shaping import shape_of

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.workbench import Workbench


DEEPEST = 12
"""A schema may contain itself."""
_GONE = object()


def without_passwords(arguments: dict[str, Any], schema: Any) -> dict[str, Any]:
    """The arguments, those aside that are typed into password fields."""
    kept = _kept(arguments, root_part(schema), 0)
    return kept if isinstance(kept, dict) else {}


def _kept(value: Any, part: Part | None, depth: int) -> Any:
    if part is None or depth > DEEPEST:
        return value
    shape = shape_of(part)
    if shape.kind == "text":
        return _GONE if shape.style == "password" and value is not None else value
    for variant in shape.variants:
        # Whichever it follows: what is a password in one is not kept for any.
        value = _kept(value, variant.part, depth + 1)
    if isinstance(value, dict):
        items = {key: _kept(item, _part_of(shape, key), depth + 1) for key, item in value.items()}
        return {key: item for key, item in items.items() if item is not _GONE}
    if isinstance(value, list):
        return [kept for item in value if (kept := _kept(item, shape.items, depth + 1)) is not _GONE]
    return value


def _part_of(shape: Shape, key: str) -> Part | None:
    return shape.properties.get(key, shape.additional)


def save_arguments(workbench: "Workbench", target: "Target", arguments: Any) -> None:
    """Remembers the arguments of a call, without passwords and what is redacted in them."""
    if not isinstance(arguments, dict) or not arguments:
        return
    arguments = without_passwords(arguments, target.spec.parameters)
    redactor = workbench.studio.executor.redactor
    if target.alias is not None and target.alias.redact:
        redactor = redactor.extended(keys=target.alias.redact)
    workbench.argument_sets.add(target.spec.name, arguments, redactor.value(arguments, "arguments").value)


def saved_arguments(workbench: "Workbench", target: "Target") -> list[Mapping[str, Any]]:
    """What can be offered for the target, the latest first."""
    sets = workbench.argument_sets.of(target.spec.name)
    return [{"label": one_line(each), "value": each} for each in sets]


@dataclass(frozen=True, slots=True)
class FormerArguments:
    """What can be filled in again, and the arguments that cannot, or not wholly."""

    values: Mapping[str, Any]
    hidden: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """Which ones are to be filled in anew."""
        names = ", ".join(self.hidden)
        return f"▲ Hidden in the record, so to be filled in again: {names}" if names else ""


def former_arguments(shown: Any, target: "Target | None") -> FormerArguments:
    """Of the arguments as a record shows them: those that a caller gives, as far as they are known."""
    if not isinstance(shown, Mapping):
        # Too long for the record: only the beginning of its text is known.
        return FormerArguments({}, ("all arguments",))
    unseen = target.alias.unseen if target is not None and target.alias is not None else frozenset[str]()
    given = {str(name): value for name, value in shown.items() if name not in unseen}
    values = {name: _known(value) for name, value in given.items()}
    hidden = tuple(name for name, value in given.items() if _has_marker(value))
    return FormerArguments({name: value for name, value in values.items() if value is not _GONE}, hidden)


def _known(value: Any) -> Any:
    if isinstance(value, str):
        return _GONE if MARKER_START in value else value
    if isinstance(value, Mapping):
        items = {key: _known(item) for key, item in value.items()}
        return {key: item for key, item in items.items() if item is not _GONE}
    if isinstance(value, list):
        return [item for item in map(_known, value) if item is not _GONE]
    return value


def _has_marker(value: Any) -> bool:
    if isinstance(value, str):
        return MARKER_START in value
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(map(_has_marker, inner))
