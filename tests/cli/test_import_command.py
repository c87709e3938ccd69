"""`ptc-studio import`, and running what it wrote."""

import json
from typing import Any

import pytest

from ptc_studio.transcripts.conversation import conversation as conversation_of
from tests.cli.conftest import only_document
from tests.transcripts import conversations as made

CODE = """\
import json
names = json.loads(await get_team({"department": "sales"}))
print(len(names))
"""


def conversation(stdout: str) -> list[dict[str, Any]]:
    blocks = [made.program(CODE), made.use(1, "get_team", {"department": "sales"}), made.result(1, '["Ann", "Bob"]')]
    return [made.said(*blocks, made.end(stdout))]


def test_what_is_imported_is_listed_and_replays_offline(project: Any):
    project.write("conversation.jsonl", made.lines(conversation("2\n")))
    done = project.command("import", "conversation.jsonl", "--into", "from/there", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    name = "from/there/01-get-team"
    programs = [{"script": f"{name}.py", "cassette": f"{name}.cassette.json", "target": "anthropic", "calls": 1}]
    assert only_document(done.stdout) == {"programs": programs, "warnings": []}
    replayed = project.command("run", f"{name}.py", "--replay", f"{name}.cassette.json", "--json")
    record = only_document(replayed.stdout)
    assert (record["target"], record["status"], record["stdout"], replayed.stderr) == ("anthropic", "ok", "2\n", "")
    assert [call["answered_by"] for call in record["calls"]] == ["cassette"]


def test_a_replay_that_is_not_as_published_says_where(project: Any):
    project.write("conversation.jsonl", made.lines(conversation("2\nmore\n")))
    shown = project.command("import", "conversation.jsonl", "--into", "out")
    assert shown.stdout == "out/01-get-team.py  anthropic · 1 call · 01-get-team.cassette.json\n"
    replayed = project.command("run", "out/01-get-team.py", "--replay", "out/01-get-team.cassette.json", "--json")
    assert replayed.returncode == 0
    assert replayed.stderr == "ptc-studio: The output is not as published, in line 2: '' here, 'more' there.\n"


@pytest.mark.parametrize(
    ("target", "form"),
    [("anthropic", "an SSE dump"), ("anthropic", "lines of requests and responses"), ("openai", "an SSE dump")],
)
def test_a_conversation_replays_under_its_target_as_published(project: Any, target: str, form: str):
    forms = made.spending_forms() if target == "anthropic" else made.stock_forms()
    project.write("conversation.txt", forms[form].encode())
    [program] = only_document(project.command("import", "conversation.txt", "--into", "out", "--json").stdout)[
        "programs"
    ]
    assert program["target"] == target
    common = ("run", program["script"], "--replay", program["cassette"])
    done = project.command(*common, "--replay-mode", "strict", "--json")
    record = only_document(done.stdout)
    assert (done.returncode, record["status"]) == (0, "ok")
    assert "not as published" not in done.stderr
    assert len(record["calls"]) == program["calls"]
    expected = "Ann: 120\nCy: 110\n" if target == "anthropic" else "north 5, south 7"
    assert record["model_sees"]["stdout" if target == "anthropic" else "result"] == expected


ADD = {
    "anthropic": 'import json\nprint(json.loads(await add({"a": 1, "b": 2})) + 1)\nprint(await fail({"why": "so"}))\n',
    "openai": "text(await tools.add({ a: 1, b: 2 }) + 1);\n",
}


@pytest.mark.parametrize("target", ADD)
def test_a_run_becomes_a_conversation_that_replays_the_same(project: Any, target: str):
    script = project.write("script.py" if target == "anthropic" else "script.js", ADD[target])
    done = project.command("run", script, "--target", target, "--functions", "tools", "--json")
    record = only_document(done.stdout)
    project.write("conversation.json", json.dumps(conversation_of(record, ADD[target], record["target"])))
    [program] = only_document(project.command("import", "conversation.json", "--into", "out", "--json").stdout)[
        "programs"
    ]
    assert (project.folder / program["script"]).read_text() == ADD[target]
    common = ("run", program["script"], "--replay", program["cassette"], "--json")
    replayed = project.command(*common)
    assert only_document(replayed.stdout)["model_sees"] == record["model_sees"]
    assert "not as published" not in replayed.stderr


FAILING = """\
print(await slow({}))
"""
FAILED = """\
print(await read({"path": "a"}), await read({"path": "b"}))
"""


def test_failures_replay_as_the_program_saw_them(project: Any):
    read = [made.use(1, "read", {"path": "a"}), made.use(2, "read", {"path": "b"})]
    answers = [made.result(1, "Error: no file", is_error=True), made.result(2, "gone", is_error=True)]
    second = {"type": "code_execution_20260120", "tool_id": "srvtoolu_2"}
    late = "Traceback\nTimeoutError: Calling tool ['slow'] timed out (no response after 270s)."
    blocks = [made.program(FAILED), *read, *answers, made.end("Error: no file gone\n")]
    blocks += [made.program(FAILING, "srvtoolu_2"), made.use(3, "slow", {}, second)]
    blocks += [made.end("", "srvtoolu_2", stderr=late, return_code=1)]
    project.write("conversation.json", made.lines([made.said(*blocks)]))
    done = only_document(project.command("import", "conversation.json", "--into", "out", "--json").stdout)
    assert len(done["warnings"]) == 1
    for program, returned in zip(done["programs"], (0, 1), strict=True):
        common = ("run", program["script"], "--target", "anthropic", "--replay", program["cassette"])
        replayed = project.command(*common, "--json")
        assert only_document(replayed.stdout)["return_code"] == returned
        assert "not as published" not in replayed.stderr, replayed.stderr


def test_a_program_replays_with_the_names_of_those_before_it(project: Any):
    first = [made.program("names = ['Ann']", "srvtoolu_a"), made.end(named="srvtoolu_a")]
    second = [made.program("names.append('Bob')", "srvtoolu_b"), made.end(named="srvtoolu_b")]
    third = [made.program("print(names)", "srvtoolu_c"), made.end("['Ann', 'Bob']\n", "srvtoolu_c")]
    project.write("conversation.json", made.lines([made.said(*first, *second, *third)]))
    programs = only_document(project.command("import", "conversation.json", "--into", "out", "--json").stdout)[
        "programs"
    ]
    last = ("run", programs[2]["script"], "--target", "anthropic", "--replay", programs[2]["cassette"], "--json")
    done = project.command(*last)
    assert (only_document(done.stdout)["stdout"], done.stderr) == ("['Ann', 'Bob']\n", "")
    (project.folder / programs[0]["script"]).unlink()
    alone = project.command(*last)
    assert (alone.returncode, alone.stderr.count("\n")) == (2, 1)
    assert "keep the two together" in alone.stderr


@pytest.mark.parametrize(
    ("name", "into"), [("missing.json", "o"), ("tools", "o"), ("text.json", "o"), ("good.json", "text.json")]
)
def test_what_cannot_be_imported_is_one_line_and_status_2(project: Any, name: str, into: str):
    project.write("text.json", "no conversation at all")
    project.write("good.json", made.lines(conversation("2\n")))
    done = project.command("import", name, "--into", into, "--json")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("ptc-studio: ")
    assert (into if name == "good.json" else name) in done.stderr
