"""What a script in the `python` runtime tries in order to get out, and what the record says of it."""

import asyncio
import contextlib
import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.process_runtime import Freedoms
from ptc_studio.runtimes.stdio import StdioRouter
from tests.support import Engine, wait_until


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "data.txt").write_text("mine")
    (tmp_path / "private.txt").write_text("canary")
    return tmp_path / "project"


@pytest.fixture
def confined(project: Path) -> Iterator[RuntimeCatalog]:
    catalog = RuntimeCatalog(StdioRouter(), spare=0, workspace=project)
    yield catalog
    catalog.close()


async def attempt(
    code: str, catalog: RuntimeCatalog, engine: Engine, project: Path, granted: str = "", **more: Any
) -> dict[str, Any]:
    """Runs the script in the workspace; the record must say that it was confined, and what was granted."""
    catalog.choose("python", "")
    session = Session(engine.executor)
    script = Script(code, "script.py", str(project))
    record = await session.execute(script, catalog.get("python"), more)
    assert record["isolation"] == "bubblewrap" + granted
    assert catalog.choose("python", "").isolation == record["isolation"]
    return record


ATTEMPTS = {
    "reading /etc/shadow": ("open('/etc/shadow').read()", "FileNotFoundError"),
    "reading a file beside the workspace": ("open('../private.txt').read()", "FileNotFoundError"),
    "reading a file of the user's home": ("open(canary).read()", "FileNotFoundError"),
    "writing to the workspace": ("open('data.txt', 'w')", "OSError"),
    "writing to the kit": ("open(sys.modules['ptc_kit.tools'].__file__, 'a')", "OSError"),
    "writing to the system": ("open('/usr/bin/evil', 'w')", "OSError"),
    "connecting to a server of this machine": ("socket.create_connection(('127.0.0.1', port), 2)", "OSError"),
    "killing the studio": ("os.kill(studio, 9)", "ProcessLookupError"),
    "seeing other processes": ("assert os.path.exists(f'/proc/{studio}/environ')", "AssertionError"),
    "becoming root": ("os.setuid(0)", "PermissionError|OSError"),
    "mounting": (
        "import ctypes\nif ctypes.CDLL(None, use_errno=True).mount(b'none', b'/mnt', b'tmpfs', 0, None): raise OSError(ctypes.get_errno())",
        "OSError|PermissionError",
    ),
}


@pytest.mark.parametrize("name", ATTEMPTS)
async def test_an_escape_is_refused_and_the_script_goes_on(
    name: str, confined: RuntimeCatalog, engine: Engine, project: Path
):
    code, refusal = ATTEMPTS[name]
    body = "\n".join(f"    {line}" for line in code.splitlines())
    with socket.create_server(("127.0.0.1", 0)) as server, tempfile.NamedTemporaryFile(dir=Path.home()) as canary:
        facts = {"port": server.getsockname()[1], "studio": os.getpid(), "canary": canary.name}
        text = f"import os, socket, sys\ntry:\n{body}\nexcept Exception as e:\n    print(type(e).__name__, [c.__name__ for c in type(e).__mro__])\nelse:\n    print('escaped')\n"
        record = await attempt(text, confined, engine, project, **facts)
    assert record["status"] == "ok", record
    assert "escaped" not in record["stdout"]
    assert any(f"'{kind}'" in record["stdout"] for kind in refusal.split("|")), record["stdout"]
    assert (project / "data.txt").read_text() == "mine"


async def test_the_workspace_can_be_read_and_is_written_to_where_that_is_granted(engine: Engine, project: Path):
    catalog = RuntimeCatalog(
        StdioRouter(), spare=0, workspace=project, freedoms={"python": Freedoms(workspace_writable=True)}
    )
    try:
        code = "open('new.txt', 'w').write(open('data.txt').read() + ' too')"
        assert (await attempt(code, catalog, engine, project, ", workspace writable"))["error"] is None
    finally:
        catalog.close()
    assert (project / "new.txt").read_text() == "mine too"


async def test_the_network_is_there_where_it_is_granted(engine: Engine, project: Path):
    catalog = RuntimeCatalog(StdioRouter(), spare=0, workspace=project, freedoms={"python": Freedoms(network=True)})
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            code = f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 5).close()"
            assert (await attempt(code, catalog, engine, project, ", network"))["error"] is None
    finally:
        catalog.close()


async def test_a_fork_bomb_ends_with_the_run(confined: RuntimeCatalog, engine: Engine, project: Path):
    # Should it get away, it is over after a while; and it is never let loose where it is not confined.
    name = f"bomb-{os.getpid()}"
    code = f"import ctypes, os, time\nctypes.CDLL(None).prctl(15, b'{name}')\nend = time.monotonic() + 10\nprint('on', flush=True)\nwhile time.monotonic() < end:\n    try:\n        os.fork()\n    except OSError:\n        pass\n"
    confined.choose("python", "")
    assert confined.get("python").isolation == "bubblewrap"
    session, script = Session(engine.executor), Script(code, "script.py", str(project))
    task = asyncio.ensure_future(session.execute(script, confined.get("python")))
    while not task.done() and len(_named(name)) < 20:
        await asyncio.sleep(0.005)
    session.stop()
    record = await task
    assert record["status"] in ("cancelled", "crashed")
    assert record["stdout"].startswith("on\n")
    wait_until(lambda: not _named(name))


async def test_filling_the_disk_ends_at_the_size_of_the_temporary_folder(
    confined: RuntimeCatalog, engine: Engine, project: Path
):
    code = """
try:
    with open('/tmp/ptc-filling-the-disk', 'wb') as file:
        for _ in range(2000):
            file.write(bytes(1 << 20))
except OSError as error:
    print(error.strerror)
"""
    record = await attempt(code, confined, engine, project)
    assert "No space left on device" in f"{record['stdout']} {record['error']}" or "memory" in str(record["error"])
    assert not Path("/tmp/ptc-filling-the-disk").exists()


async def test_another_runs_token_and_channel_cannot_be_seen(confined: RuntimeCatalog, engine: Engine, project: Path):
    code = """
import glob, os
seen = []
for path in glob.glob('/proc/[0-9]*/environ'):
    try:
        seen += [part for part in open(path).read().split(chr(0)) if part.startswith('PTC_TOKEN=')]
    except OSError:
        pass
print(len(set(seen)), len(os.listdir('/proc/self/fd')) < 12)
"""
    held = threading.Event()
    engine.add(lambda: held.wait(20), name="hold")
    session = Session(engine.executor)
    confined.choose("python", "")
    other = asyncio.ensure_future(session.execute(Script("hold()", "o.py", str(project)), confined.get("python")))
    while not session.run.active:
        await asyncio.sleep(0.005)
    record = await attempt(code, confined, engine, project)
    held.set()
    await other
    assert record["stdout"] == "1 True\n"  # Its own.


def _named(name: str) -> list[str]:
    """The processes that call themselves so and have not ended."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            called, _, state = (entry / "stat").read_text().rpartition(") ")
            if called.endswith(f"({name}") and state[0] not in "ZX":
                found.append(entry.name)
    return found
