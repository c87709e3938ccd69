"""Named secrets: in a keyring, in a file, from the environment, and never in what is said of them."""

import base64
import gc
import json
import logging
import os
import stat
import threading
import time
import traceback
from pathlib import Path

import pytest

from ptc_studio.core.errors import PtcError
from ptc_studio.core.redaction.secrets import KnownSecrets
from ptc_studio.storage.secrets import BoundedKeyring, KeyringFailed, Secrets, SecretsError, SecretsLocked, vault
from ptc_studio.storage.secrets.vault import Vault
from tests.support import wait_until

VALUE = "s3cr3t-value-42"
PASSPHRASE = "correct horse battery"
OPEN = {"PTC_SECRETS_PASSPHRASE": PASSPHRASE}


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guess at the passphrase costs nothing here."""
    monkeypatch.setattr(vault, "COST", 2)


class FakeKeyring:
    name = "fake"

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], str] = {}
        self.failure: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.asked = 0

    def _ask(self) -> None:
        self.asked += 1
        self.gate.wait(30)
        if self.failure:
            raise self.failure

    def get_password(self, service: str, username: str) -> str | None:
        self._ask()
        return self.values.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._ask()
        self.values[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.values[service, username]


def nothing() -> FakeKeyring:
    raise KeyringFailed("no desktop keyring is running")


@pytest.fixture
def fake() -> FakeKeyring:
    return FakeKeyring()


def secrets(folder: Path, fake: FakeKeyring | None, scope: Path | None = None, **options: object) -> Secrets:
    keyring = BoundedKeyring((lambda: fake) if fake else nothing, patience=20)
    options.setdefault("environment", OPEN)
    return Secrets(scope or "user", keyring=keyring, data=folder, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("with_keyring", [True, False])
def test_what_is_set_is_found_and_can_be_deleted(tmp_path: Path, fake: FakeKeyring, with_keyring: bool):
    kept = secrets(tmp_path, fake if with_keyring else None)
    assert (kept.find("A"), kept.names()) == (None, [])
    assert kept.set("B", VALUE).kind == ("keyring" if with_keyring else "vault")
    kept.set("A", "other\nline é")
    kept.set("A", "again")
    assert (kept.find("A"), kept.find("B"), kept.names()) == ("again", VALUE, ["A", "B"])
    kept.delete("A")
    kept.delete("A")
    assert (kept.find("A"), kept.names()) == (None, ["B"])
    assert secrets(tmp_path, fake if with_keyring else None).find("B") == VALUE


def test_values_in_the_keyring_are_in_no_file(tmp_path: Path, fake: FakeKeyring):
    kept = secrets(tmp_path, fake)
    kept.set("A", VALUE)
    assert "fake" in kept.location.text
    assert all(VALUE not in path.read_text() for path in tmp_path.rglob("*.json"))


def test_without_a_keyring_values_are_encrypted_in_a_file_of_the_users_alone(tmp_path: Path):
    kept = secrets(tmp_path / "data", None)
    place = kept.set("A", VALUE)
    assert place.path is not None
    assert (place.kind, place.state, place.reason) == ("vault", "open", "no desktop keyring is running")
    assert "which is encrypted and unlocked" in place.text
    assert str(place.path) in place.text
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.path.parent.stat().st_mode) == 0o700
    content = b"".join(path.read_bytes() for path in tmp_path.rglob("*.json"))
    forms = (VALUE.encode(), VALUE.encode().hex().encode(), base64.b64encode(VALUE.encode()))
    assert not any(form in content for form in forms)
    sealed = json.loads(place.path.read_text())
    assert sealed["kdf"] | {"salt": ""} == {"name": "scrypt", "n": 2, "r": 8, "p": 1, "salt": ""}


def test_a_guess_at_the_passphrase_costs_128_megabytes_unless_tests_say_otherwise():
    text = Path(vault.__file__).read_text()
    assert "\nCOST = 2**17\n" in text


def test_the_file_opens_with_its_passphrase_alone(tmp_path: Path):
    secrets(tmp_path, None).set("A", VALUE)
    path = tmp_path / "secrets" / "vault.json"
    assert Vault(path).state == "locked"
    with pytest.raises(SecretsLocked, match="are locked"):
        Vault(path).read()
    with pytest.raises(SecretsLocked, match="not the passphrase"):
        Vault(path).unlock("something else")
    opened = Vault(path)
    opened.unlock(PASSPHRASE)
    opened.change_passphrase("another one now")
    assert opened.read() == {"user": {"A": VALUE}}
    with pytest.raises(SecretsLocked, match="not the passphrase"):
        Vault(path).unlock(PASSPHRASE)
    with pytest.raises(SecretsError, match="at least 8 characters"):
        opened.change_passphrase("short")


def test_nobody_changes_the_file_unnoticed(tmp_path: Path):
    secrets(tmp_path, None).set("A", VALUE)
    path = tmp_path / "secrets" / "vault.json"
    whole = json.loads(path.read_text())
    salt, data = whole["kdf"]["salt"], whole["data"]
    for changed in (
        {**whole, "kdf": {**whole["kdf"], "n": 4}},
        {**whole, "kdf": {**whole["kdf"], "salt": "B" + salt[1:] if salt[0] == "A" else "A" + salt[1:]}},
        {**whole, "data": "B" + data[1:] if data[0] == "A" else "A" + data[1:]},
    ):
        path.write_text(json.dumps(changed))
        with pytest.raises(SecretsLocked, match="not the passphrase"):
            Vault(path).unlock(PASSPHRASE)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"format": "ptc-studio secrets", "version": 1, "kdf": {}}'])
def test_a_damaged_file_is_set_aside_and_told_and_a_new_one_can_be_made(tmp_path: Path, content: str):
    kept = secrets(tmp_path, None)
    path = tmp_path / "secrets" / "vault.json"
    path.parent.mkdir()
    path.write_text(content)
    with pytest.raises(SecretsError, match=r"is damaged; it is set aside as vault\.broken\.json"):
        kept.set("A", VALUE)
    assert (path.parent / "vault.broken.json").read_text() == content
    kept.set("A", VALUE)
    assert kept.find("A") == VALUE


def test_a_cost_that_would_take_all_memory_is_damage_and_a_newer_format_is_left_alone(tmp_path: Path):
    secrets(tmp_path, None).set("A", VALUE)
    path = tmp_path / "secrets" / "vault.json"
    whole = json.loads(path.read_text())
    path.write_text(json.dumps({**whole, "version": 2}))
    with pytest.raises(SecretsError, match="of a newer PTC Studio"):
        Vault(path).unlock(PASSPHRASE)
    assert path.exists()
    path.write_text(json.dumps({**whole, "kdf": {**whole["kdf"], "n": 2**40}}))
    with pytest.raises(SecretsError, match="is damaged"):
        Vault(path).unlock(PASSPHRASE)


def test_whoever_is_there_is_asked_once(tmp_path: Path):
    kept = secrets(tmp_path, None, environment={})
    with pytest.raises(
        SecretsLocked, match=r"not made yet: choose their passphrase in Tools, Secrets; .* set PTC_SECRETS_PASSPHRASE"
    ):
        kept.set("A", VALUE)
    asked: list[tuple[str, bool]] = []
    answers: list[str | None] = [None, PASSPHRASE]

    def ask(wanted: str, is_new: bool) -> str | None:
        asked.append((wanted, is_new))
        return answers.pop(0)

    kept.passphrase.ask = ask
    for _ in range(3):
        with pytest.raises(SecretsLocked):
            kept.set("A", VALUE)
    again = secrets(tmp_path, None, tmp_path / "one", environment={})
    again.passphrase.ask = ask
    again.set("A", VALUE)
    assert [is_new for _, is_new in asked] == [True, True]
    kept.vault.lock()
    with pytest.raises(SecretsLocked, match=r"are locked: unlock them in Tools, Secrets"):
        secrets(tmp_path, None, tmp_path / "one", environment={}).find("A")


def test_what_an_older_studio_left_unencrypted_is_moved_into_the_encrypted_file(tmp_path: Path):
    folder = tmp_path / "secrets"
    folder.mkdir()
    (folder / "user.json").write_text(json.dumps({"A": VALUE}))
    (folder / "user.names.json").write_text(json.dumps({"A": "file", "K": "keyring"}))
    kept = secrets(tmp_path, None)
    assert (kept.find("A"), kept.names()) == (VALUE, ["A", "K"])
    kept.set("B", "other")
    assert (kept.find("A"), kept.find("B")) == (VALUE, "other")
    assert not (folder / "user.json").exists()
    assert VALUE.encode() not in b"".join(path.read_bytes() for path in folder.iterdir())
    # The list of names is of an older format, too: it is kept as it was.
    assert json.loads((folder / "user.names.v1.json").read_text()) == {"A": "file", "K": "keyring"}
    assert {name: each.place for name, each in kept.known().items()} == {"A": "vault", "B": "vault", "K": "keyring"}


def test_a_list_of_names_that_is_newer_is_left_alone_and_a_damaged_one_set_aside(tmp_path: Path, fake: FakeKeyring):
    kept = secrets(tmp_path, fake)
    kept.set("A", VALUE)
    path = tmp_path / "secrets" / "user.names.json"
    path.write_text(json.dumps({"version": 3, "names": []}))
    with pytest.raises(PtcError, match="of a newer PTC Studio"):
        kept.names()
    assert path.exists()
    path.write_text("{")
    with pytest.raises(SecretsError, match=r"set aside as user\.names\.broken\.json"):
        kept.names()
    assert (kept.names(), kept.find("A")) == ([], VALUE)


@pytest.mark.parametrize("with_keyring", [True, False])
def test_a_secret_is_renamed_with_its_value(tmp_path: Path, fake: FakeKeyring, with_keyring: bool):
    kept = secrets(tmp_path, fake if with_keyring else None)
    kept.set("A", VALUE)
    kept.set("B", "other")
    with pytest.raises(SecretsError, match="already a secret 'B'"):
        kept.rename("A", "B")
    with pytest.raises(SecretsError, match="no secret 'X'"):
        kept.rename("X", "Y")
    kept.rename("A", "C")
    assert (kept.names(), kept.find("C"), kept.find("A")) == (["B", "C"], VALUE, None)
    assert all(each.changed for each in kept.known().values())


def test_a_workspace_has_its_own_and_those_of_the_user(tmp_path: Path, fake: FakeKeyring):
    user = secrets(tmp_path, fake)
    one = secrets(tmp_path, fake, tmp_path / "one")
    other = secrets(tmp_path, fake, tmp_path / "other")
    user.set("A", "of the user")
    one.set("A", "of the one")
    assert (one.find("A"), other.find("A"), user.find("A")) == ("of the one", "of the user", "of the user")
    assert (one.names(), other.names()) == (["A"], [])


def test_a_variable_of_the_environment_goes_first(tmp_path: Path, fake: FakeKeyring):
    kept = secrets(tmp_path, fake, environment={**OPEN, "PTC_SECRET_API_KEY": "env", "PTC_SECRET_exact": "exact"})
    kept.set("api-key", VALUE)
    assert (kept.find("api-key"), kept.find("API_KEY"), kept.find("exact")) == ("env", "env", "exact")
    assert kept.overridden("api-key")
    assert not kept.overridden("x")


def test_whoever_is_told_of_uses_can_hide_the_values(tmp_path: Path, fake: FakeKeyring):
    known = KnownSecrets()
    kept = secrets(tmp_path, fake, tmp_path / "one", on_use=known.add)
    kept.set("A", VALUE)
    assert known.version == 0
    assert kept.find("B") is None
    assert kept.find("A") == VALUE
    assert known.version == 1


def test_a_keyring_that_hangs_holds_nobody_up_and_comes_back(tmp_path: Path, fake: FakeKeyring):
    keyring = BoundedKeyring(lambda: fake, patience=20)
    kept = Secrets(keyring=keyring, data=tmp_path, environment=OPEN)
    kept.set("A", VALUE)
    fake.gate.clear()
    keyring.patience = 0.2
    began = time.monotonic()
    assert kept.find("A") is None
    asked = fake.asked
    assert [kept.find(name) for name in ("A", "B", "C")] == [None] * 3
    assert fake.asked == asked, "it is not asked again while it hangs"
    assert time.monotonic() - began < 20
    place = kept.set("N", "while hanging")
    assert (place.kind, "does not answer" in place.reason) == ("vault", True)
    assert kept.find("N") == "while hanging"
    with pytest.raises(SecretsError, match="cannot be deleted now"):
        kept.delete("A")
    keyring.patience = 20
    fake.gate.set()
    wait_until(lambda: kept.find("A") == VALUE)
    assert kept.find("N") == "while hanging"
    assert kept.set("N", "new").kind == "keyring"
    assert kept.find("N") == "new"
    assert "N" not in kept.vault.read()["user"]


def test_values_are_in_no_repr_log_or_error(tmp_path: Path, fake: FakeKeyring, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    keyring = BoundedKeyring(lambda: fake, patience=20)
    kept = Secrets(keyring=keyring, data=tmp_path, environment=OPEN)
    fake.failure = RuntimeError(f"cannot store {VALUE}")
    place = kept.set("A", VALUE)
    assert place.kind == "vault"
    said = [repr(kept), repr(place), str(place), repr(kept.vault)]
    (tmp_path / "secrets" / "user.json").write_text(json.dumps({"B": VALUE})[:-1])
    with pytest.raises(SecretsError) as raised:
        kept.find("B")
    said += traceback.format_exception(raised.value)
    with pytest.raises(KeyringFailed) as failed:
        keyring.get("service", "A")
    said += [*traceback.format_exception(failed.value), caplog.text]
    assert VALUE not in "".join(said)
    assert PASSPHRASE not in "".join(said)


@pytest.mark.parametrize("name", ["", " a", "a}b", "a\nb", "a\0", "x" * 201])
def test_a_name_that_no_reference_could_have_is_refused(tmp_path: Path, fake: FakeKeyring, name: str):
    with pytest.raises(SecretsError, match="is no name for a secret"):
        secrets(tmp_path, fake).set(name, VALUE)


def test_a_full_disk_keeps_the_old_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    kept = secrets(tmp_path, None)
    kept.set("A", VALUE)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(SecretsError, match="No space left on device"):
            kept.set("A", "new")
    assert kept.find("A") == VALUE
    assert not list(tmp_path.rglob("*.part"))


def test_two_programs_may_write_the_file(tmp_path: Path):
    one, other = Vault(tmp_path / "f.json"), Vault(tmp_path / "f.json")
    one.unlock(PASSPHRASE)
    one.change("x", {"A": "1"})
    other.unlock(PASSPHRASE)
    other.change("x", {"B": "2"})
    one.change("x", {"A": None})
    assert other.read() == {"x": {"B": "2"}}


@pytest.mark.parametrize("backend", ["keyring.backends.null.Keyring", "keyring.backends.fail.Keyring"])
def test_a_keyring_that_keeps_nothing_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str):
    import keyring
    import keyring.core

    monkeypatch.setattr(keyring, "get_keyring", lambda: keyring.core.load_keyring(backend))
    kept = Secrets(keyring=BoundedKeyring(), data=tmp_path, environment=OPEN)
    assert kept.set("A", VALUE).kind == "vault"
    assert kept.find("A") == VALUE
    gc.collect()
