"""Finds tools in what other programs have: MCP servers in JSON, or the tools of a ChatDev workflow in YAML."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.core.errors import PtcError
from ptc_studio.exports.chatdev import ChatDevFault, import_chatdev
from ptc_studio.sources.mcp.importing import import_servers
from ptc_studio.sources.mcp.lenient_json import JsonFault

NEITHER = "There are no tools in it: an object `mcpServers` or `servers`, or a section `tooling`, is looked for."


class NothingToImport(PtcError):
    """The text has no tools that are known here; the message says why."""


@dataclass(frozen=True, slots=True)
class FoundTools:
    """What a text has, as `studio.yaml` has it."""

    origin: str = ""
    entries: tuple[Mapping[str, Any], ...] = ()
    grants: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    notes: tuple[str, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    missing: tuple[str, ...] = ()


def read_tools(text: str) -> FoundTools:
    """All that is found in the text; raises NothingToImport."""
    try:
        found = import_servers(text)
    except JsonFault as fault:
        return _of_workflow(text, str(fault))
    entries = tuple(
        {"kind": "mcp", **entry.model_dump(mode="json", exclude_defaults=True, exclude={"kind"})}
        for entry in found.entries
    )
    return FoundTools("MCP servers", entries, {}, found.notes, found.secrets, found.missing)


def _of_workflow(text: str, json_fault: str) -> FoundTools:
    try:
        found = import_chatdev(text)
    except ChatDevFault as fault:
        if text.lstrip().startswith(("{", '"', "//", "[")):
            raise NothingToImport(json_fault) from None
        raise NothingToImport(str(fault) if "tooling" in text else NEITHER) from None
    return FoundTools("ChatDev workflow", found.sources, found.grants, found.notes, found.secrets, found.missing)


def summary(entry: Mapping[str, Any]) -> str:
    """What the entry is, in a few words."""
    if entry["kind"] == "mcp":
        words = [str(entry.get("command") or entry.get("url")), *map(str, entry.get("args", ()))]
        return " ".join(words)
    count = len(entry.get("tools", ()))
    return f"{entry.get('path', '')} · {count or 'all'} function{'s' if count != 1 else ''}"
