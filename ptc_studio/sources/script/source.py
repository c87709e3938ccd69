"""The source: one script of the workspace."""

import ast
import re
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.calls import Call
from ptc_studio.core.python_text import parsed
from ptc_studio.core.scripts import RunScript, Script, ScriptCall
from ptc_studio.core.tools import Ticket, Tool, ToolSpec
from ptc_studio.sources.schema_tool import (
    SchemaTool,
    UnfitParameters,
    declared_schema,
    signature_of,
    twin_of,
    with_defaults,
)
from ptc_studio.sources.script.entry import ScriptEntry
from ptc_studio.sources.source import FileSource, SourceFailed


class ScriptSource(FileSource):
    """The tool of an entry of the kind `script`."""

    def __init__(self, entry: ScriptEntry, *, folder: Path, run_script: RunScript) -> None:
        super().__init__(entry.name, folder, entry.path)
        self._entry = entry
        self._run_script = run_script

    def _tool(self) -> Tool:
        return script_tool(self._entry, self._path, self._run_script)


COMPILED_MODULE = b"\0asm"
MOST_BYTES = 10_000_000
_HEAD = re.compile(r"\A(?:#!.*\n|[ \t]*\n|#.*coding[:=].*\n)*")
_BLOCK = re.compile(r"/\*+(.*?)\*/|\(;+(.*?);\)", re.DOTALL)
_LINE = re.compile(r"[ \t]*(?:#+|///*!?|;;+)[ \t]?(.*)")
_DECORATION = re.compile(r"^[ \t]*\*[ \t]?", re.MULTILINE)


class UnreadableScript(Exception):
    """The file cannot be used; the message says why, as the end of a sentence."""


def read_script(path: Path) -> str:
    """The text of the script; of a compiled module, its bytes as characters."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise UnreadableScript(f"it has {size} bytes, more than {MOST_BYTES}: make it shorter")
        data = read_bytes(path, MOST_BYTES)
        return data.decode("latin-1") if data.startswith(COMPILED_MODULE) else data.decode("utf-8-sig")
    except FileNotFoundError:
        raise UnreadableScript("there is no such file: correct the `path`") from None
    except IsADirectoryError:
        raise UnreadableScript("it is a folder: name a file in it") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UnreadableScript(f"it is not UTF-8 text (line {line}): save it as UTF-8") from None
    except OSError as error:
        raise UnreadableScript(f"{error.strerror}: correct the `path`, or the file's permissions") from None


def documentation(code: str, path: str) -> str:
    """The docstring of a Python script, else the comment that a script begins with."""
    if path.endswith(".py"):
        try:
            doc = ast.get_docstring(parsed(code))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            doc = None
        if doc:
            return doc
    rest = _HEAD.sub("", code, count=1)
    block = _BLOCK.match(rest)
    if block:
        return _DECORATION.sub("", block[1] or block[2]).strip()
    lines: list[str] = []
    for line in rest.splitlines():
        comment = _LINE.fullmatch(line)
        if comment is None:
            break
        lines.append(comment[1].rstrip())
    return "\n".join(lines).strip()


def first_paragraph(doc: str) -> str:
    """Its lines as one."""
    return " ".join(re.split(r"\n[ \t]*\n", doc.strip(), maxsplit=1)[0].split())


def script_tool(entry: ScriptEntry, path: Path, run_script: RunScript) -> SchemaTool:
    """The tool that runs the script as its file has it now; raises SourceFailed."""
    try:
        schema = declared_schema(entry.parameters)
        script = Script(read_script(path), entry.path, str(path.parent))
    except UnfitParameters as error:
        raise SourceFailed(f"The script {entry.name!r} cannot be a tool: {error}.") from None
    except UnreadableScript as error:
        raise SourceFailed(f"The script {entry.path!r} of {entry.name!r} cannot be read: {error}.") from None

    def answer(arguments: dict[str, Any], ticket: Ticket) -> Any:
        assert isinstance(ticket, Call)
        text = (entry.output or {}).get("type") == "string"
        return run_script(ScriptCall(script, entry.runtime, with_defaults(arguments, schema), ticket, text))

    return SchemaTool(_spec(entry, path, schema, script), answer)


def _spec(entry: ScriptEntry, path: Path, schema: dict[str, Any], script: Script) -> ToolSpec:
    doc = documentation(script.code, entry.path)
    return ToolSpec(
        name=entry.name,
        description=entry.description or first_paragraph(doc) or f"Runs the script {entry.path}.",
        parameters=schema,
        source=entry.name,
        signature=signature_of(schema),
        doc=entry.description or doc,
        also=twin_of(entry.name),
        origin=f"{path}:1",
        output=entry.output,
    )
