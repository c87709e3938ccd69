"""The user's files keep their manner."""

import stat
from pathlib import Path

import pytest

from ptc_studio.storage.text_files import TextFile, TextFileError, read_text, write_text


@pytest.mark.parametrize("content", [b"a\nb\n", b"a\r\nb\r\n", b"\xef\xbb\xbfa\r\n", "ü\n".encode(), b""])
def test_a_file_is_written_as_it_was_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.py"
    path.write_bytes(content)
    write_text(path, read_text(path))
    assert path.read_bytes() == content


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "run.sh", tmp_path / "link.sh"
    path.write_text("old")
    path.chmod(0o750)
    link.symlink_to(path)
    write_text(link, TextFile("new"))
    assert link.is_symlink()
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o750)


@pytest.mark.parametrize(("content", "why"), [(b"\xff\xfe", "not UTF-8"), (b"a\0b", "zero byte")])
def test_what_is_not_text_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(TextFileError, match=why):
        read_text(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TextFileError, match="not a file"):
        read_text(tmp_path)
    with pytest.raises(TextFileError, match="cannot be read"):
        read_text(tmp_path / "missing")
    with pytest.raises(TextFileError, match="cannot be saved"):
        write_text(tmp_path / "missing" / "file", TextFile(""))
