"""A disk that fills up, as a small tmpfs in a mount namespace: what was there stays, what cannot be written is told."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# In a program of its own, whose folder is on the small disk; it says `ok` for each thing that held.
STORY = """
import json
from pathlib import Path
from ptc_studio.storage.buffers import Buffer, BufferStore
from ptc_studio.storage.settings import Settings
from ptc_studio.storage.text_files import TextFile, TextFileError, write_text

disk = Path(sys.argv[1])
settings, store = Settings(disk / "data" / "settings.json"), BufferStore(disk / "buffers")
settings.set("theme", "dark")
assert store.save(Buffer("1", "one", "python", text="typed")) is None
script = disk / "script.py"
write_text(script, TextFile("print(1)\\n"))

filler = (disk / "filler").open("wb", buffering=0)
try:
    while True:
        filler.write(bytes(1 << 16))
except OSError as error:
    assert error.errno == 28
try:
    while True:
        filler.write(b"x")
except OSError:
    pass

settings.set("docks", "x" * 20_000)
assert json.loads((disk / "data" / "settings.json").read_text()) == {"theme": "dark"}
print("ok settings")
told = store.save(Buffer("1", "one", "python", text="y" * 20_000))
assert told and "No space left on device" in told, told
assert store.load().buffers[0].text == "typed"
print("ok buffers")
try:
    write_text(script, TextFile("z" * 20_000))
except TextFileError as error:
    assert "cannot be saved: No space left on device" in str(error), error
assert script.read_text() == "print(1)\\n"
print("ok script")
assert not list(disk.rglob("*.part"))
print("ok nothing left over")

(disk / "filler").unlink()
filler.close()
settings.set("zoom", 1.2)
kept = json.loads((disk / "data" / "settings.json").read_text())
assert (kept["theme"], kept["zoom"], len(kept["docks"])) == ("dark", 1.2, 20_000)
assert store.save(Buffer("1", "one", "python", text="y" * 20_000)) is None
write_text(script, TextFile("z" * 20_000))
print("ok afterwards")
"""
RUN = """
import subprocess, os
env = {**os.environ, "HOME": str(disk), "XDG_DATA_HOME": str(disk / "data"), "XDG_CACHE_HOME": str(disk / "cache")}
def studio(*words):
    return subprocess.run([sys.executable, "-m", "ptc_studio", *words], env=env, cwd=disk, capture_output=True, text=True, timeout=100)

done = studio("run", "script.py", "--runtime", "python", "--json")
assert json.loads(done.stdout)["status"] == "ok", done
with (disk / "filler").open("wb", buffering=0) as filler:
    try:
        while True:
            filler.write(bytes(1 << 12))
    except OSError:
        pass
done = studio("run", "script.py", "--runtime", "python", "--json")
assert json.loads(done.stdout)["status"] == "ok", done
assert "Traceback" not in done.stderr, done.stderr
print("ok run")
(disk / "filler").unlink()
before = json.loads(studio("history", "--json").stdout)
done = studio("run", "script.py", "--runtime", "python", "--json")
after = json.loads(studio("history", "--json").stdout)
assert len(after["runs"]) == len(before["runs"]) + 1 >= 2, (before, after)
print("ok history")
"""


def on_a_small_disk(code: str, tmp_path: Path, megabytes: int) -> list[str]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f'mount -t tmpfs -o size={megabytes}m none {disk} && exec {sys.executable} -c "$CODE" {disk}'
    users = [] if os.getuid() == 0 else ["--user", "--map-root-user"]
    done = subprocess.run(
        ["unshare", *users, "--mount", "sh", "-c", mount],
        env={**os.environ, "CODE": f"import sys\n{textwrap.dedent(code)}", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_full_disk_is_told_and_nothing_that_was_there_is_lost(tmp_path: Path):
    assert on_a_small_disk(STORY, tmp_path, 1) == [
        "ok settings",
        "ok buffers",
        "ok script",
        "ok nothing left over",
        "ok afterwards",
    ]


@pytest.mark.slow
@pytest.mark.timeout(200)
def test_a_script_runs_on_a_full_disk_and_the_history_goes_on_when_there_is_room_again(tmp_path: Path):
    start = (
        "from pathlib import Path\nimport json\ndisk = Path(sys.argv[1])\n(disk / 'script.py').write_text('print(1)')\n"
    )
    assert on_a_small_disk(start + RUN, tmp_path, 4) == ["ok run", "ok history"]
