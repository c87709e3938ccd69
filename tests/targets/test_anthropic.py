"""Anthropic's rules, each by its name."""

from dataclasses import replace

import pytest

from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.targets import Destination, TargetLimits, find_target
from tests.targets.conftest import Deployed

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_tool_takes_one_dict_and_gives_text(deployed: Deployed):
    code = (
        "print(type(await greet({'name': 'ann'})).__name__, await greet({'name': 'ann'}), await add({'a': 1, 'b': 2}))"
    )
    assert (await deployed.sees("anthropic", code))["stdout"] == "str hello ann 3\n"


async def test_a_result_that_is_no_text_is_encoded_as_json(deployed: Deployed):
    code = "import json\nx = await stock({'item': 'pear'})\nprint(type(x).__name__, json.loads(x)['tags'])"
    assert (await deployed.sees("anthropic", code))["stdout"] == "str ['red', 'ripe']\n"


async def test_keyword_and_positional_arguments_are_refused_with_a_clear_message(deployed: Deployed):
    for call in ("add(a=1, b=2)", "add(1, 2)", "add()", "greet('ann')"):
        record = await deployed.run("anthropic", f"await {call}")
        assert record["calls"] == []
        assert record["error"]
        assert "takes one dict, the whole input of the tool" in record["error"]["message"]
        deployed.warned("anthropic", f"await {call}", 1, "a tool takes one dict")


async def test_top_level_await_works_and_so_does_asyncio_run(deployed: Deployed):
    main = "import asyncio\nasync def main():\n    print(await greet({'name': 'bo'}))\nasyncio.run(main())"
    assert (await deployed.sees("anthropic", main))["stdout"] == "hello bo\n"
    both = "import asyncio\nawait greet({'name': 'a'})\nasyncio.run(greet({'name': 'b'}))"
    deployed.warned("anthropic", both, 3, "asyncio.run beside a top-level await", fails=False)


async def test_json_and_asyncio_are_not_imported_for_the_script_and_that_is_warned_of(deployed: Deployed):
    """Published examples do without the import: they run, and are told what they lack."""
    code = "row = json.loads(await stock({'item': 'pear'}))\nprint(await asyncio.gather(greet({'name': row['item']})))"
    record = await deployed.run("anthropic", code)
    assert (record["error"], record["stdout"]) == (None, "['hello pear']\n")
    assert [warning["line"] for warning in record["warnings"]] == [1, 2]
    assert all("is not imported for the script" in warning["message"] for warning in record["warnings"])
    deployed.warned("anthropic", "x = 1\nawait asyncio.sleep(0)", 2, "`asyncio` is not imported")


async def test_a_failing_tool_is_ordinary_text_and_no_exception(deployed: Deployed):
    record = await deployed.run("anthropic", "print(await fail({'reason': 'closed'}))\nprint(await nope({}))")
    assert record["stdout"] == "Error: closed\n"
    assert record["calls"][0]["status"] == "error"
    missing = await deployed.run("anthropic", "print(await price({'nope': 1}))")
    assert missing["stdout"].startswith("Error: Invalid parameters for tool 'price'")


async def test_an_unanswered_call_is_a_timeout_on_stderr(deployed: Deployed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deployed.studio, "limits", Limits(call_timeout_cap=0.2))
        seen = await deployed.sees("anthropic", "await slow({'seconds': 5})")
    assert seen["return_code"] == 1
    assert "TimeoutError: Calling tool ['slow'] timed out (no response after 270s)." in seen["stderr"]


async def test_the_model_sees_stdout_stderr_and_return_code_and_no_last_expression(deployed: Deployed):
    code = "import sys\nprint('out')\nprint('err', file=sys.stderr)\n40 + 2"
    assert await deployed.sees("anthropic", code) == {"stdout": "out\n", "stderr": "err\n", "return_code": 0}
    failed = await deployed.sees("anthropic", "print('out')\n1 / 0")
    assert (failed["stdout"], failed["return_code"]) == ("out\n", 1)
    assert failed["stderr"].endswith("ZeroDivisionError: division by zero\n")
    assert "line 2, in <module>" in failed["stderr"]


async def test_names_stay_from_one_cell_to_the_next_until_the_container_is_reset(deployed: Deployed):
    first = "import json\ndef double(n):\n    return n * 2\nbase = 20"
    await deployed.run("anthropic", first, container="c")
    second = await deployed.run("anthropic", "print(double(base) + 2, json.dumps(1))", container="c")
    assert (second["stdout"], second["warnings"]) == ("42 1\n", [])
    failed = await deployed.run("anthropic", "kept = 1\nraise ValueError(base)", container="c")
    assert failed["error"]
    assert failed["error"]["line"] == 2
    assert (await deployed.run("anthropic", "print(kept, await greet({'name': 'x'}))", container="c"))[
        "stdout"
    ] == "1 hello x\n"
    deployed.studio.containers.of("c").reset()
    assert (await deployed.run("anthropic", "base", container="c"))["status"] == "error"
    assert (await deployed.run("anthropic", "base"))["status"] == "error"


async def test_a_cell_may_take_90_seconds_and_then_its_time_is_up(deployed: Deployed):
    assert deployed.studio.session(target=find_target("anthropic")).run.limits.timeout == 90
    record = await deployed.run("anthropic", "print('begun')\nwhile True: pass", timeout=0.5, container="c")
    assert (record["status"], record["stdout"]) == ("timeout", "begun\n")
    assert record["model_sees"] == {
        "type": "code_execution_tool_result_error", "error_code": "execution_time_exceeded",
    }  # fmt: skip
    assert (await deployed.run("anthropic", "print('anew')", container="c"))["stdout"] == "anew\n"


async def test_a_cell_may_have_5_gib_of_memory(deployed: Deployed):
    """The kernel's own bound is twice what the studio watches over."""
    code = "import resource\nprint(resource.getrlimit(resource.RLIMIT_DATA)[0] / 2**30)"
    assert (await deployed.run("anthropic", code))["stdout"] == "10.0\n"
    assert (await deployed.run("plain", code))["stdout"] == "4.0\n"


async def test_a_cell_that_needs_more_memory_than_it_may_have_ends_and_one_that_came_near_is_warned_of(
    deployed: Deployed,
):
    small = replace(find_target("anthropic"), limits=TargetLimits(memory_mb=200, source="D"))

    async def run(megabytes: int):
        # Held until it was seen; every page is touched.
        code = f"print('begun')\nkept = b'x' * ({megabytes} << 20)\nimport time; time.sleep(0.5)"
        info = await deployed.studio.choose_runtime("python", "script.py")
        session = deployed.studio.session(target=small)
        return await deployed.studio.run(session, Script(code, "script.py"), info, Destination(small))

    excess = await run(300)
    assert (excess["status"], excess["error"]["type"]) == ("crashed", "MemoryError")
    assert "more than 200 MB of memory" in excess["error"]["message"]
    assert excess["model_sees"]["stdout"] == "begun\n"
    near = await run(165)
    assert near["status"] == "ok"
    (warning,) = near["warnings"]
    assert warning["message"].startswith("The run came near the limit of its memory: ")
    assert warning["message"].endswith(" of 200 MB (likely, from its documentation [D])")
    assert (await run(20))["warnings"] == []


async def test_a_top_level_return_is_no_python_there(deployed: Deployed):
    record = await deployed.run("anthropic", "await greet({'name': 'x'})\nreturn 5")
    assert (record["status"], record["calls"]) == ("error", [])
    assert "'return' outside function" in record["model_sees"]["stderr"]
    deployed.warned("anthropic", "return 5", 1, "`return` at the top level")
