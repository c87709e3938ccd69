"""What is said of a script without running it, for every Python target."""

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.targets import Given, all_targets, check, find_target
from ptc_studio.targets.target import Finding, TargetLimits

PYTHON = [target for target in all_targets() if target.language in ("python", "any")]
LONE = "import json\n\n\nasync def main():\n    return await query({'a': 1})\n"


def findings(target: str, code: str, **given: object) -> list[Finding]:
    return check(find_target(target), Script(code), (), Given(**given))  # type: ignore[arg-type]


@pytest.mark.parametrize("target", PYTHON, ids=lambda target: target.id)
def test_a_lone_function_that_nobody_calls_is_never_passed_over(target: object):
    found = check(target, Script(LONE))  # type: ignore[arg-type]
    assert any(each.line == 4 and "Nothing calls `main`" in each.text and each.fails for each in found)


@pytest.mark.parametrize(
    "code",
    [LONE + "main()", LONE + "x = main()", "import asyncio\n" + LONE + "asyncio.run(main())", "x = 1", "'doc'", ""],
)
def test_a_function_that_is_called_or_a_script_without_any_is_not_warned_of(code: str):
    assert not [each for each in findings("plain", code) if "Nothing calls" in each.text]


@pytest.mark.parametrize("target", PYTHON, ids=lambda target: target.id)
def test_what_is_no_python_is_told_with_its_line(target: object):
    found = check(target, Script("x = 1\ny = ("))  # type: ignore[arg-type]
    assert [(each.line, each.fails) for each in found] == [(2, True)]
    for code in ("\0", "(" * 500):
        assert check(target, Script(code))  # type: ignore[arg-type]


@pytest.mark.parametrize("target", PYTHON, ids=lambda target: target.id)
def test_a_check_survives_whatever_stands_in_a_script(target: object):
    code = (
        "@decorator\nclass A(B, metaclass=C):\n    x: int = 1\n    async def m(self, *a, **k):\n        async with a as b, c:\n"
        "            yield (await b)[1:2, ::3]\nmatch x:\n    case {'a': [1, *r], **rest} if (n := 1):\n        pass\n"
        "try:\n    del x[0], y.z\nexcept* (ValueError, OSError) as e:\n    raise e from None\nlambda *a, k=1: (yield)\n"
        "f'{x!r:>{w}}'; a = b = [*c, *(d for d in e if f)]; global_ = {**g}; print(*h, sep='')\nfrom . import i as j\n"
    )
    assert isinstance(check(target, Script(code)), list)  # type: ignore[arg-type]


def test_a_message_says_whether_it_is_known_or_likely_and_how_one_knows():
    assert Finding(1, "It fails", "D").message == "It fails (known, from its documentation [D])"
    assert Finding(1, "It fails", "2").message == "It fails (likely, second-hand [2])"
    assert Finding(1, "It may", "S", fails=False).message == "It may (likely, from its source [S])"
    assert Finding(1, "It is so").message == "It is so (known)"


def test_names_and_variables_that_nobody_gave_are_told_with_the_option_that_gives_them():
    code = "import os\nprint(os.environ['TOKEN'], os.getenv('REGION'), os.environ.get('X', 'y'))"
    told = [each.text for each in findings("plain", code)]
    assert [text.rpartition(" ")[2] for text in told] == ["TOKEN=VALUE", "REGION=VALUE"]
    assert findings("plain", code, environment={"TOKEN": "1", "REGION": "2"}) == []


def test_a_text_is_followed_to_where_it_is_used_as_an_object():
    code = (
        "import json\nasync def f(i):\n    row = await q({'i': i})\n    row = json.loads(row)\n    return row['a']\n"
        "x = await q({})\nx.get('a')\n(await q({}))['b']\nfor k in (await f(1)).items(): pass\n"
    )
    assert [each.line for each in findings("anthropic", code) if "gives text" in each.text] == [7, 8]


def test_a_limit_that_a_run_came_near_is_told():
    limits = TargetLimits(seconds=10, calls=100, output=1000, memory_mb=5_120)
    record = {"duration_ms": 8500.0, "stdout": "x" * 100}
    texts = [each.text for each in limits.near(record, 100, 6 << 30)]  # type: ignore[arg-type]
    assert texts == [
        "The run came near the limit of its time: 8.5 of 10 s",
        "The run came near the limit of its calls: 100 of 100 calls",
        "The run passed the limit of its memory: 6,144 of 5,120 MB",
    ]
    assert list(limits.near({"duration_ms": 1.0, "stdout": ""}, 1)) == []  # type: ignore[arg-type, typeddict-item]


def test_a_schema_that_a_target_refuses_is_told_if_the_script_uses_the_tool():
    from ptc_studio.core.registry import Target
    from ptc_studio.core.scripts import Visible
    from tests.support import FakeTool

    node = {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}}}
    recursive = {"type": "object", "properties": {"n": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}}
    tools = [
        FakeTool(lambda: 1, name="tree", parameters=recursive),
        FakeTool(lambda: 1, name="strict", parameters={"type": "object", "strict": True}),
        FakeTool(lambda: 1, name="remote", origin="MCP server x"),
        FakeTool(lambda: 1, name="unused", parameters=recursive),
    ]
    visible = [Visible((tool.spec.name,), Target(tool, tool.spec)) for tool in tools]
    code = "await tree({})\nawait strict({})\nawait remote({})"
    told = [each.text for each in check(find_target("anthropic"), Script(code), visible)]
    assert [text for text in told if "refers to itself" in text and "`tree`" in text]
    assert [text for text in told if "`strict: true`" in text]
    assert [text for text in told if "MCP connector" in text]
    assert not [text for text in told if "unused" in text]
