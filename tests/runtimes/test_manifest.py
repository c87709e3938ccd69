"""What a folder of a runtime says of it, and what is said of one that is wrong."""

from pathlib import Path

import pytest

from ptc_studio.locations import RUNTIMES
from ptc_studio.runtimes.discovery import ManifestError, read_manifest, read_manifests

WHOLE = """
id = "lua"
name = "Lua"
language = "lua"
extensions = [".lua"]

[[probe]]
program = "lua"

[run]
command = ["{program}", "{kit}/kit.lua"]
"""


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "runtime.toml").write_text(text)
    return folder


def test_every_runtime_of_the_product_is_whole():
    manifests, faults = read_manifests([RUNTIMES])
    assert faults == []
    assert [manifest.id for manifest in manifests][:2] == ["python", "python-inprocess"]
    for manifest in manifests:
        assert manifest.folder.name == manifest.id
        assert manifest.example_file.is_file(), manifest.id
        assert manifest.template is None or manifest.file(manifest.template.file).is_file()
        assert manifest.driver != "process" or manifest.probe[0].program == "{python}" or manifest.install, manifest.id


def test_a_folder_is_read(tmp_path: Path):
    manifest = read_manifest(write(tmp_path / "lua", WHOLE))
    assert (manifest.id, manifest.extensions, manifest.run.warm) == ("lua", (".lua",), False)
    assert manifest.file("kit.lua") == tmp_path / "lua" / "kit.lua"
    assert manifest.example_file == tmp_path / "lua" / "example.lua"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id = ", "is not TOML"),
        ("", ": id: field required"),
        (WHOLE + "colour = 1", "run.colour: extra inputs are not permitted"),
        (WHOLE.replace('"lua"', '"Lua 5"', 1), "id: string should match pattern"),
        (WHOLE.replace('command = ["{program}", "{kit}/kit.lua"]', ""), "needs a run.command"),
        (WHOLE.replace('program = "lua"', 'minimum = "5"'), "probe.0: needs either a program or a package"),
        (WHOLE.replace('program = "lua"', 'program = "lua"\npattern = "("'), "is no regular expression"),
        (WHOLE.replace('["{program}", "{kit}/kit.lua"]', "3"), "run.command: input should be a valid tuple"),
    ],
)
def test_what_is_wrong_is_told_with_the_file_and_the_key(tmp_path: Path, text: str, told: str):
    with pytest.raises(ManifestError) as error:
        read_manifest(write(tmp_path, text))
    assert str(tmp_path / "runtime.toml") in str(error.value)
    assert told in str(error.value)
    assert "\n" not in str(error.value).strip()


def test_one_that_is_wrong_or_comes_twice_does_not_hide_the_others(tmp_path: Path):
    write(tmp_path / "own" / "lua", WHOLE)
    write(tmp_path / "theirs" / "lua", WHOLE)
    write(tmp_path / "theirs" / "ruby", WHOLE.replace("lua", "ruby").replace("language", "tongue"))
    write(tmp_path / "theirs" / "tcl", WHOLE.replace("lua", "tcl"))
    manifests, faults = read_manifests([tmp_path / "own", tmp_path / "theirs", tmp_path / "nowhere"])
    assert [(manifest.id, manifest.folder.parent.name) for manifest in manifests] == [("lua", "own"), ("tcl", "theirs")]
    assert len(faults) == 2
    assert "there is a runtime 'lua' already" in faults[0]
