"""Sources that are written into the workspace file together."""

from typing import Any

import pytest

from ptc_studio.storage.workspace import WorkspaceError
from ptc_studio.ui.workspace_edits import WorkspaceEdits

FIRST = {"kind": "builtin", "name": "first"}


async def test_of_several_sources_none_is_written_where_one_cannot_be(studio: Any, forms: Any):
    before, seats = forms.file, studio.window.workbench.studio.source_set.loaded_sources
    with pytest.raises(WorkspaceError, match="first"):
        await WorkspaceEdits(studio.window.context).add_sources(FIRST, FIRST)
    assert forms.file == before
    await studio.notice(lambda: None)
    assert studio.window.workbench.studio.source_set.loaded_sources == seats
    assert not studio.window.context.messages.isVisible()


async def test_of_several_grant_sets_none_is_written_where_one_cannot_be(studio: Any, forms: Any):
    before = forms.file
    with pytest.raises(WorkspaceError):
        await WorkspaceEdits(studio.window.context).add_grants({"sums": ("add",), "odd": (object(),)})  # type: ignore[dict-item]
    assert forms.file == before
