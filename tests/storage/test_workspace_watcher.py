"""What differs between two states of the workspace file, and noticing that it does."""

import os
from pathlib import Path

import pytest

from ptc_studio import bounded_files
from ptc_studio.bounded_files import FileWatch, Reading, reading_of
from ptc_studio.storage.workspace import WorkspaceFile
from ptc_studio.storage.workspace_watcher import differences

SHOP = {"kind": "functions", "name": "shop", "path": "tools"}
NODE = {"kind": "mcp", "name": "node", "command": "node", "args": ["a", "b"], "env": {"KEY": "v1"}}
CHEAP = {"name": "cheap", "tool": "shop.price", "preset": {"qty": 3}}
BASE = {"sources": [SHOP, NODE], "aliases": [CHEAP], "grants": {"ro": ["a", "b"]}, "limits": {"timeout": 3}}

CASES = [
    ({}, []),
    ({"sources": [{**SHOP, "isolation": "thread"}, NODE]}, []),
    ({"sources": [{**SHOP, "path": "tools2"}, NODE]}, ["source shop: path tools → tools2"]),
    ({"sources": [SHOP]}, ["source node: removed"]),
    ({"sources": [SHOP, NODE, {**SHOP, "name": "more", "path": "m"}]}, ["source more: added (functions)"]),
    ({"sources": [NODE, SHOP]}, ["sources: in another order"]),
    ({"sources": [{**SHOP, "name": "store"}, NODE]}, ["source shop: name shop → store"]),
    ({"sources": [SHOP, {**NODE, "args": ["b", "c"], "env": {"KEY": "v2"}}]}, ["source node: args +c −a, env.KEY changed"]),
    ({"sources": [SHOP, {**NODE, "timeout": 5}]}, ["source node: timeout nothing → 5.0"]),
    ({"aliases": []}, ["alias cheap: removed"]),
    ({"aliases": [CHEAP, {"name": "x", "tool": "y"}]}, ["alias x: added for y"]),
    ({"aliases": [{**CHEAP, "preset": {"qty": 4}, "enabled": False}]}, ["alias cheap: preset.qty 3 → 4, enabled true → false"]),
    ({"aliases": [{**CHEAP, "description": "long " * 30}]}, [f"alias cheap: description nothing → {('long ' * 30)[:39]}…"]),
    ({"grants": {"ro": ["b", "a"]}}, ["grant ro: in another order"]),
    ({"grants": {"ro": ["a", "c"], "rw": ["*"]}}, ["grant ro: +c −b", "grant rw: added"]),
    ({"limits": {"timeout": 3, "max_depth": 4}}, ["limits: max_depth nothing → 4"]),
    ({"runtimes": {"bash": {"network": True}}}, ["runtime bash: added"]),
    ({"redaction": {"keys": ["iban"]}}, ["redaction: keys +iban"]),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "said"), CASES)
def test_each_difference_is_a_short_sentence(changed: dict[str, object], said: list[str]):
    before, after = WorkspaceFile.model_validate(BASE), WorkspaceFile.model_validate({**BASE, **changed})
    assert [str(change) for change in differences(before, after)] == said


def test_a_difference_names_its_keys():
    after = WorkspaceFile.model_validate({**BASE, "sources": [SHOP, {**NODE, "command": "deno", "env": {}}]})
    (change,) = differences(WorkspaceFile.model_validate(BASE), after)
    assert (change.section, change.name, change.verb, change.keys) == (
        "sources",
        "node",
        "changed",
        ("command", "env.KEY"),
    )
    assert "v1" not in change.text


def test_a_change_outside_is_noticed_until_it_is_accepted(tmp_path: Path):
    path = tmp_path / "studio.yaml"
    watch = FileWatch(tmp_path / "studio.yaml")
    assert not watch.changed()
    path.write_text("a: 1\n")
    assert watch.changed()
    assert watch.changed()
    watch.accept(watch.read())
    assert not watch.changed()
    stamp = path.stat()
    path.write_text("a: 2\n")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert watch.changed(), "a file that young is compared by what it says"
    path.write_text("a: 1\n")
    assert not watch.changed()
    path.unlink()
    assert watch.changed()


def test_a_file_that_is_put_back_is_a_change_for_whoever_read_its_other_state(tmp_path: Path):
    path = tmp_path / "studio.yaml"
    path.write_text("a: 1\n")
    watch = FileWatch(tmp_path / "studio.yaml")
    path.write_text("a: 2\n")
    read = watch.read()
    path.write_text("a: 1\n")
    assert not watch.changed(), "nobody took over what was read"
    watch.accept(read)
    assert watch.changed()
    watch.accept(watch.read())
    assert not watch.changed()


def test_an_old_file_that_is_moved_away_and_back_is_not_taken_for_the_one_that_was_read(tmp_path: Path):
    path, aside = tmp_path / "studio.yaml", tmp_path / "aside.yaml"
    path.write_text("a: 1\n")
    os.utime(path, (1, 1))
    watch = FileWatch(tmp_path / "studio.yaml")
    path.rename(aside)
    path.write_text("a: 2\n")
    os.utime(path, (1, 1))
    read = watch.read()
    aside.replace(path)
    watch.accept(read)
    assert watch.changed(), "its time, its size and its name are the same"


def test_what_is_accepted_during_a_look_stays_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "studio.yaml"
    path.write_text("a: 1\n")
    watch = FileWatch(tmp_path / "studio.yaml")
    path.write_text("a: 2\n")
    other = watch.read()
    path.write_text("a: 1\n")

    def read_while_another_is_accepted(path: Path) -> Reading:
        watch.accept(other)
        return reading_of(path)

    with monkeypatch.context() as patched:
        patched.setattr(bounded_files, "reading_of", read_while_another_is_accepted)
        watch.changed()
    assert watch.changed()


@pytest.mark.parametrize("gone", [True, False])
def test_a_file_that_cannot_be_read_says_why_each_time(tmp_path: Path, gone: bool):
    path = tmp_path / "studio.yaml"
    if not gone:
        path.mkdir()
    watch = FileWatch(tmp_path / "studio.yaml")
    for _ in range(2):
        with pytest.raises(FileNotFoundError if gone else IsADirectoryError):
            watch.read().content()
    assert not watch.changed()
    path.write_text("") if gone else path.rmdir()
    assert watch.changed()


def test_a_look_at_an_old_file_reads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "studio.yaml"
    path.write_text("a: 1\n")
    os.utime(path, (1, 1))
    watch = FileWatch(tmp_path / "studio.yaml")
    with monkeypatch.context() as patched:
        patched.setattr(bounded_files, "reading_of", lambda _path: pytest.fail("it was read"))
        assert not watch.changed()
    os.utime(path, (2, 2))
    assert not watch.changed()
