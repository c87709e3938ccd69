"""Takes over servers from the files of other programs: Claude Desktop and Code, VS Code, Cursor, Windsurf, Gemini."""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from ptc_studio.core.errors import PtcError
from ptc_studio.core.redaction import Redactor
from ptc_studio.core.redaction.keys import SecretKeys
from ptc_studio.sources.mcp.entry import McpEntry

_REFERENCE = re.compile(r"\$\{[a-z]+:[^}]*\}")
_PLACEHOLDER = re.compile(r"(?i)^(<.*>|\[.*\]|x{3,}|\*+|\.{3}|your[-_ ].*|.*[-_ ]here|change[-_ ]?me)$")
_SCHEME = re.compile(r"(?i)^(bearer|basic|token|apikey)\s+")


class FoundSecrets:
    """The keys that were found, by name, and the names whose value is not known."""

    def __init__(self) -> None:
        self._keys = SecretKeys()
        self._redactor = Redactor()
        self.values: dict[str, str] = {}
        self.missing: list[str] = []

    def needed(self, name: str) -> str:
        """A reference to a secret that the user has to give."""
        if name not in self.missing:
            self.missing.append(name)
        return f"${{secret:{name}}}"

    def variable(self, server: str, name: str, value: str) -> str:
        """The value of a variable of the environment, or a reference in its place."""
        if not self._is_secret(name, value):
            return value
        return self._kept(name, server, value)

    def header(self, server: str, name: str, value: str) -> str:
        """The same for a header; the scheme before the key stays."""
        if not self._is_secret(name, value) and name.lower() != "authorization":
            return value
        scheme = _SCHEME.match(value)
        start = scheme.end() if scheme else 0
        return value[:start] + self._kept(f"{server}_{name}", server, value[start:])

    def argument(self, server: str, value: str) -> str:
        """The same for an argument, where only the key's shape can tell."""
        option, equals, rest = value.partition("=")
        if equals and option.startswith("-"):
            if self._is_secret(option.lstrip("-"), rest):
                return option + equals + self._kept(f"{server}_{option.lstrip('-')}", server, rest)
            return value
        return self._kept(f"{server}_key", server, value) if self._has_shape(value) else value

    def _is_secret(self, name: str, value: str) -> bool:
        if not value or _REFERENCE.search(value):
            return False
        return self._keys.rule(name) is not None or self._has_shape(value)

    def _has_shape(self, value: str) -> bool:
        return bool(self._redactor.text(value, "import").redactions)

    def _kept(self, name: str, server: str, value: str) -> str:
        if not value or _REFERENCE.search(value):
            return value
        name = re.sub(r"\W+", "_", name).upper()
        if _PLACEHOLDER.match(value):
            return self.needed(name)
        if self.values.get(name, value) != value:
            name = re.sub(r"\W+", "_", f"{server}_{name}").upper()
        base, number = name, 2
        while self.values.get(name, value) != value:
            name, number = f"{base}_{number}", number + 1
        self.values[name] = value
        return f"${{secret:{name}}}"


_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)


class LenientJsonError(PtcError):
    """The text is no JSON; the message says where."""


def lenient_json(text: str) -> Any:
    """The value; raises LenientJsonError with the line."""
    text = text.removeprefix("\ufeff")
    text = _STRING_OR_COMMENT.sub(_without_comment, text)
    text = _STRING_OR_COMMA.sub(lambda found: "" if found[0] == "," else found[0], text)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise LenientJsonError(f"Line {error.lineno} is no JSON: {error.msg} at column {error.colno}.") from None
    except RecursionError:
        raise LenientJsonError("The JSON is nested too deeply.") from None


def _without_comment(found: re.Match[str]) -> str:
    # The lines are kept, for messages that name one.
    return found[0] if found[0].startswith('"') else "\n" * found[0].count("\n") or " "


_VARIABLE = re.compile(r"\$\{(?P<kind>[A-Za-z]+:)?(?P<name>[A-Za-z_][\w.-]*)(?::-(?P<default>[^}]*))?\}")
_ADDRESSES = ("url", "serverUrl", "httpUrl")
_TAKEN = {"command", "args", "env", "cwd", "headers", *_ADDRESSES, "type", "transport", "transportType"}
_SILENT = {"disabled", "enabled", "name", "description"}


@dataclass(frozen=True, slots=True)
class Imported:
    """What was found in the text."""

    entries: tuple[McpEntry, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be taken over, and why, one sentence each."""
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Keys that stood in the text, by the names under which the entries refer to them: to be kept as secrets."""
    missing: tuple[str, ...] = ()
    """Names of secrets that entries refer to and whose value nobody knows yet."""


def import_servers(text: str) -> Imported:
    """The servers of a file or a pasted piece of it; raises LenientJsonError if it is no JSON or has no servers."""
    importer = _Importer()
    for name, settings in _servers(text).items():
        importer.take(str(name), settings)
    return importer.imported()


class _Importer:
    def __init__(self) -> None:
        self._entries: list[McpEntry] = []
        self._notes: list[str] = []
        self._secrets = FoundSecrets()

    def imported(self) -> Imported:
        found = self._secrets
        return Imported(tuple(self._entries), tuple(self._notes), dict(found.values), tuple(found.missing))

    def take(self, name: str, settings: Any) -> None:
        """Makes an entry of the settings, or a note."""
        if not isinstance(settings, Mapping):
            self._note(name, "is left out, for its settings are no object")
            return
        if settings.get("disabled") is True or settings.get("enabled") is False:
            self._note(name, "is left out, for it is switched off")
            return
        try:
            self._entries.append(McpEntry.model_validate(self._fields(name, settings)))
        except ValidationError as error:
            self._note(name, f"is left out: {error.errors()[0]['msg'].removeprefix('Value error, ')}")

    def _fields(self, name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        command, args = _command(settings)
        url = next((settings[key] for key in _ADDRESSES if settings.get(key)), None)
        if str(settings.get("type") or settings.get("transport")).lower() == "sse":
            self._note(name, "speaks the older SSE there: that is used where its address takes no streamable HTTP")
        if left := sorted(set(settings) - _TAKEN - _SILENT):
            self._note(name, f"loses {', '.join(map(repr, left))}, which the studio does not know")
        fields = {
            "name": name,
            "command": command,
            "args": [self._secrets.argument(name, self._text(name, text)) for text in args],
            "cwd": settings.get("cwd") and self._text(name, settings["cwd"]),
            "url": url and self._text(name, url),
            "env": self._texts(name, settings.get("env"), self._secrets.variable),
            "headers": self._texts(name, settings.get("headers"), self._secrets.header),
        }
        return {key: value for key, value in fields.items() if value}

    def _texts(self, server: str, texts: Any, guarded: Any) -> dict[str, str]:
        if not isinstance(texts, Mapping):
            return {}
        return {str(key): guarded(server, str(key), self._text(server, value)) for key, value in texts.items()}

    def _text(self, server: str, value: Any) -> str:
        """The text with the other program's variables as ours."""
        text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        return _VARIABLE.sub(lambda found: self._variable(server, found), text)

    def _variable(self, server: str, found: re.Match[str]) -> str:
        kind, name = (found["kind"] or "").rstrip(":"), found["name"]
        if kind == "input":
            return self._secrets.needed(name)
        if kind in ("env", "secret"):
            return f"${{{kind}:{name}}}"
        if name == "workspaceFolder":
            return "."
        if name in ("userHome", "HOME"):
            return "${env:HOME}"
        if kind or name in ("workspaceFolderBasename", "pathSeparator", "file", "cwd"):
            self._note(server, f"has {found[0]}, which the studio does not know: write what it stands for")
            return found[0]
        if found["default"] is not None:
            self._note(server, f"has {found[0]}: the default {found['default']!r} is not taken over")
        return f"${{env:{name}}}"

    def _note(self, server: str, what: str) -> None:
        self._notes.append(f"The server {server!r} {what}.")


def _servers(text: str) -> Mapping[str, Any]:
    try:
        value = lenient_json(text)
    except LenientJsonError:
        if not text.lstrip().startswith('"'):
            raise
        # A piece that was copied out of its object.
        value = lenient_json(f"{{{text.strip().rstrip(',')}}}")
    for path in (("mcpServers",), ("servers",), ("mcp", "servers"), ("mcp", "mcpServers"), ()):
        found = value
        for step in path:
            found = found.get(step) if isinstance(found, Mapping) else None
        if isinstance(found, Mapping) and (path or _looks_like_servers(found)):
            return found
    raise LenientJsonError("There are no MCP servers in it: an object `mcpServers` or `servers` is looked for.")


def _looks_like_servers(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(
        isinstance(item, Mapping) and ("command" in item or any(key in item for key in _ADDRESSES))
        for item in value.values()
    )


def _command(settings: Mapping[str, Any]) -> tuple[str | None, list[Any]]:
    command, args = settings.get("command"), settings.get("args") or []
    args = list(args) if isinstance(args, list) else shlex.split(str(args))
    if isinstance(command, list) and command:
        return str(command[0]), [*command[1:], *args]
    if isinstance(command, str) and not args and " " in command.strip() and not command.startswith(("/", ".")):
        first, *rest = shlex.split(command)
        return first, rest
    return (str(command), args) if command else (None, [])
