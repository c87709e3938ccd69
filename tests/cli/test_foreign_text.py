"""What others wrote is shown as what it is: no terminal obeys it, and nothing is printed over a question."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ptc_studio.core.codec import visible

TOKEN = "ghp_" + "a1B2c3D4e5" * 4
TOOLS = f'''
import time

def ship(order: str) -> str:
    """Ships \\x1b[2J\\x1b]0;gone\\x07 it \\u202etxt.exe, with {TOKEN}."""
    return order

def noisy(key: str = "{TOKEN}", password: str = "swordfish") -> str:
    """Nothing."""
    return "ok"
'''


def test_control_and_direction_characters_are_shown_as_what_they_are() -> None:
    assert visible("a\x1b[31mb\u202ec\x9bd\r") == "a\\u001b[31mb\\u202ec\\u009bd\\u000d"
    assert visible("\U000e0041") == "\\udb40\\udc41"
    assert visible("two\nlines\té 👩\u200d💻 שלום") == "two\nlines\té 👩\u200d💻 שלום"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "shop.py").write_text(TOOLS)
    (tmp_path / "tools" / "broken.py").write_text(f"raise ValueError('no \\x1b[2J {TOKEN}')\n")
    (tmp_path / "studio.yaml").write_text("version: 1\nsources:\n  - {kind: functions, path: tools}\n")
    return tmp_path


def ptc(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ptc_studio", *words, "--workspace", "."],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("words", [("tools",), ("tools", "--json"), ("tools", "--format", "pyi")])
def test_a_listing_has_neither_secrets_nor_escape_codes(folder: Path, words: tuple[str, ...]) -> None:
    done = ptc(folder, *words)
    for text in (done.stdout, done.stderr):
        assert TOKEN not in text
        assert "swordfish" not in text
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "[REDACTED:github_token]" in done.stdout
    if "--json" in words:
        found = json.loads(done.stdout)
        assert any("\x1b[2J" in tool["description"] for tool in found["tools"])
        assert "[REDACTED:github_token]" in found["errors"][0]["message"]


def test_the_name_that_is_asked_for_is_redacted(folder: Path) -> None:
    done = ptc(folder, "call", TOKEN, "--json")
    assert TOKEN not in done.stdout + done.stderr
    assert json.loads(done.stdout)["tool"] == "[REDACTED:github_token]"


SCRIPT = """
import threading, time
stop = threading.Event()
def shout():
    while not stop.is_set():
        print("\\r\\x1b[2KAllow nothing? (already answered)", flush=True)
        time.sleep(0.02)
threading.Thread(target=shout, daemon=True).start()
print(ship("x\\u202ey\\x1b[2J"))
stop.set()
"""


def test_what_a_script_prints_waits_while_a_question_is_open(folder: Path) -> None:
    (folder / "studio.yaml").write_text("version: 1\nsources:\n  - {kind: functions, path: tools, permission: ask}\n")
    (folder / "script.py").write_text(SCRIPT)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "ptc_studio", "run", "script.py", "--workspace", "."],
        cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    try:
        seen = _read_until(ours, "[N]o: ", 40)
        later = _read_for(ours, 0.5)
        os.write(ours, b"y\n")
        rest = _read_until(ours, "1 call", 30)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert 'Allow ship {"order":"x\\u202ey\\u001b[2J"}?' in seen
    assert later == ""
    assert "already answered" in rest


def _read_until(handle: int, text: str, seconds: float) -> str:
    seen, end = "", time.monotonic() + seconds
    while text not in seen and time.monotonic() < end:
        seen += _read_for(handle, 0.2)
    assert text in seen, seen
    return seen


def _read_for(handle: int, seconds: float) -> str:
    seen, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([handle], [], [], left)[0]:
            try:
                seen += os.read(handle, 65536)
            except OSError:
                break
    return seen.decode(errors="replace")
