"""What git believes in a workspace that scripts may write: theirs to read, and none of their own making."""

import subprocess
from pathlib import Path

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes import catalog as catalog_module
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.process_runtime import Freedoms
from ptc_studio.runtimes.sandbox import Confiner, PlainProcess
from ptc_studio.runtimes.sandbox.confiners import Bubblewrap, Landlock
from ptc_studio.runtimes.sandbox.repositories import repositories_in
from ptc_studio.runtimes.stdio import StdioRouter
from tests.support import Engine

MAKES = """
import pathlib
def make(path, text=""):
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(path).write_text(text)
for top in ("data/new/.git", "data/bare"):
    make(f"{top}/HEAD", "ref: refs/heads/main\\n")
    make(f"{top}/objects/x")
    make(f"{top}/refs/x")
    make(f"{top}/config", "[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = touch EXECUTED\\n")
make("data/linked/.git", "gitdir: ../new/.git")
try:
    make("vendor/theirs/.git/config", "[core]\\n\\tfsmonitor = touch EXECUTED\\n")
except OSError:
    print("held")
"""


def git(folder: Path) -> str:
    """What git does there that everybody does, such as a prompt."""
    told = subprocess.run(
        ["git", "-c", "safe.directory=*", "status"], cwd=folder, capture_output=True, text=True, check=False
    )
    return told.stdout + told.stderr


@pytest.mark.parametrize("confiner", [Bubblewrap(), Landlock(), PlainProcess()], ids=lambda each: each.id)
async def test_git_executes_nothing_that_a_script_left_in_a_writable_workspace(
    confiner: Confiner, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(catalog_module, "best_confiner", lambda: confiner)
    theirs = tmp_path / "vendor" / "theirs"
    theirs.mkdir(parents=True)
    (tmp_path / "data").mkdir()
    subprocess.run(["git", "init", "-q", "."], cwd=theirs, check=True)
    config = (theirs / ".git" / "config").read_text()
    freedoms = Freedoms(workspace_writable=True, protected=(tmp_path / ".git",))
    catalog = RuntimeCatalog(StdioRouter(), workspace=tmp_path, freedoms={"python": freedoms})
    try:
        catalog.choose("python", "")
        script = Script(MAKES.replace("EXECUTED", f"{tmp_path}/executed"), "script.py", str(tmp_path))
        record = await Session(engine.executor).execute(script, catalog.get("python"))
    finally:
        catalog.close()
    assert record["status"] == "ok", record
    if confiner.id != PlainProcess.id:
        assert record["stdout"] == "held\n"
        assert (theirs / ".git" / "config").read_text() == config
        assert "No commits yet" in git(theirs)
    for name in ("new", "bare", "linked"):
        assert "fatal: not a git repository" in git(tmp_path / "data" / name)
    assert not (tmp_path / "executed").exists()
    for mark in ("data/new/.git", "data/bare/HEAD", "data/linked/.git"):
        name = f"{Path(mark).name}-made-by-a-script"
        assert (
            f"'{mark}' was made during this run, and git would execute what it names: it is called '{name}' now."
            in (record["stderr"])
        )
        assert (tmp_path / mark).with_name(name).exists()


def test_what_was_there_stays_and_a_folder_that_is_too_large_is_told(tmp_path: Path):
    for name in ("a/.git", "b/objects", "b/refs"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "b" / "HEAD").touch()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    found = repositories_in(tmp_path)
    assert found.protected == (tmp_path / "a/.git", tmp_path / "b")
    assert list(found.set_aside_new()) == []
    assert (tmp_path / "a/.git").is_dir()
    assert (tmp_path / "b/HEAD").is_file()
    [told] = repositories_in(tmp_path, most=1).set_aside_new()
    assert "too much to be looked through" in told
    assert repositories_in(tmp_path) == found
