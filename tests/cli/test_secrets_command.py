"""`ptc-studio secrets`: by name alone, values only from a person or standard input."""

import asyncio
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.cli.arguments import parsed
from ptc_studio.cli.open_studio import UsageError
from ptc_studio.cli.secrets import secrets as command
from ptc_studio.core.errors import PtcError

VALUE = "value-of-the-token-42"


class FakeTerminal:
    """Keeps what is said; a person is there if there are answers."""

    def __init__(self, answers: list[str]) -> None:
        self.said = ""
        self._answers = answers
        self.interactive = bool(answers)

    def complain(self, text: str) -> None:
        self.said += text

    def ask_hidden(self, _question: str) -> str:
        return self._answers.pop(0)

    def passphrase_asker(self) -> Any:
        return (lambda _wanted, _is_new: self._answers.pop(0)) if self.interactive else None

    list = complain


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setenv("PTC_SECRETS_PASSPHRASE", "correct horse battery")
    monkeypatch.setattr("ptc_studio.storage.secrets.vault.COST", 2)
    monkeypatch.chdir(tmp_path)

    def run(*words: str, given: str = "", answers: list[str] | None = None, status: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(given))
        terminal = FakeTerminal(answers or [])
        try:
            assert asyncio.run(command(parsed(["secrets", *words]), terminal)) == 0  # type: ignore[arg-type]
            assert not status
        except (UsageError, PtcError) as error:
            assert status == 2
            terminal.said = str(error)
        assert VALUE not in terminal.said
        return terminal.said

    return run


def test_secrets_are_added_rotated_renamed_and_deleted(secrets: Any):
    assert "No secrets yet" in secrets()
    assert "TOKEN has its value" in secrets("add", "TOKEN", given=f"{VALUE}\n")
    assert "rotate gives it a new value" in secrets("add", "TOKEN", given="x", status=2)
    assert "There is no secret 'OTHER'" in secrets("rotate", "OTHER", given="x", status=2)
    assert "TOKEN has a new value" in secrets("rotate", "TOKEN", given="second")
    assert "TOKEN is KEY now" in secrets("rename", "TOKEN", "KEY")
    [row] = json.loads(secrets("--json"))["secrets"]
    assert (row["name"], row["place"], row["overridden"]) == ("KEY", "vault", False)
    assert "KEY is deleted" in secrets("delete", "KEY")
    assert "There is no secret 'KEY'" in secrets("delete", "KEY", status=2)
    assert "No value was given" in secrets("add", "EMPTY", status=2)


def test_values_of_a_dotenv_file_are_imported_and_none_is_replaced_unasked(secrets: Any, tmp_path: Path):
    (tmp_path / ".env").write_text(f"ONE={VALUE}\nTWO=2\nwords\n")
    assert "has no THREE" in secrets("import", ".env", "THREE", status=2)
    assert "ONE, TWO: kept." in secrets("import", ".env")
    assert "ONE, TWO: there already" in secrets("import", ".env", status=2)
    assert "TWO: kept." in secrets("import", ".env", "TWO", "--replace")
    assert "cannot be read" in secrets("import", "nothing", status=2)


def test_a_workspace_has_secrets_of_its_own(secrets: Any, tmp_path: Path):
    secrets("add", "TOKEN", given=VALUE)
    (tmp_path / "studio.yaml").write_text("version: 1\n")
    assert "No secrets yet" in secrets()
    assert "TOKEN" in secrets("--user")
    assert "There is no folder" in secrets("--workspace", "nowhere", status=2)


def test_values_and_passphrases_are_typed_unseen(secrets: Any, monkeypatch: pytest.MonkeyPatch):
    assert "There is no" in secrets("passphrase", status=2)
    assert "TOKEN has its value" in secrets("add", "TOKEN", answers=[VALUE])
    assert "typed at a terminal" in secrets("passphrase", status=2)
    assert "Nothing was changed" in secrets("passphrase", answers=[""], status=2)
    assert "changed" in secrets("passphrase", answers=["another passphrase"])
    assert "TOKEN has a new value" in secrets("rotate", "TOKEN", answers=["second"])
