"""Every kind of source, as one row of a table: its entry in the workspace file, how it is made, and how it is shown.

A kind more is a package with its entry and its source, and a row here. What names paths and code is seen in the types
of the entry's fields. Nothing heavy is imported for the table: the module of a source is when one is made.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Union

from pydantic import Field, GetCoreSchemaHandler

from ptc_studio.core.scripts import RunScript
from ptc_studio.sources.builtin.entry import BuiltinEntry
from ptc_studio.sources.command.entry import CommandEntry
from ptc_studio.sources.entry_fields import CODE, PATHS, Role, roles_of
from ptc_studio.sources.functions.context import Directories, working_directories
from ptc_studio.sources.functions.definitions import Stdio, unchanged_stdio
from ptc_studio.sources.functions.entry import FunctionsEntry
from ptc_studio.sources.http.entry import HttpEntry
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.references import References
from ptc_studio.sources.script.entry import ScriptEntry
from ptc_studio.sources.sign_in import SignIns
from ptc_studio.sources.source import Source
from ptc_studio.sources.toolregistry.entry import ToolRegistryEntry
from ptc_studio.wasm.entry import WasmEntry


def _no_scripts(_call: Any) -> Any:
    raise RuntimeError("scripts cannot be run here")


@dataclass(frozen=True, slots=True)
class SourceContext:
    """The workspace's folder, its secrets, and the ways back into the studio."""

    folder: Path
    references: References = field(default_factory=References)
    stdio: Stdio = unchanged_stdio
    directories: Directories = working_directories
    run_script: RunScript = _no_scripts
    protected: Callable[[], Sequence[Path]] = tuple[Path, ...]
    """The files and folders that no tool may write to, as of now."""
    sign_ins: SignIns = field(default_factory=SignIns)


COMMON = ("permission", "permissions", "timeout", "start_timeout")
"""Fields that most kinds have, and that are rarely filled in."""


@dataclass(frozen=True, slots=True)
class Way:
    """One of the ways to describe a source of a kind."""

    fields: tuple[str, ...]
    needed: tuple[str, ...] = ()
    """Fields that must be filled in, beyond those that the entry always needs."""
    label: str = ""
    """What the way is called, where there are several."""
    rare: tuple[str, ...] = ()
    """Fields of this way alone that are rarely needed; those of all ways need not be named."""


@dataclass(frozen=True, slots=True)
class Form:
    """What the form of a kind shows; without ways, all fields in the order of the entry."""

    ways: tuple[Way, ...] = ()
    choice: str = ""
    """What the ways are ways of."""
    help: Mapping[str, str] = field(default_factory=dict[str, str])
    """What is said of a field in place of its description."""
    first: tuple[str, ...] = ()
    """What each of the entries within begins with."""

    def way_of(self, values: Mapping[str, Any]) -> int:
        """The way that the values were written in."""
        for index, way in enumerate(self.ways):
            if any(values.get(field) for field in way.needed):
                return index
        return 0


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of source, as the user sees it; raises TypeError for an entry with a text that does not say what it is."""

    id: str
    title: str
    about: str
    entry: type[Any]
    source: str
    """The module and the class, as `package.module:Class`."""
    needs: tuple[str, ...]
    """The parts of the SourceContext that the source is made with."""
    badge: str
    """A short word for it beside the names of its sources."""
    icon: str = "tool"
    search_words: str = ""
    """What people also type when they look for it."""
    form: Form = Form()
    examples: Mapping[str, str] = field(default_factory=dict[str, str])
    """What a field may look like, by its name."""
    plain_names: bool = False
    """Whether its tools go without the source's name, which is added where the user gave one."""
    watched: bool = False
    """Whether its files are read again all the time; others are when something runs, or when the user asks."""
    on_demand: bool = False
    """Whether the names of its tools all begin with the source's, and it takes a while: a run that does not name it
    does without."""
    roles: Mapping[str, Role] = field(init=False)
    """What the fields of the entry hold, by name."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "roles", roles_of(self.entry))
        if not self.form.ways:
            usual = tuple(name for name in self.entry.model_fields if name not in ("kind", *COMMON))
            object.__setattr__(self, "form", replace(self.form, ways=(Way(usual),)))

    @property
    def path_fields(self) -> tuple[str, ...]:
        """Fields that are seen from the workspace's folder."""
        return tuple(name for name, role in self.roles.items() if role in PATHS)

    @property
    def code_fields(self) -> tuple[str, ...]:
        """Fields that name what scripts must not write to."""
        return tuple(name for name, role in self.roles.items() if role in CODE)

    def rare_fields(self, way: Way) -> tuple[str, ...]:
        """What stands under "More": all that the way does not show, and that can go with it."""
        known = self.entry.model_fields
        own = {*way.fields, *way.rare}
        elsewhere = {name for other in self.form.ways for name in (*other.fields, *other.rare)} - own
        left = [name for name in known if name not in (*way.fields, *elsewhere, "kind", *COMMON)]
        return (*left, *(name for name in COMMON if name in known))


KINDS = {
    kind.id: kind
    for kind in (
        Kind(
            "functions",
            "Folder of functions",
            "Python files, each function a tool.",
            FunctionsEntry,
            "ptc_studio.sources.functions.source:FunctionsSource",
            ("folder", "directories", "stdio"),
            badge="",
            icon="python",
            search_words="python def folder code",
            form=Form(
                (Way(("path", "tools", "name", "isolation")),),
                help={"tools": "Which of them, with commas between; all of them if empty."},
            ),
            examples={"path": "tools", "tools": "shop:price, math:All"},
            plain_names=True,
            watched=True,
        ),
        Kind(
            "mcp",
            "MCP server",
            "A program or an address that speaks the Model Context Protocol.",
            McpEntry,
            "ptc_studio.sources.mcp.source:McpSource",
            ("folder", "references", "sign_ins"),
            badge="MCP",
            icon="plug",
            search_words="server stdio npx uvx claude cursor model context protocol",
            form=Form(
                (
                    Way(("name", "command", "args", "env", "cwd"), ("command",), "Program"),
                    Way(("name", "url", "headers"), ("url",), "Address", ("oauth",)),
                ),
                "Server",
                {"args": "Written as in a terminal."},
            ),
            examples={
                "name": "github",
                "command": "npx",
                "args": "-y @modelcontextprotocol/server-everything stdio",
                "url": "https://example.com/mcp",
            },
            on_demand=True,
        ),
        Kind(
            "openapi",
            "OpenAPI document",
            "An HTTP API, one tool an operation.",
            OpenApiEntry,
            "ptc_studio.sources.openapi.source:OpenApiSource",
            ("folder", "references", "sign_ins"),
            badge="OpenAPI",
            icon="file",
            search_words="swagger rest api web json yaml",
            form=Form((Way(("name", "document", "base_url", "auth", "headers", "include", "exclude")),)),
            examples={
                "name": "petstore",
                "document": "https://example.com/openapi.json",
                "include": "tag:pets, GET /orders",
            },
            on_demand=True,
        ),
        Kind(
            "http",
            "HTTP request",
            "One request with places for its parameters.",
            HttpEntry,
            "ptc_studio.sources.http.source:HttpSource",
            ("folder", "references", "sign_ins"),
            badge="HTTP",
            icon="globe",
            search_words="rest api web url curl get post",
            form=Form(
                (
                    Way(
                        (
                            "name",
                            "description",
                            "method",
                            "url",
                            "query",
                            "headers",
                            "auth",
                            "body",
                            "parameters",
                            "extract",
                        ),
                        ("url",),
                        "One request",
                        ("body_as", "expect"),
                    ),
                    Way(("name", "base_url", "requests", "auth", "headers", "query"), ("requests",), "Several"),
                ),
                "Tools",
                first=("name", "description", "method", "url"),
            ),
            examples={
                "name": "get_user",
                "url": "https://api.example.com/users/{id}",
                "extract": "$.items[*].name",
            },
        ),
        Kind(
            "command",
            "Command",
            "A program with its arguments, without a shell.",
            CommandEntry,
            "ptc_studio.sources.command.source:CommandSource",
            ("folder", "references"),
            badge="command",
            icon="terminal",
            search_words="cli shell program terminal bash exec",
            form=Form(
                (
                    Way(
                        ("name", "description", "argv", "stdin", "output", "parameters", "env", "cwd"),
                        ("argv",),
                        "One command",
                        ("ok", "max_output", "dashes"),
                    ),
                    Way(("name", "commands", "env", "cwd"), ("commands",), "Several"),
                ),
                "Tools",
                {
                    "argv": "Written as in a terminal, but no shell sees it. `{name}` is a parameter, `{name?}` one "
                    "that may be left out, `{all:--all}` is `--all` if it is true."
                },
                first=("name", "description", "argv"),
            ),
            examples={"name": "git_log", "argv": "git log --oneline -n {count}"},
        ),
        Kind(
            "script",
            "Script",
            "A saved script, in any runtime.",
            ScriptEntry,
            "ptc_studio.sources.script.source:ScriptSource",
            ("folder", "run_script"),
            badge="script",
            icon="run",
            search_words="javascript typescript go rust bash python",
            form=Form((Way(("name", "path", "description", "runtime", "parameters")),)),
            examples={"name": "report.monthly", "path": "scripts/report.py"},
        ),
        Kind(
            "wasm",
            "WASM module",
            "A WebAssembly module that exports `run`.",
            WasmEntry,
            "ptc_studio.wasm.source:WasmSource",
            ("folder", "stdio"),
            badge="WASM",
            icon="box",
            search_words="webassembly wat",
            form=Form((Way(("name", "path", "description", "parameters", "aliases")),)),
            examples={"name": "resize", "path": "tools/resize.wasm"},
        ),
        Kind(
            "toolregistry",
            "ToolRegistry",
            "A Python module with a registry.",
            ToolRegistryEntry,
            "ptc_studio.sources.toolregistry.source:ToolRegistrySource",
            ("folder", "stdio"),
            badge="ToolRegistry",
            search_words="python registry library",
            form=Form((Way(("name", "module", "object")),)),
            examples={"name": "agents", "module": "agents/tools.py"},
        ),
        Kind(
            "builtin",
            "Built-in tools",
            "Files of the workspace, the web, time and JSON.",
            BuiltinEntry,
            "ptc_studio.sources.builtin.source:BuiltinSource",
            ("folder", "protected", "run_script"),
            badge="built-in",
            icon="gear",
            search_words="std read_file write_file http_get time sleep json echo code_execution",
            form=Form((Way(("tools", "name", "http_hosts")),)),
            examples={"http_hosts": "api.example.org, localhost:8000"},
        ),
    )
}


class _OfAnyKind:
    """Has a model accept the entry of every kind in the table."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> Any:
        entries = tuple(kind.entry for kind in KINDS.values())
        return handler.generate_schema(Annotated[Union[entries], Field(discriminator="kind")])  # noqa: UP007 - of a table


SourceEntry = Annotated[Any, _OfAnyKind()]


def make_source(entry: Any, context: SourceContext) -> Source:
    """The source that the entry describes; nothing is started."""
    kind = KINDS[entry.kind]
    module, _, name = kind.source.partition(":")
    source = getattr(importlib.import_module(module), name)
    return source(entry, **{need: getattr(context, need) for need in kind.needs})
