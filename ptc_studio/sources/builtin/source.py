"""The source of the built-in tools."""

from collections.abc import Callable, Iterable
from pathlib import Path

from ptc_studio.core.tools import Loaded
from ptc_studio.sources.builtin.confined_folder import ConfinedFolder
from ptc_studio.sources.builtin.descriptions import DESCRIPTIONS, Description
from ptc_studio.sources.builtin.entry import BuiltinEntry
from ptc_studio.sources.builtin.file_tools import FileTools
from ptc_studio.sources.builtin.json_tools import echo, json_query
from ptc_studio.sources.builtin.time_tools import sleep, tell_time
from ptc_studio.sources.builtin.web_tools import WebTools
from ptc_studio.sources.entry_source import EntrySource
from ptc_studio.sources.schema_tool import Invoke, SchemaTool


class BuiltinSource(EntrySource):
    """Has its tools at once. `protected` tells the files and folders that scripts may read but never write."""

    def __init__(self, entry: BuiltinEntry, *, folder: Path, protected: Callable[[], Iterable[Path]] = tuple) -> None:
        super().__init__(entry.name)
        self._entry = entry
        self._folder = folder
        self._protected = protected
        self._web = WebTools(entry.http_hosts, entry.max_bytes, entry.http_timeout)

    def load(self) -> Loaded:
        answers = self._answers()
        return Loaded(tuple(self._tool(DESCRIPTIONS[name], answers[name]) for name in dict.fromkeys(self._entry.tools)))

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
        }
