"""Which commands of a script there are not, before it runs."""

from pathlib import Path

import pytest

from ptc_studio.core.session import Session
from ptc_studio.runtimes.bash.commands_used import wrong_commands
from tests.support import Engine

ROOT = Path(__file__).parents[3]


def wrong(code: str) -> list[str]:
    found = wrong_commands(code, ("add", "calc.mul"))
    return [f"{each.line}:{each.column}-{each.end_column} {each.name or each.text}" for each in found]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("add 1 2 | jq .\nad 1 2", ["2:1-3 ad"]),
        ('echo "ü $(calc.mult 2 3)"', ["1:11-20 calc.mult"]),
        ("# nothere\nif true; then\n  nothere\nfi; nothere", ["3:3-10 nothere"]),
        ("f() { first; }\nA=1 second && f", ["1:7-12 first", "2:5-11 second"]),
        ("case $1 in a|b) third;; esac", ["1:17-22 third"]),
        ("echo 'a", ["1:6-7 unexpected EOF while looking for matching `''"]),
        ("if true; then\n", ["2:1-2 unexpected end of file"]),
    ],
)
def test_a_command_that_there_is_not_is_found_where_it_stands(code: str, expected: list[str]):
    assert wrong(code) == expected


@pytest.mark.parametrize(
    "code",
    [
        "",
        "add 1 2; calc.mul --a 1 --b 2; call_tool other; tools; help add",
        "later() { :; }; later | later; function named { later; }; named",
        "a=(one two); for i in one two; do echo ${a[$i]}; done; [[ -f x ]] && (( i++ ))",
        "cat <<END\nnothere in a text\nEND\necho 'nothere'; $command; ./nothere; x=nothere",
        "command -v rare >/dev/null && rare",
        "eval 'rare() { :; }'; rare",
        "PATH=$PATH:/opt rare",
        "python3 -c 'print(1)'; while read -r line; do echo $line; done < <(seq 3)",
    ],
)
def test_what_may_be_there_is_not_reported(code: str):
    assert wrong(code) == []


def test_no_script_of_this_repository_is_accused(shop: Engine):
    tools = {name for visible in Session(shop.executor).visible_tools() for name in visible.names}
    # Of the demo, and what one behaviour adds for itself.
    sample_tools = {"get_expenses", "lookup_manager", "team_members", "gate"}
    scripts = sorted((ROOT / "tests/runtimes/scripts/bash").glob("*.sh"))
    assert len(scripts) > 30
    for path in (*scripts, ROOT / "runtimes/bash/example.sh"):
        found = [each.name for each in wrong_commands(path.read_text(), tools | sample_tools)]
        assert (path.name, found) == (path.name, [""] if path.name == "syntax.sh" else [])
