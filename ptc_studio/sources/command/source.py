"""The source: commands that the user wrote down."""

from pathlib import Path

from ptc_studio.core.tools import LoadedTools, LoadError, Tool
from ptc_studio.sources.command.entry import Argv, CommandEntry, CommandFields
from ptc_studio.sources.command.process import Running
from ptc_studio.sources.entry_source import EntrySource
from ptc_studio.sources.references import References
from ptc_studio.sources.schema_tool import UnfitParameters


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

    def close(self) -> None:
        super().close()
        self._running.close()

    def _tool(self, name: str, argv: Argv, fields: CommandFields) -> Tool:
        from ptc_studio.sources.command.command_tool import CommandTool

        made = CommandTool(name, argv, fields, self._entry, self._folder, self._references, self._running)
        return made.tool()
