"""The files of a workspace, and a new one."""

from pathlib import Path

import pytest

from ptc_studio.storage.workspace import WorkspaceError, read_workspace
from ptc_studio.storage.workspace_editor import WorkspaceEditor
from ptc_studio.storage.workspace_folder import default_folder, files_of, make_workspace_folder

ENDINGS = (".py", ".mjs", ".sh")
MODULE = "def price() -> int:\n    return 3\n"


def listed(folder: Path) -> dict[str, str]:
    return {each.name: each.group for each in files_of(folder, read_workspace(folder), ENDINGS)}


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_files_are_told_apart_by_what_they_are_for(tmp_path: Path):
    write(
        tmp_path,
        **{
            "tools/shop.py": MODULE,
            "tools/deep/more.py": MODULE,
            "tools/tried.py": "print(price())\n",
            "tools/broken.py": "def (:\n",
            "report.py": MODULE,
            "scripts/first.mjs": "1\n",
            "mocks.yaml": "mocks: []\n",
            "cassettes/demo.json": "{}",
            "cassettes/notes.txt": "",
            "readme.md": "",
            ".git/hooks/x.py": "",
            "node_modules/x/index.mjs": "",
            "own/pyvenv.cfg": "",
            "own/lib/x.py": "",
        },
    )
    assert listed(tmp_path) == {
        "cassettes/demo.json": "cassettes",
        "mocks.yaml": "mocks",
        "report.py": "scripts",
        "scripts/first.mjs": "scripts",
        "tools/broken.py": "tools",
        "tools/deep/more.py": "tools",
        "tools/shop.py": "tools",
        "tools/tried.py": "scripts",
    }


def test_beside_scripts_at_the_top_modules_of_definitions_are_tools(tmp_path: Path):
    write(tmp_path, **{"shop.py": MODULE, "mine.py": "print(price())\n", "within/more.py": MODULE})
    assert listed(tmp_path) == {"shop.py": "tools", "mine.py": "scripts", "within/more.py": "scripts"}
    write(tmp_path, **{"mine.py": MODULE + "# now it only defines\n"})
    assert listed(tmp_path)["mine.py"] == "tools"


def test_links_that_lead_round_in_a_circle_and_many_files_are_borne(tmp_path: Path):
    (tmp_path / "round").symlink_to(tmp_path)
    for number in range(1100):
        (tmp_path / f"s{number}.sh").touch()
    assert len(listed(tmp_path)) == 1000


def test_a_new_workspace_has_a_tool_a_script_and_a_file_that_can_be_edited(tmp_path: Path):
    folder = tmp_path / "mine"
    script = make_workspace_folder(folder)
    assert listed(folder) == {
        "scripts/first.py": "scripts",
        "studio.yaml": "settings",
        "tools/greetings.py": "tools",
    }
    assert script.is_relative_to(default_folder(folder))
    before = (folder / "studio.yaml").read_text()
    WorkspaceEditor(folder).add_alias({"name": "hello", "tool": "greet"})
    after = (folder / "studio.yaml").read_text()
    assert [alias.name for alias in read_workspace(folder).aliases] == ["greet_in_german", "hello"]
    assert after.replace("  - name: hello\n    tool: greet\n", "") == before


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(WorkspaceError, match="is not empty: name a new folder"):
        make_workspace_folder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_what_keeps_it_from_being_made_is_told(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(WorkspaceError, match="cannot be made"):
        make_workspace_folder(tmp_path / "file" / "mine")
