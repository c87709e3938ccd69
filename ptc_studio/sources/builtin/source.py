"""The source of the built-in tools."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ptc_studio.core.calls import Call
from ptc_studio.core.scripts import RunScript, Script, ScriptCall
from ptc_studio.core.tools import LoadedTools, Permission, Ticket, ToolSpec
from ptc_studio.sources.builtin.entry import BuiltinEntry, BuiltinName
from ptc_studio.sources.builtin.file_tools import ConfinedFolder, FileTools
from ptc_studio.sources.builtin.value_tools import echo, json_query, sleep, tell_time
from ptc_studio.sources.builtin.web_tools import WebTools
from ptc_studio.sources.schema_tool import Invoke, SchemaTool, signature_of
from ptc_studio.sources.source import EntrySource

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}


@dataclass(frozen=True, slots=True)
class Description:
    """A tool without its namespace."""

    name: BuiltinName
    doc: str
    properties: Mapping[str, Any]
    required: tuple[str, ...]
    output: Mapping[str, Any]
    permission: Permission = "allow"

    def spec(self, source: str) -> ToolSpec:
        """The tool in the namespace of its source."""
        schema = {
            "type": "object",
            "properties": dict(self.properties),
            "required": list(self.required),
            "additionalProperties": False,
        }
        return ToolSpec(
            name=f"{source}.{self.name}",
            description=" ".join(self.doc.partition("\n\n")[0].split()),
            parameters=schema,
            source=source,
            signature=signature_of(schema),
            doc=self.doc,
            origin="built in",
            permission=self.permission,
            output=self.output,
        )


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _said(schema: Mapping[str, Any], text: str) -> dict[str, Any]:
    return {**schema, "description": text}


_PATH = _said({"type": "string", "minLength": 1}, "The path from the workspace's folder on, such as `data/in.csv`.")

_ALL = (
    Description(
        "read_file",
        "Reads a file of the workspace, as text or as base64.\n\n"
        "A long file is read in parts: the next part begins at `end` of the one before, up to `size`.",
        {
            "path": _PATH,
            "encoding": {
                "enum": ["text", "base64"],
                "default": "text",
                "description": "`text` for UTF-8, `base64` for anything else.",
            },
            "offset": {**_COUNT, "default": 0, "description": "The byte to begin at."},
            "limit": {"type": "integer", "minimum": 1, "description": "How many bytes at most; all without it."},
        },
        ("path",),
        _object(
            content=_said(_TEXT, "The text, or the bytes in base64."),
            size=_said(_COUNT, "Bytes of the whole file."),
            offset=_said(_COUNT, "The byte that the content begins at."),
            end=_said(_COUNT, "The byte after the content."),
        ),
    ),
    Description(
        "write_file",
        "Writes a file of the workspace, whole or not at all; folders on the way are made.",
        {
            "path": _PATH,
            "content": _said(_TEXT, "What the file is to hold."),
            "encoding": {
                "enum": ["text", "base64"],
                "default": "text",
                "description": "`text` writes the content as UTF-8, `base64` the bytes that it stands for.",
            },
            "mode": {
                "enum": ["replace", "create", "append"],
                "default": "replace",
                "description": "`create` fails if the file exists, `append` adds to its end.",
            },
        },
        ("path", "content"),
        _object(path=_said(_TEXT, "Where it was written."), size=_said(_COUNT, "Bytes of the file now.")),
        permission="ask",
    ),
    Description(
        "list_files",
        "Lists files and folders of the workspace, by name.",
        {
            "folder": {"type": "string", "default": ".", "description": "Where to look; the workspace without it."},
            "pattern": {
                "type": "string",
                "minLength": 1,
                "default": "*",
                "description": "`*.csv` for names; with a slash, as in `data/**/*.json`, for whole paths.",
            },
            "recursive": {"type": "boolean", "default": False, "description": "Whether to look into folders below."},
            "hidden": {"type": "boolean", "default": False, "description": "Whether names with a dot in front count."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100_000, "default": 1000},
        },
        (),
        _object(
            files={
                "type": "array",
                "items": _object(
                    path=_said(_TEXT, "As the other tools take it."),
                    type={"enum": ["file", "folder", "link"]},
                    size={"type": ["integer", "null"], "description": "Bytes, of files only."},
                    modified=_said(_TEXT, "When it was last written, as ISO 8601."),
                ),
            },
            truncated=_said({"type": "boolean"}, "Whether there are more."),
        ),
    ),
    Description(
        "http_get",
        "Asks a web server with GET and gives its answer; also one that tells of an error, as `ok` says.\n\n"
        "Redirects are followed. Addresses on this machine and in its network are refused, "
        "unless the workspace names them.",
        {
            "url": _said({"type": "string", "minLength": 1}, "The address, with http:// or https://."),
            "query": {
                "type": "object",
                "additionalProperties": {"type": ["string", "number", "array"]},
                "description": "Added to the address after `?`, escaped as need be.",
            },
            "headers": {"type": "object", "additionalProperties": {"type": "string"}},
            "format": {
                "enum": ["auto", "json", "text", "base64"],
                "default": "auto",
                "description": "What `body` is to be; `auto` goes by the content type.",
            },
            "timeout": {"type": "number", "exclusiveMinimum": 0, "description": "Seconds for all of it."},
        },
        ("url",),
        _object(
            status=_said({"type": "integer"}, "Such as 200."),
            ok=_said({"type": "boolean"}, "Whether the status is below 400."),
            content_type=_said(_TEXT, "Such as `application/json`."),
            headers={"type": "object", "additionalProperties": _TEXT, "description": "Names in small letters."},
            format={"enum": ["json", "text", "base64"], "description": "What `body` is."},
            body=_said({}, "The value, for JSON; else a text."),
        ),
    ),
    Description(
        "time",
        "Tells the time now, or another moment, in a time zone; also reads and writes dates in a given form.",
        {
            "timezone": {
                "type": "string",
                "default": "UTC",
                "description": "Such as `Europe/Berlin`, `UTC` or `local`.",
            },
            "at": {
                "type": ["string", "number"],
                "description": "A moment as ISO 8601 or as seconds since 1970; now without it.",
            },
            "parse": _said(_TEXT, "How `at` is written, such as `%d.%m.%Y %H:%M`, if it is not ISO 8601."),
            "format": _said(_TEXT, "How `text` is to be written, such as `%d %B %Y`."),
        },
        (),
        _object(
            text=_said(_TEXT, "In the form that was asked for."),
            iso=_said(_TEXT, "As ISO 8601."),
            unix=_said({"type": "number"}, "Seconds since 1970."),
            timezone=_TEXT,
            weekday=_said(_TEXT, "In English."),
        ),
    ),
    Description(
        "sleep",
        "Waits for some seconds.",
        {"seconds": {"type": "number", "minimum": 0, "maximum": 300}},
        ("seconds",),
        _object(slept=_said({"type": "number"}, "Seconds that it took.")),
    ),
    Description(
        "json_query",
        "Picks values out of JSON data by a JSONPath, such as `$.items[?@.price > 10].name`.",
        {
            "data": _said({}, "Any JSON value."),
            "path": _said({"type": "string", "minLength": 1}, "A JSONPath as in RFC 9535."),
            "first": {"type": "boolean", "default": False, "description": "Gives the first value alone, or null."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1_000_000, "default": 10_000},
        },
        ("data", "path"),
        _said({}, "A list of the values; with `first` the first one, or null."),
    ),
    Description(
        "echo",
        "Gives back what it is given: for trying things out.",
        {"value": _said({}, "Any JSON value.")},
        ("value",),
        _said({}, "The same value."),
    ),
    Description(
        "code_execution",
        "Runs code that calls the tools, and gives what it prints and its value.\n\n"
        "The code may call what the script that gives it may call; it runs confined as every script, within "
        "the time of the call.",
        {
            "code": _said(_TEXT, "The script."),
            "runtime": {
                "type": "string",
                "default": "python",
                "description": "What executes it, such as `python`, `node` or `bash`.",
            },
        },
        ("code",),
        _object(stdout=_said(_TEXT, "All that it printed."), value=_said({}, "Its last expression, or null.")),
        permission="ask",
    ),
)

DESCRIPTIONS: dict[str, Description] = {description.name: description for description in _ALL}


class BuiltinSource(EntrySource):
    """Has its tools at once. `protected` tells the files and folders that scripts may read but never write."""

    def __init__(
        self,
        entry: BuiltinEntry,
        *,
        folder: Path,
        protected: Callable[[], Iterable[Path]] = tuple,
        run_script: RunScript | None = None,
    ) -> None:
        super().__init__(entry.name)
        self._run_script = run_script
        self._entry = entry
        self._folder = folder
        self._protected = protected
        self._web = WebTools(entry.http_hosts, entry.max_bytes, entry.http_timeout)

    def load(self) -> LoadedTools:
        answers = self._answers()
        return LoadedTools(
            tuple(self._tool(DESCRIPTIONS[name], answers[name]) for name in dict.fromkeys(self._entry.tools))
        )

    def close(self) -> None:
        super().close()
        self._web.close()

    def _tool(self, description: Description, answer: Invoke) -> SchemaTool:
        return SchemaTool(description.spec(self._entry.name), answer)

    def _answers(self) -> dict[str, Invoke]:
        files = FileTools(ConfinedFolder(self._folder, self._protected), self._entry.max_bytes)
        return {
            "read_file": files.read_file,
            "write_file": files.write_file,
            "list_files": files.list_files,
            "http_get": self._web.http_get,
            "time": tell_time,
            "sleep": sleep,
            "json_query": json_query,
            "echo": echo,
            "code_execution": self._execute,
        }

    def _execute(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        if self._run_script is None or not isinstance(ticket, Call):
            raise RuntimeError("Nothing executes scripts here.")
        runtime = arguments.get("runtime") or "python"
        script = Script(arguments["code"], f"{self._entry.name}.code_execution")
        return self._run_script(ScriptCall(script, runtime, {}, ticket, from_caller=True))
