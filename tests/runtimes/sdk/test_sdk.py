"""The SDKs to copy: a script in a folder of its own, with the one file beside it, against a served studio."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.locations import RUNTIMES
from tests.gateway.http.served import TOOLS, Served, serving

SDKS = {"python": RUNTIMES / "python" / "ptc_tools.py", "node": RUNTIMES / "node" / "ptc_tools.mjs"}
OURS = ("PTC_URL", "PTC_JOB_ID", "PTC_TOKEN")
THEIRS = ("IRONCLAW_ORCHESTRATOR_URL", "IRONCLAW_JOB_ID", "IRONCLAW_WORKER_TOKEN")
WORKSPACE = "sources:\n  - {kind: builtin, permission: allow}\n"
NODE = shutil.which("node", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}") or "node"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "studio.yaml").write_text(WORKSPACE)
    (folder / "page.txt").write_text("what it says")
    more = '\ndef shell(command: str) -> str:\n    """Stands for one."""\n    return f"ran {command}"\n'
    with serving(folder, "--workspace", ".", tools=TOOLS + more) as one:
        yield one


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(language: str, code: str, variables: dict[str, str]) -> "subprocess.CompletedProcess[str]":
        shutil.copy(SDKS[language], tmp_path)
        script = tmp_path / ("script.py" if language == "python" else "script.mjs")
        script.write_text(code)
        # -I and -S: nothing but the standard library is there.
        command = [sys.executable, "-S", str(script)] if language == "python" else [NODE, str(script)]
        environment = {"PATH": os.environ["PATH"], **variables}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=50, check=False)

    return run


def variables(served: Served, names: tuple[str, ...] = OURS) -> dict[str, str]:
    return dict(zip(names, (served.url, served.job_id, served.token), strict=True))


def printed(done: "subprocess.CompletedProcess[str]") -> list[Any]:
    assert (done.returncode, done.stderr) == (0, ""), done
    return [json.loads(line) for line in done.stdout.splitlines()]


PYTHON = """
import asyncio, json
from ptc_tools import *
def show(value): print(json.dumps(value))
show(call_tool("add", {"a": 1, "b": 2}))
show(tools.add(1, b=2))
show(tools.calc.add(1, 2))
show(tools["echo"](message="é"))
show(tools.listing())
async def main():
    return await asyncio.gather(aio.add(1, 2), call_tool_async("add", {"a": 3, "b": 4}))
show(asyncio.run(main()))
for call in (lambda: tools.fail("x"), lambda: tools.nope(), lambda: call_tool("slow", {"seconds": 30}, 1), lambda: tools.add(1)):
    try:
        call()
    except ToolError as error:
        show([error.status, error.error_type, [base.__name__ for base in (KeyError, LookupError, TimeoutError, TypeError) if isinstance(error, base)]])
show([read_file("page.txt"), shell("ls")])
show(sorted(tool["name"] for tool in list_tools())[:2])
show("add" in dir(tools))
try:
    tools.add(1, a=2)
except TypeError as error:
    show(str(error))
"""
JAVASCRIPT = """
import { callTool, tools, ToolError, readFile, shell, listTools } from "./ptc_tools.mjs";
const show = (value) => console.log(JSON.stringify(value));
show(await callTool("add", { a: 1, b: 2 }));
show(await tools.add({ a: 1, b: 2 }));
show(await tools.calc.add({ a: 1, b: 2 }));
show(await tools.echo({ message: "é" }));
show(await tools.listing());
show(await Promise.all([tools.add({ a: 1, b: 2 }), tools.add({ a: 3, b: 4 })]));
for (const call of [() => tools.fail({ why: "x" }), () => tools.nope(), () => callTool("slow", { seconds: 30 }, { timeoutSecs: 1 }), () => tools.add({ a: 1 })]) {
  try { await call(); } catch (error) { show([error.status, error.type, error instanceof ToolError]); }
}
show([await readFile("page.txt"), await shell("ls")]);
show((await listTools()).map((tool) => tool.name).sort().slice(0, 2));
"""
VALUES = [3, 3, 3, "é", {"names": ["é", "b"], "none": None}, [3, 7]]


@pytest.mark.parametrize("names", [OURS, THEIRS])
def test_the_python_sdk_calls_by_name_awaits_and_raises_what_the_tool_raised(served: Served, run: Run, names: Any):
    lines = printed(run("python", PYTHON, variables(served, names)))
    assert lines[:6] == VALUES
    assert lines[6:10] == [
        ["error", "KeyError", ["KeyError", "LookupError"]],
        ["not_found", "LookupError", ["LookupError"]],
        ["timeout", "TimeoutError", ["TimeoutError"]],
        ["invalid", "TypeError", ["TypeError"]],
    ]
    assert lines[10:13] == [["what it says", "ran ls"], ["add", "echo"], True]
    assert lines[13:] == ["add got multiple values for argument 'a'"]


@pytest.mark.parametrize("names", [OURS, THEIRS])
def test_the_sdk_for_node_does_the_same(served: Served, run: Run, names: Any):
    lines = printed(run("node", JAVASCRIPT, variables(served, names)))
    assert lines[:6] == VALUES
    assert lines[6:10] == [
        ["error", "KeyError", True], ["not_found", "LookupError", True],
        ["timeout", "TimeoutError", True], ["invalid", "TypeError", True],
    ]  # fmt: skip
    assert lines[10:] == [["what it says", "ran ls"], ["add", "echo"]]


ASK = {
    "python": "from ptc_tools import *\ntry: call_tool('echo', {'message': 'x'})\nexcept EndpointError as error: print(error)",
    "node": "import * as sdk from './ptc_tools.mjs';\n"
    "try { await sdk.callTool('echo', { message: 'x' }); } catch (error) { console.log(error.message); }",
}


@pytest.mark.parametrize("language", SDKS)
def test_what_is_missing_or_wrong_is_told_in_a_sentence(served: Served, run: Run, language: str):
    right = variables(served)
    assert (
        "PTC_JOB_ID (or IRONCLAW_JOB_ID) is not set" in run(language, ASK[language], {**right, "PTC_JOB_ID": ""}).stdout
    )
    assert run(language, ASK[language], {**right, "PTC_TOKEN": "x"}).stdout.startswith("HTTP 401: A valid token")
    assert run(language, ASK[language], {**right, "PTC_JOB_ID": "x"}).stdout.startswith(
        "HTTP 404: There is no such job"
    )
    assert "is no address" in run(language, ASK[language], {**right, "PTC_URL": "nonsense"}).stdout
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert "Nobody answers" in run(language, ASK[language], {**right, "PTC_URL": f"http://127.0.0.1:{port}"}).stdout


@pytest.mark.parametrize("language", SDKS)
@pytest.mark.parametrize(
    ("answers", "made", "shown"),
    [
        # Turned away before anything was done: asked again.
        ([b"HTTP/1.1 429 X\r\nRetry-After: 0\r\nContent-Length: 2\r\n\r\n{}"] * 2 + [b""], 3, "broke"),
        # Perhaps done: never asked again.
        ([b""], 1, "whether the call was made is not known"),
    ],
)
def test_a_call_is_repeated_only_where_it_cannot_have_been_made(
    run: Run, language: str, answers: list[bytes], made: int, shown: str
):
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(20)

        def serve() -> None:
            for answer in answers:
                connection, _ = listening.accept()
                with connection:
                    asked.append(connection.recv(65536))
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        address = {"PTC_URL": f"http://127.0.0.1:{listening.getsockname()[1]}", "PTC_JOB_ID": "j", "PTC_TOKEN": "t"}
        done = run(language, ASK[language], address)
        thread.join()
    assert shown in done.stdout
    assert len(asked) == made


LOOP = """
import sys
from ptc_tools import EndpointError, tools
done = 0
try:
    while True:
        assert tools.echo(message=str(done)) == str(done)
        done += 1
        if done == 20:
            print("warm", flush=True)
except EndpointError as error:
    print(done, error, flush=True)
"""


def test_a_killed_endpoint_is_a_clear_error_and_a_restarted_one_takes_no_old_token(tmp_path: Path):
    shutil.copy(SDKS["python"], tmp_path)
    (tmp_path / "loop.py").write_text(LOOP)
    with serving(tmp_path) as served:
        environment = {"PATH": os.environ["PATH"], **variables(served)}
        clients = [
            subprocess.Popen(
                [sys.executable, "loop.py"], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
            )
            for _ in range(3)
        ]
        for client in clients:
            assert client.stdout is not None
            assert client.stdout.readline() == "warm\n"
        served.process.kill()
        served.process.wait()
        ends = [client.communicate(timeout=50)[0] for client in clients]
    for end in ends:
        number, _, message = end.partition(" ")
        assert int(number) >= 20
        assert "Nobody answers" in message or "whether the call was made is not known" in message
    with serving(tmp_path, "--port", str(served.port)) as again:
        status, _ = again.request("GET", f"{again.job}/tools", headers={"Authorization": f"Bearer {served.token}"})
        assert status == 401
        assert again.call("echo", {"message": "x"})["output"] == "x"
