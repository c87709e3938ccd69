"""Faults while the workspace file is written, and others who write it, too."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ptc_studio.storage import text_files
from ptc_studio.storage.edited_file import ChangedOutside
from ptc_studio.storage.text_files import FolderBusy, locked
from ptc_studio.storage.workspace import WorkspaceError, read_workspace
from ptc_studio.storage.workspace_editor import WorkspaceEditor

TEXT = "version: 1\nsources:\n  - {kind: functions, name: a, path: a}\n  - {kind: functions, name: b, path: b}\nlimits: {timeout: 3}\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "studio.yaml"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("call", ["fsync", "replace", "open"])
@pytest.mark.parametrize(("number", "said"), [(errno.ENOSPC, "No space left"), (errno.EACCES, "Permission denied")])
def test_a_fault_of_the_disk_is_one_sentence_and_loses_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, said: str
):
    editor = WorkspaceEditor(path.parent)

    def fail(*args: object, **options: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        if call == "fsync":
            patched.setattr(os, "fsync", fail)
        else:
            patched.setattr(Path, call, fail)
        with pytest.raises(WorkspaceError, match=said) as raised:
            editor.set_limit("timeout", 9)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)
    assert path.read_text() == TEXT
    assert os.listdir(path.parent) == ["studio.yaml"]
    editor.set_limit("timeout", 9)
    assert read_workspace(path.parent).limits.timeout == 9


def test_a_program_killed_while_writing_leaves_the_file_as_it_was(path: Path):
    script = """
import os, signal, sys
from pathlib import Path
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
from ptc_studio.storage.workspace_editor import WorkspaceEditor
WorkspaceEditor(Path(sys.argv[1])).set_limit("timeout", 9)
"""
    done = subprocess.run([sys.executable, "-c", script, str(path.parent)], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert path.read_text() == TEXT
    (left,) = path.parent.glob(".*.part")
    WorkspaceEditor(path.parent).set_limit("timeout", 8)
    assert left.exists(), "it may be somebody's who is still writing"
    old = time.time() - 3600
    os.utime(left, (old, old))
    WorkspaceEditor(path.parent).set_limit("timeout", 9)
    assert os.listdir(path.parent) == ["studio.yaml"]


def test_a_file_made_read_only_is_not_replaced(path: Path):
    path.chmod(0o444)
    with pytest.raises(WorkspaceError, match="read-only"):
        WorkspaceEditor(path.parent).set_limit("timeout", 9)
    assert path.read_text() == TEXT


def test_permissions_stay_and_a_link_stays_a_link(path: Path, tmp_path_factory: pytest.TempPathFactory):
    target = tmp_path_factory.mktemp("elsewhere") / "real.yaml"
    path.rename(target)
    target.chmod(0o640)
    path.symlink_to(target)
    WorkspaceEditor(path.parent).set_limit("timeout", 9)
    assert path.is_symlink()
    assert "timeout: 9" in target.read_text()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_folder_that_is_gone_is_one_sentence(tmp_path: Path):
    editor = WorkspaceEditor(tmp_path / "gone")
    with pytest.raises(WorkspaceError, match="cannot be saved: No such file"):
        editor.set_limit("timeout", 1)


# Others who change the file


def test_changes_of_two_editors_come_together(path: Path):
    one, other = WorkspaceEditor(path.parent), WorkspaceEditor(path.parent)
    one.remove_source("a")
    other.replace_source("b", {"path": "c"})
    one.set_limit("timeout", 4)
    other.add_alias({"name": "x", "tool": "b.y"})
    one.set_source_permission(0, "ask")
    assert path.read_text() == (
        "version: 1\nsources:\n  - {kind: functions, name: b, path: c, permission: ask}\n"
        "aliases:\n  - name: x\n    tool: b.y\nlimits: {timeout: 4}\n"
    )


CONFLICTS: dict[str, tuple[str, str, Callable[[WorkspaceEditor], object]]] = {
    "an entry": ("path: b", "path: theirs", lambda editor: editor.replace_source("b", {"path": "mine"})),
    "an entry that is gone": ("  - {kind: functions, name: b, path: b}\n", "", lambda editor: editor.remove_source(1)),
    "an entry to be moved": ("path: b", "path: theirs", lambda editor: editor.move_source("b", 0)),
    "a value": ("timeout: 3", "timeout: 5", lambda editor: editor.set_limit("timeout", 4)),
}


@pytest.mark.parametrize("case", CONFLICTS)
def test_the_same_thing_changed_outside_is_told_with_both_texts(path: Path, case: str):
    old, new, operation = CONFLICTS[case]
    editor = WorkspaceEditor(path.parent)
    theirs = TEXT.replace(old, new)
    path.write_text(theirs)
    with pytest.raises(ChangedOutside) as raised:
        operation(editor)
    assert raised.value.theirs == theirs == path.read_text()
    assert raised.value.mine != TEXT
    assert editor.reread()
    assert not editor.reread()


def test_a_form_opened_before_a_merge_does_not_undo_what_others_did(path: Path):
    editor = WorkspaceEditor(path.parent)
    seen = editor.data["sources"][1]
    WorkspaceEditor(path.parent).replace_source("b", {"path": "theirs"})
    editor.set_limit("timeout", 4)
    with pytest.raises(ChangedOutside) as raised:
        editor.replace_source("b", {"path": "mine"}, seen=seen)
    assert ("path: mine" in raised.value.mine, "path: theirs" in raised.value.theirs) == (True, True)
    editor.replace_source("b", {"path": "mine"}, seen=editor.data["sources"][1])
    assert "path: mine" in path.read_text()


def test_a_file_removed_outside_is_not_made_again_unasked(path: Path):
    editor = WorkspaceEditor(path.parent)
    path.unlink()
    with pytest.raises(ChangedOutside, match="was removed"):
        editor.set_limit("timeout", 4)
    assert not path.exists()
    editor.reread()
    editor.set_limit("timeout", 4)
    assert read_workspace(path.parent).limits.timeout == 4


def test_a_file_broken_outside_is_told_with_its_line(path: Path):
    editor = WorkspaceEditor(path.parent)
    path.write_text("version: 1\na: [\n")
    with pytest.raises(WorkspaceError, match=r"studio\.yaml:\d+: not YAML"):
        editor.set_limit("timeout", 4)
    assert path.read_text() == "version: 1\na: [\n"


def test_undoing_what_somebody_else_built_upon_is_refused(path: Path):
    undo = WorkspaceEditor(path.parent).set_limit("timeout", 4)
    other = WorkspaceEditor(path.parent).set_limit("max_depth", 4)
    with pytest.raises(ChangedOutside):
        undo.undo()
    other.undo()
    undo.undo()
    assert path.read_text() == TEXT


def test_many_editors_at_once_lose_nothing(tmp_path: Path):
    def add(number: int) -> None:
        WorkspaceEditor(tmp_path).set_grant(f"g{number}", [f"t{number}"])

    WorkspaceEditor(tmp_path).create()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(12)))
    assert len(read_workspace(tmp_path).grants) == 12


def test_programs_at_once_lose_nothing(tmp_path: Path):
    script = """
import sys
from pathlib import Path
from ptc_studio.storage.workspace_editor import WorkspaceEditor
editor = WorkspaceEditor(Path(sys.argv[1]))
for number in range(5):
    editor.set_grant(sys.argv[2] + str(number), ["t"])
"""
    WorkspaceEditor(tmp_path).create()
    running = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), name]) for name in "ab"]
    assert [each.wait(60) for each in running] == [0, 0]
    assert len(read_workspace(tmp_path).grants) == 10


def test_a_folder_held_for_too_long_is_an_error_and_no_hang(path: Path):
    script = "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(path.parent)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout
    try:
        holder.stdout.readline()
        with pytest.raises(FolderBusy), locked(path.parent, patience=0.05):
            pass
    finally:
        holder.communicate(timeout=30)
    with locked(path.parent, patience=0.05):
        assert text_files.fcntl is not None
