"""What a script in the `python` runtime tries in order to get out, and what the record says of it."""

import asyncio
import contextlib
import json
import os
import shutil
import socket
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes import catalog as catalog_module
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.process_runtime import Freedoms, ProcessRuntime
from ptc_studio.runtimes.sandbox import Bounds, Confiner, PlainProcess, launch
from ptc_studio.runtimes.sandbox.confiners import Bubblewrap, Landlock
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


# What a process tries; each is undone at once if it succeeds. The names are the rows of the table in SECURITY.md.
PROBE = """
import ctypes, fcntl, json, os, resource, socket, sys
facts = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)

def made(path):
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    os.unlink(path)

def connected(family, address):
    with socket.socket(family) as tried:
        tried.settimeout(5)
        tried.connect(address)

def checked(result):
    if result:
        raise OSError(ctypes.get_errno(), "refused")

def mounted():
    checked(libc.unshare(0x20000))
    checked(libc.mount(b"none", b"/mnt", b"tmpfs", 0, None))
    libc.umount(b"/mnt")

def sent():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", facts["workspace"] + "/d")

def watched():
    if libc.inotify_add_watch(libc.inotify_init(), facts["canary"].encode(), 0xFFF) < 0:
        raise OSError(ctypes.get_errno(), "refused")

def leased():
    file = os.open(facts["workspace"] + "/data.txt", os.O_RDONLY)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)

attempts = {
    "read a file of the user's": lambda: open(facts["canary"]).read(),
    "write to the workspace": lambda: made(facts["workspace"] + "/new"),
    "write beside the workspace": lambda: made(facts["beside"] + "/new"),
    "write to the system's programs": lambda: made("/usr/bin/ptc-new"),
    "change the mode of a file of the user's": lambda: os.chmod(facts["canary"], 0o644),
    "reach a server on this machine": lambda: connected(socket.AF_INET, ("127.0.0.1", facts["port"])),
    "reach a socket without a file": lambda: connected(socket.AF_UNIX, chr(0) + facts["abstract"]),
    "reach a socket in the workspace": lambda: connected(socket.AF_UNIX, facts["workspace"] + "/s"),
    "see which programs run": lambda: os.stat(f"/proc/{facts['other']}/stat"),
    "look into the memory of another program": lambda: open(f"/proc/{facts['other']}/mem", "rb").close(),
    "signal the studio": lambda: os.kill(facts["other"], 0),
    "send to a socket of datagrams": sent,
    "watch a file of the user's": watched,
    "keep others waiting for a file that it reads": leased,
    "take the limits of another program away": lambda: resource.prlimit(
        facts["other"], resource.RLIMIT_NOFILE, resource.prlimit(0, resource.RLIMIT_NOFILE)
    ),
    "mount a file system": mounted,
    "open a kernel setting for writing": lambda: os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY)),
}
found = {}
for name, attempt in attempts.items():
    try:
        attempt()
        found[name] = "possible"
    except OSError as error:
        found[name] = "refused"
print(json.dumps(found))
"""
SYSTEM_PYTHON, NOBODY = "/usr/bin/python3", 65534
CONFINERS: dict[str, type] = {"bubblewrap": Bubblewrap, "Landlock": Landlock, "neither": PlainProcess}


@contextlib.contextmanager
def surroundings(user: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What there is to reach, as that user has it: files, sockets and another program of his."""
    # Not in /tmp, in whose place a confined process has a folder of its own.
    with tempfile.TemporaryDirectory(prefix="ptc-x-", dir="/var/tmp") as name, contextlib.ExitStack() as stack:
        beside = Path(name)
        (beside / "workspace").mkdir()
        (beside / "canary.txt").write_text("canary")
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = f"ptc-x-{os.getpid()}-{beside.name}"
        for address in (f"\0{abstract}", str(beside / "workspace" / "s")):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(address)
            listener.listen()
        datagrams = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        datagrams.bind(str(beside / "workspace" / "d"))
        (beside / "workspace" / "data.txt").write_text("x")
        other = stack.enter_context(subprocess.Popen(["sleep", "600"], **user))
        stack.callback(other.kill)
        for path in (beside, *beside.rglob("*")):
            path.chmod(0o777 if path.is_dir() or path.is_socket() else 0o644)
            if user:
                os.chown(path, NOBODY, NOBODY)
        yield {
            "canary": str(beside / "canary.txt"),
            "workspace": str(beside / "workspace"),
            "beside": str(beside),
            "port": server.getsockname()[1],
            "abstract": abstract,
            "other": other.pid,
        }


def tried(confiner: Confiner, bounds: Bounds, facts: dict[str, Any], user: dict[str, Any]) -> dict[str, str]:
    launched = confiner.launch([SYSTEM_PYTHON, "-I", "-c", PROBE, json.dumps(facts)], bounds)
    if user and launched.folder is not None:
        os.chown(launched.folder, NOBODY, NOBODY)
    try:
        told = subprocess.run(
            launched.argv,
            pass_fds=launched.fds,
            env={"PATH": "/usr/bin:/bin", **launched.environment},
            capture_output=True,
            timeout=60,
            check=False,
            **user,
        )
    finally:
        launched.close()
    assert told.returncode == 0, told.stderr.decode()
    return json.loads(told.stdout)


def is_for_everyone(path: Path) -> bool:
    return all(each.exists() and each.stat().st_mode & stat.S_IXOTH for each in (path, *path.parents))


def written_table() -> dict[str, dict[str, str]]:
    """The table of SECURITY.md: by attempt and way of confinement, what is said to happen."""
    text = (Path(__file__).resolve().parents[2] / "SECURITY.md").read_text()
    lines = text.partition("<!-- the table of escapes -->\n")[2].partition("\n\n")[0].splitlines()
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}


@pytest.fixture(params=["root", "user"])
def who(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Root plays the user, who may read neither the Python of the tests nor the checkout; a user cannot play root."""
    with tempfile.TemporaryDirectory(prefix="ptc-launcher-") as folder:
        if request.param == "user" and os.getuid() == 0:
            Path(folder).chmod(0o755)
            monkeypatch.setattr(os, "geteuid", lambda: NOBODY)
            monkeypatch.setattr(launch, "PYTHON", SYSTEM_PYTHON)
            monkeypatch.setattr(launch, "LAUNCHER", Path(shutil.copy(launch.LAUNCHER, folder)))
        yield request.param if os.getuid() == 0 else "user"


@pytest.mark.slow
def test_the_table_of_escapes_is_what_happens(who: str):
    played = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if who == "user" and os.getuid() == 0 else {}
    words = {"possible as root": "possible" if who == "root" else "refused"}
    expected = {
        column: {attempt: words.get(row[column], row[column]) for attempt, row in written_table().items()}
        for column in CONFINERS
    }
    with surroundings(played) as facts:
        workspace = Path(facts["workspace"])
        catalog = RuntimeCatalog(StdioRouter(), spare=0, workspace=workspace)
        checked = set()
        try:
            for info in catalog.discover():
                runtime = catalog.get(info.id) if info.available else None
                if isinstance(runtime, ProcessRuntime):
                    bounds = runtime.bounds(workspace)
                    if played:
                        bounds = replace(bounds, readable=tuple(filter(is_for_everyone, bounds.readable)))
                    for column, make in CONFINERS.items():
                        assert tried(make(), bounds, facts, played) == expected[column], (info.id, column)
                    checked.add(info.id)
        finally:
            catalog.close()
    assert {"python", "node"} <= checked


@pytest.mark.parametrize("confiner", [Bubblewrap(), Landlock()], ids=["bubblewrap", "landlock"])
async def test_of_a_folder_that_is_no_workspace_a_script_is_shown_what_it_names(
    confiner: Confiner, engine: Engine, project: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(catalog_module, "best_confiner", lambda: confiner)
    for name in ("helper.py", "a.csv", "b.csv", "taxes.txt"):
        (project / name).write_text("X = 1")
    code = "import glob, helper\nprint(open('data.txt').read(), helper.X, sorted(glob.glob('*.csv')))\nopen('tax' + 'es.txt')"
    runtimes = RuntimeCatalog(StdioRouter(), spare=0)
    try:
        runtimes.choose("python", "")
        script = Script(code, "script.py", str(project))
        record = await Session(engine.executor).execute(script, runtimes.get("python"))
    finally:
        runtimes.close()
    assert (record["stdout"], record["status"]) == ("mine 1 ['a.csv', 'b.csv']\n", "error"), record
    assert "a script is shown what its text names" in record["stderr"]
