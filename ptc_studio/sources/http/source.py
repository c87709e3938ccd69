"""Requests that the user wrote down, each a tool: its places are filled in, and the answer is read."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ptc_studio.core.tools import LoadedTools, LoadError, Ticket, Tool, ToolSpec
from ptc_studio.sources.http.answers import Extraction, UnfitPath, error_of, value_of, whole_answer
from ptc_studio.sources.http.auth import RequestAuth
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
from ptc_studio.sources.sign_in import OpenBrowser, SignIns
from ptc_studio.sources.source import EntrySource, Status

ACCEPT = "application/json, */*;q=0.8"
AGENT = "ptc-studio"
_TYPES = {"json": "application/json", "form": "application/x-www-form-urlencoded", "text": "text/plain; charset=utf-8"}


class RequestTool:
    """Makes requests of arguments, and values of answers."""

    def __init__(
        self,
        name: str,
        url: str,
        fields: RequestFields,
        entry: HttpEntry,
        client: HttpClient,
        references: References,
        auth: RequestAuth,
    ) -> None:
        self._auth = auth
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

    def exchange(self) -> SchemaTool:
        """The same request, but for what it gives: the whole answer, whatever its status."""
        return SchemaTool(self.tool().spec, self._send_once)

    def answer(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        """Sends the request; raises the errors of `http.errors`."""
        used = UsedSecrets(self._references)
        request = self._request(with_defaults(arguments, self._schema), used)
        response = self._client.send(request, ticket)
        if not self._fields.expects(response.status):
            raise error_of(response, request, used)
        value = value_of(response, request)
        return value if self._extraction is None else self._extraction.of(value)

    def _send_once(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        request = self._request(with_defaults(arguments, self._schema), UsedSecrets(self._references))
        client = HttpClient()
        try:
            response = client.send(request, ticket)
        finally:
            client.close()
        return whole_answer(response, request, expected=self._fields.expects(response.status))

    def _request(self, arguments: Mapping[str, Any], used: UsedSecrets) -> HttpRequest:
        url = filled_address(self._url, arguments, used.resolved, self._label)
        own = self._auth.credentials(used)
        pairs = [*filled_pairs(self._query, arguments, used.resolved), *own.query.items()]
        url = with_query(url, encoded(iter(pairs)))
        headers = {**filled_headers(self._headers, arguments, used.resolved), **own.headers}
        if own.cookies:
            headers["Cookie"] = "; ".join(f"{name}={quote(value, safe='')}" for name, value in own.cookies.items())
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

    def __init__(
        self,
        entry: HttpEntry,
        *,
        folder: Path | None = None,
        references: References | None = None,
        sign_ins: SignIns | None = None,
    ) -> None:
        super().__init__(entry.name)
        self._entry = entry
        self._folder = folder or Path.cwd()
        self._references = references or References()
        self._client = HttpClient()
        self._sign_ins = sign_ins or SignIns()
        self._auth = self._request_auth()
        self._requests: list[RequestTool] = []

    def exchanges(self) -> tuple[Tool, ...]:
        """Each of the requests that were loaded, to be sent once."""
        return tuple(request.exchange() for request in self._requests)

    def load(self) -> LoadedTools:
        tools: list[Tool] = []
        errors: list[LoadError] = []
        given = self._entry, self._client, self._references, self._auth
        self._requests = []
        for name, url, fields in self._entry.named_requests():
            try:
                request = RequestTool(name, url, fields, *given)
                tools.append(request.tool())
                self._requests.append(request)
            except UnfitParameters as error:
                errors.append(self._error(name, str(error)))
            except UnfitPath as error:
                errors.append(self._error(name, f"its `extract` is no JSONPath: {error}"))
        return LoadedTools(tuple(tools), tuple(errors))

    @property
    def status(self) -> Status:
        return replace(super().status, log=self._auth.steps)

    @property
    def can_sign_in(self) -> bool:
        """Whether a person signs in to what it sends requests to."""
        return self._auth.takes_person

    def sign_in(self, open_browser: OpenBrowser) -> None:
        """Waits for a person to sign in; raises SignInFailed."""
        self._auth.sign_in(open_browser)

    def sign_out(self) -> bool:
        """Forgets the tokens; False if nobody was signed in."""
        return self._auth.sign_out()

    def close(self) -> None:
        super().close()
        self._client.close()

    def _request_auth(self) -> RequestAuth:
        return RequestAuth(self._entry.name, self._entry.auth, self._client, self._references, self._sign_ins)

    def _error(self, name: str, message: str) -> LoadError:
        return LoadError(self._entry.name, "", None, f"The request {name!r} is left out: {message}.")
