"""Named secrets: in a keyring, in a file, from the environment, and never in what is said of them."""

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

from ptc_studio.core.redaction.secrets import KnownSecrets
from ptc_studio.storage.secrets import BoundedKeyring, KeyringFailed, SecretFile, Secrets, SecretsError
from tests.support import wait_until

VALUE = "s3cr3t-value-42"


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
    options.setdefault("environment", {})
    return Secrets(scope or "user", keyring=keyring, data=folder, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("with_keyring", [True, False])
def test_what_is_set_is_found_and_can_be_deleted(tmp_path: Path, fake: FakeKeyring, with_keyring: bool):
    kept = secrets(tmp_path, fake if with_keyring else None)
    assert (kept.find("A"), kept.names()) == (None, [])
    assert kept.set("B", VALUE).kind == ("keyring" if with_keyring else "file")
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
    assert kept.location.encrypted
    assert "fake" in kept.location.text
    assert all(VALUE not in path.read_text() for path in tmp_path.rglob("*.json"))


def test_the_file_is_the_users_alone_and_says_that_it_is_not_encrypted(tmp_path: Path):
    kept = secrets(tmp_path / "data", None)
    place = kept.set("A", VALUE)
    assert place.path is not None
    assert (place.kind, place.encrypted, place.reason) == ("file", False, "no desktop keyring is running")
    assert "not encrypted" in place.text
    assert str(place.path) in place.text
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.path.parent.stat().st_mode) == 0o700
    place.path.chmod(0o644)
    assert kept.find("A") == VALUE
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o600


def test_a_workspace_has_its_own_and_those_of_the_user(tmp_path: Path, fake: FakeKeyring):
    user = secrets(tmp_path, fake)
    one = secrets(tmp_path, fake, tmp_path / "one")
    other = secrets(tmp_path, fake, tmp_path / "other")
    user.set("A", "of the user")
    one.set("A", "of the one")
    assert (one.find("A"), other.find("A"), user.find("A")) == ("of the one", "of the user", "of the user")
    assert (one.names(), other.names()) == (["A"], [])


def test_a_variable_of_the_environment_goes_first(tmp_path: Path, fake: FakeKeyring):
    kept = secrets(tmp_path, fake, environment={"PTC_SECRET_API_KEY": "env", "PTC_SECRET_exact": "exact"})
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
    kept = Secrets(keyring=keyring, data=tmp_path, environment={})
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
    assert (place.kind, "does not answer" in place.reason) == ("file", True)
    assert kept.find("N") == "while hanging"
    with pytest.raises(SecretsError, match="cannot be deleted now"):
        kept.delete("A")
    keyring.patience = 20
    fake.gate.set()
    wait_until(lambda: kept.find("A") == VALUE)
    assert kept.find("N") == "while hanging"
    assert kept.set("N", "new").kind == "keyring"
    assert kept.find("N") == "new"
    assert "while hanging" not in "".join(path.read_text() for path in tmp_path.rglob("*.json"))


def test_values_are_in_no_repr_log_or_error(tmp_path: Path, fake: FakeKeyring, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    keyring = BoundedKeyring(lambda: fake, patience=20)
    kept = Secrets(keyring=keyring, data=tmp_path, environment={})
    fake.failure = RuntimeError(f"cannot store {VALUE}")
    place = kept.set("A", VALUE)
    assert place.kind == "file"
    said = [repr(kept), repr(place), str(place)]
    assert place.path is not None
    place.path.write_text(json.dumps({"A": VALUE})[:-1])
    with pytest.raises(SecretsError) as raised:
        kept.find("A")
    said += traceback.format_exception(raised.value)
    with pytest.raises(KeyringFailed) as failed:
        keyring.get("service", "A")
    said += [*traceback.format_exception(failed.value), caplog.text]
    assert VALUE not in "".join(said)


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
    one, other = SecretFile(tmp_path / "f.json"), SecretFile(tmp_path / "f.json")
    one.change("A", "1")
    other.change("B", "2")
    one.change("A", None)
    assert other.read() == {"B": "2"}


@pytest.mark.parametrize("backend", ["keyring.backends.null.Keyring", "keyring.backends.fail.Keyring"])
def test_a_keyring_that_keeps_nothing_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str):
    import keyring
    import keyring.core

    monkeypatch.setattr(keyring, "get_keyring", lambda: keyring.core.load_keyring(backend))
    kept = Secrets(keyring=BoundedKeyring(), data=tmp_path, environment={})
    assert kept.set("A", VALUE).kind == "file"
    assert kept.find("A") == VALUE
    gc.collect()
