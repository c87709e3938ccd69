"""A path may lead anywhere: whatever is there is read at once, within bounds, or refused in one sentence."""

import ast
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

import ptc_studio
from ptc_studio.app import Setup, Studio
from ptc_studio.bounded_files import read_bytes
from ptc_studio.cli.open_studio import UsageError, read_script
from ptc_studio.core.errors import PtcError
from ptc_studio.core.python_text import parsed
from ptc_studio.runtimes.discovery import ManifestError, read_manifest
from ptc_studio.sources.openapi.documents import FileFetch, UnfitDocument
from ptc_studio.sources.script.source import UnreadableScript
from ptc_studio.sources.script.source import read_script as read_script_tool
from ptc_studio.storage.cassettes import read_cassette
from ptc_studio.storage.edited_file import WorkspaceDisk
from ptc_studio.storage.mock_store import read_mocks
from ptc_studio.storage.settings import SettingsFile
from ptc_studio.storage.text_files import read_text
from ptc_studio.storage.workspace import WorkspaceError, read_workspace
from ptc_studio.storage.yaml_with_lines import MOST_REPEATED
from ptc_studio.wasm.source import UnusableModule, read_module

READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "the workspace": ("studio.yaml", lambda path: read_workspace(path.parent)),
    "the workspace's editor": ("studio.yaml", lambda path: WorkspaceDisk(path.parent).read()),
    "mocks": ("mocks.yaml", lambda path: read_mocks(path.parent)),
    "a cassette": ("c.json", read_cassette),
    "settings": ("settings.json", lambda path: SettingsFile(path).read()),
    "a script in the window": ("x.py", read_text),
    "a script of the command line": ("x.py", lambda path: read_script(str(path))),
    "a script that is a tool": ("x.py", read_script_tool),
    "a module": ("x.wasm", lambda path: read_module(path, None)),  # type: ignore[arg-type]
    "an OpenAPI document": ("api.yaml", lambda path: FileFetch(path.parent)(path.as_uri())),
    "a runtime": ("runtime.toml", lambda path: read_manifest(path.parent)),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", ["fifo", "socket"])
def test_what_is_no_file_is_refused_and_never_waited_for(reader: str, kind: str, tmp_path: Path) -> None:
    name, read = READERS[reader]
    path = tmp_path / name
    if kind == "fifo":
        os.mkfifo(path)
    else:
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(path))
        server.close()
    with pytest.raises(
        (ManifestError, PtcError, OSError, UnreadableScript, UnusableModule, UnfitDocument, UsageError)
    ) as refused:
        read(path)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/tty"])
def test_a_device_is_refused(device: str, tmp_path: Path) -> None:
    (tmp_path / "studio.yaml").symlink_to(device)
    with pytest.raises(WorkspaceError, match=r"studio\.yaml cannot be read: "):
        read_workspace(tmp_path)


def test_a_file_that_says_it_is_empty_is_bounded_all_the_same() -> None:
    with pytest.raises(OSError, match="at most 100 bytes are read"):
        read_bytes(Path("/proc/self/smaps"), 100)
    assert read_bytes(Path("/proc/self/cmdline"))


def test_a_workspace_of_fifty_megabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "studio.yaml").open("wb") as file:
        file.truncate(50_000_000)
    with pytest.raises(WorkspaceError, match="it is too large: at most 2,000,000 bytes are read"):
        read_workspace(tmp_path)


def _laughs(item: str) -> str:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{level}: &a{level} {item.replace('*', f'*a{level - 1}')}" for level in range(1, 40)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (_laughs("[*, *, *, *]"), 9, f"aliases repeat more than {MOST_REPEATED:,} values: write fewer of them"),
        (_laughs("{<<: [*, *, *, *]}"), 9, f"aliases repeat more than {MOST_REPEATED:,} values: write fewer of them"),
        (_laughs("{k: *, l: *, m: *}"), None, "aliases repeat more than"),
        ("version: 1\ngrants: &a\n  <<: *a\n", 2, "something here contains itself: take the alias out"),
        ("version: 1\ngrants: {a: &a [x, *a]}\n", 2, "something here contains itself: take the alias out"),
        ("? &k [*k]\n: 1\n", 1, "something here contains itself: take the alias out"),
    ],
)
def test_aliases_that_come_to_more_than_fits_are_refused_with_their_line(
    text: str, line: int | None, message: str, tmp_path: Path
) -> None:
    (tmp_path / "studio.yaml").write_text(text)
    with pytest.raises(WorkspaceError) as refused:
        read_workspace(tmp_path)
    said = str(refused.value)
    assert message in said
    assert "\n" not in said
    if line is not None and "contains" in message:
        assert f"studio.yaml:{line}: " in said


def test_aliases_within_reason_are_what_they_stand_for(tmp_path: Path) -> None:
    (tmp_path / "studio.yaml").write_text("version: 1\ngrants:\n  a: &a [x, y]\n  b: *a\nlimits: {<<: {timeout: 3}}\n")
    file = read_workspace(tmp_path)
    assert file.grants == {"a": ("x", "y"), "b": ("x", "y")}
    assert file.limits.timeout == 3


def test_a_manifest_that_is_a_fifo_names_itself(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "runtime.toml")
    with pytest.raises(ManifestError, match=r"runtime\.toml cannot be read: it is a FIFO, not a file\."):
        read_manifest(tmp_path)


async def test_a_fifo_among_the_functions_is_told_and_the_others_load(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "stuck.py")
    (tmp_path / "fine.py").write_text("def fine():\n    return 1\n")
    studio = Studio(Setup(functions=tmp_path, spare_processes=0))
    try:
        errors = await studio.load()
        assert [Path(error.file).name for error in errors] == ["stuck.py"]
        assert studio.registry.find("fine") is not None
    finally:
        await studio.close()


OWN_FILES = {
    "ui/theme.py",  # the product's own pictures
    "ui/run_bar/runtime_choice.py",  # the product's own examples
    "sources/functions/context.py",  # what the studio itself wrote into its own folder
    "processes/process_tree.py",  # /proc
    "runtimes/programs.py",  # the studio's own memory of versions
    "runtimes/sandbox/choice.py",  # /proc/sys
    "runtimes/sandbox/usage_watch.py",  # /proc
    "runtimes/sandbox/confiners.py",  # /proc
    "runtimes/sandbox/bounds.py",  # pyvenv.cfg beside a program that is about to be started
}


def test_nothing_else_reads_a_file_whole() -> None:
    root = Path(ptc_studio.__file__).parent
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        for node in ast.walk(parsed(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ("read_bytes", "read_text")
    }
    assert found == OWN_FILES
