"""How requests show who sends them: by a key, a password, a token, or a token that OAuth gives."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from ptc_studio.sources.entry_fields import Line, SecretText, Text, WebAddress, WorkspaceEntry
from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.oauth import OAuthClient, SchemeTokens
from ptc_studio.sources.references import References, UsedSecrets
from ptc_studio.sources.sign_in import OpenBrowser, SignInFailed, SignIns


class ApiKeyAuth(WorkspaceEntry):
    """A key in a header, in the query or in a cookie."""

    model_config = ConfigDict(title="API key")
    type: Literal["api_key"]
    key_name: Text = Field(title="Name of the key", description="Such as `X-API-Key`.")
    key: SecretText = Field(title="Key", description="Best as `${secret:NAME}`.")
    place: Literal["header", "query", "cookie"] = Field(default="header", title="Sent in")


class BasicAuth(WorkspaceEntry):
    """A name and a password."""

    model_config = ConfigDict(title="Name and password")
    type: Literal["basic"]
    user: Line = Field(title="User")
    password: SecretText = Field(title="Password", description="Best as `${secret:NAME}`.")


class BearerAuth(WorkspaceEntry):
    """A token that is at hand."""

    model_config = ConfigDict(title="Token")
    type: Literal["bearer"]
    token: SecretText = Field(title="Token", description="Best as `${secret:NAME}`.")


class OAuthFields(WorkspaceEntry):
    """What both ways of OAuth need."""

    token_url: WebAddress = Field(title="Address of tokens", description="The service's token endpoint.")
    client_id: Text = Field(title="Client id")
    scope: Line = Field(default="", title="Scope", description="What is asked for, with blanks between.")


class ClientCredentialsAuth(OAuthFields):
    """The program itself has a name and a secret."""

    model_config = ConfigDict(title="OAuth, as a program")
    type: Literal["client_credentials"]
    client_secret: SecretText = Field(title="Client secret", description="Best as `${secret:NAME}`.")


class AuthorizationCodeAuth(OAuthFields):
    """A person signs in with a browser; use Sign in at the source."""

    model_config = ConfigDict(title="OAuth, as a person")
    type: Literal["authorization_code"]
    authorization_url: WebAddress = Field(title="Address to sign in at", description="Opened in the browser.")
    client_secret: SecretText | None = Field(default=None, title="Client secret", description="If the client has one.")


RequestAuthEntry = Annotated[
    ApiKeyAuth | BasicAuth | BearerAuth | ClientCredentialsAuth | AuthorizationCodeAuth, Field(discriminator="type")
]


@dataclass(slots=True)
class Credentials:
    """What goes with one request."""

    headers: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    query: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    cookies: dict[str, str] = field(default_factory=dict[str, str], repr=False)

    def apply(self, scheme: Mapping[str, Any], key: str, used: UsedSecrets) -> None:
        """Puts the key where a security scheme, written as in OpenAPI, wants it."""
        if scheme.get("type") == "apiKey":
            places = {"query": self.query, "cookie": self.cookies}
            places.get(str(scheme.get("in")), self.headers)[str(scheme.get("name"))] = key
        elif str(scheme.get("scheme")).lower() == "basic":
            packed = used.hide(base64.b64encode(key.encode()).decode())
            self.headers["Authorization"] = f"Basic {packed}"
        elif scheme.get("type") == "http" and str(scheme.get("scheme")).lower() != "bearer":
            self.headers["Authorization"] = f"{scheme.get('scheme')} {key}"
        else:
            self.headers["Authorization"] = f"Bearer {key}"


class RequestAuth:
    """The credentials of one source's requests."""

    def __init__(self, source: str, entry: Any, client: HttpClient, references: References, sign_ins: SignIns) -> None:
        self._entry = entry
        self._references = references
        self._tokens = (
            SchemeTokens(source, "auth", _scheme(entry, references), client, sign_ins) if _asks(entry) else None
        )
        self.steps: tuple[str, ...] = ()
        """What a sign-in did, step by step."""

    @property
    def takes_person(self) -> bool:
        return self._tokens is not None and self._tokens.takes_person

    def credentials(self, used: UsedSecrets) -> Credentials:
        """For a request that is sent now; raises SourceFailed and SignInFailed."""
        credentials, entry = Credentials(), self._entry
        if self._tokens is not None:
            credentials.apply({}, self._tokens.token(_client(entry, used), used), used)
        elif isinstance(entry, ApiKeyAuth):
            scheme = {"type": "apiKey", "in": entry.place, "name": entry.key_name}
            credentials.apply(scheme, used.resolved(entry.key), used)
        elif isinstance(entry, BasicAuth):
            pair = f"{used.resolved(entry.user)}:{used.resolved(entry.password)}"
            credentials.apply({"scheme": "basic"}, pair, used)
        elif isinstance(entry, BearerAuth):
            credentials.apply({}, used.resolved(entry.token), used)
        return credentials

    def sign_in(self, open_browser: OpenBrowser) -> None:
        """Waits for a person to sign in; raises SignInFailed."""
        if self._tokens is None or not self._tokens.takes_person:
            raise SignInFailed("Nobody can sign in there: its `auth` has no way of the type `authorization_code`.")
        try:
            client = _client(self._entry, UsedSecrets(self._references))
            self._tokens.sign_in(client, open_browser, self._tell)
        except SignInFailed as error:
            self._tell(f"sign-in: {error}")
            raise

    def sign_out(self) -> bool:
        """Forgets the tokens; False if nobody was signed in."""
        return self._tokens is not None and self._tokens.forget()

    def _tell(self, step: str) -> None:
        self.steps = (*self.steps[-200:], step)


def _asks(entry: Any) -> bool:
    return isinstance(entry, OAuthFields)


def _scheme(entry: Any, references: References) -> dict[str, Any]:
    """The entry's OAuth as a document would have it."""
    flow = {"tokenUrl": references.resolved(entry.token_url)}
    if isinstance(entry, AuthorizationCodeAuth):
        address = references.resolved(entry.authorization_url)
        return {"type": "oauth2", "flows": {"authorizationCode": {**flow, "authorizationUrl": address}}}
    return {"type": "oauth2", "flows": {"clientCredentials": flow}}


def _client(entry: Any, used: UsedSecrets) -> OAuthClient:
    secret = used.resolved(entry.client_secret) if entry.client_secret else ""
    return OAuthClient(used.resolved(entry.client_id), secret, entry.scope)
