"""A folder that is opened is the workspace, with or without its file; and examples have their own tools in any."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.core.trace import RunRecord
from ptc_studio.samples import DEMO, examples, is_example, shown_by
from ptc_studio.storage.workspace import WorkspaceError
from ptc_studio.storage.workspace_editor import WorkspaceEditor

SHOP = "def price(qty: int = 1) -> int:\n    return 3 * qty\n\n\ndef add(a: int, b: int) -> str:\n    return 'mine'\n"


@pytest.fixture
async def studio(tmp_path: Path) -> AsyncIterator[Studio]:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "mine.py").write_text("print(price())\n")
    studio = Studio(Setup(tmp_path, spare_processes=0))
    await studio.load()
    yield studio
    await studio.close()


def names(studio: Studio) -> set[str]:
    return {tool.spec.name for tool in studio.registry.tools}


async def run(studio: Studio, code: str, *, samples: bool = False) -> RunRecord:
    runtime = studio.runtimes.choose("python-inprocess", "script.py")
    return await studio.run(studio.session(samples=samples), Script(code), runtime)


async def test_a_folder_without_a_file_is_a_workspace(studio: Studio):
    assert (studio.has_workspace, studio.has_file, studio.fault) == (True, False, None)
    assert names(studio) == {"price", "add"}
    assert (studio.errors, [Path(each.file).name for each in studio.scripts]) == ([], ["mine.py"])


async def test_the_first_thing_that_is_kept_makes_the_file_and_nothing_else_changes(studio: Studio):
    before = studio.source_set.loaded_sources
    undo = await studio.rewrite(lambda: WorkspaceEditor(studio.folder).add_alias({"name": "cheap", "tool": "price"}))
    assert (studio.has_file, names(studio)) == (True, {"price", "add"})
    assert (await studio.call(studio.session(), "cheap", {}))["result"] == 3
    assert studio.source_set.loaded_sources == before, "nothing is imported anew"
    assert (studio.errors, len(studio.scripts)) == ([], 1), "that a script is one is no error with a file either"
    await studio.rewrite(undo.undo)
    await studio.load()
    assert (studio.has_file, studio.file.aliases, names(studio)) == (False, (), {"price", "add"})
    assert not (studio.folder / "studio.yaml").exists()


async def test_tools_are_taken_from_the_folder_of_tools_as_soon_as_there_is_one(studio: Studio):
    (studio.folder / "tools").mkdir()
    (studio.folder / "tools" / "more.py").write_text("def more() -> int:\n    return 1\n")
    await studio.load()
    assert names(studio) == {"more"}


async def test_a_file_that_comes_from_elsewhere_counts_and_so_does_its_end(studio: Studio):
    (studio.folder / "studio.yaml").write_text("limits: {timeout: 7}\n")
    assert await studio.reread_if_changed() is not None
    assert (studio.has_file, studio.limits.timeout) == (True, 7)
    (studio.folder / "studio.yaml").unlink()
    assert await studio.reread_if_changed() is not None
    await studio.load()
    assert (studio.has_file, studio.fault, names(studio)) == (False, None, {"price", "add"})


async def test_a_folder_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(WorkspaceError, match="There is no folder"):
        Studio(Setup(tmp_path / "nowhere"))


async def test_an_example_runs_with_the_sample_tools_and_leaves_the_workspace_alone(studio: Studio):
    (studio.folder / "mocks.yaml").write_text("mocks: [{name: add, value: mocked}]\n")
    record = await run(studio, "add(1, 2), 'price' in globals() and price('LMP-01')['qty']", samples=True)
    assert (record["status"], record["value"]) == ("ok", [3, 1])
    assert names(studio) == {"price", "add"}
    mine = await run(studio, "add(1, 2), price(2)")
    assert mine["value"] == ["mocked", 6]
    nested = await run(studio, "reserve('LMP-01', 1)['qty']", samples=True)
    assert [call["tool"] for call in nested["calls"]] == ["reserve", "stock_level"]
    missing = await run(studio, "no_such_tool()", samples=True)
    assert missing["status"] == "error"


def test_examples_are_known_by_where_they_lie_and_say_what_they_show(tmp_path: Path):
    assert DEMO in examples()
    assert all(is_example(path) for path in examples())
    assert not is_example(tmp_path / DEMO.name)
    assert not is_example(None)
    assert shown_by(DEMO) == "Who in engineering went over budget last quarter?"
    assert all(len(shown_by(path)) > 20 for path in examples())
    assert shown_by(tmp_path / "none.py") == ""
