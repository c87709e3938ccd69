"""`run --target`, `targets` and `check` in a process of their own."""

import json
from typing import Any

SHOP = """
    def price(item: str, qty: int = 1) -> float:
        return 2.5 * qty

    def stock(item: str) -> dict:
        return {"item": item, "count": 7}
"""
ANTHROPIC = "row = await stock({'item': 'pear'})\nprint(row, await price({'item': 'pear'}))\n"


def test_a_run_under_a_target_has_its_reply_and_its_warnings_in_the_record(project: Any):
    project.write("tools/shop.py", SHOP)
    record = project.record(ANTHROPIC + "print(row['count'])\n", "--target", "anthropic")
    assert record["target"] == "anthropic"
    assert record["model_sees"]["stdout"] == '{"item": "pear", "count": 7} 2.5\n'
    assert record["model_sees"]["return_code"] == 1
    assert [(warning["line"], set(warning)) for warning in record["warnings"]] == [(3, {"line", "message"})]


def test_a_slip_that_keeps_the_script_from_starting_is_told_once(project: Any):
    record = project.record("x = 1\nprint(x\n")
    assert (record["error"]["type"], record["error"]["line"]) == ("SyntaxError", 2)
    assert record["warnings"] == []


def test_auto_tells_the_target_from_the_text_and_says_why(project: Any):
    project.write("tools/shop.py", SHOP)
    told = project.run(ANTHROPIC, "--target", "auto")
    assert told.returncode == 0
    assert (
        told.stderr.splitlines()[0] == "ptc-studio: the target is anthropic: `await stock({...})` with a dict in line 1"
    )
    assert "The model sees (anthropic, " in told.stdout
    plain = project.run("print(1)", "--target", "auto", "--json")
    assert json.loads(plain.stdout)["target"] == "plain"


def test_where_two_targets_fit_one_line_asks_and_nothing_runs(project: Any):
    told = project.run("print('ran')\nfinal_answer(await q({'a': 1}))", "--target", "auto")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.count("\n") == 1
    assert "say which with --target anthropic or --target smolagents" in told.stderr


def test_inputs_and_the_environment_are_given_and_kept_beside_the_script(project: Any):
    code = "import os\nprint(limit, name, os.environ['REGION'])"
    record = project.record(code, "--input", "limit=3", "--input", 'name="ann"', "--env", "REGION=eu=1")
    assert record["stdout"] == "3 ann eu=1\n"
    project.write("script.inputs.json", '{"inputs": {"limit": 5, "name": "bo"}, "environment": {"REGION": "us"}}')
    assert project.record(code, "--input", "limit=6")["stdout"] == "6 bo us\n"


def test_names_that_nobody_gave_are_told_with_what_gives_them(project: Any):
    project.write("tools/shop.py", SHOP)
    record = project.record("print(price(item))")
    assert [(warning["line"], "--input item=JSON" in warning["message"]) for warning in record["warnings"]] == [
        (1, True)
    ]


def test_what_cannot_be_is_one_line_and_status_2(project: Any):
    for options, words in (
        (("--target", "nope"), "There is no target 'nope'; there are plain, anthropic,"),
        (("--target", ""), "There is no target ''"),
        (("--target", "anthropic", "--runtime", "bash"), "leave out --runtime"),
        (("--target", "anthropic", "--matrix"), "leave it out with --target"),
        (("--input", "limit"), "write NAME=JSON"),
        (("--input", "limit=three"), "a text has quotes"),
        (("--input", "limit=NaN"), "NaN is no value there"),
        (("--input", "a b=1"), "no name of a variable"),
        (("--env", "REGION"), "write NAME=VALUE"),
        (("--env", "PTC_TOKEN=1"), "the studio's own"),
    ):
        told = project.run("print(1)", *options)
        assert (told.returncode, told.stdout) == (2, "")
        assert words in told.stderr
        assert told.stderr.count("\n") == 1, told.stderr


def test_a_script_from_standard_input_is_looked_at_in_its_own_language(project: Any):
    text = "const a: number = 2;\na"
    record = json.loads(project.command("run", "-", "--runtime", "typescript", "--json", input=text).stdout)
    assert (record["value"], record["warnings"]) == (2, [])
    text = "console.log(1);"
    record = json.loads(project.command("run", "-", "--target", "openai", "--json", input=text).stdout)
    assert [each["line"] for each in record["warnings"]] == [None, 1]


def test_a_timeout_of_the_users_counts_before_the_targets(project: Any):
    told = project.run("while True: pass", "--target", "toolregistry", "--timeout", "0.5", "--json")
    record = json.loads(told.stdout)
    assert (told.returncode, record["status"], record["model_sees"]) == (124, "timeout", "Error: execution timed out")


def test_targets_are_listed_with_all_that_is_known(project: Any):
    listed = json.loads(project.command("targets", "--json").stdout)["targets"]
    assert all(set(row) == {"id", "name", "language", "runtime", "available", "reason", "notes"} for row in listed)
    found = {row["id"]: row for row in listed}
    assert (found["anthropic"]["language"], found["anthropic"]["runtime"]) == ("python", "python")
    assert (found["fastmcp"]["runtime"], found["fastmcp"]["available"], found["fastmcp"]["reason"]) == (
        "monty",
        True,
        None,
    )
    assert any(note.endswith("[D]") for note in found["anthropic"]["notes"])
    shown = project.command("targets").stdout
    assert "anthropic" in shown
    assert "90 s [2]" in shown


def test_check_tells_the_warnings_without_a_run(project: Any):
    project.write("tools/shop.py", SHOP)
    name = project.write("bad.py", "print('ran')\nx = await price(item='a')")
    told = project.command("check", name, "--target", "anthropic", "--functions", "tools", "--json")
    checked = json.loads(told.stdout)
    assert (told.returncode, checked["target"], checked["runs"]) == (1, "anthropic", False)
    assert [warning["line"] for warning in checked["warnings"]] == [2]
    good = project.write("good.py", ANTHROPIC)
    told = project.command("check", good)
    assert told.returncode == 0
    assert "anthropic" in told.stdout
    assert "runs there" in told.stdout


def test_check_against_all_says_where_it_runs(project: Any):
    name = project.write("any.py", "print(1)")
    told = project.command("check", name, "--target", "all", "--json")
    rows = json.loads(told.stdout)["targets"]
    assert told.returncode == 0
    assert {row["target"]: row["runs"] for row in rows}["anthropic"] is True
    assert {row["target"]: row["runs"] for row in rows}["openai"] is False
    broken = project.write("broken.py", "x = (")
    told = project.command("check", broken, "--target", "all")
    assert told.returncode == 1
    assert "does not run there" in told.stdout
