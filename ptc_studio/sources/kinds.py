"""Every kind of source: its entry in the workspace file, and how it is made. Nothing heavy is imported for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from ptc_studio.core.scripts import RunScript
from ptc_studio.sources.builtin.entry import BuiltinEntry
from ptc_studio.sources.command.entry import CommandEntry
from ptc_studio.sources.functions.context import Directories, working_directories
from ptc_studio.sources.functions.entry import FunctionsEntry
from ptc_studio.sources.functions.invocation import Stdio, unchanged_stdio
from ptc_studio.sources.http.entry import HttpEntry
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.references import References
from ptc_studio.sources.script.entry import ScriptEntry
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


SourceEntry = Annotated[
    FunctionsEntry
    | McpEntry
    | OpenApiEntry
    | HttpEntry
    | CommandEntry
    | ScriptEntry
    | WasmEntry
    | ToolRegistryEntry
    | BuiltinEntry,
    Field(discriminator="kind"),
]
Make = Callable[[Any, SourceContext], Source]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of source, as the user is told of it."""

    id: str
    title: str
    about: str
    entry: type[Any]
    make: Make


def _functions(entry: FunctionsEntry, around: SourceContext) -> Source:
    from ptc_studio.sources.functions.source import FunctionsSource

    return FunctionsSource(entry, folder=around.folder, directories=around.directories, stdio=around.stdio)


def _mcp(entry: McpEntry, around: SourceContext) -> Source:
    from ptc_studio.sources.mcp import McpSource

    return McpSource(entry, folder=around.folder, references=around.references)


def _openapi(entry: OpenApiEntry, around: SourceContext) -> Source:
    from ptc_studio.sources.openapi import OpenApiSource

    return OpenApiSource(entry, folder=around.folder, references=around.references)


def _http(entry: HttpEntry, around: SourceContext) -> Source:
    from ptc_studio.sources.http import HttpSource

    return HttpSource(entry, folder=around.folder, references=around.references)


def _command(entry: CommandEntry, around: SourceContext) -> Source:
    from ptc_studio.sources.command import CommandSource

    return CommandSource(entry, folder=around.folder, references=around.references)


def _script(entry: ScriptEntry, around: SourceContext) -> Source:
    from ptc_studio.sources.script import ScriptSource

    return ScriptSource(entry, folder=around.folder, run_script=around.run_script)


def _wasm(entry: WasmEntry, around: SourceContext) -> Source:
    from ptc_studio.wasm.source import WasmSource

    return WasmSource(entry, folder=around.folder, stdio=around.stdio)


def _toolregistry(entry: ToolRegistryEntry, around: SourceContext) -> Source:
    from ptc_studio.sources.toolregistry import ToolRegistrySource

    return ToolRegistrySource(entry, folder=around.folder, stdio=around.stdio)


def _builtin(entry: BuiltinEntry, around: SourceContext) -> Source:
    from ptc_studio.sources.builtin import BuiltinSource

    return BuiltinSource(entry, folder=around.folder, protected=around.protected)


KINDS = {
    kind.id: kind
    for kind in (
        Kind("functions", "Folder of functions", "Python files, each function a tool.", FunctionsEntry, _functions),
        Kind("mcp", "MCP server", "A program or an address that speaks the Model Context Protocol.", McpEntry, _mcp),
        Kind("openapi", "OpenAPI document", "An HTTP API, one tool an operation.", OpenApiEntry, _openapi),
        Kind("http", "HTTP request", "One request with places for its parameters.", HttpEntry, _http),
        Kind("command", "Command", "A program with its arguments, without a shell.", CommandEntry, _command),
        Kind("script", "Script", "A saved script, in any runtime.", ScriptEntry, _script),
        Kind("wasm", "WASM module", "A WebAssembly module that exports `run`.", WasmEntry, _wasm),
        Kind("toolregistry", "ToolRegistry", "A Python module with a registry.", ToolRegistryEntry, _toolregistry),
        Kind("builtin", "Built-in tools", "Files of the workspace, the web, time and JSON.", BuiltinEntry, _builtin),
    )
}


def make_source(entry: Any, surroundings: SourceContext) -> Source:
    """The source that the entry describes; nothing is started."""
    return KINDS[entry.kind].make(entry, surroundings)
