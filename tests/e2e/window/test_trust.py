"""The real program over a folder that somebody else made: what it executes, and what it remembers of the answer."""

import sys
from pathlib import Path

import pytest

from ptc_studio.storage.settings import Settings
from tests.e2e.window.conftest import Desk, until

pytestmark = pytest.mark.timeout(300)


def marking(marker: Path, who: str) -> str:
    return f"with open({str(marker)!r}, 'a') as file:\n    file.write('{who} ')\n"


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """Written by whatever is executed."""
    return tmp_path / "marker"


@pytest.fixture
def project(tmp_path: Path, marker: Path) -> Path:
    """A workspace with a module, a command and a server that leave a trace when they are executed."""
    folder = tmp_path / "project"
    (folder / "tools").mkdir(parents=True)
    (folder / "tools" / "calc.py").write_text(marking(marker, "module"))
    (folder / "serve.py").write_text(marking(marker, "server"))
    (folder / "studio.yaml").write_text(
        "version: 1\nsources:\n  - {kind: functions, path: tools, run_modules: true}\n"
        f"  - {{kind: mcp, name: far, command: {sys.executable}, args: [{folder / 'serve.py'}]}}\n"
    )
    return folder


def answer(desk: Desk, folder: Path) -> bool | None:
    return Settings(desk.settings).trusts(folder)


def test_a_folder_of_a_stranger_executes_nothing_and_enter_keeps_it_so(desk: Desk, project: Path, marker: Path):
    studio = desk.start(project)
    studio.wait_for_window()
    # Nothing is open in the editor: the keyboard is at the question.
    studio.press("Return")
    until(lambda: answer(desk, project) is False, "the safe answer is remembered")
    studio.press("ctrl+r", "ctrl+q")
    assert studio.wait() == 0
    assert not marker.exists()
    assert studio.said == ""


def test_trust_loads_the_tools_and_is_remembered_over_a_restart(desk: Desk, project: Path, marker: Path):
    studio = desk.start(project)
    studio.wait_for_window()
    studio.press("Tab", "Return")
    until(lambda: answer(desk, project), "the answer is remembered")
    until(lambda: marker.exists() and {"module", "server"} <= set(marker.read_text().split()), "the tools are loaded")
    studio.press("ctrl+q")
    assert studio.wait() == 0
    marker.unlink()
    again = desk.start(project)
    again.wait_for_window()
    until(lambda: marker.exists() and "module" in marker.read_text(), "the tools are loaded without a question")


def test_a_script_saved_in_an_opened_folder_is_executed_by_run_alone(desk: Desk, tmp_path: Path, marker: Path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "shop.py").write_text("def price() -> int:\n    return 3\n")
    studio = desk.start(desk.trust(folder))
    studio.wait_for_window()
    studio.press("ctrl+t")
    studio.wait_for_window("untitled-1")
    studio.type(f"print(price()); open('{marker}', 'a').write('script ')")
    studio.press("ctrl+s")
    studio.wait_for_window("Save")
    studio.type(str(folder / "first.py"))
    studio.press("Return")
    until((folder / "first.py").exists, "the script is saved")
    studio.wait_for_window(f"— {folder.name}")
    studio.press("ctrl+r", "ctrl+q")
    assert studio.wait() == 0
    assert "open(" in (folder / "first.py").read_text()
    assert not marker.exists()
