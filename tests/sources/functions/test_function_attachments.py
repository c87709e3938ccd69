"""The attachment store of a run."""

import pytest

from ptc_studio.sources.functions.context import AttachmentStore


def test_a_store_makes_its_folder_with_the_first_attachment(tmp_path):
    store = AttachmentStore(tmp_path / "run")
    assert store.list() == []
    assert not store.folder.exists()
    store.register_bytes(b"x", display_name="a.txt")
    assert store.folder.is_dir()


def test_bytes_become_a_file(tmp_path):
    store = AttachmentStore(tmp_path / "run")
    record = store.register_bytes(b"\x89PNG", display_name="../Bild 1.png")
    assert record.path.read_bytes() == b"\x89PNG"
    assert record.path.parent == store.folder
    assert (record.display_name, record.mime_type, record.kind, record.size) == (
        "../Bild 1.png",
        "image/png",
        "image",
        4,
    )


def test_a_file_is_handed_on_where_it_is(tmp_path):
    file = tmp_path / "data.bin"
    file.write_bytes(b"12345")
    record = AttachmentStore(tmp_path / "run").register_file(file, kind="report", mime_type="x/y", display_name="Data")
    assert (record.path, record.display_name, record.mime_type, record.kind, record.size) == (
        file,
        "Data",
        "x/y",
        "report",
        5,
    )


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        AttachmentStore(tmp_path).register_file(tmp_path / "none")


def test_two_stores_over_one_folder_share_their_list(tmp_path):
    first, second = AttachmentStore(tmp_path), AttachmentStore(tmp_path)
    a = first.register_bytes(b"a", display_name="a")
    b = second.register_bytes(b"b", display_name="b")
    assert first.list() == second.list() == [a, b]
    assert first.get(b.attachment_id) == b
    assert first.get("none") is None
