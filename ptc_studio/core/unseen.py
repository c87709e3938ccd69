"""Keeps what an alias presets or hides out of what a script is told when its arguments do not fit."""

import re
from collections.abc import Iterable

from ptc_studio.core.aliases import Alias
from ptc_studio.core.errors import UnfitArguments
from ptc_studio.core.tools import ToolSpec

MISFIT = "they do not fit together with what the alias presets or hides; look at the alias"


def check_names(alias: Alias, spec: ToolSpec, given: Iterable[str]) -> None:
    """Refuses names that do not exist for the script, as if there were only those that do: the tool would tell all."""
    known = spec.parameters.get("properties", {})
    closed = spec.parameters.get("additionalProperties") is False
    odd = [name for name in given if name in alias.unseen or (closed and name not in known)]
    if odd:
        takes = f"takes {', '.join(known)}" if known else "takes no arguments"
        raise UnfitArguments(spec.name, ", ".join(f"unexpected {name!r} ({takes})" for name in odd))


def told_through(alias: Alias | None, name: str, error: UnfitArguments) -> UnfitArguments:
    """The error as the caller of the alias may see it."""
    if alias is None or not any(_speaks_of(str(error), unseen) for unseen in alias.unseen):
        return error
    return type(error)(name, MISFIT)


def _speaks_of(text: str, parameter: str) -> bool:
    """Places in the arguments are quoted: `'qty'`, `'qty[0]'`, `'qty.unit'`."""
    return re.search(rf"'{re.escape(parameter)}(?=['.\[])", text) is not None
