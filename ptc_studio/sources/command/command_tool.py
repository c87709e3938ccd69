"""A command as a tool."""

import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ptc_studio.core.tools import Ticket, ToolSpec
from ptc_studio.sources.command.argv import CommandLine
from ptc_studio.sources.command.entry import Argv, CommandEntry, CommandFields
from ptc_studio.sources.command.environment import environment
from ptc_studio.sources.command.errors import CommandMissing, CommandRefused
from ptc_studio.sources.command.outputs import value_of
from ptc_studio.sources.command.process import Launch, Running
from ptc_studio.sources.derived_schema import ANY, FLAG, TEXT, derived_schema, given_schema, with_defaults
from ptc_studio.sources.placeholders import Slot, as_text, template
from ptc_studio.sources.references import References
from ptc_studio.sources.schema_tool import SchemaTool, signature_of, twin_of
from ptc_studio.sources.used_secrets import UsedSecrets

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
        launch = self._launch(with_defaults(arguments, self._schema), used)
        try:
            finished = self._running.run_to_end(launch, self._fields.max_output, ticket)
        except OSError as error:
            if error.errno == errno.E2BIG:
                raise CommandRefused(
                    f"{self._label} is not started: its arguments are too long; use `stdin`."
                ) from None
            raise CommandMissing(f"{self._label} cannot be started: {error.strerror}.") from None
        return value_of(finished, self._fields, self._label, used)

    def _launch(self, arguments: Mapping[str, Any], used: UsedSecrets) -> Launch:
        words = self._line.words(arguments, used.resolved)
        env = environment(used.resolved({**self._entry.env, **self._fields.env}))
        where = self._fields.cwd or self._entry.cwd
        cwd = self._folder / Path(used.resolved(where or ".")).expanduser()
        if not cwd.is_dir():
            raise CommandMissing(f"{self._label} cannot be started: its folder {where!r} does not exist.")
        return Launch([self._program(words[0], cwd, env), *words[1:]], str(cwd), env, self._input(arguments, used))

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
