"""The headless part of the program where nothing of Linux's own is there: no /proc, prctl, Landlock, bubblewrap, fcntl."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.locations import EXAMPLES

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Any:
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }

    def run(*words: object, status: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "tests.elsewhere", *map(str, words)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    return run


@pytest.mark.parametrize("runtime", ["python", "python-inprocess", "monty", "node", "bash"])
def test_scripts_run_and_what_keeps_them_apart_is_called_what_it_is(elsewhere: Any, tmp_path: Path, runtime: str):
    texts = {"node": "console.log(await tools.add({a: 1, b: 2}))", "bash": "add --a 1 --b 2"}
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "kit.py").write_text('def add(a: int, b: int) -> int:\n    "Adds."\n    return a + b\n')
    (tmp_path / "script").write_text(texts.get(runtime, "print(add(1, 2))"))
    record = json.loads(elsewhere("run", "script", "--runtime", runtime, "--functions", "tools", "--json"))
    assert (record["status"], record["stdout"].strip(), len(record["calls"])) == ("ok", "3", 1)
    if runtime in ("python", "node"):
        assert record["isolation"] == "process"


def test_a_script_that_never_ends_is_ended_and_its_run_is_kept(elsewhere: Any, tmp_path: Path):
    (tmp_path / "loop.py").write_text("print('on', flush=True)\nwhile True: pass\n")
    record = json.loads(elsewhere("run", "loop.py", "--timeout", 1, "--json", status=124))
    assert (record["status"], record["stdout"]) == ("timeout", "on\n")
    (run,) = json.loads(elsewhere("history", "--json"))["runs"]
    assert run["status"] == "timeout"


def test_examples_listings_and_the_doctor_work(elsewhere: Any):
    assert json.loads(elsewhere("run", EXAMPLES / "04_nested.py", "--json"))["status"] == "ok"
    assert {info["id"] for info in json.loads(elsewhere("runtimes", "--json"))["runtimes"] if info["available"]} >= {
        "python",
        "monty",
    }
    said = elsewhere("doctor")
    assert "This system has no confinement that the studio can use" in said
    assert "does not hold: It reads and writes all files that you can read and write." in said
