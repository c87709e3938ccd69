"""The keys under `auth` in parts that a form has fields for: one object a security scheme of the document."""

from collections.abc import Mapping
from typing import Any

from ptc_studio.sources.http.oauth import client_of

SECRET = {"type": "string", "x-field": "secret"}
Schemes = Mapping[str, Mapping[str, Any]]


def keys_schema(schemes: Schemes) -> dict[str, Any]:
    """JSON Schema of the parts of all schemes."""
    return {
        "type": "object",
        "title": "Keys",
        "description": "By the security schemes of the document; what is left empty is not used.",
        "properties": {name: _scheme_schema(scheme) for name, scheme in schemes.items()},
        "additionalProperties": False,
    }


def key_parts(schemes: Schemes, auth: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What stands in the file, in parts."""
    return {name: _parts(schemes.get(name, {}), text) for name, text in auth.items()}


def key_texts(schemes: Schemes, parts: Mapping[str, Any]) -> dict[str, str]:
    """What is to stand in the file; without the schemes that were left empty."""
    found = {name: _text(schemes.get(name, {}), part) for name, part in parts.items() if isinstance(part, Mapping)}
    return {name: text for name, text in found.items() if text}


def _is_basic(scheme: Mapping[str, Any]) -> bool:
    return scheme.get("type") == "http" and str(scheme.get("scheme")).lower() == "basic"


def _scheme_schema(scheme: Mapping[str, Any]) -> dict[str, Any]:
    kind = scheme.get("type")
    if kind == "apiKey":
        about, fields = f"A key, sent as {scheme.get('name')!r} in the {scheme.get('in')}.", ("key",)
    elif _is_basic(scheme):
        about, fields = "A name and a password.", ("user", "password")
    elif kind == "oauth2":
        ways = {"clientCredentials": "as a program", "authorizationCode": "as a person, who uses Sign in"}
        flows = scheme.get("flows")
        named = [words for flow, words in ways.items() if isinstance(flows, Mapping) and flow in flows]
        about = f"OAuth, {' or '.join(named)}; or a ready token." if named else "OAuth: a ready token."
        fields = ("client_id", "client_secret", "scope", "token") if named else ("token",)
    else:
        about, fields = "A token.", ("token",)
    described = scheme.get("description")
    about = f"{about} {described}" if isinstance(described, str) and described else about
    return {
        "type": "object",
        "description": about,
        "properties": {field: {**FIELDS[field]} for field in fields},
        "additionalProperties": False,
    }


FIELDS: dict[str, dict[str, Any]] = {
    "key": {**SECRET, "title": "Key"},
    "user": {"type": "string", "title": "User"},
    "password": {**SECRET, "title": "Password"},
    "client_id": {"type": "string", "title": "Client id"},
    "client_secret": {**SECRET, "title": "Client secret"},
    "scope": {"type": "string", "title": "Scope", "description": "With commas between."},
    "token": {**SECRET, "title": "Token"},
}


def _parts(scheme: Mapping[str, Any], text: str) -> dict[str, str]:
    if scheme.get("type") == "apiKey":
        return {"key": text}
    if _is_basic(scheme):
        user, _, password = text.partition(":")
        return {"user": user, "password": password}
    client = client_of(text) if scheme.get("type") == "oauth2" else None
    if client is None:
        return {"token": text}
    named = {"client_id": client.client_id, "client_secret": client.client_secret, "scope": client.scope}
    return {name: value.replace(" ", ",") for name, value in named.items() if value}


def _text(scheme: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    if _is_basic(scheme):
        return f"{part.get('user', '')}:{part.get('password', '')}" if any(part.values()) else ""
    if part.get("client_id"):
        names = ("client_id", "client_secret", "scope")
        return " ".join(f"{name}={str(part[name]).replace(' ', '')}" for name in names if part.get(name))
    return str(part.get("key") or part.get("token") or "")
