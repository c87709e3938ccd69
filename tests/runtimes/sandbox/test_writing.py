"""Every path that a confined process can open for writing, change the mode of, or create files in.

It looks for itself wherever it is let, and tries what exists outside even where it may not look. As root these paths
matter most: who is root outside owns the kernel's settings and the machine's devices.
"""

import json
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.process_runtime import ProcessRuntime
from ptc_studio.runtimes.sandbox import Bounds, Confiner, launch
from ptc_studio.runtimes.stdio import StdioRouter

NOBODY = 65534
PYTHON = "/usr/bin/python3"
DEVICES = {f"/dev/{name}" for name in ("full", "null", "random", "urandom", "zero")}
OWN_TERMINALS = "/dev/pts/ptmx"

# Opens without truncating, sets the mode that a file has, and removes what it created: nothing changes if it gets through.
WALK = """
import json, os, stat, sys
names, found = json.load(open(sys.argv[1])), {"opened": [], "changed": [], "filled": []}
seen = set()

def tried(kind, path, attempt):
    try:
        attempt()
        found[kind].append(path)
    except OSError:
        pass

def look(path):
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return
    if path in seen or stat.S_ISLNK(mode):
        return
    seen.add(path)
    tried("changed", path, lambda: os.chmod(path, stat.S_IMODE(mode)))
    if stat.S_ISDIR(mode):
        new = path + "/ptc-written"
        tried("filled", path, lambda: (os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY)), os.unlink(new)))
    else:
        tried("opened", path, lambda: os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)))

for name in names:
    look(name)
for folder, folders, files in os.walk("/"):
    look(folder)
    for name in files:
        look(os.path.join(folder, name))
    if folder == "/":
        folders[:] = [name for name in folders if name not in sys.argv[2:]]
print(json.dumps(found))
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everyone may read, with the names of what there is outside: all of the kernel's and the devices'."""
    with tempfile.TemporaryDirectory(prefix="ptc-writing-") as folder:
        path = Path(folder)
        path.chmod(0o755)
        (path / "shown").mkdir()
        (path / "shown" / "outside.json").write_text(json.dumps(sorted(_outside())))
        yield path


def _outside() -> Iterator[str]:
    for top in ("/dev", "/etc", "/proc", "/run", "/sys/kernel", "/var", str(Path.home())):
        for folder, folders, files in os.walk(top):
            # Of processes: the first, and whoever asks. A home may be large.
            folders[:] = [name for name in folders if not name.isdigit() or name == "1"]
            if folder.count("/") > (3 if top.startswith(("/root", "/home", "/var")) else 7):
                folders.clear()
            yield folder
            yield from (f"{folder}/{name}" for name in files)
    yield from ("/proc/sysrq-trigger", "/proc/self/oom_score_adj", f"/proc/{os.getppid()}/oom_score_adj", "/", "/tmp")


@pytest.fixture(params=["root", "user"])
def who(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, place: Path) -> str:
    """Root plays the user, who may read neither the Python of the tests nor the checkout; a user cannot play root."""
    if request.param == "user" and os.getuid() == 0:
        monkeypatch.setattr(os, "geteuid", lambda: NOBODY)
        monkeypatch.setattr(launch, "PYTHON", PYTHON)
        monkeypatch.setattr(launch, "LAUNCHER", Path(shutil.copy(launch.LAUNCHER, place)))
    return request.param


def written(
    confiner: Confiner, bounds: Bounds, place: Path, who: str = "root", skip: Sequence[str] = ()
) -> dict[str, set[str]]:
    """What could be written, by the way in which, but for what lies in the process's own folder."""
    bounds = replace(bounds, readable=(*bounds.readable, place / "shown"))
    argv = [PYTHON, "-I", "-c", WALK, str(place / "shown" / "outside.json"), *skip]
    launch = confiner.launch(argv, bounds)
    options = {}
    if who == "user" and os.getuid() == 0:
        options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        if launch.folder is not None:
            os.chown(launch.folder, NOBODY, NOBODY)
    environment = {"PATH": "/usr/bin:/bin", **launch.environment}
    try:
        told = subprocess.run(
            launch.argv, pass_fds=launch.fds, env=environment, capture_output=True, timeout=120, check=False, **options
        )
    finally:
        launch.close()
    assert told.returncode == 0, told.stderr.decode()
    home = Path(launch.environment["HOME"])
    granted = (place / "shown", *bounds.writable, *bounds.readable)

    def own(path: Path) -> bool:
        return path.is_relative_to(home) and not any(path.is_relative_to(shown) for shown in granted)

    return {kind: {path for path in paths if not own(Path(path))} for kind, paths in json.loads(told.stdout).items()}


def allowed(confiner: Confiner, *folders: Path) -> dict[str, set[str]]:
    """All that may be written: its temporary folder, devices that keep nothing, and what was granted."""
    granted = set(map(str, folders))
    if confiner.id == "landlock":
        return {"opened": DEVICES, "filled": granted}
    own = {"/dev/shm"}
    return {
        "opened": DEVICES | {OWN_TERMINALS},
        "changed": own | granted | {"/dev/pts", OWN_TERMINALS},
        "filled": own | granted,
    }


def assert_no_more(found: dict[str, set[str]], most: dict[str, set[str]]) -> None:
    for kind, paths in most.items():
        assert sorted(found[kind] - paths) == [], kind
    assert "/dev/null" in found["opened"]


def test_nothing_is_written_but_its_own_folder(confiner: Confiner, who: str, place: Path):
    assert_no_more(written(confiner, Bounds(), place, who), allowed(confiner))


def test_the_network_opens_no_path(confiner: Confiner, who: str, place: Path):
    assert_no_more(written(confiner, Bounds(network=True), place, who, ["usr"]), allowed(confiner))


def test_a_compiler_writes_its_folders_and_no_more(confiner: Confiner, who: str, place: Path):
    folders = [place / "build", place / "cache"]
    for folder in folders:
        folder.mkdir()
        folder.chmod(0o777)
    found = written(confiner, Bounds(writable=tuple(folders)), place, who, ["usr"])
    assert_no_more(found, allowed(confiner, *folders))


def test_no_runtime_shows_more_that_can_be_written(confiner: Confiner, place: Path):
    workspace = place / "project"
    workspace.mkdir()
    catalog = RuntimeCatalog(StdioRouter(), spare=0, workspace=workspace)
    checked = []
    try:
        for info in catalog.discover():
            runtime = catalog.get(info.id) if info.available else None
            if isinstance(runtime, ProcessRuntime):
                assert_no_more(written(confiner, runtime.bounds(workspace), place, skip=["usr"]), allowed(confiner))
                checked.append(info.id)
    finally:
        catalog.close()
    assert {"python", "node"} <= set(checked)


def test_the_machines_devices_keep_their_mode(sandbox: Confiner, place: Path):
    before = {path: os.stat(path).st_mode for path in DEVICES}
    launch = sandbox.launch(
        ["/bin/sh", "-c", "chmod 600 /dev/full /dev/zero; echo on >/dev/null && echo used"], Bounds()
    )
    told = subprocess.run(launch.argv, pass_fds=launch.fds, capture_output=True, text=True, check=False)
    launch.close()
    after = {path: os.stat(path).st_mode for path in DEVICES}
    for path, mode in before.items():
        if after[path] != mode:
            os.chmod(path, stat.S_IMODE(mode))
    assert after == before
    assert told.stdout == "used\n"
