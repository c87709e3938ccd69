"""Tools as files: a folder of TypeScript modules for each MCP server."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ptc_studio.core.scripts import Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.javascript_scopes import NODE
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.javascript_conventions import IDENTIFIER, by_server, camel_case
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note

SERVERS = "./servers/"
FILES = "fs"
WITHOUT_SERVER = "tools"
NOTES = (
    Note("`import * as gdrive from './servers/google-drive'`: a folder a server with an `index.ts`; here a server "
         "is a namespace of tools, and tools without one are in './servers/tools'", "D"),
    Note("A tool is an async function of one object, in camel case; its own name works here, too", "D"),
    Note("Published examples leave imports out: here servers, and `fs` with the functions of node:fs/promises, are "
         "there without, with a warning", "D"),
    Note("Files lie below ./workspace and ./skills: here in the script's folder if scripts may write to the workspace, "
         "else in a copy that lives as long as the container; what is saved in ./skills can be imported", "D"),
    Note("The model sees the console", "D"),
    Note("Limits, and how an error is shown, are the harness's own", "?"),
)  # fmt: skip


def servers(tools: Sequence[Visible]) -> dict[str, dict[str, str]]:
    """The modules that can be imported, by the names of their folders, with their functions."""
    found: dict[str, dict[str, str]] = {}
    for server, members in by_server(tools).items():
        functions: dict[str, str] = {}
        for name, own in members.items():
            for there in (camel_case(name), re.sub(r"\W", "_", name, flags=re.ASCII)):
                if IDENTIFIER.fullmatch(there):
                    functions.setdefault(there, own)
        for folder in {server, server.replace("_", "-"), server.replace("-", "_")}:
            found.setdefault(folder, {}).update(functions)
    return found


def names(tools: Sequence[Visible]) -> Mapping[str, str]:
    return {f"{server}.{name}": own for server, all_ in servers(tools).items() for name, own in all_.items()}


def reply(record: RunRecord, _report: Any) -> str:
    error = record["error"]
    return record["stdout"] + record["stderr"] + (f"{error['traceback']}\n" if error else "")


def check(script: CheckedScript) -> Iterator[Finding]:
    known = {name.partition(".")[0] for name in script.names}
    modules: set[str] = set()
    for line, specifier in js.imports(script):
        found = re.match(r"(?:\.{1,2}/)+servers/([^/]+)", specifier)
        if not found:
            continue
        server = re.sub(r"\.[mc]?[jt]s$", "", found[1])
        modules.add(server)
        if known and server not in known:
            yield Finding(line, f"There is no server `{server}`: there are {', '.join(sorted(known))}", "D")
    unimported = _without_import(script, known)
    yield from unimported
    if not modules and not unimported:
        text = f"Nothing is imported from '{SERVERS}': no tool can be called"
        yield Finding(None, text, "D", fails=bool(js.tool_calls(script, lambda root, _name: root == "tools")))
    yield from _calls(script)
    if not js.mentions(script, r"\bconsole\.|process\.std(?:out|err)"):
        yield Finding(None, "Nothing is printed: the model sees nothing", "D", fails=False)


def _without_import(script: CheckedScript, servers_known: set[str]) -> list[Finding]:
    named = servers_known - {WITHOUT_SERVER}
    modules = {FILES: "node:fs/promises", **{server: f"{SERVERS}{server}" for server in named}}
    return [
        Finding(line, f"`{name}` is not imported: write `import * as {name} from '{modules[name]}'` above it", "D")
        for name, line in js.undeclared(script, modules).items()
    ]


def _calls(script: CheckedScript) -> Iterator[Finding]:
    spaces = dict(re.findall(r"import\s+\*\s+as\s+(\w+)\s+from\s+['\"](?:\.{1,2}/)+servers/([^'\"/]+)", script.code))
    calls = js.tool_calls(script, lambda root, _name: root in spaces)
    yield from js.one_object(calls, "D")
    yield from js.unawaited(calls, "what it gives is lost, and an error ends the script", "D", fails=False)
    for call in calls:
        server = re.sub(r"\.[mc]?[jt]s$", "", spaces[call.root])
        if script.names and f"{server}.{call.name}" not in script.names:
            yield Finding(call.line, f"The server `{server}` has no `{call.name}`", "D")


def sign(script: CheckedScript) -> str | None:
    if FILES in js.undeclared(script, (FILES,)) and js.mentions(script, r"['\"`]\./(?:workspace|skills)/"):
        return "files below `./workspace/`"
    return "`from './servers/`" if js.mentions(script, r"from\s+['\"](?:\.{1,2}/)+servers/") else None


TARGET = DeploymentTarget(
    id="mcp-files",
    name="MCP tools as files",
    language="typescript",
    runtime="typescript",
    notes=NOTES,
    call=CallStyle("await {name}({object})", module="*/servers/{space}"),
    globals=NODE | {"fs"},
    frame="frame.mjs",
    keeps_state=True,
    names=names,
    options=lambda tools: {"servers": servers(tools)},
    reply=reply,
    check=check,
    sign=sign,
)
