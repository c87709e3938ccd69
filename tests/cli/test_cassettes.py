"""`ptc-studio run` with `--record`, `--replay` and `--mock`."""

import json
import shutil
import signal
from typing import Any

import pytest

from ptc_studio.locations import EXAMPLES, SAMPLE_TOOLS
from tests.cli.conftest import only_document

ASIDE = ("started_ms", "duration_ms", "answered_by", "waited_ms")
LOGIN = """
def login(user: str, password: str) -> dict:
    return {"api_key": "sk-proj-abcdefghij" + "0123456789ABCDEFGHIJ", "user": user}
"""


def comparable(record: dict[str, Any]) -> dict[str, Any]:
    """The record without what is different in every run."""
    calls = [{name: value for name, value in call.items() if name not in ASIDE} for call in record["calls"]]
    return {name: value for name, value in record.items() if name not in ("run_id", "duration_ms", "waited_ms")} | {
        "calls": calls
    }


def assert_one_line(stderr: str, *words: str) -> None:
    assert stderr.startswith("ptc-studio: ")
    assert stderr.count("\n") == 1, stderr
    for word in words:
        assert word in stderr


@pytest.mark.parametrize("runtime", ["python", "python-inprocess"])
@pytest.mark.parametrize("name", ["03_concurrent.py", "04_nested.py", "05_error_handled.py"])
def test_a_recorded_example_is_replayed_without_its_tools(project: Any, name: str, runtime: str):
    tools = project.folder / "shop"
    shutil.copytree(SAMPLE_TOOLS, tools)
    common = ("run", EXAMPLES / name, "--runtime", runtime, "--functions", "shop", "--json")
    recorded = only_document(project.command(*common, "--record", "cassettes/demo.json").stdout)
    shutil.rmtree(tools)
    for mode in ("match", "strict"):
        done = project.command(*common, "--replay", "cassettes/demo.json", "--replay-mode", mode)
        replayed = only_document(done.stdout)
        assert comparable(replayed) == comparable(recorded)
        assert {call["answered_by"] for call in replayed["calls"]} == {"cassette"}
        assert done.returncode == 0
        # Of the run itself there is nothing to tell.
        assert_one_line(done.stderr, "functions folder", "does not exist")
    assert "sk_live" not in (project.folder / "cassettes/demo.json").read_text()


def test_aliases_and_their_presets_are_replayed_without_the_source_of_the_tool(project: Any):
    project.write(
        "studio.yaml",
        """
        version: 1
        sources: [{kind: functions, name: calc, path: tools}]
        aliases:
          - {name: increase, tool: calc.add, preset: {b: 1}, permission: ask}
          - {name: never, tool: calc.add, permission: deny}
        """,
    )
    code = "print(increase(5))\ntry:\n    never(1, 2)\nexcept PermissionError as error:\n    print(error)\n"
    script = project.write("s.py", code)
    first = project.write("studio.yaml.allowed", (project.folder / "studio.yaml").read_text().replace("ask", "allow"))
    asking = (project.folder / "studio.yaml").read_text()
    (project.folder / "studio.yaml").write_text((project.folder / first).read_text())
    recorded = project.command("run", script, "--workspace", ".", "--record", "c.json", "--json")
    assert only_document(recorded.stdout)["stdout"].startswith("6\n")
    (project.folder / "studio.yaml").write_text(asking)
    shutil.rmtree(project.folder / "tools")
    replayed = project.command("run", script, "--workspace", ".", "--replay", "c.json", "--json")
    # Nobody is there to be asked, and nobody has to be.
    assert comparable(only_document(replayed.stdout)) == comparable(only_document(recorded.stdout))


def test_a_disabled_alias_is_not_answered_by_a_cassette(project: Any):
    text = "version: 1\nsources: [{kind: functions, path: tools}]\naliases: [{name: plus, tool: add}]\n"
    project.write("studio.yaml", text)
    script = project.write("s.py", "call_tool('plus', {'a': 1, 'b': 2})\n")
    assert project.command("run", script, "--workspace", ".", "--record", "c.json").returncode == 0
    project.write("studio.yaml", text.replace("tool: add", "tool: add, enabled: false"))
    shutil.rmtree(project.folder / "tools")
    done = project.command("run", script, "--workspace", ".", "--replay", "c.json")
    assert done.returncode == 1
    assert "Tool not found: plus" in done.stderr


def test_a_replay_does_not_wait_for_a_server_that_hangs(project: Any):
    call = {"id": "c1", "name": "far.weather", "tool": "far.weather", "arguments": {"city": "Oslo"}, "status": "ok"}
    tool = {"name": "far.weather", "tool": "far.weather", "source": "far", "parameters": [{"name": "city"}]}
    project.write("demo.json", json.dumps({"version": 1, "tools": [tool], "calls": [{**call, "result": "rain"}]}))
    server = "{kind: mcp, name: far, command: sleep, args: ['120'], start_timeout: 120}"
    project.write("studio.yaml", f"version: 1\nsources: [{server}]\n")
    script = project.write("s.py", "print(far.weather('Oslo'))\n")
    record = only_document(project.command("run", script, "--replay", "demo.json", "--json").stdout)
    assert record["stdout"] == "rain\n"
    assert (record["calls"][0]["source"], record["calls"][0]["answered_by"]) == ("far", "cassette")


def test_a_changed_script_misses_with_the_argument_that_differs(project: Any):
    project.run("x = 1\nadd(2, 3)\n", "--record", "demo.json")
    done = project.run("add(2, 4)\n", "--replay", "demo.json", "--json")
    record = only_document(done.stdout)
    told = "The cassette 'demo' has no call of add with b=4 (recorded: b=3, at line 2)."
    assert (done.returncode, record["status"], record["error"]["type"]) == (1, "error", "LookupError")
    assert record["error"]["message"] == f"{told} Record again, or replay with --miss tool."
    assert (record["calls"][0]["status"], record["calls"][0]["answered_by"]) == ("not_found", "cassette")
    assert_one_line(done.stderr, "has a call that this run did not make: add(a=2, b=3) at line 2.")


def test_a_miss_that_the_script_catches_is_told_all_the_same(project: Any):
    project.run("add(2, 3)\n", "--record", "demo.json")
    code = "add(2, 3)\ntry:\n    add(2, 4)\nexcept LookupError:\n    pass\n"
    done = project.run(code, "--replay", "demo.json")
    assert done.returncode == 0
    assert_one_line(done.stderr, "has no call of add with b=4")


def test_a_miss_may_use_the_tool(project: Any):
    project.run("add(2, 3)\n", "--record", "demo.json")
    done = project.run("print(add(2, 4), add(2, 3))\n", "--replay", "demo.json", "--miss", "tool", "--json")
    record = only_document(done.stdout)
    assert (done.returncode, record["stdout"]) == (0, "6 5\n")
    assert [call["answered_by"] for call in record["calls"]] == ["tool", "cassette"]
    assert_one_line(done.stderr, "with b=4", "The tool answered instead.")


def test_strict_refuses_another_order(project: Any):
    project.run("add(1, 1)\nadd(2, 2)\n", "--record", "demo.json")
    done = project.run("add(2, 2)\nadd(1, 1)\n", "--replay", "demo.json", "--replay-mode", "strict")
    assert done.returncode == 1
    assert "has add(a=1, b=1) at line 1 next, not add(a=2, b=2)." in done.stderr
    done = project.run("add(2, 2)\nadd(1, 1)\n", "--replay", "demo.json", "--replay-mode", "match")
    assert done.returncode == 0
    assert_one_line(done.stderr, "next, not add(a=2, b=2).")


def test_errors_are_replayed_as_the_same_type(project: Any):
    project.write("tools/own.py", "class Odd(KeyError):\n    pass\n\ndef odd():\n    raise Odd('x')\n")
    code = """
    for call in (lambda: fail("no"), odd):
        try:
            call()
        except (ValueError, KeyError) as error:
            print(type(error).__name__, type(error).__mro__[1].__name__, error)
    """
    code = "\n".join(line[4:] for line in code.splitlines())
    recorded = project.record(code, "--record", "demo.json")
    assert recorded["stdout"] == "ValueError Exception no\nOdd KeyError 'x'\n"
    (project.folder / "tools/own.py").unlink()
    replayed = project.record(code, "--replay", "demo.json")
    assert comparable(replayed) == comparable(recorded)


def test_no_secret_is_in_the_file(project: Any):
    project.write("tools/login.py", LOGIN)
    code = "print(login('ada', password='hunter2-and-more')['user'])\nlogin('ada', 'TCK-' + '123456')\n"
    recorded = project.record(code, "--record", "demo.json")
    text = (project.folder / "demo.json").read_text()
    for secret in ("hunter2", "sk-proj-abc", "TCK-123456"):
        assert secret not in text
    assert comparable(project.record(code, "--replay", "demo.json")) == comparable(recorded)


def test_a_run_that_is_cut_off_still_gives_its_cassette(project: Any):
    project.write(
        "tools/wait.py", "import os, time\ndef wait():\n    os.write(2, b'under way\\n')\n    time.sleep(60)\n"
    )
    arguments = ("run", project.write("s.py", "add(1, 2)\nwait()\n"), "--functions", "tools", "--record", "demo.json")
    with project.started(*arguments) as process:
        assert process.stderr.readline() == "under way\n"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=40)
    assert process.returncode == 130
    cassette = json.loads((project.folder / "demo.json").read_text())
    assert cassette["status"] == "cancelled"
    assert [(call["name"], call["status"]) for call in cassette["calls"]] == [("add", "ok"), ("wait", "cancelled")]
    assert project.run("print(add(1, 2))", "--replay", "demo.json").returncode == 0


def test_a_mock_answers_for_tools_and_aliases(project: Any):
    done = project.run("print(add(1, 2), fail('x'))\n", "--mock", 'add={"n": 5}', "--mock", "fail=null", "--json")
    record = only_document(done.stdout)
    assert (record["stdout"], done.stderr) == ("{'n': 5} None\n", "")
    assert [call["answered_by"] for call in record["calls"]] == ["mock", "mock"]
    done = project.run("1", "--mock", "multiply=1")
    assert done.returncode == 0
    assert_one_line(done.stderr, "--mock multiply: there is no such tool or alias")


def test_what_is_mocked_is_not_expected_of_the_cassette(project: Any):
    code = "print(add(1, 2), add(3, 4))\n"
    project.run(code, "--record", "demo.json")
    done = project.run(code, "--replay", "demo.json", "--replay-mode", "strict", "--mock", "add=0")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("0 0\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--record", "a.json", "--replay", "b.json"], "either recorded or replayed"),
        (["--replay", "nothing.json"], "There is no cassette nothing.json: record one with --record nothing.json."),
        (["--replay", "broken.json"], "broken.json:2: this is not JSON"),
        (["--replay", "tools"], "tools is no file"),
        (["--record", "tools"], "tools is a folder"),
        (["--record", "broken.json/x.json"], "cannot be written"),
        (["--replay-mode", "strict"], "--replay-mode goes with --replay FILE."),
        (["--miss", "tool"], "--miss goes with --replay FILE."),
        (["--miss", "ask", "--replay", "x"], "invalid choice: 'ask'"),
        (["--mock", "add"], "give a name and a JSON value, such as --mock add=3."),
        (["--mock", "=3"], "give a name and a JSON value"),
        (["--mock", "add=hello"], "--mock add: the value is not JSON"),
        (["--matrix", "--record", "a.json"], "A cassette is of one run"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line_before_anything_runs(project: Any, arguments: list[str], told: str):
    project.write("broken.json", '{"version": 1,\n"calls": [}')
    done = project.run("print('ran')", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_result_too_long_to_be_kept_is_told_when_it_is_recorded(project: Any):
    project.write("studio.yaml", "version: 1\nsources: [{kind: functions, path: tools}]\nlimits: {result_bytes: 50}\n")
    project.write("tools/long.py", "def long() -> str:\n    return 'x' * 100\n")
    script = project.write("s.py", "print(len(long()))\n")
    done = project.command("run", script, "--workspace", ".", "--record", "demo.json")
    assert done.returncode == 0
    assert_one_line(done.stderr, "demo.json: what long gave at line 1 was too long", "limits.result_bytes")
    done = project.command("run", script, "--workspace", ".", "--replay", "demo.json")
    assert done.returncode == 1
    assert "only the beginning of what long() gave at line 1" in done.stderr


def test_many_calls_are_recorded_and_replayed(project: Any):
    code = "print(sum(add(n, n) for n in range(1000)))\n"
    assert project.run(code, "--record", "demo.json").returncode == 0
    record = project.record(code, "--replay", "demo.json", "--replay-mode", "strict")
    assert (record["stdout"], len(record["calls"])) == ("999000\n", 1000)


def test_a_cassette_keeps_the_target_and_is_replayed_there_unless_told_otherwise(project: Any):
    project.write("tools/shop.py", 'def price(item: str) -> dict:\n    return {"item": item, "price": 5}\n')
    project.write("main.py", 'found = await price({"item": "pear"})\nprint(type(found).__name__, found)\n')
    run = ("run", "main.py", "--functions", "tools", "--json")
    recorded = only_document(project.command(*run, "--target", "anthropic", "--record", "there.json").stdout)
    assert recorded["model_sees"]["stdout"] == 'str {"item": "pear", "price": 5}\n'
    kept = json.loads((project.folder / "there.json").read_text())
    assert kept["target"] == "anthropic"
    replayed = only_document(project.command(*run, "--replay", "there.json").stdout)
    assert comparable(replayed) == comparable(recorded)
    here = only_document(project.command(*run, "--replay", "there.json", "--target", "plain").stdout)
    assert (here["target"], here["model_sees"]) == ("plain", None)
    # One that was written before targets were kept, or of a run that went nowhere.
    older = json.dumps({key: value for key, value in kept.items() if key != "target"})
    project.write("older.json", older)
    assert only_document(project.command(*run, "--replay", "older.json").stdout)["target"] == "plain"
    project.command(*run, "--target", "plain", "--record", "here.json")
    assert "target" not in json.loads((project.folder / "here.json").read_text())
