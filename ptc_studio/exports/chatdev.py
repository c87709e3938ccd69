"""Takes over the tools of a ChatDev workflow: its `tooling` sections become sources and grants of ours."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.core.errors import PtcError
from ptc_studio.sources.mcp.importing import Imported, import_servers
from ptc_studio.storage.yaml_with_lines import YamlError, YamlWithLines

FUNCTIONS_FOLDER = "functions/function_calling"
"""Where ChatDev keeps its functions."""
_ALL = ":All"
_LEFT_OUT = {"mcp_local": ("inherit_env", "wait_for_log", "cache_ttl"), "mcp_remote": ("cache_ttl", "tool_sources")}
_DEPTH = 60


class ChatDevError(PtcError):
    """The text is no workflow, or has no tools; the message says where."""


@dataclass(frozen=True, slots=True)
class ChatDevTools:
    """What was found, as `studio.yaml` has it."""

    sources: tuple[Mapping[str, Any], ...] = ()
    grants: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """For each node with functions what it may call."""
    notes: tuple[str, ...] = ()
    """What could not be taken over, one sentence each."""
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Keys that stood in the text, by the names under which the sources refer to them: to be kept as secrets."""
    missing: tuple[str, ...] = ()
    """Names of secrets whose value nobody knows yet."""


def import_chatdev(text: str, folder: str = FUNCTIONS_FOLDER) -> ChatDevTools:
    """The tools of a workflow, or of a piece of one that begins with `tooling:` or `type:`; raises ChatDevError."""
    try:
        document = YamlWithLines(text.encode("utf-8", "replace")).plain
    except YamlError as error:
        raise ChatDevError(f"The workflow cannot be read, line {error.line}: {error}.") from None
    found = list(_toolings(document, "tools"))
    if not found:
        raise ChatDevError("There are no tools in it: a section `tooling` with `type` and `config` is looked for.")
    importer = _Importer(folder)
    for node, tooling in found:
        importer.take(node, tooling)
    return importer.imported()


class _Importer:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._functions: list[tuple[str, Mapping[str, Any]]] = []
        self._servers: dict[str, Mapping[str, Any]] = {}
        self._times: dict[str, dict[str, float]] = {}
        self._notes: list[str] = []

    def take(self, node: str, tooling: Any) -> None:
        """Sorts one section by its type."""
        kind = tooling.get("type") if isinstance(tooling, Mapping) else None
        config = tooling.get("config") if isinstance(tooling, Mapping) else None
        if not isinstance(config, Mapping):
            self._note(node, "is left out, for it has no `config`")
        elif kind == "function":
            self._functions.append((node, config))
        elif kind in _LEFT_OUT:
            self._take_server(node, str(kind), tooling, config)
        else:
            self._note(node, f"is left out, for its type {kind!r} is none of function, mcp_remote and mcp_local")

    def imported(self) -> ChatDevTools:
        choices: dict[str, Any] = {}
        grants: dict[str, tuple[str, ...]] = {}
        seconds: list[float] = []
        for node, config in self._functions:
            entries = list(self._choices(node, config))
            choices.update({json.dumps(entry, sort_keys=True, default=str): entry for entry in entries})
            grants[node] = tuple(dict.fromkeys(_pattern(_name(entry)) for entry in entries))
            seconds += [number] if (number := _seconds(config.get("timeout"))) else []
        sources: list[Mapping[str, Any]] = []
        if self._functions:
            timed = {"timeout": max(seconds)} if seconds else {}
            sources.append({"kind": "functions", "path": self._folder, "tools": list(choices.values()), **timed})
        servers = (
            import_servers(json.dumps({"mcpServers": self._servers}, default=str)) if self._servers else Imported()
        )
        for entry in servers.entries:
            patient = entry.model_copy(update=self._times.get(entry.name, {}))
            sources.append({"kind": "mcp", **patient.model_dump(mode="json", exclude_defaults=True)})
        return ChatDevTools(
            tuple(sources),
            {node: granted for node, granted in grants.items() if granted},
            (*self._notes, *servers.notes),
            servers.secrets,
            servers.missing,
        )

    def _take_server(self, node: str, kind: str, tooling: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        name = self._free(tooling.get("prefix") or _server_name(config) or node)
        lost = [key for key in _LEFT_OUT[kind] if config.get(key) not in (None, 0, 0.0, True)]
        if lost:
            self._note(node, f"loses {', '.join(map(repr, lost))}, which the studio does not know")
        keys = ("server", "headers") if kind == "mcp_remote" else ("command", "args", "cwd", "env")
        self._servers[name] = {"url" if key == "server" else key: config[key] for key in keys if config.get(key)}
        times = {"timeout": config.get("timeout"), "start_timeout": config.get("startup_timeout")}
        self._times[name] = {key: number for key, value in times.items() if (number := _seconds(value))}

    def _choices(self, node: str, config: Mapping[str, Any]) -> Iterator[str | dict[str, Any]]:
        tools = config.get("tools")
        for tool in tools if isinstance(tools, list) else []:
            entry = dict(tool) if isinstance(tool, Mapping) else {"name": tool}
            name = entry.get("name")
            if not isinstance(name, str) or not name.strip():
                self._note(node, f"has a function without a name, which is left out: {tool!r}")
                continue
            yield self._choice(node, name.strip(), entry)

    def _choice(self, node: str, name: str, entry: Mapping[str, Any]) -> str | dict[str, Any]:
        kept = {key: entry[key] for key in ("description", "parameters", "auto_fill") if entry.get(key) is not None}
        if name.endswith(_ALL) and kept:
            self._note(
                node, f"says more of {name!r} than which it is, which is for single functions only: it is left out"
            )
            kept = {}
        if "parameters" in kept and kept.get("auto_fill") is not False:
            # There parameters count in any case; here a schema by hand is said to be one.
            kept["auto_fill"] = False
        return {"name": name, **kept} if kept else name

    def _free(self, wanted: Any) -> str:
        base = re.sub(r"\W+", "_", str(wanted)).strip("_") or "server"
        name, number = base, 2
        while name in self._servers:
            name, number = f"{base}_{number}", number + 1
        return name

    def _note(self, node: str, what: str) -> None:
        self._notes.append(f"The tooling of {node!r} {what}.")


def _toolings(part: Any, node: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every section, with the id of the node it is of."""
    if depth > _DEPTH:
        return
    if isinstance(part, Mapping):
        here = part["id"] if isinstance(part.get("id"), str) else node
        if depth == 0 and isinstance(part.get("type"), str) and "config" in part and "tooling" not in part:
            yield here, part
            return
        for key, value in part.items():
            if key == "tooling":
                yield from ((here, section) for section in (value if isinstance(value, list) else [value]) if section)
            else:
                yield from _toolings(value, here, depth + 1)
    elif isinstance(part, Sequence) and not isinstance(part, str):
        for item in part:
            yield from _toolings(item, node, depth + 1)


def _pattern(name: str) -> str:
    """A choice as a grant means it: `folder/shop:All` is `folder.shop.*`."""
    module, colon, function = name.rpartition(":")
    if not colon:
        return name
    return f"{module.replace('/', '.')}.{'*' if function == _ALL[1:] else function}"


def _name(choice: str | Mapping[str, Any]) -> str:
    return choice if isinstance(choice, str) else choice["name"]


def _server_name(config: Mapping[str, Any]) -> str:
    if isinstance(config.get("server"), str):
        return re.sub(r"^\w+://([^/:]*).*", r"\1", config["server"])
    args = config.get("args")
    words = [str(config.get("command") or ""), *(map(str, args) if isinstance(args, list) else ())]
    plain = [word for word in words if word and not word.startswith("-")]
    return re.sub(r"\.\w+$", "", plain[-1].replace("\\", "/").rpartition("/")[2]) if plain else ""


def _seconds(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else None
