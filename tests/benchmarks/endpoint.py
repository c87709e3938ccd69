"""The endpoint under load beside a bare starlette echo: 64 clients, 20,000 calls, none lost, none doubled, in order.

usage: python -m tests.benchmarks.endpoint [CALLS]
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks import window
from tests.gateway.http.served import Served, environment, serving

CLIENTS = 64
CALLS = 20_000
LIMIT = 2.5
"""Times the echo's time that the calls may take."""
TOOLS = '''
CALLS = []

def record(client: int, number: int, text: str) -> str:
    """Remembers that it was called."""
    CALLS.append((client, number))
    return text

def recorded() -> list:
    """All of it."""
    return CALLS
'''
ECHO = """
import json, socket, sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

async def echo(request):
    body = await request.json()
    return JSONResponse({"success": True, "output": body["parameters"]["text"], "duration_ms": 0, "was_sanitized": False})

bound = socket.socket()
bound.bind(("127.0.0.1", 0))
bound.listen(512)
print(bound.getsockname()[1], flush=True)
app = Starlette(routes=[Route("/worker/{job_id}/tools/call", echo, methods=["POST"])])
uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run([bound])
"""


class Load:
    """Clients that each make one call after the other, over a connection of their own."""

    def __init__(self, port: int, path: str, token: str, calls: int) -> None:
        self._port, self._path, self._token = port, path, token
        self._each = calls // CLIENTS
        self.latencies: list[float] = []
        self.wrong = 0

    async def run(self) -> float:
        """Seconds for all of it."""
        began = time.perf_counter()
        await asyncio.gather(*(self._client(number) for number in range(CLIENTS)))
        return time.perf_counter() - began

    async def _client(self, client: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        for number in range(self._each):
            text = f"{client}:{number}:" + "x" * 100
            call = {"tool_name": "record", "parameters": {"client": client, "number": number, "text": text}}
            body = json.dumps(call).encode()
            head = (
                f"POST {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAuthorization: Bearer {self._token}\r\n"
            )
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            began = time.perf_counter()
            writer.write(head.encode() + body)
            answer = await _answer(reader)
            self.latencies.append(time.perf_counter() - began)
            self.wrong += answer.get("output") != text
        writer.close()

    def percentile(self, share: float) -> float:
        """Milliseconds within which that share of the calls was answered."""
        return sorted(self.latencies)[int(len(self.latencies) * share)] * 1000


async def _answer(reader: asyncio.StreamReader) -> Any:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    return json.loads(await reader.readexactly(length))


def echo_time(calls: int) -> tuple[float, float, Load]:
    """Seconds of the same load on a bare echo, and those that its process worked."""
    with subprocess.Popen(
        [sys.executable, "-c", ECHO], stdout=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stdout is not None
        try:
            load = Load(int(process.stdout.readline()), "/worker/j/tools/call", "t", calls)
            before = processor_seconds(process.pid)
            return asyncio.run(load.run()), processor_seconds(process.pid) - before, load
        finally:
            process.kill()


def processor_seconds(pid: int) -> float:
    """What the process has worked so far: on a busy machine the only figure that means something."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """Memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6


def check(served: Served, calls: int) -> None:
    """None lost, none doubled, in order."""
    # The first of each client were to warm up.
    made = [tuple(pair) for pair in served.call("recorded", format="json")["output"]][CLIENTS:]
    assert len(made) == len(set(made)) == calls // CLIENTS * CLIENTS, (len(made), len(set(made)))
    for client in range(CLIENTS):
        numbers = [number for who, number in made if who == client]
        assert numbers == sorted(numbers), client


def with_window(calls: int, bare: float, bare_work: float) -> None:
    """The same with a window that shows them: twice, for what is bounded does not grow the second time."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "tools").mkdir()
        (place / "tools" / "calc.py").write_text(TOOLS)
        command = [sys.executable, "-m", "tests.benchmarks.window", "serving", folder]
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, env=window.environment(place), **pipes) as process:
            assert process.stdout is not None
            served = Served(process.stdout.readline(), process)
            path = f"{served.job}/tools/call"
            asyncio.run(Load(served.port, path, served.token, CLIENTS).run())
            sizes = [resident_mb(process.pid)]
            for _ in range(2):
                worked = processor_seconds(process.pid)
                load = Load(served.port, path, served.token, calls)
                seconds = asyncio.run(load.run())
                assert load.wrong == 0
                time.sleep(2)
                worked = processor_seconds(process.pid) - worked
                sizes.append(resident_mb(process.pid))
                grown = sizes[-1] - sizes[-2]
                print(
                    f"  window   {calls / seconds:8,.0f} calls/s   99 % within {load.percentile(0.99):6.1f} ms"
                    f"   memory +{grown:.0f} MB   ratio {seconds / bare:.2f}, of work {worked / bare_work:.2f}"
                )
            out, _ = process.communicate("")
        found = json.loads(out.splitlines()[-1])
        assert found["total"] >= 2 * (calls // CLIENTS * CLIENTS), found
        print(f"  window   longest gap {found['gap'] * 1000:.0f} ms, {found['shown']:,} of {found['total']:,} shown")


def main(calls: int = CALLS) -> float:
    """Measures and tells; gives how many times the echo's time the calls took."""
    bare, bare_work, echo = echo_time(calls)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), tools=TOOLS) as served:
        asyncio.run(Load(served.port, f"{served.job}/tools/call", served.token, CLIENTS).run())
        before, worked = resident_mb(served.process.pid), processor_seconds(served.process.pid)
        load = Load(served.port, f"{served.job}/tools/call", served.token, calls)
        seconds = asyncio.run(load.run())
        worked = processor_seconds(served.process.pid) - worked
        grown = resident_mb(served.process.pid) - before
        assert load.wrong == 0
        assert len(load.latencies) == calls // CLIENTS * CLIENTS
        check(served, calls)
    print(f"endpoint: {calls:,} calls of {CLIENTS} clients")
    print(f"  echo     {calls / bare:8,.0f} calls/s   99 % within {echo.percentile(0.99):6.1f} ms")
    print(
        f"  tools    {calls / seconds:8,.0f} calls/s   99 % within {load.percentile(0.99):6.1f} ms   memory +{grown:.0f} MB"
    )
    print(f"  ratio    {seconds / bare:8.2f}           (at most {LIMIT}), of work {worked / bare_work:.2f}")
    print(f"  work     {worked / calls * 1e6:8.0f} µs a call, the echo's {bare_work / calls * 1e6:.0f}")
    with_window(calls, bare, bare_work)
    return seconds / bare


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else CALLS)
