"""What is typed survives."""

import errno
import os
from pathlib import Path

import pytest

from ptc_studio.storage.buffers import Buffer, BufferStore


def test_buffers_come_back_in_their_order(tmp_path: Path) -> None:
    store = BufferStore(tmp_path / "made when needed")
    one, two = (
        Buffer("1", "one.py", "python", "/x/one.py"),
        Buffer("2", "untitled", "bash", text="echo \ud800", cursor=3),
    )
    assert [store.save(one), store.save(two), store.save_order(["2", "1"], "1")] == [None] * 3
    found = store.load()
    assert (found.buffers, found.current) == ((two, one), "1")


def test_a_removed_buffer_is_gone(tmp_path: Path) -> None:
    store = BufferStore(tmp_path)
    store.save(Buffer("1", "one", "python", text="x"))
    assert store.remove("1") is None
    assert store.remove("1") is None
    assert store.load().buffers == ()


def test_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    store = BufferStore(tmp_path)
    store.save(Buffer("1", "one", "python", text="x"))
    (tmp_path / "2.json").write_text("{")
    (tmp_path / "3.json").write_text("[]")
    (tmp_path / "4.json").write_text('{"id": "4", "other": 1}')
    (tmp_path / "order.json").write_text("nothing")
    assert [buffer.id for buffer in store.load().buffers] == ["1"]


def test_a_full_disk_is_an_answer_and_leaves_the_old_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = BufferStore(tmp_path)
    store.save(Buffer("1", "one", "python", text="old"))

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "No space left" in (store.save(Buffer("1", "one", "python", text="new")) or "")
    monkeypatch.undo()
    assert [buffer.text for buffer in store.load().buffers] == ["old"]
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_cannot_be_made_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert BufferStore(tmp_path / "file").save(Buffer("1", "one", "python", text="x"))
    assert BufferStore(tmp_path / "file").load().buffers == ()


def test_a_damaged_copy_is_set_aside_and_told_once_and_the_rest_opens(tmp_path: Path) -> None:
    store = BufferStore(tmp_path)
    store.save(Buffer("1", "one", "python", text="x"))
    (tmp_path / "2.json").write_text('{"id": "2", "text": "half of a te')
    found = store.load()
    assert [buffer.id for buffer in found.buffers] == ["1"]
    (fault,) = found.faults
    assert fault.endswith("2.json, is damaged, and is set aside as 2.broken.json.")
    assert (tmp_path / "2.broken.json").read_text() == '{"id": "2", "text": "half of a te'
    assert store.load().faults == ()
