"""Requests that the user wrote down, each a tool: its places are filled in, and the answer is read."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ptc_studio.core.tools import LoadedTools, LoadError, Ticket, Tool, ToolSpec
from ptc_studio.sources.entry_source import EntrySource
from ptc_studio.sources.http.answers import Extraction, UnfitPath, error_of, value_of
from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.entry import HttpEntry, RequestFields
from ptc_studio.sources.http.messages import Headers, HttpRequest
from ptc_studio.sources.http.templates import (
    encoded,
    filled_address,
    filled_headers,
    filled_pairs,
    filled_value,
    json_body,
    with_query,
)
from ptc_studio.sources.placeholders import Slot, as_text, slots_in, template
from ptc_studio.sources.references import References, UsedSecrets, texts_in
from ptc_studio.sources.schema_tool import (
    ANY,
    TEXT,
    SchemaTool,
    UnfitParameters,
    derived_schema,
    given_schema,
    signature_of,
    twin_of,
    with_defaults,
)

ACCEPT = "application/json, */*;q=0.8"
AGENT = "ptc-studio"
_TYPES = {"json": "application/json", "form": "application/x-www-form-urlencoded", "text": "text/plain; charset=utf-8"}


class RequestTool:
    """Makes requests of arguments, and values of answers."""

    def __init__(
        self, name: str, url: str, fields: RequestFields, entry: HttpEntry, client: HttpClient, references: References
    ) -> None:
        self._name = name
        self._url = template(url)
        self._fields = fields
        self._entry = entry
        self._client = client
        self._references = references
        self._label = f"{fields.method} {url}"
        self._headers = {**entry.headers, **fields.headers}
        self._query = {**entry.query, **fields.query}
        self._extraction = Extraction(fields.extract) if fields.extract else None
        slots = list(self._slots())
        given = fields.parameters
        self._schema = given_schema(given, (slot for slot, _ in slots)) if given else derived_schema(slots)

    def tool(self) -> SchemaTool:
        """The tool itself."""
        spec = ToolSpec(
            name=self._name,
            description=self._fields.description or self._label,
            parameters=self._schema,
            source=self._entry.name,
            signature=signature_of(self._schema),
            doc="\n\n".join(filter(None, (self._fields.description, self._label))),
            also=twin_of(self._name),
            origin=self._label,
            timeout=self._fields.timeout,
        )
        return SchemaTool(spec, self.answer)

    def answer(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        """Sends the request; raises the errors of `http.errors`."""
        used = UsedSecrets(self._references)
        request = self._request(with_defaults(arguments, self._schema), used)
        response = self._client.send(request, ticket)
        if not self._fields.expects(response.status):
            raise error_of(response, request, used)
        value = value_of(response, request)
        return value if self._extraction is None else self._extraction.of(value)

    def _request(self, arguments: Mapping[str, Any], used: UsedSecrets) -> HttpRequest:
        url = filled_address(self._url, arguments, used.resolved, self._label)
        url = with_query(url, encoded(filled_pairs(self._query, arguments, used.resolved)))
        headers = filled_headers(self._headers, arguments, used.resolved)
        body, body_type = self._body(arguments, used)
        return HttpRequest(self._fields.method, url, self._label, _complete(headers, body_type), body)

    def _body(self, arguments: Mapping[str, Any], used: UsedSecrets) -> tuple[bytes | None, str]:
        body, way = self._fields.body, self._fields.body_as
        if body is None:
            return None, ""
        way = way or ("text" if isinstance(body, str) and template(body).whole is None else "json")
        if way == "form" and isinstance(body, Mapping):
            return encoded(filled_pairs(body, arguments, used.resolved)).encode(), _TYPES[way]
        if way == "text":
            text = template(body) if isinstance(body, str) else None
            filled = text.filled(arguments, used.resolved) if text else as_text(body)
            return filled.encode(), _TYPES[way]
        return json_body(filled_value(body, arguments, used.resolved)), _TYPES["json"]

    def _slots(self) -> Iterator[tuple[Slot, Mapping[str, Any]]]:
        """Each place with what fits there."""
        for slot in (*self._url.slots, *slots_in(self._headers)):
            yield slot, TEXT
        for value in self._query.values():
            for slot in slots_in(value):
                yield slot, ANY if isinstance(value, str) and template(value).whole else TEXT
        for text in texts_in(self._fields.body):
            for slot in slots_in(text):
                yield slot, ANY if template(text).whole and self._fields.body_as != "text" else TEXT


def _complete(headers: Mapping[str, str], body_type: str) -> Headers:
    """The headers, and those that every request has unless the user gave his own."""
    given = {name.lower() for name in headers}
    usual = {"Accept": ACCEPT, "User-Agent": AGENT, **({"Content-Type": body_type} if body_type else {})}
    return (*((name, value) for name, value in usual.items() if name.lower() not in given), *headers.items())


class HttpSource(EntrySource):
    """The tools of an entry of the kind `http`."""

    def __init__(self, entry: HttpEntry, *, folder: Path | None = None, references: References | None = None) -> None:
        super().__init__(entry.name)
        self._entry = entry
        self._folder = folder or Path.cwd()
        self._references = references or References()
        self._client = HttpClient()

    def load(self) -> LoadedTools:
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
