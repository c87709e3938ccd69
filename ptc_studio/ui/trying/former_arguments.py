"""The arguments of a call that was made, to be called again: without what the alias sets and what was hidden."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ptc_studio.core.redaction.markers import MARKER_START

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target

_GONE = object()


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
