"""What the shell has of its own; what it shares with every runtime is in `test_conformance`."""

import asyncio
import gc
import os
import socket
import threading
import time
from pathlib import Path

import pytest

from ptc_studio.core.registry import Grant
from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes.bash import BashRuntime
from ptc_studio.runtimes.protocol import CodeRuntime, DirectProjection
from tests.runtimes import stopping
from tests.runtimes.bash.conftest import Run
from tests.support import Engine, wait_until

PRINTS = {
    "what is piped in": ("""echo '{"a": 1}' | add --b 5""", "6\n"),
    "what is piped in explicitly": ("""echo '{"a": 1}' | add -""", "3\n"),
    "the command's own options win": ("""echo '{"a": 1, "b": 9}' | add --b 5""", "6\n"),
    "other input is left alone": ("echo hello | add 1", "3\n"),
    "lines of a loop are no arguments": (
        """printf '{"a":1}\\n{"b":5}\\n' | while read -r line; do add --a "$(jq '.a // 7' <<< "$line")"; done""",
        "3\n9\n",
    ),
    "texts are plain": ("call_tool echo --value 'a b'", "a b\n"),
    "texts as JSON": ("call_tool echo --value 'a b' --json", '"a b"\n'),
    "other values are JSON": ("""call_tool echo --value '{"a": [1, true, null]}'""", '{"a":[1,true,null]}\n'),
    "through jq": ("""call_tool echo --value '[1.5, 2]' | jq 'add * 100 | round'""", "350\n"),
    "functions and pipes": ('inc() { add --a "$1" --b 1; }\nseq 3 | while read -r n; do inc $n; done', "2\n3\n4\n"),
    "at once": ("for _ in 1 2 3 4 5; do meet & done\nwait", "true\n" * 5),
    "xargs": ("echo 1 2 | xargs -n 1 add", "3\n4\n"),
    "a function of the script's own wins": ("add() { echo own; }\nadd\ncommand add 1", "own\n3\n"),
    "a status of each kind": (
        """fail key; echo $?; mul --a 1; echo $?; call_tool nope; echo $?
call_tool sleep --seconds 5 --timeout 0.05; echo $?; add --b; echo $?""",
        "1\n2\n127\n124\n2\n",
    ),
    "Python": ("""python3 -c 'print(add(1, 2), add(a=5))'""", "3 7\n"),
    "Python in a substitution": (
        """echo "<$(python3 -c 'print(call_tool("calc.mul", {"a": 2, "b": 3}))')>\"""",
        "<6>\n",
    ),
    "a Python file, with bytes": (
        'printf \'print(hexed(b"\\\\xff"), echo(b"\\\\xff"))\' > a.py\npython3 a.py',
        "bytes ff b'\\xff'\n",
    ),
    "Python whose tool fails": (
        """python3 -c 'fail("key")' 2>&1 | tail -n 1; echo go on""",
        """RuntimeError: external_handler: KeyError: 'sku'\ngo on\n""",
    ),
    "Python that is not granted a tool": (
        """python3 -c 'nope()' 2>&1 | tail -n 1""",
        "RuntimeError: external_handler: LookupError: Tool not found: nope\n",
    ),
    "bytes": ("hexed --data:base64 AP8Q; call_tool echo --value:base64=AP8Q | base64 -d | wc -c", "bytes 00ff10\n3\n"),
    "a trap": ("trap 'echo bye' EXIT\nadd 1", "3\nbye\n"),
    "nothing of the studio in the environment": ("add 1 > /dev/null\nenv | grep -c PTC || true", "0\n"),
}
WAITS = {
    "computes": "add 1\nwhile :; do :; done",
    "computes in Python": "add 1\npython3 -c 'while True: pass'",
    "calls": "add 1\ncall_tool sleep --seconds 30",
    "waits for calls": "add 1\ncall_tool sleep --seconds 30 &\nwait",
    "sleeps": "add 1\nsleep 30",
    "calls again and again": "while :; do add 1; done",
    "is lost in jq": "add 1\njq -n 'def f: f; f'",
}


@pytest.mark.parametrize("case", PRINTS)
async def test_a_script_prints(case: str, run: Run):
    code, printed = PRINTS[case]
    record = await run(code)
    assert (record["stdout"], record["status"], record["error"]) == (printed, "ok", None)


async def test_an_error_is_told_on_stderr_and_in_the_status(run: Run):
    record = await run("fail --kind key\necho after $?")
    assert (record["stdout"], record["stderr"], record["status"]) == ("after 1\n", "KeyError: 'sku'\n", "ok")


async def test_a_failure_that_ends_the_script_is_its_error(run: Run):
    record = await run("set -e\nadd 1\nfail key\necho never")
    error = record["error"]
    assert (record["return_code"], record["stdout"]) == (1, "3\n")
    assert (error["type"], error["message"], error["line"]) == ("KeyError", "'sku'", 3)
    assert error["traceback"].endswith("script.sh: line 3: KeyError: 'sku'\n")


async def test_a_failure_that_was_dealt_with_is_not(run: Run):
    record = await run("fail key || echo caught\nexit 4")
    assert (record["return_code"], record["error"]["type"], record["error"]["line"]) == (4, "KeyError", 1)
    record = await run("fail key 2> /dev/null || echo caught\n\nexit 4")
    assert (record["error"]["type"], record["error"]["line"]) == ("SystemExit", 3)
    assert record["error"]["message"] == "The script ended with status 4."


async def test_errors_of_the_shell_have_their_line(run: Run):
    record = await run("echo a\n\nnonsense --now")
    assert (record["return_code"], record["error"]["type"], record["error"]["line"]) == (127, "BashError", 3)
    assert "nonsense: command not found" in record["error"]["message"]
    record = await run("ls /nowhere")
    assert "No such file or directory" in record["error"]["message"]


async def test_wrong_arguments_name_the_way_to_help(run: Run):
    record = await run("mul --a 1\nadd --timeout soon")
    assert "add: --timeout needs a number of seconds, not 'soon'; add --help shows how it is called" in record["stderr"]
    assert (record["return_code"], record["error"]["type"], record["error"]["line"]) == (2, "TypeError", 2)
    assert len(record["calls"]) == 1


async def test_the_line_of_a_call_is_known_wherever_it_stands(run: Run):
    code = """add 1
x=$(add 2)
if add 3 > /dev/null; then
  add 4 | cat
fi
each() {
  add "$1"
}
for n in 1 2; do
  each $n &
done
wait
echo "$(add 13)"
eval 'add 14'"""
    record = await run(code)
    assert sorted(call["line"] for call in record["calls"]) == [1, 2, 3, 4, 7, 7, 13, 14]


async def test_tools_and_help_list_what_there_is(run: Run):
    record = await run("tools\nhelp add\nadd --help\nhelp sleep")
    assert "  add --a VALUE [--b VALUE]\n      Adds two numbers.\n" in record["stdout"]
    assert record["stdout"].count("usage: add --a VALUE [--b VALUE]\n\nAdds two numbers.\n") == 2
    assert "usage: call_tool sleep --seconds VALUE\n" in record["stdout"]
    assert record["calls"] == []


async def test_without_tools_a_script_is_told_so(run: Run):
    record = await run("tools\nadd 1", grant=Grant(()))
    assert record["stdout"] == "No tools are granted to this script.\n"
    assert record["error"]["message"].endswith("No tools are granted to this script.")


async def test_what_is_not_granted_is_no_command_and_refused_by_name(run: Run):
    record = await run("mul 1 2; echo $?\ncall_tool mul 1 2; echo $?", grant=Grant(("add",)))
    assert record["stdout"] == "127\n126\n"
    assert [call["status"] for call in record["calls"]] == ["denied"]


async def test_files_of_this_machine_are_out_of_reach(run: Run, tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text("canary")
    record = await run(
        f"cat {secret}\ncat /etc/hostname\ncat < {secret}\necho x > {tmp_path}/made\nls {tmp_path.parent}"
    )
    assert "canary" not in record["stdout"]
    assert socket.gethostname() not in record["stdout"].split()
    assert list(tmp_path.iterdir()) == [secret]


async def test_the_network_is_out_of_reach(run: Run):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        record = await run(
            f"curl -s http://127.0.0.1:{port}\nwget http://127.0.0.1:{port}\ncat < /dev/tcp/127.0.0.1/{port}"
        )
        with pytest.raises(TimeoutError):
            server.accept()
    assert (record["return_code"], record["stdout"]) == (1, "")


@pytest.mark.parametrize("case", WAITS)
async def test_a_script_is_stopped_at_once_whatever_it_does(case: str, bash: BashRuntime, shop: Engine):
    # What cannot be interrupted goes on until its time is up, and would take a processor from all later tests.
    session = Session(shop.executor, limits=Limits(timeout=20))
    task = asyncio.ensure_future(session.execute(Script(WAITS[case], "script.sh"), bash))
    await stopping.until(lambda: stopping.written(shop), shop, task)
    if "call_tool" in WAITS[case]:
        await stopping.until(lambda: stopping.entered(session, "sleep"), shop, task)
    await asyncio.sleep(0.05)
    began = time.monotonic()
    session.stop()
    record = await task
    assert time.monotonic() - began < 20
    assert (record["status"], record["stdout"][:2], record["calls"][0]["status"]) == ("cancelled", "3\n", "ok")


async def test_more_calls_than_may_be_under_way_wait_their_turn(run: Run, shop: Engine):
    started, release = [], threading.Event()
    shop.add(lambda: started.append(1) or release.wait(20), name="slow")
    task = asyncio.ensure_future(run("for _ in $(seq 9); do slow & done\nwait", concurrent_calls=3))
    await stopping.until(lambda: len(started) >= 3, shop, task)
    await asyncio.sleep(0.05)
    assert len(started) == 3
    release.set()
    record = await task
    assert len(record["calls"]) == 9


async def test_output_that_the_shell_cuts_is_told(run: Run):
    line = "x" * 10_000
    record = await run(f"for _ in $(seq 1100); do echo {line}; done", output_bytes=1000)
    assert record["stderr"] == "bash: stdout is cut here: the shell passes on no more than 10 MiB of it\n"


async def test_many_runs_leave_nothing_behind(run: Run):
    codes = (
        "add 1",
        "fail key",
        "call_tool sleep --seconds 0.3 &\nwait",
        "while :; do :; done",
        "add 1 & add 2 & wait",
    )

    async def run_all(times: int) -> None:
        for number in range(times):
            await run(codes[number % 5], timeout=0.02 if number % 5 in (2, 3) else 30)

    await run_all(10)
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    await run_all(200)
    gc.collect()
    wait_until(lambda: len(os.listdir("/proc/self/fd")) <= before + 3)


async def test_it_is_a_code_runtime(bash: BashRuntime):
    assert isinstance(bash, CodeRuntime)
    bash.warm()
    tools = {"add": DirectProjection("add", lambda a, b: a + b)}
    result = await bash.execute('add "$base" 2', tools, extra_globals={"base": 1})
    bash.close()
    assert (result.stdout, result.return_code, result.error) == ("3\n", 0, None)
