"""An operation as a tool."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from ptc_studio.core.tools import Ticket, ToolSpec
from ptc_studio.sources.http.answers import error_of, value_of
from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.messages import HttpRefused, HttpRequest
from ptc_studio.sources.http.templates import checked_address, with_query
from ptc_studio.sources.openapi.plans import (
    BodyPlan,
    RequestPlan,
    Where,
    cookie_text,
    header_text,
    path_text,
    query_pairs,
    query_text,
    written_body,
)
from ptc_studio.sources.openapi.security import CredentialOrigins, Credentials, Security
from ptc_studio.sources.references import References, UsedSecrets
from ptc_studio.sources.schema_tool import SchemaTool

_PLACE = re.compile(r"\{([^{}]+)\}")
_CLOSED = (401, 403)


@dataclass(frozen=True)
class ApiService:
    """What all the operations of a source share."""

    client: HttpClient
    references: References
    security: Security
    headers: Mapping[str, str]
    folder: Path
    origins: CredentialOrigins

    def sends_keys(self, ways: tuple[tuple[str, ...], ...]) -> bool:
        """Whether requests that are let in these ways carry anything of the user's own."""
        return self.origins.has_headers or bool(self.security.chosen(ways))


class OperationTool:
    """Checks arguments, makes the request of them, and gives what is answered."""

    def __init__(self, spec: ToolSpec, plan: RequestPlan, service: ApiService) -> None:
        self.spec = spec
        self.plan = plan
        self._service = service
        self._checked = SchemaTool(spec, self._answer)

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        renamed = self.plan.renamed(arguments)
        files = [one.name for one in self.plan.arguments if one.is_file and one.name in renamed]
        return self._checked.bind(renamed | {name: _as_file(renamed[name]) for name in files})

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        return self._checked.invoke(arguments, ticket)

    def _answer(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        used = UsedSecrets(self._service.references)
        request = self._request(arguments, used)
        response = self._service.client.send(request, ticket)
        if not 200 <= response.status < 300:
            hint = self._service.security.hint(self.plan.security) if response.status in _CLOSED else ""
            raise error_of(response, request, used, hint)
        value = value_of(response, request)
        if not self._given("with_headers", arguments) or request.method == "HEAD":
            return value
        return {"status": response.status, "headers": dict(response.headers), "body": value}

    def _request(self, arguments: Mapping[str, Any], used: UsedSecrets) -> HttpRequest:
        plan, service = self.plan, self._service
        if not plan.base_url:
            raise HttpRefused(f"{plan.label} cannot be sent: give the service's address as `base_url`.")
        url = checked_address(used.resolved(plan.base_url) + self._path(arguments), plan.label)
        if service.sends_keys(plan.security):
            service.origins.check(url)
        credentials = service.security.credentials(plan.security, used)
        url = with_query(url, self._query(arguments, credentials))
        body, body_type = self._body(arguments)
        headers = {
            "Accept": "application/json, */*;q=0.8",
            "User-Agent": "ptc-studio",
            **({"Content-Type": body_type} if body_type else {}),
        }
        for more in (self._headers(arguments), used.resolved(dict(service.headers)), credentials.headers):
            _replace(headers, more)
        if cookies := self._cookies(arguments, credentials):
            headers["Cookie"] = f"{headers['Cookie']}; {cookies}" if "Cookie" in headers else cookies
        return HttpRequest(plan.method, url, plan.label, tuple(headers.items()), body)

    def _path(self, arguments: Mapping[str, Any]) -> str:
        places = {argument.wire_name: argument for argument in self.plan.arguments if argument.where == "path"}

        def text(found: re.Match[str]) -> str:
            argument = places[found[1]]
            written = path_text(argument, arguments.get(argument.name))
            if not written:
                raise HttpRefused(f"{self.plan.label} is not sent: {argument.name!r} is empty, so the path is another.")
            return written

        return _PLACE.sub(text, self.plan.path)

    def _query(self, arguments: Mapping[str, Any], credentials: Credentials) -> str:
        whole = [
            query_text(argument, arguments[argument.name])
            for argument in self.plan.arguments
            if argument.where == "querystring" and argument.name in arguments
        ]
        pairs = [
            pair
            for argument in self.plan.arguments
            if argument.where == "query" and argument.name in arguments
            for pair in query_pairs(argument, arguments[argument.name])
        ]
        pairs += [(quote(name, safe=""), quote(value, safe="")) for name, value in credentials.query.items()]
        return "&".join((*whole, *(f"{name}={value}" for name, value in pairs)))

    def _headers(self, arguments: Mapping[str, Any]) -> dict[str, str]:
        return {
            argument.wire_name: header_text(argument, arguments[argument.name])
            for argument in self.plan.arguments
            if argument.where == "header" and argument.name in arguments
        }

    def _cookies(self, arguments: Mapping[str, Any], credentials: Credentials) -> str:
        given = [
            cookie_text(argument, arguments[argument.name])
            for argument in self.plan.arguments
            if argument.where == "cookie" and argument.name in arguments
        ]
        return "; ".join((*given, *(f"{name}={value}" for name, value in credentials.cookies.items())))

    def _body(self, arguments: Mapping[str, Any]) -> tuple[bytes | None, str]:
        plan = self._body_plan(arguments)
        if plan is None:
            return None, ""
        parts = [one for one in self.plan.arguments if one.where in ("body", "property") and one.name in arguments]
        if not parts and not plan.required:
            return None, ""
        whole = next((one for one in parts if one.where == "body"), None)
        value = arguments[whole.name] if whole else {one.wire_name: arguments[one.name] for one in parts}
        files = frozenset(one.wire_name for one in parts if one.is_file)
        return written_body(plan, value, files, self._service.folder)

    def _body_plan(self, arguments: Mapping[str, Any]) -> BodyPlan | None:
        wanted = self._given("media_type", arguments)
        bodies = self.plan.bodies
        return next((body for body in bodies if body.media_type == wanted), bodies[0] if bodies else None)

    def _given(self, where: Where, arguments: Mapping[str, Any]) -> Any:
        """The value of the one argument that has this place; None if there is none."""
        return next((arguments.get(one.name) for one in self.plan.arguments if one.where == where), None)


def _as_file(value: Any) -> Any:
    """A path of the host's own code is a file to be sent."""
    if isinstance(value, list):
        return [_as_file(one) for one in value]
    return {"path": str(value)} if isinstance(value, PurePath) else value


def _replace(headers: dict[str, str], more: Mapping[str, str]) -> None:
    """Adds headers; one that is there in other letters is replaced."""
    for name, value in more.items():
        for there in [one for one in headers if one.lower() == name.lower()]:
            del headers[there]
        headers[name] = value
