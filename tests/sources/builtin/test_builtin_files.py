"""Files of the workspace, and nothing but those."""

import base64
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.sources.builtin import file_tools
from ptc_studio.sources.builtin.file_tools import glob_matcher


def test_what_is_written_is_read_again(tools: Any) -> None:
    assert tools("write_file", path="a/b/ü.txt", content="größe\n") == {"path": "a/b/ü.txt", "size": 8}
    assert tools("read_file", path="a/b/ü.txt") == {"content": "größe\n", "size": 8, "offset": 0, "end": 8}


def test_bytes_go_in_base64(tools: Any, workspace: Path) -> None:
    data = bytes(range(256))
    tools("write_file", path="x.bin", content=base64.b64encode(data).decode(), encoding="base64")
    assert (workspace / "x.bin").read_bytes() == data
    assert base64.b64decode(tools("read_file", path="x.bin", encoding="base64")["content"]) == data
    with pytest.raises(ValueError, match=r"'x.bin' is no UTF-8 text \(byte 128\): read it with encoding 'base64'"):
        tools("read_file", path="x.bin")
    with pytest.raises(ValueError, match="is no base64"):
        tools("write_file", path="x.bin", content="not base64!", encoding="base64")


def test_a_file_is_read_in_parts_that_never_cut_a_character(tools: Any, workspace: Path) -> None:
    text = "aé€😀" * 50
    (workspace / "t.txt").write_text(text, encoding="utf-8")
    read, at = "", 0
    while True:
        part = tools("read_file", path="t.txt", offset=at, limit=5)
        read, at = read + part["content"], part["end"]
        if at == part["size"]:
            break
    assert read == text


def test_a_part_beyond_the_end_is_empty(tools: Any, workspace: Path) -> None:
    (workspace / "t.txt").write_text("abc")
    assert tools("read_file", path="t.txt", offset=99) == {"content": "", "size": 3, "offset": 3, "end": 3}


def test_too_much_is_refused_with_the_remedy(make_tools: Any, workspace: Path) -> None:
    tools = make_tools(max_bytes=10)
    (workspace / "t.txt").write_text("a" * 11)
    with pytest.raises(ValueError, match="has 11 bytes to read, and at most 10 are read at once: read it in parts"):
        tools("read_file", path="t.txt")
    assert tools("read_file", path="t.txt", limit=10)["end"] == 10
    with pytest.raises(ValueError, match="would have 11 bytes; at most 10"):
        tools("write_file", path="u.txt", content="b" * 11)


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/passwd", "a/../../secret.txt", "link", "folder/secret.txt", "~/x/../../../.."]
)
def test_no_path_leads_out(tools: Any, workspace: Path, path: str) -> None:
    (workspace / "link").symlink_to(workspace.parent / "secret.txt")
    (workspace / "folder").symlink_to(workspace.parent)
    for tool, more in (("read_file", {}), ("write_file", {"content": "x"})):
        with pytest.raises(PermissionError, match="leads out of the workspace"):
            tools(tool, path=path, **more)
    assert (workspace.parent / "secret.txt").read_text() == "outside"


def test_a_dangling_link_out_is_not_written_through(tools: Any, workspace: Path) -> None:
    (workspace / "link").symlink_to(workspace.parent / "new.txt")
    with pytest.raises(PermissionError, match="leads out"):
        tools("write_file", path="link", content="x")
    assert not (workspace.parent / "new.txt").exists()


def test_links_within_the_workspace_work(tools: Any, workspace: Path) -> None:
    (workspace / "real").mkdir()
    (workspace / "short").symlink_to("real")
    tools("write_file", path="short/a.txt", content="x")
    assert (workspace / "real/a.txt").read_text() == "x"
    assert tools("read_file", path="short/a.txt")["content"] == "x"


def test_links_in_a_circle_are_an_error(tools: Any, workspace: Path) -> None:
    (workspace / "a").symlink_to("b")
    (workspace / "b").symlink_to("a")
    with pytest.raises(OSError, match="'a'"):
        tools("read_file", path="a")


def test_a_link_put_there_after_the_look_is_not_followed(
    tools: Any, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder becomes a link between the check and the opening."""
    (workspace / "sub").mkdir()
    (workspace / "sub/secret.txt").write_text("inside")
    look = file_tools.ConfinedFolder.steps

    def swapped(self: Any, path: str) -> tuple[str, ...]:
        steps = look(self, path)
        (workspace / "sub").rename(workspace / "gone")
        (workspace / "sub").symlink_to(workspace.parent)
        return steps

    monkeypatch.setattr(file_tools.ConfinedFolder, "steps", swapped)
    with pytest.raises(OSError, match="'sub/secret.txt' cannot be read"):
        tools("read_file", path="sub/secret.txt")


def test_a_race_of_links_never_reads_or_writes_outside(tools: Any, workspace: Path) -> None:
    inside, outside = workspace / "real", workspace.parent / "outside"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "f.txt").write_text(folder.name)
    over = threading.Event()

    def swap() -> None:
        spot = workspace / "spot"
        while not over.is_set():
            for target in (inside, outside):
                aside = workspace / "aside"
                aside.symlink_to(target)
                os.replace(aside, spot)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for number in range(300):
            try:
                assert tools("read_file", path="spot/f.txt")["content"] != "outside"
                tools("write_file", path="spot/new.txt", content=str(number))
            except OSError:
                continue
    finally:
        over.set()
        thread.join()
    assert sorted(path.name for path in outside.iterdir()) == ["f.txt"]
    assert (outside / "f.txt").read_text() == "outside"


def test_a_pipe_is_refused_and_not_waited_for(tools: Any, workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    with pytest.raises(IsADirectoryError, match="'pipe' cannot be read: it is a folder, or no plain file"):
        tools("read_file", path="pipe")
    with pytest.raises(OSError, match="'pipe'"):
        tools("write_file", path="pipe", content="x", mode="append")


@pytest.mark.parametrize(
    "path", ["studio.yaml", "./STUDIO.YAML", ".git/hooks/post-commit", "sub/.git/config", "tools/x.py"]
)
def test_what_decides_over_the_studio_is_not_written(make_tools: Any, workspace: Path, path: str) -> None:
    tools = make_tools(protected=(workspace / "tools",))
    with pytest.raises(PermissionError, match="scripts"):
        tools("write_file", path=path, content="x")
    assert list(workspace.iterdir()) == []


@pytest.mark.parametrize("last", range(3))
def test_no_repository_is_made_under_another_name(tools: Any, workspace: Path, last: int) -> None:
    parts = ["sub/HEAD", "sub/objects/x", "sub/refs/x"]
    parts.append(parts.pop(last))
    for path in parts[:2]:
        tools("write_file", path=path, content="x")
    with pytest.raises(PermissionError, match="not for scripts to write"):
        tools("write_file", path=parts[2], content="x")
    (workspace / parts[2]).parent.mkdir(exist_ok=True)
    (workspace / parts[2]).touch()
    with pytest.raises(PermissionError, match="not for scripts to write"):
        tools("write_file", path="sub/config", content="x")


def test_writing_keeps_the_mode_and_leaves_nothing_aside(tools: Any, workspace: Path) -> None:
    file = workspace / "run.sh"
    file.write_text("old")
    file.chmod(0o755)
    tools("write_file", path="run.sh", content="new")
    assert file.read_text() == "new"
    assert file.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in workspace.iterdir()] == ["run.sh"]


def test_create_and_append(tools: Any, workspace: Path) -> None:
    tools("write_file", path="a.txt", content="1", mode="create")
    with pytest.raises(FileExistsError, match="'a.txt' exists: write it with mode 'replace'"):
        tools("write_file", path="a.txt", content="2", mode="create")
    assert tools("write_file", path="a.txt", content="2", mode="append") == {"path": "a.txt", "size": 2}
    assert (workspace / "a.txt").read_text() == "12"
    assert len(list(workspace.iterdir())) == 1


def test_errors_name_the_path_as_it_was_given(tools: Any, workspace: Path) -> None:
    (workspace / "d").mkdir()
    (workspace / "f").write_text("")
    with pytest.raises(FileNotFoundError, match=r"There is no file 'no/where.txt' in the workspace\.$"):
        tools("read_file", path="no/where.txt")
    for path in ("d", ".", "./"):
        with pytest.raises(IsADirectoryError):
            tools("read_file", path=path)
        with pytest.raises(IsADirectoryError):
            tools("write_file", path=path, content="")
    with pytest.raises(NotADirectoryError, match="a part of the path is no folder"):
        tools("write_file", path="f/x", content="")
    with pytest.raises(ValueError, match="NUL"):
        tools("read_file", path="a\0b")


def test_files_are_listed(tools: Any, workspace: Path) -> None:
    for name in ("a.txt", "b.csv", "d/c.txt", "d/e/f.txt", ".hidden/x.txt"):
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text("123")
    (workspace / "out").symlink_to(workspace.parent)

    def paths(**arguments: Any) -> list[str]:
        return [file["path"] for file in tools("list_files", **arguments)["files"]]

    assert paths() == ["a.txt", "b.csv", "d", "out"]
    assert paths(pattern="*.txt") == ["a.txt"]
    assert paths(pattern="*.txt", recursive=True) == ["a.txt", "d/c.txt", "d/e/f.txt"]
    assert paths(pattern="**/*.txt", hidden=True) == ["a.txt", ".hidden/x.txt", "d/c.txt", "d/e/f.txt"]
    assert paths(folder="d", pattern="e/*.txt") == ["d/e/f.txt"]
    listed = tools("list_files", limit=2)
    assert listed["truncated"] is True
    assert listed["files"][0]["type"] == "file"
    assert listed["files"][0]["size"] == 3
    assert tools("list_files", pattern="out")["files"][0]["type"] == "link"
    with pytest.raises(PermissionError):
        tools("list_files", folder="out")
    with pytest.raises(FileNotFoundError):
        tools("list_files", folder="no")


@pytest.mark.parametrize(
    ("pattern", "fits", "not_"),
    [
        ("*.py", ["a.py"], ["a/b.py", "a.pyc"]),
        ("**/*.py", ["a.py", "a/b/c.py"], ["a.txt"]),
        ("a/**", ["a/b", "a/b/c"], ["b/a"]),
        ("[ab]?.t", ["ax.t", "b1.t"], ["cx.t", "a/.t"]),
        ("[!a]x", ["bx"], ["ax", "/x"]),
        ("a.b(c)", ["a.b(c)"], ["aXb(c)"]),
        ("[", ["["], ["x"]),
    ],
)
def test_patterns_mean_what_shells_mean(pattern: str, fits: list[str], not_: list[str]) -> None:
    matches = glob_matcher(pattern)
    assert all(matches(path) for path in fits)
    assert not any(matches(path) for path in not_)


def test_a_hostile_pattern_takes_no_time() -> None:
    assert not glob_matcher("*a" * 200 + "b")("a" * 5000)


def test_the_plain_way_refuses_the_same(tools: Any, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system without handles of folders."""
    monkeypatch.setattr(file_tools, "HAS_FOLDER_HANDLES", False)
    tools("write_file", path="a/b.txt", content="x")
    assert tools("read_file", path="a/b.txt")["content"] == "x"
    assert [file["path"] for file in tools("list_files", recursive=True)["files"]] == ["a", "a/b.txt"]
    with pytest.raises(PermissionError):
        tools("read_file", path="../secret.txt")
