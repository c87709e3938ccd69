"""Past runs in the terminal: listed, searched, compared, exported."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Project, only_document

KEYS = ["run_id", "name", "script", "runtime", "target", "status", "started", "duration_ms", "calls"]
SUM = "print(add(a=1, b=2))\n"


@pytest.fixture
def kept(project: Project) -> Project:
    """A project whose user has no past runs yet."""
    project.environment["XDG_DATA_HOME"] = str(project.folder.with_name(f"{project.folder.name}-data"))
    return project


def runs(project: Project, *arguments: Any) -> list[dict[str, Any]]:
    document = only_document(project.command("history", "--json", *arguments).stdout)
    assert list(document) == ["runs"]
    return document["runs"]


def test_runs_and_calls_of_the_terminal_are_kept_newest_first_and_found(kept: Project):
    assert runs(kept) == []
    record = kept.record(SUM)
    failed = kept.record("add(a=1, b=1)\nraise SystemExit('bad luck')\n")
    kept.command("call", "add", "--args", '{"a": 3, "b": 4}', "--functions", "tools")
    assert kept.command("run", kept.write("other.py", SUM), "--functions", "tools", "--no-history").returncode == 0
    kept.command("call", "add", "--args", '{"a": 3, "b": 4}', "--functions", "tools", "--no-history")
    call, second, first = runs(kept)
    assert all(list(run) == KEYS for run in (call, second, first))
    assert (first["run_id"], first["script"], first["runtime"], first["status"], first["calls"]) == (
        record["run_id"], "script.py", "python", "ok", 1,
    )  # fmt: skip
    assert first["duration_ms"] == record["duration_ms"]
    assert (second["run_id"], second["status"]) == (failed["run_id"], failed["status"])
    assert (call["name"], call["script"], call["status"], call["calls"]) == ("add", None, "ok", 1)
    assert [run["run_id"] for run in runs(kept, "--search", "bad luck")] == [failed["run_id"]]
    assert len(runs(kept, "--limit", "2")) == 2
    lines = kept.command("history").stdout.splitlines()
    assert len(lines) == 3
    assert lines[2].startswith(f"✓ {record['run_id']}")


def test_a_run_that_was_killed_is_there_as_interrupted(kept: Project):
    script = kept.write("script.py", "add(a=1, b=2)\nprint('here', flush=True)\nwhile True: pass\n")
    with kept.started("run", script, "--functions", "tools") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
    (run,) = runs(kept)
    assert run["status"] == "interrupted"


def test_a_damaged_history_is_told_in_one_line_and_the_run_goes_on(kept: Project):
    kept.record(SUM)
    file = Path(kept.environment["XDG_DATA_HOME"]) / "ptc-studio" / "history.db"
    file.write_bytes(b"no database" * 1000)
    done = kept.run(SUM, "--json")
    assert json.loads(done.stdout)["status"] == "ok"
    assert done.stderr.count("\n") == 1
    assert "is set aside as" in done.stderr
    assert len(runs(kept)) == 1


@pytest.mark.parametrize("limit", ["0", "-1", "many"])
def test_a_limit_that_is_no_number_is_a_usage_error(kept: Project, limit: str):
    done = kept.command("history", "--limit", limit)
    assert done.returncode == 2
    assert "not a whole number" in done.stderr


def difference(project: Project, *arguments: Any) -> tuple[int, Any]:
    done = project.command("diff", "--json", *arguments)
    return done.returncode, only_document(done.stdout) if done.stdout else done.stderr


def test_two_runs_and_a_run_and_its_cassette_are_compared(kept: Project):
    first = kept.record(SUM, "--record", "sum.json")
    second = kept.record(SUM)
    assert difference(kept, first["run_id"], second["run_id"]) == (
        0, {"same": True, "calls": [], "stdout": "", "fields": []},
    )  # fmt: skip
    assert difference(kept, "sum.json", "last")[0] == 0
    other = kept.record("print(add(a=1, b=3))\nadd(a=9, b=9)\n")
    status, found = difference(kept, first["run_id"], "last")
    assert status == 1
    assert not found["same"]
    changed, added = found["calls"]
    assert (changed["change"], changed["fields"]) == ("changed", ["arguments", "result"])
    assert (changed["a"], changed["b"]) == (first["calls"][0], other["calls"][0])
    assert (added["change"], added["a"], added["b"]) == ("added", None, other["calls"][1])
    assert "-3\n+4" in found["stdout"]
    status, found = difference(kept, "sum.json", "last")
    assert (status, [each["change"] for each in found["calls"]]) == (1, ["changed", "added"])
    told = kept.command("diff", first["run_id"], "last")
    assert told.returncode == 1
    assert "≠ line 1: add(" in told.stdout
    assert "+ line 2: add(" in told.stdout


@pytest.mark.parametrize("name", ["nothing", "notes.txt", "half.json"])
def test_what_cannot_be_compared_is_told_in_one_line(kept: Project, name: str):
    kept.record(SUM)
    kept.write("notes.txt", "no JSON")
    kept.write("half.json", '{"run_id": "x"}')
    status, told = difference(kept, "last", name)
    assert status == 2
    assert told.count("\n") == 1
    assert "Traceback" not in told


def test_a_run_is_exported_and_a_bundle_of_it_runs_in_another_home_without_its_tools(kept: Project, tmp_path: Path):
    record = kept.record(SUM)
    printed = kept.command("export", "last", "--format", "json")
    assert printed.returncode == 0
    assert json.loads(printed.stdout)["run_id"] == record["run_id"]
    written = kept.command("export", record["run_id"][:8], "--format", "html", "--out", "deep/report.html")
    assert (written.returncode, written.stdout) == (0, "")
    assert "</html>" in (kept.folder / "deep" / "report.html").read_text()
    assert kept.command("export", "last", "--format", "bundle").returncode == 0
    (bundle,) = kept.folder.glob("*.ptcrun")
    other = Project(tmp_path_of(tmp_path, "elsewhere"))
    other.environment |= {"HOME": str(other.folder), "XDG_DATA_HOME": str(other.folder / "data")}
    document = only_document(other.command("run", bundle, "--json").stdout)
    assert (document["stdout"], document["calls"][0]["answered_by"]) == ("3\n", "cassette")
    conversation = kept.command("export", "last", "--format", "conversation")
    assert "messages" in json.loads(conversation.stdout)


def tmp_path_of(tmp_path: Path, name: str) -> Path:
    folder = tmp_path.with_name(f"{tmp_path.name}-{name}")
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ("last", "--format", "pdf"),
        ("last",),
        ("nothing", "--format", "json"),
        ("last", "--format", "json", "--out", "/proc/x"),
    ],
)
def test_what_cannot_be_exported_is_told_in_one_line(kept: Project, arguments: tuple[str, ...]):
    kept.record(SUM)
    done = kept.command("export", *arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
