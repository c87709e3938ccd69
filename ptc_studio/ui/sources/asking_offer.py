"""Offers to ask before tools that may destroy something, once a source that was just added has told of them."""

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

from ptc_studio.ui.workspace_edits import PermissionEdits

if TYPE_CHECKING:
    from ptc_studio.sources.source_set import LoadedSource
    from ptc_studio.ui.context import Context

NAMED = 3
"""So many tools are named in the offer."""


def offer_asking(context: "Context", names: Collection[str]) -> None:
    """Has the offer made when the new sources of these names have loaded; none where nothing is to be asked."""
    workbench = context.workbench

    def look() -> None:
        found = [each for each in workbench.studio.source_set.loaded_sources if each.name in names]
        if any(each.status.state == "loading" for each in found):
            return
        workbench.tools_loaded.disconnect(look)
        tools = {each.name: destructive_tools(each) for each in found}
        if any(tools.values()):
            _offer(context, [name for each in tools.values() for name in each])

    workbench.tools_loaded.connect(look)


def destructive_tools(loaded_source: "LoadedSource") -> list[str]:
    """The tools whose owner says that they may destroy something, and of which the workspace says nothing."""
    rules = loaded_source.offer().rules
    ruled = [rules.applied(tool).spec for tool in loaded_source.loaded.tools]
    return [
        spec.name for spec in ruled if spec.is_destructive and spec.permission == "allow" and not spec.permission_by
    ]


def _offer(context: "Context", tools: list[str]) -> None:
    more = len(tools) - NAMED
    listed = ", ".join(tools[:NAMED]) + (f" and {more} more" if more > 0 else "")
    one = len(tools) == 1
    text = f"{listed} may destroy something, {'its server says' if one else 'their server says'}."
    action = "Ask before it" if one else "Ask before each"
    context.messages.offer(text, action, partial(PermissionEdits(context).ask_before, tools))
