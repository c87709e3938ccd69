"""The source: a document, read when it is first needed and when its file changes."""

from pathlib import Path

from ptc_studio.core.tools import LoadedTools
from ptc_studio.sources.entry_source import EntrySource, Stamp, stamp_of
from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.messages import HttpUnreachable, HttpUnusable
from ptc_studio.sources.openapi.documents import Documents, FileFetch, UnfitDocument, WebFetch, path_of
from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.operation_tool import OperationTool
from ptc_studio.sources.openapi.security import UnfitKeys
from ptc_studio.sources.openapi.toolset import Toolset
from ptc_studio.sources.references import References
from ptc_studio.sources.source import SourceFailed


class OpenApiSource(EntrySource):
    """The tools of an entry of the kind `openapi`."""

    def __init__(
        self, entry: OpenApiEntry, *, folder: Path | None = None, references: References | None = None
    ) -> None:
        super().__init__(entry.name)
        self._entry = entry
        self._folder = (folder or Path.cwd()).resolve()
        self._references = references or References()
        self._client = HttpClient()
        self._before: dict[str, OperationTool] = {}
        self._stamps: dict[Path, Stamp | None] = {}

    def load(self) -> LoadedTools:
        documents = self._documents()
        try:
            toolset = Toolset(self._entry, documents, self._client, self._references, self._folder)
            loaded = toolset.loaded(self._before)
        except (UnfitDocument, UnfitKeys) as error:
            raise SourceFailed(f"The document {self._entry.document!r} {error}.") from None
        except (HttpUnreachable, HttpUnusable) as error:
            raise SourceFailed(f"The document {self._entry.document!r} is not to be had. {error}") from None
        except RecursionError:
            raise SourceFailed(f"The document {self._entry.document!r} is nested too deeply.") from None
        self._before = {tool.spec.name: tool for tool in loaded.tools if isinstance(tool, OperationTool)}
        return loaded

    def changed(self) -> bool:
        return any(stamp_of(path) != stamp for path, stamp in self._stamps.items())

    def close(self) -> None:
        super().close()
        self._client.close()

    def _documents(self) -> Documents:
        if self._entry.is_remote:
            return Documents(self._references.resolved(self._entry.document), WebFetch(self._client))
        path = (self._folder / Path(self._entry.document).expanduser()).resolve()
        # Beside the document, or anywhere in the workspace if that is where it is.
        folder = self._folder if path.is_relative_to(self._folder) else path.parent
        read = FileFetch(folder)
        self._stamps = {}

        def fetch(address: str) -> bytes:
            # Looked at before it is read: a change in between is seen the next time.
            self._stamps[path_of(address)] = stamp_of(path_of(address))
            return read(address)

        return Documents(path.as_uri(), fetch)
