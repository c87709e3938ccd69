"""`ptc-studio` tools, call, runtimes, doctor, and what it says of itself."""

import signal
import sys
from typing import Any

import pytest

from ptc_studio import __version__
from tests.cli.conftest import CALL_KEYS, assert_one_line, only_document

RUNTIME_KEYS = ["id", "name", "language", "extension", "available", "version", "executable", "isolation", "reason"]


# tools


def test_tools_are_listed_with_their_schema_and_their_aliases(project: Any):
    project.write(
        "studio.yaml",
        """
        sources: [{kind: functions, name: shop, path: tools}]
        aliases:
          - {name: plus, tool: calc.add}
          - {name: minus, tool: add, enabled: false}
        """,
    )
    document = only_document(project.command("tools", "--workspace", ".", "--json").stdout)
    assert set(document) == {"tools", "errors"}
    assert document["errors"] == []
    add, fail = document["tools"]
    assert add == {
        "name": "add",
        "description": "Adds two numbers.",
        "parameters": add["parameters"],
        "source": "shop",
        "aliases": ["plus"],
    }
    assert add["parameters"]["type"] == "object"
    assert set(add["parameters"]["properties"]) == {"a", "b"}
    assert add["parameters"]["required"] == ["a", "b"]
    assert (fail["name"], fail["aliases"]) == ("fail", [])


def test_what_does_not_load_is_among_the_errors_and_the_rest_is_there(project: Any):
    project.write("tools/broken.py", "x = 1\ndef f(:\n")
    project.write("tools/raising.py", "import os\n\n1 / 0\n")
    done = project.command("tools", "--functions", "tools", "--json")
    document = only_document(done.stdout)
    assert [tool["name"] for tool in document["tools"]] == ["add", "fail"]
    assert [set(error) for error in document["errors"]] == [{"source", "file", "line", "message"}] * 2
    broken, raising = document["errors"]
    assert (broken["source"], broken["file"], broken["line"]) == (
        "functions", str(project.folder / "tools/broken.py"), 2,
    )  # fmt: skip
    assert broken["message"].startswith("SyntaxError: ")
    assert (raising["line"], raising["message"]) == (3, "ZeroDivisionError: division by zero")
    assert done.returncode == 0


def test_tools_are_listed_for_people_too(project: Any):
    project.write("tools/broken.py", "def f(:\n")
    done = project.command("tools", "--functions", "tools")
    assert done.stdout == "add(a, b)  Adds two numbers.\nfail(why)  Fails.\n"
    assert "broken.py:1: SyntaxError" in done.stderr
    assert_one_line(done.stderr)


def test_a_missing_folder_is_told(project: Any):
    done = project.command("tools", "--functions", "nosuch", "--json")
    (error,) = only_document(done.stdout)["errors"]
    assert error["file"] == str(project.folder / "nosuch")


def test_no_tools_at_all_is_told_with_what_to_do(project: Any):
    done = project.command("tools")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--functions DIR" in done.stdout


def test_the_workspace_of_the_current_folder_is_used_unless_another_place_is_named(project: Any):
    project.write("studio.yaml", "sources: [{kind: functions, name: here, path: tools}]")
    project.environment["XDG_DATA_HOME"] = str(project.folder / "data")
    assert project.command("trust", ".").returncode == 0
    assert only_document(project.command("tools", "--json").stdout)["tools"][0]["source"] == "here"
    named = only_document(project.command("tools", "--json", "--functions", "tools").stdout)
    assert named["tools"][0]["source"] == "functions"


# call


def test_a_call_prints_its_result(project: Any):
    done = project.command("call", "add", "--args", '{"a": 1, "b": 2}', "--functions", "tools")
    assert (done.returncode, done.stdout, done.stderr) == (0, "3\n", "")


def test_a_call_gives_its_record(project: Any):
    done = project.command("call", "calc.add", "--args", '{"a": 1, "b": 2}', "--functions", "tools", "--json")
    record = only_document(done.stdout)
    assert set(record) == CALL_KEYS
    assert (record["tool"], record["depth"], record["parent_id"], record["line"]) == ("add", 1, None, None)
    assert (record["arguments"], record["status"], record["result"]) == ({"a": 1, "b": 2}, "ok", 3)


@pytest.mark.parametrize(
    ("name", "arguments", "status", "kind", "told"),
    [
        ("fail", '{"why": "so"}', "error", "ValueError", "so"),
        ("add", '{"a": 1}', "invalid", "TypeError", "'b'"),
        ("add", '{"a": 1, "b": "x"}', "invalid", "ValueError", "b"),
        ("ad", "{}", "not_found", "LookupError", "Did you mean 'add'?"),
    ],
)
def test_a_call_that_fails_tells_why_and_ends_with_1(
    project: Any, name: str, arguments: str, status: str, kind: str, told: str
):
    given = ("call", name, "--args", arguments, "--functions", "tools")
    done = project.command(*given, "--json")
    record = only_document(done.stdout)
    assert set(record) == CALL_KEYS
    assert (record["status"], record["error"]["type"], done.returncode) == (status, kind, 1)
    assert told in record["error"]["message"]
    plain = project.command(*given)
    assert (plain.returncode, plain.stdout) == (1, "")
    assert plain.stderr.startswith(f"ptc-studio: {kind}: ")
    assert_one_line(plain.stderr)


@pytest.mark.parametrize("arguments", ["{", "", "[1]", "1", "null", '"text"', "[" * 100_000])
def test_arguments_that_are_no_json_object_are_a_usage_error(project: Any, arguments: str):
    done = project.command("call", "add", "--args", arguments, "--functions", "tools", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--args" in done.stderr
    assert_one_line(done.stderr)


def test_what_a_called_tool_prints_is_not_in_the_document(project: Any):
    project.write("tools/noisy.py", "import os\ndef noisy():\n    print('said')\n    os.write(1, b'written')\n")
    done = project.command("call", "noisy", "--functions", "tools", "--json")
    assert only_document(done.stdout)["result"] is None
    assert "written" in done.stderr
    assert "said\n" in project.command("call", "noisy", "--functions", "tools").stderr


def test_a_call_shows_what_it_called_as_its_own_result_only(project: Any):
    project.write(
        "tools/outer.py", "def outer(_context=None):\n    return _context.call_tool('add', {'a': 1, 'b': 2})\n"
    )
    record = only_document(project.command("call", "outer", "--functions", "tools", "--json").stdout)
    assert (record["tool"], record["result"]) == ("outer", 3)


def test_a_call_that_is_interrupted_ends_with_130(project: Any):
    project.write("tools/wait.py", "import os, time\ndef wait():\n    os.write(2, b'waiting\\n')\n    time.sleep(60)\n")
    with project.started("call", "wait", "--functions", "tools") as process:
        assert process.stderr.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=40)
    assert (process.returncode, stderr) == (130, "")


def test_a_secret_is_redacted_in_the_record_of_a_call(project: Any):
    project.write("tools/secret.py", "def login(password: str) -> dict:\n    return {'token': 'abc', 'user': 'u'}\n")
    done = project.command("call", "login", "--args", '{"password": "hunter2"}', "--functions", "tools", "--json")
    record = only_document(done.stdout)
    assert record["arguments"] == {"password": "[REDACTED:password]"}
    assert record["result"] == {"token": "[REDACTED:token]", "user": "u"}
    assert {"rule": "password", "where": "arguments", "path": record["redactions"][0]["path"]} in record["redactions"]


# runtimes


def test_runtimes_are_listed_with_the_keys_of_the_contract(project: Any):
    document = only_document(project.command("runtimes", "--json").stdout)
    assert list(document) == ["runtimes"]
    for runtime in document["runtimes"]:
        assert list(runtime) == RUNTIME_KEYS
        assert (runtime["reason"] is None) == runtime["available"]
    python = document["runtimes"][0]
    assert (python["id"], python["language"], python["extension"], python["available"]) == (
        "python", "python", ".py", True,
    )  # fmt: skip
    assert python["executable"] == sys.executable


def test_runtimes_are_listed_for_people_too(project: Any):
    lines = project.command("runtimes").stdout.splitlines()
    assert lines[0].split()[:2] == ["✓", "python"]


# doctor


def test_the_doctor_finds_everything_in_order(project: Any):
    done = project.command("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert "✕" not in done.stdout
    assert f"ptc-studio         {__version__}" in done.stdout


def test_the_doctor_tells_what_the_isolation_holds_and_what_it_does_not(project: Any):
    lines = project.command("doctor").stdout.splitlines()
    assert any("does not hold: It shares the kernel with this machine." in line for line in lines)
    assert any("holds: Neither sees nor signals other processes." in line for line in lines)


@pytest.mark.parametrize("missing", ["pydantic", "re2", "ruamel.yaml"])
def test_the_doctor_tells_what_is_missing_and_how_to_mend_it(project: Any, missing: str):
    project.write("sitecustomize.py", f"import sys\nsys.modules[{missing!r}] = None\n")
    project.environment["PYTHONPATH"] = f"{project.folder}:{project.environment['PYTHONPATH']}"
    done = project.command("doctor")
    package = {"re2": "google-re2"}.get(missing, missing)
    assert (done.returncode, done.stderr) == (1, "")
    assert f"✕ {package}" in done.stdout
    assert f"fix it with: {sys.executable} -m pip install {package}\n" in done.stdout


def test_a_missing_package_is_one_line_in_the_other_commands(project: Any):
    project.write("sitecustomize.py", "import sys\nsys.modules['re2'] = None\n")
    project.environment["PYTHONPATH"] = f"{project.folder}:{project.environment['PYTHONPATH']}"
    done = project.command("run", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "ptc-studio doctor" in done.stderr
    assert_one_line(done.stderr)


# the command itself


def test_the_version_is_told(project: Any):
    done = project.command("--version")
    assert (done.returncode, done.stdout) == (0, f"ptc-studio {__version__}\n")


def test_the_help_names_every_command(project: Any):
    done = project.command("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for name in ("run", "tools", "call", "runtimes", "doctor"):
        assert f"    {name} " in done.stdout


def test_the_help_of_run_names_every_option(project: Any):
    shown = project.command("run", "--help").stdout
    for option in ("--runtime", "--workspace", "--functions", "--timeout", "--max-depth", "--grant", "--json"):
        assert option in shown


@pytest.mark.parametrize("arguments", [[], ["dance"], ["tools", "extra"], ["call"], ["runtimes", "--functions", "x"]])
def test_what_cannot_be_understood_is_one_line_and_ends_with_2(project: Any, arguments: list[str]):
    done = project.command(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert_one_line(done.stderr)
