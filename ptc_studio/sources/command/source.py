"""Commands that the user wrote down, each a tool: its arguments are filled in, and no shell sees them."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ptc_studio.core.tools import LoadedTools, LoadError, Ticket, Tool, ToolSpec
from ptc_studio.sources.command.entry import Argv, CommandEntry, CommandFields
from ptc_studio.sources.command.process import CommandLaunch, CommandMissing, CommandRefused, Running, value_of
from ptc_studio.sources.placeholders import Convert, Slot, TextTemplate, as_text, template
from ptc_studio.sources.references import References, UsedSecrets
from ptc_studio.sources.schema_tool import (
    ANY,
    FLAG,
    TEXT,
    SchemaTool,
    UnfitParameters,
    derived_schema,
    given_schema,
    signature_of,
    twin_of,
    with_defaults,
)
from ptc_studio.sources.source import EntrySource


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command line with places for arguments."""

    argv: Argv
    dashes: tuple[str, ...] = ()

    def words(self, arguments: Mapping[str, Any], literal: Convert = str) -> list[str]:
        """The program and its arguments; raises CommandRefused."""
        words: list[str] = []
        ended = False
        for item in self.argv:
            group = (item,) if isinstance(item, str) else item
            check = _nothing if ended else self._check
            words += _group(group, arguments, literal, check, repeat=not isinstance(item, str))
            ended = ended or "--" in group
        if any("\0" in word for word in words):
            raise CommandRefused(f"The command {self.argv[0]!r} is not started: an argument holds a zero byte.")
        return words

    def _check(self, slot: Slot, word: str) -> None:
        if word.startswith("-") and slot.name not in self.dashes:
            raise CommandRefused(
                f"The command {self.argv[0]!r} is not started: {slot.name!r} begins with '-', so it would be taken for "
                f"an option. Write '--' before {{{slot.name}}} in `argv`, or '--option={{{slot.name}}}', or name it "
                "under `dashes`."
            )


Check = Callable[[Slot, str], None]


def _nothing(_slot: Slot, _word: str) -> None:
    """After `--` every word is what it is."""


def _group(
    group: tuple[str, ...], arguments: Mapping[str, Any], literal: Convert, check: Check, *, repeat: bool
) -> Iterator[str]:
    """The words of a group: none if it lacks an argument, several times if one of its arguments is a list."""
    templates = [template(text) for text in group]
    slots = [slot for one in templates for slot in one.slots if not slot.flag]
    if any(arguments.get(slot.name) is None for slot in slots):
        return
    lists = [slot.name for slot in slots if isinstance(arguments[slot.name], list)]
    if not repeat or not lists:
        for one in templates:
            yield from _words(one, arguments, literal, check)
        return
    for item in arguments[lists[0]]:
        for one in templates:
            yield from _words(one, {**arguments, lists[0]: item}, literal, check)


def _words(one: TextTemplate, arguments: Mapping[str, Any], literal: Convert, check: Check) -> Iterator[str]:
    whole = one.whole
    if whole is None:
        word = one.filled(arguments, literal)
        if one.parts and isinstance(one.parts[0], Slot):
            check(one.parts[0], word)
        yield word
    elif whole.flag:
        if arguments.get(whole.name) is True:
            yield whole.flag
    else:
        value = arguments[whole.name]
        for item in value if isinstance(value, list) else [value]:
            word = as_text(item)
            check(whole, word)
            yield word


# What programs need to find their way; not the whole environment, which may hold keys that are none of theirs.
INHERITED = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMFILES", "SYSTEMDRIVE"),
    *("SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE"),
)


def environment(more: Mapping[str, str]) -> dict[str, str]:
    """The usual variables, and those of the entry."""
    return {name: os.environ[name] for name in INHERITED if name in os.environ} | dict(more)


WORDS: Mapping[str, Any] = {"type": [*TEXT["type"], "array"], "items": TEXT}


class CommandTool:
    """Makes command lines of arguments, and values of output."""

    def __init__(
        self,
        name: str,
        argv: Argv,
        fields: CommandFields,
        entry: CommandEntry,
        folder: Path,
        references: References,
        running: Running,
    ) -> None:
        self._running = running
        self._name = name
        self._line = CommandLine(argv, fields.dashes)
        self._fields = fields
        self._entry = entry
        self._folder = folder
        self._references = references
        self._label = f"The command {argv[0]!r} of {name!r}"
        self._stdin = template(fields.stdin) if fields.stdin is not None else None
        slots = list(self._slots(argv))
        given = fields.parameters
        self._schema = given_schema(given, (slot for slot, _ in slots)) if given else derived_schema(slots)

    def tool(self) -> SchemaTool:
        """The tool itself."""
        shown = " ".join(word if isinstance(word, str) else f"[{' '.join(word)}]" for word in self._line.argv)
        spec = ToolSpec(
            name=self._name,
            description=self._fields.description or shown,
            parameters=self._schema,
            source=self._entry.name,
            signature=signature_of(self._schema),
            doc="\n\n".join(filter(None, (self._fields.description, shown))),
            also=twin_of(self._name),
            origin=shown,
            timeout=self._fields.timeout,
        )
        return SchemaTool(spec, self.answer)

    def answer(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        """Runs the command; raises the errors of `command.errors`."""
        used = UsedSecrets(self._references)
        launch = self._launch(with_defaults(arguments, self._schema), used, ticket.environment())
        try:
            finished = self._running.run_to_end(launch, self._fields.max_output, ticket)
        except OSError as error:
            if error.errno == errno.E2BIG:
                raise CommandRefused(
                    f"{self._label} is not started: its arguments are too long; use `stdin`."
                ) from None
            raise CommandMissing(f"{self._label} cannot be started: {error.strerror}.") from None
        return value_of(finished, self._fields, self._label, used)

    def is_there(self) -> bool:
        """Whether there is a program to start; nothing is started."""
        where = self._fields.cwd or self._entry.cwd or "."
        try:
            self._program(
                str(self._line.argv[0]), self._folder / Path(where).expanduser(), environment(self._entry.env)
            )
        except CommandMissing:
            return False
        return True

    def _launch(self, arguments: Mapping[str, Any], used: UsedSecrets, way_back: Mapping[str, str]) -> CommandLaunch:
        words = self._line.words(arguments, used.resolved)
        env = environment({**way_back, **used.resolved({**self._entry.env, **self._fields.env})})
        where = self._fields.cwd or self._entry.cwd
        cwd = self._folder / Path(used.resolved(where or ".")).expanduser()
        if not cwd.is_dir():
            raise CommandMissing(f"{self._label} cannot be started: its folder {where!r} does not exist.")
        return CommandLaunch(
            [self._program(words[0], cwd, env), *words[1:]], str(cwd), env, self._input(arguments, used)
        )

    def _program(self, name: str, cwd: Path, env: Mapping[str, str]) -> str:
        wanted = str(cwd / Path(name).expanduser()) if os.sep in name else name
        found = shutil.which(wanted, path=env.get("PATH"))
        if found is None:
            raise CommandMissing(
                f"{self._label} cannot be started: it is not there. Install it, or write its whole path."
            )
        return found

    def _input(self, arguments: Mapping[str, Any], used: UsedSecrets) -> bytes | None:
        text = self._stdin
        if text is None or (text.whole is not None and text.lacks(arguments)):
            return None
        if text.whole is not None:
            return as_text(arguments[text.whole.name]).encode()
        return text.filled(arguments, used.resolved).encode()

    def _slots(self, argv: Argv) -> Iterator[tuple[Slot, Mapping[str, Any]]]:
        """Each place with what fits there."""
        for item in argv:
            for word in (item,) if isinstance(item, str) else item:
                one = template(word)
                for slot in one.slots:
                    yield slot, FLAG if slot.flag else WORDS if one.whole else TEXT
        if self._stdin is not None:
            for slot in self._stdin.slots:
                yield slot, ANY if self._stdin.whole else TEXT


class CommandSource(EntrySource):
    """The tools of an entry of the kind `command`."""

    def __init__(
        self, entry: CommandEntry, *, folder: Path | None = None, references: References | None = None
    ) -> None:
        super().__init__(entry.name)
        self._entry = entry
        self._folder = (folder or Path.cwd()).resolve()
        self._references = references or References()
        self._running = Running()

    def load(self) -> LoadedTools:
        tools: list[Tool] = []
        errors: list[LoadError] = []
        for name, argv, fields in self._entry.named_commands():
            try:
                tools.append(self._tool(name, argv, fields))
            except UnfitParameters as error:
                message = f"The command {name!r} is left out: {error}."
                errors.append(LoadError(self._entry.name, "", None, message))
        return LoadedTools(tuple(tools), tuple(errors))

    def probe(self) -> tuple[LoadError, ...]:
        """The commands whose program is not there."""
        return tuple(
            LoadError(
                self._entry.name, str(argv[0]), None, f"{name!r} needs {argv[0]}, which is not there: install it."
            )
            for name, argv, fields in self._entry.named_commands()
            if not self._made(name, argv, fields).is_there()
        )

    def close(self) -> None:
        super().close()
        self._running.close()

    def _tool(self, name: str, argv: Argv, fields: CommandFields) -> Tool:
        return self._made(name, argv, fields).tool()

    def _made(self, name: str, argv: Argv, fields: CommandFields) -> CommandTool:
        return CommandTool(name, argv, fields, self._entry, self._folder, self._references, self._running)
