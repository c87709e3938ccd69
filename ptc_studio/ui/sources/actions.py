"""What is done to sources in the window: add, change, remove, import; secrets, and definitions for others.

All of it is imported when it is first asked for: the window opens without it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ptc_studio.sources.kinds import KINDS
from ptc_studio.ui.widgets.picker import Picker, PickerChoice
from ptc_studio.ui.workbench import is_ready

if TYPE_CHECKING:
    from ptc_studio.sources.source_set import LoadedSource
    from ptc_studio.ui.main_window import MainWindow
    from ptc_studio.ui.sources.definitions_dialog import DefinitionsDialog
    from ptc_studio.ui.sources.import_dialog import ImportDialog
    from ptc_studio.ui.sources.secrets_dialog import SecretsDialog
    from ptc_studio.ui.sources.source_dialog import SourceDialog


def open_add_source(window: "MainWindow", kind: str | None = None) -> "SourceDialog | None":
    """Has the user add a source: with the cards first, or with the form of that kind at once."""
    if not is_ready(window):
        return None
    from ptc_studio.ui.sources.source_dialog import SourceDialog

    dialog = SourceDialog(window)
    if kind is not None:
        dialog.show_form(kind)
    dialog.open()
    return dialog


def open_edit_source(window: "MainWindow", loaded_source: "LoadedSource") -> "SourceDialog | None":
    """Has the user change the source."""
    index = _location(window, loaded_source)
    if index is None:
        return None
    from ptc_studio.ui.sources.source_dialog import SourceDialog

    dialog = SourceDialog(window, entry=loaded_source.entry, index=index)
    dialog.open()
    return dialog


def remove_source(window: "MainWindow", loaded_source: "LoadedSource") -> None:
    """Takes the source out of the file; the notice offers to undo that."""
    index = _location(window, loaded_source)
    if index is not None:
        window.workbench.start_reported(_remove(window, loaded_source.name, index), window.show_message)


def reload_source(window: "MainWindow", loaded_source: "LoadedSource") -> None:
    """Has the source start anew."""

    async def reload() -> None:
        await window.workbench.studio.reload_source(loaded_source)
        window.workbench.load()

    window.workbench.start(reload())


def open_import(window: "MainWindow") -> "ImportDialog | None":
    """Has the user take over tools from other programs."""
    if not is_ready(window):
        return None
    from ptc_studio.ui.sources.import_dialog import ImportDialog

    dialog = ImportDialog(window)
    dialog.open()
    return dialog


def open_secrets(window: "MainWindow") -> "SecretsDialog | None":
    """Shows the secrets by name."""
    if not is_ready(window):
        return None
    from ptc_studio.ui.sources.secrets_dialog import SecretsDialog

    dialog = SecretsDialog(window)
    dialog.open()
    return dialog


def open_definitions(window: "MainWindow", names: Sequence[str] | None = None) -> "DefinitionsDialog | None":
    """Shows the definitions of these tools and aliases, or of all."""
    if not is_ready(window):
        return None
    from ptc_studio.ui.sources.definitions_dialog import DefinitionsDialog

    dialog = DefinitionsDialog(window, names)
    dialog.open()
    return dialog


def edit_chosen_source(window: "MainWindow") -> None:
    """Has the user change the source that is selected, or one to pick."""
    _with_source(window, "Edit which source?", open_edit_source)


def reload_chosen_source(window: "MainWindow") -> None:
    """Has the source that is selected start anew, or one to pick."""
    _with_source(window, "Reload which source?", reload_source)


def remove_chosen_source(window: "MainWindow") -> None:
    """Removes the source that is selected, or one to pick."""
    _with_source(window, "Remove which source?", remove_source)


def chosen_names(window: "MainWindow") -> list[str] | None:
    """The tool or alias that is selected in the tool panel; None if nothing is."""
    row = window.tools.selected()
    return [row.name] if row is not None else None


async def _remove(window: "MainWindow", name: str, index: int) -> None:
    from ptc_studio.ui.workspace_edits import SourceEdits

    edits = SourceEdits(window)
    done = await edits.remove(index)
    window.notice.offer(
        f"The source {name!r} was removed.",
        "Undo",
        lambda: window.workbench.start_reported(edits.undo(done), window.show_message),
    )


def _location(window: "MainWindow", loaded_source: "LoadedSource") -> int | None:
    from ptc_studio.ui.workspace_edits import place_in_file

    index = place_in_file(window, loaded_source)
    if index is None:
        window.show_message(
            f"The source {loaded_source.name!r} does not stand in a workspace: it was named when the studio was opened."
        )
    return index


def _with_source(window: "MainWindow", prompt: str, act: "Callable[[MainWindow, LoadedSource], object]") -> None:
    if is_ready(window):
        with_source(window, prompt, act)


def with_source(window: "MainWindow", prompt: str, act: "Callable[[MainWindow, LoadedSource], object]") -> None:
    """Does it to the source of the line that is selected in the tool panel, or has the user pick one."""
    loaded_sources = window.workbench.studio.source_set.loaded_sources
    loaded_source = selected_source(window)
    if loaded_source is None and len(loaded_sources) == 1:
        loaded_source = loaded_sources[0]
    if loaded_source is not None:
        act(window, loaded_source)
    elif loaded_sources:
        choices = [
            PickerChoice(each.name, partial(act, window, each), KINDS[each.entry.kind].title) for each in loaded_sources
        ]
        Picker(window, prompt, choices).pop_up()
    else:
        window.show_message("There are no sources yet: add one with Ctrl+Shift+N.")


def selected_source(window: "MainWindow") -> "LoadedSource | None":
    """The source of the selected line, or nothing."""
    index = window.tools.tree.currentIndex()
    node = window.tools.model.node(index) if index.isValid() else None
    while node is not None:
        loaded_source = getattr(node.row, "loaded_source", None)
        if loaded_source is not None:
            return loaded_source
        node = node.parent
    return None
