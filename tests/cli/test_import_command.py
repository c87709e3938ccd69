"""`ptc-studio import`, and running what it wrote."""

from typing import Any

import pytest

from tests.cli.conftest import only_document
from tests.transcripts import conversations as made

CODE = """\
import json
names = json.loads(call_tool("get_team", {"department": "sales"}))
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
    assert (record["status"], record["stdout"], replayed.stderr) == ("ok", "2\n", "")
    assert [call["answered_by"] for call in record["calls"]] == ["cassette"]


def test_a_replay_that_is_not_as_published_says_where(project: Any):
    project.write("conversation.jsonl", made.lines(conversation("2\nmore\n")))
    shown = project.command("import", "conversation.jsonl", "--into", "out")
    assert shown.stdout == "out/01-get-team.py  anthropic · 1 call · 01-get-team.cassette.json\n"
    replayed = project.command("run", "out/01-get-team.py", "--replay", "out/01-get-team.cassette.json", "--json")
    assert replayed.returncode == 0
    assert replayed.stderr == "ptc-studio: The output is not as published, in line 2: '' here, 'more' there.\n"


@pytest.mark.parametrize("name", ["missing.json", "tools", "text.json"])
def test_what_cannot_be_imported_is_one_line_and_status_2(project: Any, name: str):
    project.write("text.json", "no conversation at all")
    done = project.command("import", name, "--into", "out", "--json")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("ptc-studio: ")
    assert name in done.stderr
