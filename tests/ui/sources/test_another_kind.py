"""A kind of source that was added to the table has its card, its form and its badge, and nothing else had to change."""

from collections.abc import Iterator
from typing import Any

import pytest

from ptc_studio.ui.sources.actions import open_edit_source
from ptc_studio.ui.sources.entry_schema import WorkspaceFileField
from ptc_studio.ui.tools.rows import SourceRow
from ptc_studio.ui.workspace_edits import seen_from_anywhere
from tests.extra_kind import extra_kind


@pytest.fixture(autouse=True)
def _kind() -> Iterator[None]:
    with extra_kind():
        yield


async def test_a_source_of_an_added_kind_is_found_filled_in_tried_and_saved(forms: Any):
    (forms.studio.workspace / "soup.txt").write_text("boil")
    dialog = forms.add("recipe", name="soup", steps="soup.txt")
    assert dialog.windowTitle() == "New source: Recipe"
    assert isinstance(dialog.form.main.field("steps"), WorkspaceFileField)
    assert "1 tool" in await forms.test(dialog)
    await forms.save(dialog)
    assert "steps: soup.txt" in forms.file
    await forms.studio.until(lambda: "soup" in forms.names)


async def test_the_tool_panel_shows_the_badge_of_an_added_kind(forms: Any):
    (forms.studio.workspace / "soup.txt").write_text("boil")
    await forms.save(forms.add("recipe", name="soup", steps="soup.txt"))
    window = forms.studio.window
    await forms.studio.until(lambda: "soup" in forms.names)
    nodes = [node.row for node in window.panels.tools.model.root.children if isinstance(node.row, SourceRow)]
    (row,) = [row for row in nodes if row.name == "soup"]
    assert row.badge == "cook"
    dialog = open_edit_source(window.context, row.loaded_source)
    assert dialog is not None
    assert dialog.form is not None
    assert dialog.form.values() == {"kind": "recipe", "name": "soup", "steps": "soup.txt"}
    dialog.reject()


async def test_the_paths_of_an_added_kind_hold_in_another_folder_too(forms: Any):
    values = {"kind": "recipe", "name": "soup", "steps": "soup.txt"}
    folder = forms.studio.workspace
    assert seen_from_anywhere(values, folder) == {**values, "steps": str(folder / "soup.txt")}
