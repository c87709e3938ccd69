"""The source: requests that the user wrote down."""

from pathlib import Path

from ptc_studio.core.tools import LoadedTools, LoadError, Tool
from ptc_studio.sources.entry_source import EntrySource
from ptc_studio.sources.http.answers import UnfitPath
from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.entry import HttpEntry
from ptc_studio.sources.references import References
from ptc_studio.sources.schema_tool import UnfitParameters


class HttpSource(EntrySource):
    """The tools of an entry of the kind `http`."""

    def __init__(self, entry: HttpEntry, *, folder: Path | None = None, references: References | None = None) -> None:
        super().__init__(entry.name)
        self._entry = entry
        self._folder = folder or Path.cwd()
        self._references = references or References()
        self._client = HttpClient()

    def load(self) -> LoadedTools:
        from ptc_studio.sources.http.request_tool import RequestTool

        tools: list[Tool] = []
        errors: list[LoadError] = []
        for name, url, fields in self._entry.named_requests():
            try:
                tools.append(RequestTool(name, url, fields, self._entry, self._client, self._references).tool())
            except UnfitParameters as error:
                errors.append(self._error(name, str(error)))
            except UnfitPath as error:
                errors.append(self._error(name, f"its `extract` is no JSONPath: {error}"))
        return LoadedTools(tuple(tools), tuple(errors))

    def close(self) -> None:
        super().close()
        self._client.close()

    def _error(self, name: str, message: str) -> LoadError:
        return LoadError(self._entry.name, "", None, f"The request {name!r} is left out: {message}.")
