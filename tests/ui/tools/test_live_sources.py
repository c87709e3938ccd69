"""Real sources in the real window: a folder, a server that takes its time, one that fails."""

import sys
from pathlib import Path

import pytest

from ptc_studio.ui.tools.source_actions import SourceLog

SERVER = Path(__file__).with_name("mcp_server.py")


def entry(name: str, argument: str) -> str:
    return f"  - {{kind: mcp, name: {name}, command: {sys.executable}, args: [{SERVER}, '{argument}']}}\n"


class Sources:
    """What the window says of the sources of a workspace."""

    def __init__(self, studio) -> None:
        self._studio = studio

    def row(self, name: str):
        nodes = self._studio.window.panels.tools.model.root.children
        return next((node.row for node in nodes if node.label == name), None)

    def state(self, name: str) -> str | None:
        row = self.row(name)
        return row.state if row is not None else None

    def tools(self, name: str) -> list[str]:
        nodes = self._studio.window.panels.tools.model.root.children
        return [leaf.label for node in nodes if node.label == name for leaf in node.leaves()]

    async def add(self, *entries: str) -> None:
        """As someone with an editor of their own would."""
        file = self._studio.workspace / "studio.yaml"
        text = file.read_text().replace("aliases:", "".join(entries) + "aliases:")
        await self._studio.notice(lambda: file.write_text(text))


@pytest.fixture
def sources(studio) -> Sources:
    return Sources(studio)


async def test_a_hanging_server_holds_up_none_of_the_others(studio, sources, tmp_path) -> None:
    flag = tmp_path / "flag"
    await sources.add(entry("slow", str(flag)), entry("quick", "now"), entry("broken", "fail"))
    await studio.until(lambda: sources.tools("quick") and sources.state("broken") == "failed", 30)
    assert sources.state("slow") == "loading"
    assert sources.state("functions") == "ready"
    assert "TOKEN is missing" in sources.row("broken").detail
    assert (await studio.run("print(1)"))["status"] == "ok"
    flag.touch()
    await studio.until(lambda: sources.tools("slow"), 30)
    assert sources.state("slow") == "ready"


async def test_completion_problems_and_grants_follow_a_source_that_comes_and_goes(studio, sources) -> None:
    window = studio.window
    studio.type("call_tool('small.search_issues', {})\n")
    page = window.editors.current()
    page.finder.refresh()
    await studio.until(lambda: any("small" in problem.message for problem in page.finder.known))
    before = (studio.workspace / "studio.yaml").read_text()
    await sources.add(entry("small", "now"))
    await studio.until(lambda: sources.tools("small"), 30)
    await studio.until(lambda: not page.finder.known)
    assert "small.search_issues" in {hint.name for hint in page.completion.hints}
    window.panels.tools.set_grant(["small.search_issues", "add"])
    window.panels.tools.model.grant_changed.emit(window.panels.tools.model.grant)
    assert window.workbench.grant.allows(("small.search_issues",), "")
    await studio.notice(lambda: (studio.workspace / "studio.yaml").write_text(before))
    await studio.until(lambda: sources.row("small") is None, 30)
    await studio.until(lambda: page.finder.known)
    assert "small.search_issues" not in {hint.name for hint in page.completion.hints}


async def test_the_log_of_a_failed_server_is_shown_and_a_reload_tries_again(studio, sources, tmp_path) -> None:
    await sources.add(entry("broken", "fail"))
    await studio.until(lambda: sources.state("broken") == "failed", 30)
    seat = sources.row("broken").loaded_source
    studio.window.panels.tools.source_requested.emit("log", seat)
    log = studio.window.findChild(SourceLog)
    await studio.until(lambda: "TOKEN is missing" in log.text.toPlainText())
    assert log.state.text().startswith("✕ Failed")
    log.close()
    states: set[str] = set()
    studio.window.workbench.studio.on_tools_changed(lambda: states.add(seat.status.state))
    studio.window.panels.tools.source_requested.emit("reload", seat)
    await studio.until(lambda: "loading" in states and sources.state("broken") == "failed", 30)


async def test_a_function_that_is_written_into_the_folder_appears(studio, sources) -> None:
    file = studio.workspace / "tools" / "fresh.py"
    await studio.notice(lambda: file.write_text("def brand_new() -> int:\n    return 1\n"))
    await studio.until(lambda: "brand_new" in sources.tools("functions"))
    await studio.notice(lambda: file.write_text("def brand_new(:\n"))
    await studio.until(lambda: "brand_new" not in sources.tools("functions"))
    errors = [node.row for node in studio.window.panels.tools.model.root.children if node.kind == "error"]
    assert [(Path(error.file).name, error.line) for error in errors] == [("fresh.py", 1)]
