"""Signing in to a real authorization server on loopback, and what can go wrong with it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.source import McpSource
from ptc_studio.sources.sign_in import MemoryTokens, SignIns
from ptc_studio.sources.source import SourceFailed
from tests.gateway.http.served import environment
from tests.sources.mcp.conftest import FakeTicket
from tests.sources.mcp.protected_server import ProtectedServer


class SignedIn:
    """A source, the tokens that it keeps, and what was to be hidden."""

    def __init__(self, server: ProtectedServer, store: MemoryTokens | None = None, **entry: Any) -> None:
        self.server = server
        self.store = store or MemoryTokens()
        self.hidden: set[str] = set()
        sign_ins = SignIns(self.store, lambda _name, value: self.hidden.add(value))
        self.source = McpSource(McpEntry(name="remote", url=server.url, **entry), sign_ins=sign_ins)

    def sign_in(self) -> list[str]:
        self.source.sign_in(self.server.browse)
        return [tool.spec.name for tool in self.source.refresh().tools]

    def call(self, name: str) -> Any:
        tool = next(tool for tool in self.source.refresh().tools if tool.spec.name == f"remote.{name}")
        return tool.invoke({}, FakeTicket())

    @property
    def log(self) -> str:
        return "\n".join(self.source.status.log)

    @property
    def kept(self) -> dict[str, Any]:
        [text] = self.store.values.values()
        return json.loads(text)


@pytest.fixture
def server() -> Iterator[ProtectedServer]:
    made = ProtectedServer()
    yield made
    made.close()


@pytest.fixture
def signed(server: ProtectedServer) -> Iterator[SignedIn]:
    made = SignedIn(server)
    yield made
    made.source.close()


def test_without_a_sign_in_the_source_says_how_to_and_opens_no_browser(signed: SignedIn):
    with pytest.raises(SourceFailed, match="401 Unauthorized: sign in at the source"):
        signed.source.refresh()
    assert signed.server.browsed == []
    assert signed.server.provider.clients == {}


def test_signing_in_tells_each_step_keeps_the_tokens_and_shows_none(signed: SignedIn):
    assert signed.sign_in() == ["remote.use", "remote.admin"]
    assert signed.call("use") == "did use"
    for step in ("/mcp answered 401", "oauth-protected-resource", "oauth-authorization-server", "POST", "/register",
                 "the browser is sent to", "the browser came back with a code", "/token answered 200"):  # fmt: skip
        assert step in signed.log
    [address] = signed.server.browsed
    assert "code_challenge_method=S256" in address
    assert "resource=http" in address
    issued = signed.server.provider.issued
    assert signed.kept["tokens"]["access_token"] == issued[0]
    assert not any(token in signed.log for token in issued)
    assert set(issued) <= signed.hidden


def test_a_later_start_uses_the_kept_tokens_and_an_expired_one_is_refreshed(server: ProtectedServer, signed: SignedIn):
    signed.sign_in()
    signed.source.close()
    later = SignedIn(server, signed.store)
    assert len(later.source.refresh().tools) == 2
    later.source.close()
    assert server.provider.refreshed == 0
    server.provider.access.clear()
    [key] = signed.store.values
    signed.store.set(key, json.dumps({**signed.kept, "expires_at": 1}))
    much_later = SignedIn(server, signed.store)
    assert len(much_later.source.refresh().tools) == 2
    much_later.source.close()
    assert (server.provider.refreshed, len(server.browsed)) == (1, 1)
    assert not any(token in much_later.log for token in server.provider.issued)


def test_what_was_revoked_asks_for_a_new_sign_in_and_gets_it(signed: SignedIn):
    signed.sign_in()
    signed.server.provider.revoke_all()
    signed.source.reload()
    with pytest.raises(SourceFailed, match="asks for a sign-in"):
        signed.source.refresh()
    assert len(signed.server.browsed) == 1
    assert len(signed.sign_in()) == 2


def test_a_refused_consent_is_told_in_its_words(signed: SignedIn):
    signed.server.provider.denies = True
    with pytest.raises(SourceFailed, match="access_denied.*The user said no"):
        signed.sign_in()


def test_a_token_for_another_server_is_not_accepted(signed: SignedIn):
    signed.server.provider.audience = "http://127.0.0.1:1/mcp"
    with pytest.raises(SourceFailed, match="401|sign"):
        signed.sign_in()


def test_a_tool_that_needs_more_has_the_user_asked_for_more(signed: SignedIn):
    signed.sign_in()
    assert signed.call("admin") == "did admin"
    assert len(signed.server.browsed) == 2
    assert signed.server.provider.asked[-1] == ["use", "admin"]
    assert signed.call("use") == "did use"


def test_signing_out_forgets_everything(signed: SignedIn):
    signed.sign_in()
    assert signed.source.sign_out()
    assert signed.store.values == {}
    with pytest.raises(SourceFailed, match="sign in at the source"):
        signed.source.refresh()
    assert not signed.source.sign_out()


def test_a_given_client_is_not_registered(server: ProtectedServer, tmp_path: Path):
    first = SignedIn(server)
    first.sign_in()
    first.source.close()
    [client_id] = server.provider.clients
    info = server.provider.clients[client_id]
    given = {"client_id": client_id, **({"client_secret": info.client_secret} if info.client_secret else {})}
    second = SignedIn(server, first.store, oauth=given)
    assert len(second.sign_in()) == 2
    assert list(server.provider.clients) == [client_id]
    second.source.close()


def test_the_terminal_signs_in_and_out_and_no_token_is_to_be_read_in_any_file(server: ProtectedServer, tmp_path: Path):
    (tmp_path / "studio.yaml").write_text(f"sources:\n  - {{kind: mcp, name: remote, url: '{server.url}'}}\n")
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    variables = {**environment(), **home, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    variables["PTC_SECRETS_PASSPHRASE"] = "correct horse battery"

    def command(*words: str) -> "subprocess.Popen[str]":
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            [sys.executable, "-m", "ptc_studio", *words, "--workspace", str(tmp_path)],
            env=variables,
            text=True,
            **pipes,
        )

    with command("sign-in", "remote", "--no-browser") as process:
        assert process.stderr is not None
        said = ""
        while "Sign in here" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        server.browse(said.split()[-1])
        out, err = process.communicate(timeout=40)
    assert (process.returncode, out) == (0, "remote: 2 tools over http\n")
    assert "/token answered 200" in err
    # From now on the tools are there without anybody being asked.
    with command("call", "remote.use", "--json") as process:
        out, err = process.communicate(timeout=40)
    assert json.loads(out)["result"] == "did use"
    holders = [
        path for path in tmp_path.rglob("*")
        if path.is_file() and any(token.encode() in path.read_bytes() for token in server.provider.issued)
    ]  # fmt: skip
    assert holders == []
    assert (tmp_path / "data" / "ptc-studio" / "secrets" / "vault.json").stat().st_mode & 0o777 == 0o600
    with command("sign-out", "remote") as process:
        assert process.communicate(timeout=40)[0] == "remote: signed out\n"
    with command("sign-in", "nobody") as process:
        assert "There is no source 'nobody'" in process.communicate(timeout=40)[1]
