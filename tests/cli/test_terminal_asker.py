"""The person at a real terminal is asked, and what he types counts."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = "def ship(order: int) -> str:\n    return f'shipped {order}'\n"
FILE = "version: 1\nsources:\n  - {kind: functions, path: tools, permission: ask}\n"
SCRIPT = """\
for order in (1, 2):
    try:
        print(ship(order))
    except PermissionError as error:
        print(error)
"""


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("y\nn\n", ["shipped 1", "Tool 'ship' was denied by a person."]),
        ("a\n", ["shipped 1", "shipped 2"]),
        ("\n\n", ["Tool 'ship' was denied by a person."] * 2),
    ],
)
def test_a_person_allows_once_for_the_run_or_not_at_all(tmp_path: Path, typed: str, printed: list[str]):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "shop.py").write_text(TOOLS)
    (tmp_path / "studio.yaml").write_text(FILE)
    (tmp_path / "script.py").write_text(SCRIPT)
    ours, theirs = pty.openpty()
    try:
        os.write(ours, typed.encode())
        done = subprocess.run(
            [sys.executable, "-m", "ptc_studio", "run", "script.py", "--workspace", ".", "--json"],
            cwd=tmp_path, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, timeout=60, check=False,
        )  # fmt: skip
        asked = os.read(ours, 100_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert 'Allow ship {"order":1}?' in asked
    for line in printed:
        assert line in done.stdout.decode()
