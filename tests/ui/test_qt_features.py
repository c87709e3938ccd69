"""Qt's bindings are imported quicker than they are by themselves, and do all that they do otherwise."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ptc_studio.ui.qt_features import KeptCode

LOOK = """
import json, linecache, sys
compiled = []
sys.addaudithook(lambda event, values: compiled.append(str(values[1])) if event == "compile" else None)
import ptc_studio.ui.qt_features
own = [name for name in compiled if name.startswith("shibokensupport/")]
import ptc_studio.ui.theme
read = [name for name in linecache.cache if "ptc_studio/ui/" in name and "qt_features" not in name]
from PySide6.QtCore import QObject
try:
    QObject().setObjectName(1, 2)
except TypeError as error:
    told = str(error)
print(json.dumps({"compiled": len(own), "read": read, "told": told}))
"""


def test_their_modules_are_compiled_once_and_the_sources_of_ours_are_never_read(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**kept, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    found = []
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, env=environment, check=True)
        assert done.stderr == ""
        found.append(json.loads(done.stdout))
    first, second = found
    assert first["compiled"] > 5
    assert second == {**first, "compiled": 0, "read": []}
    assert "setObjectName" in second["told"], "a wrong call is still explained"


@pytest.mark.parametrize("content", [b"", b"\xe9nothing of the kind", b"i\x01\x00\x00\x00", "the first half"])
def test_bytecode_that_cannot_be_read_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | str
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file, usual = tmp_path / "kept", compile

    def value_of(source: bytes) -> object:
        with KeptCode(file):
            return eval(compile(source, "shibokensupport/one.py", "eval"))

    assert value_of(b"1 + 1") == 2
    whole = file.read_bytes()
    file.write_bytes(content if isinstance(content, bytes) else whole[: len(whole) // 2])
    assert value_of(b"1 + 1") == 2
    assert file.read_bytes() == whole
    assert value_of(b"1 + 2") == 3, "it is of another version of the bindings"
    assert compile is usual
    assert [each.name for each in tmp_path.iterdir()] == ["kept"]


def test_where_nothing_can_be_written_all_is_as_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    usual = compile
    # A folder that is not there, as in a frozen program; and one of the same name as the file, which root cannot write.
    for file in (tmp_path / "none" / "kept", tmp_path):
        with KeptCode(file):
            assert eval(compile(b"1 + 1", "shibokensupport/one.py", "eval")) == 2
            assert eval(compile("2 + 2", "of_ours.py", "eval")) == 4
        assert compile is usual
    with pytest.raises(ImportError), KeptCode(tmp_path / "kept"):
        raise ImportError
    assert compile is usual, "whatever became of the import"
    assert not [*tmp_path.parent.glob(f"{tmp_path.name}.*")], "nor is a part of it left"
