"""What an answer is to the script: JSON as its value, text as text, all else in base64; or an error."""

import base64
from typing import Any

from ptc_studio.core import codec
from ptc_studio.sources.http.messages import HttpError, HttpRequest, HttpResponse, HttpUnusable
from ptc_studio.sources.references import UsedSecrets

BODY_LIMIT = 1000
_TEXTS = ("text/", "application/xml", "application/javascript", "application/x-www-form-urlencoded", "application/yaml")


def value_of(response: HttpResponse, request: HttpRequest) -> Any:
    """The value; None for no content. Raises HttpUnusable for JSON that is none."""
    if request.method == "HEAD":
        return {"status": response.status, "headers": dict(response.headers)}
    if not response.body:
        return None
    kind = response.media_type
    if is_json(kind):
        try:
            return codec.decode(response.body)
        except ValueError as error:
            raise HttpUnusable(
                f"The answer to {request.label} says that it is JSON, but is none: {_brief(str(error))}."
            ) from None
    if kind.startswith(_TEXTS) or kind.endswith("+xml"):
        return _text(response)
    if not kind:
        return _guessed(response)
    return {"content_type": kind, "base64": base64.b64encode(response.body).decode()}


def whole_answer(response: HttpResponse, request: HttpRequest, *, expected: bool) -> dict[str, Any]:
    """All that the server answered, for somebody who looks at it; `expected`: a script would get its value."""
    try:
        body = None if request.method == "HEAD" else value_of(response, request)
    except HttpUnusable:
        body = _text(response)
    return {
        "status": response.status,
        "reason": response.reason,
        "expected": expected,
        "headers": dict(response.headers),
        "body": body,
    }


def error_of(response: HttpResponse, request: HttpRequest, used: UsedSecrets, hint: str = "") -> HttpError:
    """The error for a status that means failure, with the beginning of what the server says of it."""
    # Cut well beyond what is shown, for half a secret at the cut would not be known as one.
    text = " ".join(used.hidden(_text(response)[: 20 * BODY_LIMIT]).split()) if _readable(response) else ""
    text = text if len(text) <= BODY_LIMIT else text[: BODY_LIMIT - 1] + "…"
    retry_after = response.headers.get("retry-after")
    message = f"{request.label} answered {response.status} {used.hidden(response.reason)}".rstrip()
    message += f": {text}" if text else ""
    if retry_after:
        wait = f"{retry_after} s" if retry_after.isdigit() else f"until {retry_after}"
        message += f" (it asks to wait {wait} before the next try)"
    if hint:
        message += f" ({hint})"
    headers = {name: used.hidden(value) for name, value in response.headers.items()}
    return HttpError(message, response.status, response.reason, retry_after, _said(response, used), headers)


def _said(response: HttpResponse, used: UsedSecrets) -> Any:
    """What a failed answer says, for the script; None if it is no text."""
    if not response.body or not _readable(response):
        return None
    text = used.hidden(_text(response))
    try:
        return codec.decode(text) if is_json(response.media_type) else text
    except ValueError:
        return text


def is_json(media_type: str) -> bool:
    """Whether the media type is a kind of JSON."""
    return media_type in ("application/json", "text/json") or media_type.endswith("+json")


def _readable(response: HttpResponse) -> bool:
    kind = response.media_type
    return not kind or is_json(kind) or kind.startswith(_TEXTS) or kind.endswith("+xml")


def _text(response: HttpResponse) -> str:
    try:
        return response.body.decode(response.charset, errors="replace")
    except LookupError:
        return response.body.decode(errors="replace")


def _guessed(response: HttpResponse) -> Any:
    try:
        text = response.body.decode()
    except UnicodeDecodeError:
        return {"content_type": "", "base64": base64.b64encode(response.body).decode()}
    if text.lstrip()[:1] in ("{", "["):
        try:
            return codec.decode(text)
        except ValueError:
            pass
    return text


def _brief(text: str) -> str:
    return text if len(text) <= BODY_LIMIT // 5 else text[: BODY_LIMIT // 5 - 1] + "…"


class UnfitPath(Exception):
    """The path is none; the message says why."""


class Extraction:
    """A path, compiled once. One that leads to one place gives what is there, or None; all others give a list."""

    def __init__(self, path: str) -> None:
        import jsonpath

        try:
            self._path = jsonpath.compile(path)
        except jsonpath.JSONPathError as error:
            raise UnfitPath(" ".join(str(error).split())) from None
        self._singular = isinstance(self._path, jsonpath.JSONPath) and self._path.singular_query()

    def of(self, value: Any) -> Any:
        """The part of the value."""
        found = self._path.findall(value if isinstance(value, dict | list) else [])
        if self._singular:
            return found[0] if found else None
        return found
