"""A second start raises the first window; a stranger at its socket is told nothing and keeps no window away."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from ptc_studio.ui import single_instance
from ptc_studio.ui.single_instance import SingleInstance, key_of

SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from ptc_studio.ui.single_instance import SingleInstance
application = QCoreApplication([])
print(SingleInstance(None, Path(sys.argv[1])).claim(Path("/private/script.py")))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    # The path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="ptc-i-") as made:
        yield Path(made)


STRANGER = """
import socket, sys
answer = bytes.fromhex(sys.stdin.readline())
with socket.socket(socket.AF_UNIX) as server:
    server.bind(sys.argv[1])
    server.listen()
    print("listens", flush=True)
    connection, _ = server.accept()
    # Whoever sees through him hangs up.
    try:
        while data := connection.recv(1000):
            print(data.hex(), flush=True)
            connection.sendall(answer)
    except ConnectionError:
        pass
"""


@contextlib.contextmanager
def stranger(folder: Path, answer: bytes) -> Iterator[list[bytes]]:
    """Somebody who listens where a window would, and what he was told. A process: Qt waits without giving way."""
    told: list[bytes] = []
    command = [sys.executable, "-I", "-S", "-c", STRANGER, str(folder / key_of(None))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{answer.hex()}\n")
        process.stdin.flush()
        assert process.stdout.readline() == "listens\n"
        yield told
        told += [bytes.fromhex(line) for line in process.communicate(timeout=20)[0].splitlines()]


@pytest.fixture(scope="module")
def kept() -> list[SingleInstance]:
    """In the program it lives as long as the loop, which may have an event for it to the last."""
    return []


def test_a_second_start_asks_the_first_to_show_the_script(qtbot: QtBot, folder: Path, kept: list[SingleInstance]):
    first = SingleInstance(None, folder)
    kept.append(first)
    assert first.claim()
    assert first.claim()
    with qtbot.waitSignal(first.raise_requested, timeout=60_000) as asked:
        second = subprocess.Popen([sys.executable, "-c", SECOND, str(folder)], stdout=subprocess.PIPE, text=True)
    assert asked.args == ["/private/script.py"]
    assert second.communicate(timeout=60)[0] == "False\n"
    first.release()
    assert list(folder.iterdir()) == []


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("answer", [b"", b"0" * 64 + b"\n", b"x" * 100_000])
@pytest.mark.parametrize("has_key", [True, False])
def test_a_stranger_is_told_nothing_and_the_window_opens(
    answer: bytes, has_key: bool, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    if not answer:
        monkeypatch.setattr(single_instance, "ANSWER_MILLISECONDS", 200)
    if has_key:
        (folder / f"{key_of(None)}.key").write_bytes(b"left over")
    with stranger(folder, answer) as told:
        instance = SingleInstance(None, folder)
        assert instance.may_be_held
        assert instance.claim(Path("/private/script.py"))
    assert b"script.py" not in b"".join(told)
    path = folder / key_of(None)
    # One that has the user's key and says nothing may be a window that is stuck: that is nothing to remove.
    stuck = f"the window that holds {str(path)!r} does not answer: close it first."
    why = stuck if has_key and not answer else f"another program answers at {str(path)!r}: remove it."
    assert capsys.readouterr().err == f"ptc-studio: A second start will open a second window, because {why}\n"
    assert path.exists()


@pytest.mark.usefixtures("qapp")
def test_another_user_is_no_studio_even_with_the_key(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(single_instance, "is_private", lambda _: True)
    code = (
        "import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print(flush=True)\n"
        "c, _ = s.accept(); print(c.recv(1000))"
    )
    folder.chmod(0o777)
    (folder / f"{key_of(None)}.key").write_bytes(b"known")
    command = ["/usr/bin/python3", "-c", code, str(folder / key_of(None))]
    is_root = os.getuid() == 0
    somebody_else = {"user": 65534, "group": 65534, "extra_groups": []} if is_root else {}
    if not is_root:
        # Only root can have another user start something: so the studio is told that it is another one itself.
        own = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: own + 1)
    with subprocess.Popen(command, stdout=subprocess.PIPE, **somebody_else) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert SingleInstance(None, folder).claim(Path("/private/script.py"))
        assert other.stdout.readline() == b"b''\n"


@pytest.mark.usefixtures("qapp")
def test_a_folder_that_others_can_write_to_is_not_used(folder: Path, capsys: pytest.CaptureFixture[str]):
    folder.chmod(0o777)
    instance = SingleInstance(None, folder)
    assert instance.claim()
    assert "is not a folder of yours alone" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


@pytest.mark.usefixtures("qapp")
def test_a_socket_that_was_left_over_is_no_hindrance(folder: Path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / key_of(None)))
    instance = SingleInstance(None, folder)
    assert instance.claim()
    assert (folder / f"{key_of(None)}.key").stat().st_mode & 0o777 == 0o600
    instance.release()
