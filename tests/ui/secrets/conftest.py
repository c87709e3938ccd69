"""What the tests of the secrets' dialogs share: no keyring, and a file of their own that is quickly unlocked."""

from pathlib import Path

import pytest

from ptc_studio.storage.secrets import vault

PASSPHRASE = "correct horse battery"


@pytest.fixture(autouse=True)
def _secrets_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setattr(vault, "COST", 2)
