"""What is done to sources in the window: add, change, remove, import; secrets, and definitions for others.

All of it is imported when it is first asked for: the window opens without it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ptc_studio.sources.kinds import KINDS
from ptc_studio.ui.widgets.picker import Picker, PickerChoice

if TYPE_CHECKING:
    from ptc_studio.sources.source_set import LoadedSource
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.secrets.dialog import SecretsDialog
    from ptc_studio.ui.sources.definitions_dialog import DefinitionsDialog
    from ptc_studio.ui.sources.import_dialog import ImportDialog
    from ptc_studio.ui.sources.source_dialog import SourceDialog


def open_add_source(context: "Context", kind: str | None = None) -> "SourceDialog | None":
    """Has the user add a source: with the cards first, or with the form of that kind at once."""
    if not context.is_ready():
        return None
    from ptc_studio.ui.sources.source_dialog import SourceDialog

    dialog = SourceDialog(context)
    if kind is not None:
        dialog.show_form(kind)
    dialog.open()
    return dialog


def open_edit_source(context: "Context", loaded_source: "LoadedSource") -> "SourceDialog | None":
    """Has the user change the source."""
    index = _location(context, loaded_source)
    if index is None:
        return None
    from ptc_studio.ui.sources.source_dialog import SourceDialog

    schemes = getattr(loaded_source.source, "schemes", None)
    dialog = SourceDialog(context, entry=loaded_source.entry, index=index, schemes=schemes)
    dialog.open()
    return dialog


def remove_source(context: "Context", loaded_source: "LoadedSource") -> None:
    """Takes the source out of the file; the notice offers to undo that."""
    index = _location(context, loaded_source)
    if index is not None:
        from ptc_studio.ui.workspace_edits import WorkspaceEdits

        message = f"The source {loaded_source.name!r} was removed."
        WorkspaceEdits(context).save(lambda edits: edits.remove_source(index), message)


def reload_source(context: "Context", loaded_source: "LoadedSource") -> None:
    """Restarts the source."""

    async def reload() -> None:
        await context.workbench.studio.reload_source(loaded_source)
        context.workbench.load()

    context.workbench.start(reload())


def open_import(context: "Context", file: Path | None = None) -> "ImportDialog | None":
    """Has the user take over tools from other programs, those in the file if there is one."""
    if not context.is_ready():
        return None
    from ptc_studio.ui.sources.import_dialog import ImportDialog

    dialog = ImportDialog(context)
    if file is not None:
        dialog.take_file(file)
    dialog.open()
    return dialog


def open_secrets(context: "Context") -> "SecretsDialog | None":
    """Shows the secrets by name."""
    if not context.is_ready():
        return None
    from ptc_studio.ui.secrets.dialog import SecretsDialog

    dialog = SecretsDialog(context)
    dialog.open()
    return dialog


def open_definitions(context: "Context", names: Sequence[str] | None = None) -> "DefinitionsDialog | None":
    """Shows the definitions of these tools and aliases, or of all."""
    if not context.is_ready():
        return None
    from ptc_studio.ui.sources.definitions_dialog import DefinitionsDialog

    dialog = DefinitionsDialog(context, names)
    dialog.open()
    return dialog


def edit_chosen_source(context: "Context") -> None:
    """Has the user change the source that is selected, or one to pick."""
    _with_source(context, "Edit which source?", open_edit_source)


def reload_chosen_source(context: "Context") -> None:
    """Has the source that is selected start anew, or one to pick."""
    _with_source(context, "Reload which source?", reload_source)


def remove_chosen_source(context: "Context") -> None:
    """Removes the source that is selected, or one to pick."""
    _with_source(context, "Remove which source?", remove_source)


def chosen_names(context: "Context") -> list[str] | None:
    """The tool or alias that is selected in the tool panel; None if nothing is."""
    row = context.tools.selected()
    return [row.name] if row is not None else None


def _location(context: "Context", loaded_source: "LoadedSource") -> int | None:
    from ptc_studio.ui.workspace_edits import index_in_file

    index = index_in_file(context, loaded_source)
    if index is None:
        context.messages.show_message(
            f"The source {loaded_source.name!r} is not in the workspace file: it was given when the studio was started."
        )
    return index


def _with_source(context: "Context", prompt: str, act: "Callable[[Context, LoadedSource], object]") -> None:
    """Does it to the source of the line that is selected in the tool panel, or has the user pick one."""
    if not context.is_ready():
        return
    loaded_sources = context.workbench.studio.source_set.loaded_sources
    loaded_source = selected_source(context)
    if loaded_source is None and len(loaded_sources) == 1:
        loaded_source = loaded_sources[0]
    if loaded_source is not None:
        act(context, loaded_source)
    elif loaded_sources:
        choices = [
            PickerChoice(each.name, partial(act, context, each), KINDS[each.entry.kind].title)
            for each in loaded_sources
        ]
        Picker(context.window, prompt, choices).pop_up()
    else:
        context.messages.show_message("There are no sources yet: add one with Ctrl+Shift+N.")


def selected_source(context: "Context") -> "LoadedSource | None":
    """The source of the selected line, or nothing."""
    index = context.tools.tree.currentIndex()
    node = context.tools.model.node(index) if index.isValid() else None
    while node is not None:
        loaded_source = getattr(node.row, "loaded_source", None)
        if loaded_source is not None:
            return loaded_source
        node = node.parent
    return None
