"""IronClaw's rules, each by its name."""

import pytest

from tests.targets.conftest import Deployed

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_text_runs_inside_a_try_with_json_sys_and_os_imported(deployed: Deployed):
    code = "print(json.dumps([os.sep]), sys.version_info[0])"
    assert await deployed.sees("ironclaw", code) == '["/"] 3\n'
    for broken, line in (("", 1), ("# nothing\n", 1), ("from __future__ import annotations\nprint(1)", 1)):
        assert (await deployed.run("ironclaw", broken))["status"] == "error"
        assert any(fails for _, _, fails in deployed.check("ironclaw", broken)), (broken, line)
    deployed.warned("ironclaw", 'x = """a\nb"""', 1, "indented by four spaces", fails=False)


async def test_call_tool_gives_text_within_its_timeout(deployed: Deployed):
    code = "print(repr(call_tool('add', {'a': 1, 'b': 2})), type(call_tool('stock', {'item': 'x'})).__name__)"
    assert await deployed.sees("ironclaw", code) == "'3' str\n"
    late = await deployed.run("ironclaw", "call_tool('slow', {'seconds': 5}, timeout_secs=1)")
    assert late["calls"][0]["status"] == "timeout"
    assert "Tool 'slow' failed: Tool execution timed out: slow" in late["stderr"]


async def test_shell_read_file_write_file_and_http_get_call_tools_of_their_own(deployed: Deployed):
    assert await deployed.sees("ironclaw", "print(shell('ls'))") == "ran ls\n"
    for call in ("read_file('a')", "write_file('a', 'b')", "http_get('http://x', {'A': 'b'}, timeout_secs=5)"):
        record = await deployed.run("ironclaw", call)
        assert record["calls"][0]["status"] == "not_found"
        deployed.warned("ironclaw", call, 1, "needs a tool called")


async def test_they_can_be_imported_as_ironclaw_tools(deployed: Deployed):
    code = "import ironclaw_tools\nfrom ironclaw_tools import call_tool as c, shell, read_file, write_file, http_get\n"
    assert await deployed.sees("ironclaw", code + "print(c('greet', {'name': 'x'}), shell('y'))") == "hello x ran y\n"


async def test_named_outputs_stand_below_the_output(deployed: Deployed):
    code = "ptc_output('a', 1)\nptc_output('b', [2])\nprint('x')"
    assert await deployed.sees("ironclaw", code) == 'x\n\n__PTC_OUTPUTS__\n{"a": 1, "b": [2]}\n'


async def test_a_failing_tool_is_a_runtime_error(deployed: Deployed):
    code = "try:\n    call_tool('fail', {'reason': 'closed'})\nexcept RuntimeError as error:\n    print(error)"
    assert await deployed.sees("ironclaw", code) == "Tool 'fail' failed: closed\n"


async def test_what_is_not_caught_is_one_line_on_stderr_and_exit_status_1(deployed: Deployed):
    record = await deployed.run("ironclaw", "print('begun')\nraise ValueError('bad')")
    assert (record["stderr"], record["return_code"]) == ("SCRIPT_ERROR: ValueError: bad\n", 1)
    assert record["error"]
    assert record["error"]["line"] == 2
    assert record["model_sees"] == "Script exited with code 1:\nSCRIPT_ERROR: ValueError: bad\n"
    assert await deployed.sees("ironclaw", "sys.exit(3)") == "Script exited with code 3"


async def test_the_model_sees_stderr_below_stdout(deployed: Deployed):
    code = "print('out')\nprint('err', file=sys.stderr)"
    assert await deployed.sees("ironclaw", code) == "out\n\n\n--- stderr ---\nerr\n"


async def test_the_reply_is_cut_at_65536_bytes(deployed: Deployed):
    seen = await deployed.sees("ironclaw", "print('é' * 40_000)")
    assert seen.endswith("\n\n[Output truncated at 65536 bytes]")
    assert len(seen.removesuffix("\n\n[Output truncated at 65536 bytes]").encode()) == 65_536


async def test_a_script_may_take_120_seconds(deployed: Deployed):
    record = await deployed.run("ironclaw", "while True: pass", timeout=0.3)
    assert (record["status"], record["model_sees"]) == ("timeout", "Tool execution timed out: ptc_script")
