"""Secrets in a real Secret Service: gnome-keyring on a D-Bus of its own, as a desktop has it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

STORY = """
import json, os, subprocess, sys
from ptc_studio.storage.secrets import BoundedKeyring, Secrets

unlocked = subprocess.run(["gnome-keyring-daemon", "--unlock", "--components=secrets"], input=b"login", check=True)
keyring = BoundedKeyring(patience=60)
secrets = Secrets(keyring=keyring)
told = {"place": secrets.set("TOKEN", sys.argv[1]).kind, "name": keyring.name(), "found": secrets.find("TOKEN")}
# Another program of the same desktop reads it by the service's own protocol.
asked = ["import keyring; print(keyring.get_password('ptc-studio/user', 'TOKEN'))"]
told["other"] = subprocess.run([sys.executable, "-c", *asked], capture_output=True, text=True).stdout.strip()
secrets.set("TOKEN", "rotated")
secrets.rename("TOKEN", "KEY")
told["renamed"] = [secrets.find("TOKEN"), secrets.find("KEY"), secrets.names()]
secrets.delete("KEY")
told["deleted"] = [secrets.find("KEY"), secrets.names()]
secrets.set("STAYS", sys.argv[1])
print(json.dumps(told))
"""
VALUE = "value-of-a-secret-service-42"


@pytest.mark.timeout(180)
def test_secrets_are_kept_rotated_renamed_and_deleted_in_a_real_keyring_and_are_in_no_file_of_ours(tmp_path: Path):
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    names = {"HOME": tmp_path, "XDG_DATA_HOME": tmp_path / "data", "XDG_RUNTIME_DIR": runtime}
    left_out = ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "PYTHON_KEYRING_BACKEND")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    done = subprocess.run(
        ["dbus-run-session", "--", sys.executable, "-c", STORY, VALUE],
        env=environment | {name: str(path) for name, path in names.items()},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert (told["place"], told["name"]) == ("keyring", "SecretService Keyring")
    assert (told["found"], told["other"]) == (VALUE, VALUE)
    assert told["renamed"] == [None, "rotated", ["KEY"]]
    assert told["deleted"] == [None, []]
    ours = [path for path in (tmp_path / "data" / "ptc-studio").rglob("*") if path.is_file()]
    assert [path.name for path in ours] == ["user.names.json"]
    # Nor is it to be read in the keyring's own file.
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and VALUE.encode() in path.read_bytes()]
