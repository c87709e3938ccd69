"""An OpenAPI document as a source: read when it is first needed and when its file changes, a tool an operation."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import Stamp, stamp_of
from ptc_studio.core.schema_validation import pattern_notes
from ptc_studio.core.tools import JsonSchema, LoadedTools, LoadError, ToolSpec
from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.messages import HttpUnreachable, HttpUnusable
from ptc_studio.sources.http.oauth import SchemeTokens, client_of
from ptc_studio.sources.http.templates import origin_of
from ptc_studio.sources.openapi.arguments import arguments_of
from ptc_studio.sources.openapi.documents import (
    BrokenDocumentReference,
    Documents,
    FileFetch,
    UnfitDocument,
    WebFetch,
    path_of,
)
from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.operation_tool import ApiService, OperationTool
from ptc_studio.sources.openapi.operations import (
    Operation,
    OperationError,
    check_version,
    names_of,
    operations,
    upgraded_top,
)
from ptc_studio.sources.openapi.plans import RequestPlan
from ptc_studio.sources.openapi.schemas import SchemaMaker, answer_note, answer_schema, answers_headers
from ptc_studio.sources.openapi.security import CredentialOrigins, NoServer, Security, Servers, UnfitKeys
from ptc_studio.sources.references import References
from ptc_studio.sources.schema_tool import signature_of
from ptc_studio.sources.sign_in import OpenBrowser, SignInFailed, SignIns
from ptc_studio.sources.source import EntrySource, SourceFailed, Status

DESCRIPTION_LIMIT = 600


class Toolset:
    """All the operations of one document."""

    def __init__(
        self,
        entry: OpenApiEntry,
        documents: Documents,
        client: HttpClient,
        references: References,
        folder: Path,
        tokens: Callable[..., SchemeTokens],
    ) -> None:
        """Raises UnfitDocument or UnfitKeys."""
        self._entry = entry
        self._documents = documents
        document = documents.top()
        check_version(document)
        address = documents.root if entry.is_remote else None
        self._servers = Servers(entry, document, address)
        self._origins = CredentialOrigins(entry, address, references)
        self.security = Security(documents, entry.auth, partial(tokens, check=self._origins.check))
        self._service = ApiService(client, references, self.security, entry.headers, folder, self._origins)
        self.unconfirmed: tuple[str, ...] = ()
        """The servers that keys would be sent to, and are not."""
        self._requests = SchemaMaker(documents, "request")
        self._responses = SchemaMaker(documents, "response")
        self._errors: list[LoadError] = []

    def loaded(self, before: dict[str, OperationTool]) -> LoadedTools:
        """The tools, and what cannot be one; `before` are those of the last time, by name."""
        wanted = list(self._wanted())
        self._check_servers()
        self._check_ids(wanted)
        tools: list[OperationTool] = []
        for operation, name in zip(wanted, names_of(wanted), strict=True):
            try:
                tools.append(self._kept(operation, name, before))
            except BrokenDocumentReference as error:
                self._report(operation.label, f"is left out: {error}")
        self._check_origins(tools)
        if not wanted and not self._errors:
            self._report("", "has no operation that `include` and `exclude` leave over: check them")
        return LoadedTools(tuple(tools), tuple(self._errors))

    def _wanted(self) -> Iterator[Operation]:
        include, exclude = self._entry.include, self._entry.exclude
        for found in operations(self._documents):
            if isinstance(found, OperationError):
                self._report(found.label, f"is left out: {found.message}")
            elif (not include or found.fits(include)) and not found.fits(exclude):
                yield found

    def _check_servers(self) -> None:
        try:
            self._servers.base_url()
        except NoServer as error:
            self._report("", str(error))

    def _check_origins(self, tools: list[OperationTool]) -> None:
        """Tells of servers that get no keys before the user has confirmed them."""
        own = self._entry.base_url is not None
        sending = [] if own else [each.plan for each in tools if self._service.sends_keys(each.plan.security)]
        asked = (address for tokens in self.security.tokens.values() for address in tokens.addresses)
        addresses = dict.fromkeys((*(plan.base_url for plan in sending), *asked))
        # What the entry refers to may be missing: that is told when it is needed.
        with suppress(SourceFailed):
            others = [origin_of(one) for one in addresses if origin_of(one) and not self._origins.allows(one)]
            self.unconfirmed = tuple(dict.fromkeys(others))
        if self.unconfirmed:
            listed = ", ".join(self.unconfirmed)
            self._report(
                "",
                f"names servers of its own choice, so that your keys and headers are not sent there: {listed}. "
                f"If that is meant, write `allow_origins: [{listed}]` into the source {self._entry.name!r}",
                f"{self._entry.name}: keys are not sent",
            )

    def _check_ids(self, wanted: list[Operation]) -> None:
        first: dict[str, Operation] = {}
        for operation in wanted:
            same = first.setdefault(operation.id, operation)
            if operation.id and same is not operation:
                self._report(
                    operation.label, f"has the id {operation.id!r} of {same.label}, so it is named by its path instead"
                )

    def _kept(self, operation: Operation, name: str, before: dict[str, OperationTool]) -> OperationTool:
        tool = self._tool(operation, name)
        old = before.get(tool.spec.name)
        return old if old is not None and (old.spec, old.plan) == (tool.spec, tool.plan) else tool

    def _tool(self, operation: Operation, name: str) -> OperationTool:
        with_headers = operation.fits(self._entry.with_headers) or answers_headers(operation, self._documents)
        gathered = arguments_of(
            operation, self._documents, self._requests, self.security.key_parameters, with_headers=with_headers
        )
        schema = gathered.schema
        plan = RequestPlan(
            operation.method,
            operation.path,
            self._base_url(operation),
            tuple(gathered.found),
            tuple(gathered.bodies),
            self.security.ways(operation),
        )
        full, raw = f"{self._entry.name}.{name}", f"{self._entry.name}.{operation.id}"
        spec = ToolSpec(
            name=full,
            description=_description(operation),
            parameters=schema,
            source=self._entry.name,
            signature=signature_of(schema),
            doc=self._doc(operation, schema),
            also=(raw,) if operation.id and raw != full else (),
            origin=f"{operation.label} of {self._entry.document}",
            output=answer_schema(operation, self._documents, self._responses),
        )
        return OperationTool(spec, plan, self._service)

    def _base_url(self, operation: Operation) -> str:
        try:
            return self._servers.base_url(operation)
        except NoServer:
            return ""

    def _doc(self, operation: Operation, schema: JsonSchema) -> str:
        summary, description = _text(operation, "summary"), _text(operation, "description")
        notes = ["Deprecated."] if operation.node.get("deprecated") is True else []
        notes += [operation.label, answer_note(operation, self._documents), *pattern_notes(schema)]
        return "\n\n".join(dict.fromkeys(part for part in (summary, description, *notes) if part))

    def _report(self, label: str, message: str, title: str = "") -> None:
        named = f"{label} of the document" if label else "The document"
        text = f"{named} {self._entry.document!r} {message}."
        self._errors.append(LoadError(self._entry.name, self._entry.document, None, text, title=title))


def _description(operation: Operation) -> str:
    """The summary, else the first paragraph of the description, else the operation itself."""
    text = _text(operation, "summary") or _text(operation, "description").partition("\n\n")[0]
    text = " ".join(text.split()) or operation.label
    return text if len(text) <= DESCRIPTION_LIMIT else text[: DESCRIPTION_LIMIT - 1] + "…"


def _text(operation: Operation, key: str) -> str:
    found = operation.node.get(key)
    return found.strip() if isinstance(found, str) else ""


class OpenApiSource(EntrySource):
    """The tools of an entry of the kind `openapi`."""

    def __init__(
        self,
        entry: OpenApiEntry,
        *,
        folder: Path | None = None,
        references: References | None = None,
        sign_ins: SignIns | None = None,
    ) -> None:
        super().__init__(entry.name)
        self._sign_ins = sign_ins or SignIns()
        self._tokens: dict[str, SchemeTokens] = {}
        self.unconfirmed: tuple[str, ...] = ()
        """The servers that the document names, and that get none of the user's keys before they are confirmed."""
        self.schemes: Mapping[str, Mapping[str, Any]] = {}
        """The security schemes of the document, once it has been read."""
        self._steps: tuple[str, ...] = ()
        self._entry = entry
        self._folder = (folder or Path.cwd()).resolve()
        self._references = references or References()
        self._client = HttpClient()
        self._before: dict[str, OperationTool] = {}
        self._stamps: dict[Path, Stamp | None] = {}

    def load(self) -> LoadedTools:
        documents = self._documents()
        try:
            toolset = Toolset(self._entry, documents, self._client, self._references, self._folder, self._tokens_for)
            self._tokens, self.schemes = toolset.security.tokens, toolset.security.schemes
            loaded = toolset.loaded(self._before)
            self.unconfirmed = toolset.unconfirmed
        except (UnfitDocument, UnfitKeys) as error:
            raise SourceFailed(f"The document {self._entry.document!r} {error}.") from None
        except (HttpUnreachable, HttpUnusable) as error:
            raise SourceFailed(f"The document {self._entry.document!r} is not to be had. {error}") from None
        except RecursionError:
            raise SourceFailed(f"The document {self._entry.document!r} is nested too deeply.") from None
        self._before = {tool.spec.name: tool for tool in loaded.tools if isinstance(tool, OperationTool)}
        return loaded

    @property
    def status(self) -> Status:
        return replace(super().status, log=self._steps)

    @property
    def can_sign_in(self) -> bool:
        """Whether a person can, with the client that the entry names."""
        return any(tokens.takes_person for tokens in self._tokens.values())

    def sign_in(self, open_browser: OpenBrowser) -> None:
        """Waits for a person to sign in; raises SignInFailed."""
        for name, tokens in self._tokens.items():
            client = client_of(self._references.resolved(self._entry.auth[name]))
            if tokens.takes_person and client is not None:
                try:
                    tokens.sign_in(client, open_browser, self._tell)
                except SignInFailed as error:
                    self._tell(f"sign-in: {error}")
                    raise

    def sign_out(self) -> bool:
        """Forgets the tokens; False if nobody was signed in."""
        known = [tokens.forget() for tokens in self._tokens.values()]
        return any(known)

    def _tell(self, step: str) -> None:
        self._steps = (*self._steps[-200:], step)

    def _tokens_for(self, name: str, scheme: Mapping[str, Any], check: Callable[[str], None]) -> SchemeTokens:
        return SchemeTokens(self._entry.name, name, scheme, self._client, self._sign_ins, check)

    def changed(self) -> bool:
        return any(stamp_of(path) != stamp for path, stamp in self._stamps.items())

    def close(self) -> None:
        super().close()
        self._client.close()

    def _documents(self) -> Documents:
        if self._entry.is_remote:
            return Documents(self._references.resolved(self._entry.document), WebFetch(self._client), upgraded_top)
        path = (self._folder / Path(self._entry.document).expanduser()).resolve()
        # Beside the document, or anywhere in the workspace if that is where it is.
        folder = self._folder if path.is_relative_to(self._folder) else path.parent
        read = FileFetch(folder)
        self._stamps = {}

        def fetch(address: str) -> bytes:
            # Looked at before it is read: a change in between is seen the next time.
            self._stamps[path_of(address)] = stamp_of(path_of(address))
            return read(address)

        return Documents(path.as_uri(), fetch, upgraded_top)
