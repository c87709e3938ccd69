"""Which fields the form of each kind of source has, in which order; the rest is found under "More"."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ptc_studio.sources.kinds import KINDS


@dataclass(frozen=True, slots=True)
class Way:
    """One of the ways to describe a source of a kind."""

    fields: tuple[str, ...]
    needed: tuple[str, ...] = ()
    """Fields that must be filled in, beyond those that the entry always needs."""
    label: str = ""
    """What the way is called, where there are several."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The form of one kind."""

    ways: tuple[Way, ...]
    choice: str = ""
    """What the ways are ways of."""

    def way_of(self, values: Mapping[str, Any]) -> int:
        """The way that the values were written in."""
        for index, way in enumerate(self.ways):
            if any(values.get(field) for field in way.needed):
                return index
        return 0


_REQUEST = ("name", "description", "method", "url", "query", "headers", "body", "parameters", "extract")
_COMMAND = ("name", "description", "argv", "stdin", "output", "parameters", "env", "cwd")
_LAYOUTS = {
    "functions": Layout((Way(("path", "tools", "name", "isolation")),)),
    "mcp": Layout(
        (
            Way(("name", "command", "args", "env", "cwd"), ("command",), "Program"),
            Way(("name", "url", "headers"), ("url",), "Address"),
        ),
        "Server",
    ),
    "openapi": Layout((Way(("name", "document", "base_url", "auth", "headers", "include", "exclude")),)),
    "http": Layout(
        (
            Way(_REQUEST, ("url",), "One request"),
            Way(("name", "base_url", "requests", "headers", "query"), ("requests",), "Several"),
        ),
        "Tools",
    ),
    "command": Layout(
        (
            Way(_COMMAND, ("argv",), "One command"),
            Way(("name", "commands", "env", "cwd"), ("commands",), "Several"),
        ),
        "Tools",
    ),
    "script": Layout((Way(("name", "path", "description", "runtime", "parameters")),)),
    "wasm": Layout((Way(("name", "path", "description", "parameters", "aliases")),)),
    "toolregistry": Layout((Way(("name", "module", "object")),)),
    "builtin": Layout((Way(("tools", "name", "http_hosts")),)),
}
_RARE = ("permission", "permissions", "timeout", "start_timeout")
_OWN = {
    "mcp": {"command", "args", "env", "cwd", "url", "headers"},
    "http": {*_REQUEST, "body_as", "expect", "base_url", "requests"} - {"name", "query", "headers"},
    "command": {*_COMMAND, "commands", "ok", "max_output", "dashes"} - {"name", "env", "cwd"},
}
"""Fields that belong to some of the ways only."""
_RARE_OF_FIRST_WAY = {"http": ("body_as", "expect"), "command": ("ok", "max_output", "dashes")}


def layout_of(kind: str) -> Layout:
    """The form's plan; a kind without one has all its fields in the order of its entry."""
    if kind in _LAYOUTS:
        return _LAYOUTS[kind]
    fields = KINDS[kind].entry.model_fields
    return Layout((Way(tuple(name for name in fields if name not in ("kind", *_RARE))),))


def rare_fields(kind: str, way: int) -> tuple[str, ...]:
    """What stands under "More": all that the way does not have, and that can go with it."""
    shown = layout_of(kind).ways[way].fields
    others = _OWN.get(kind, set[str]()) - set(_RARE_OF_FIRST_WAY.get(kind, ()) if way == 0 else ())
    left = [name for name in KINDS[kind].entry.model_fields if name not in (*shown, *others, "kind", *_RARE)]
    return (*left, *(name for name in _RARE if name in KINDS[kind].entry.model_fields))
