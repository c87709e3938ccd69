"""What is done to aliases in the window: made, changed, copied, switched off and on, deleted; all of it undoable.

All of it is imported when it is first asked for: the window opens without it.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from ptc_studio.ui.widgets.picker import Picker, PickerChoice

if TYPE_CHECKING:
    from ptc_studio.storage.edited_file import Undo
    from ptc_studio.ui.aliases.alias_dialog import AliasDialog
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.workspace_edits import WorkspaceEdits


def open_new_alias(context: "Context", tool: str = "") -> "AliasDialog | None":
    """Has the user make an alias, of that tool if one is named."""
    return _opened(context, {"tool": tool} if tool else {}) if context.is_ready() else None


def open_edit_alias(context: "Context", name: str) -> "AliasDialog | None":
    """Has the user change the alias."""
    if not context.is_ready():
        return None
    from ptc_studio.ui.workspace_edits import alias_values

    entry = next((each for each in context.workbench.studio.file.aliases if each.name == name), None)
    if entry is None:
        context.messages.show_message(f"There is no alias {name!r} in the workspace file any more.", "warning")
        return None
    return _opened(context, alias_values(entry), name)


def duplicate_aliases(context: "Context", names: Sequence[str]) -> None:
    """Puts a copy of each behind it."""
    if not context.is_ready():
        return
    from ptc_studio.ui.aliases.alias_checks import free_name

    studio, copies = context.workbench.studio, dict[str, str]()
    taken = {entry.name for entry in studio.file.aliases} | {tool.spec.name for tool in studio.registry.tools}
    for name in names:
        copies[name] = free_name(f"{name}_copy", {*taken, *copies.values()})

    async def duplicate(edits: "WorkspaceEdits") -> "Undo":
        done = await edits.duplicate_aliases(copies)
        context.tools.select_later(copies[names[0]])
        return done

    _save(context, duplicate, f"{_named(names)} {_was(names)} copied: {', '.join(map(repr, copies.values()))}.")


def enable_aliases(context: "Context", names: Sequence[str], *, enabled: bool) -> None:
    """Has scripts be able to call them, or not."""
    message = f"{_named(names)} {_was(names)} {'enabled' if enabled else 'disabled'}."
    _save(context, lambda edits: edits.enable_aliases(names, enabled), message)


def delete_aliases(context: "Context", names: Sequence[str]) -> None:
    """Takes them out of the file; the notice offers to undo that."""
    _save(context, lambda edits: edits.remove_aliases(names), f"{_named(names)} {_was(names)} deleted.")


def _opened(context: "Context", values: dict[str, Any], former: str = "") -> "AliasDialog":
    from ptc_studio.ui.aliases.alias_dialog import AliasDialog

    dialog = AliasDialog(context, values, former)
    dialog.saved.connect(lambda was, name, done: _on_saved(context, was, name, done))
    dialog.left.connect(
        lambda: context.messages.offer(
            f"The {'changes to the alias ' + repr(former) if former else 'new alias'} {'were' if former else 'was'} "
            "not saved.",
            "Go on",
            lambda: open_edit_alias(context, former) if former else open_new_alias(context, values.get("tool", "")),
        )
    )
    dialog.open()
    return dialog


def _on_saved(context: "Context", former: str, name: str, done: "Undo | None") -> None:
    if done is None:
        return
    from ptc_studio.ui.aliases.renaming import count_uses, rename_uses
    from ptc_studio.ui.workspace_edits import WorkspaceEdits

    context.tools.select_later(name)
    offer = partial(WorkspaceEdits(context).offer_undo, done, renamed=(name, former or name))
    if not former or former == name:
        offer(f"The alias {name!r} was {'changed' if former else 'made'}.")
        return
    uses = count_uses(context, former)
    message = f"The alias {former!r} is called {name!r} now."
    if uses.calls:
        rename = (f"Rename {uses}", lambda: rename_uses(context, former, name))
        offer(f"{message} {uses} still say {former!r}.", other=rename)
    else:
        offer(message)


def _save(context: "Context", change: "Callable[[WorkspaceEdits], Awaitable[Undo]]", message: str) -> None:
    if context.is_ready():
        from ptc_studio.ui.workspace_edits import WorkspaceEdits

        WorkspaceEdits(context).save(change, message)


def _named(names: Sequence[str]) -> str:
    return f"The alias {names[0]!r}" if len(names) == 1 else f"{len(names)} aliases"


def _was(names: Sequence[str]) -> str:
    return "was" if len(names) == 1 else "were"


class AliasActions(QObject):
    """Connects the panel and the commands of one window. The dialog is imported when it is wanted."""

    def __init__(self, context: "Context") -> None:
        super().__init__(context.window)
        self._context = context
        context.tools.alias_requested.connect(self._on_alias_requested)
        context.workbench.alias_renamed.connect(context.tools.model.rename_tick)
        action = context.commands["addAliasAction"]
        action.setToolTip("Gives a tool a name and arguments of your own; a tool can be dropped here")
        action.triggered.connect(self._on_add_triggered)
        for verb in ("edit", "duplicate", "toggle", "delete"):
            context.commands[f"{verb}AliasAction"].triggered.connect(partial(self._on_command, verb))

    def _on_add_triggered(self) -> None:
        """Of the tool that is selected, if one is."""
        row = self._context.tools.selected()
        open_new_alias(self._context, (row.target or row.name) if row is not None else "")

    def _on_command(self, verb: str, _checked: bool = False) -> None:
        """To the aliases that are selected in the panel, else to one to pick."""
        context, names = self._context, [row.name for row in self._context.tools.selected_aliases()]
        if names:
            self._on_alias_requested(verb, names)
            return
        entries = context.workbench.studio.file.aliases if context.workbench.is_open else ()
        if not entries:
            context.messages.show_message("There are no aliases yet: make one with Ctrl+Shift+A.")
            return
        choices = [
            PickerChoice(entry.name, partial(self._on_alias_requested, verb, [entry.name]), f"→ {entry.tool}")
            for entry in entries
        ]
        Picker(context.window, f"{verb.capitalize()} which alias?", choices).pop_up()

    def _on_alias_requested(self, verb: str, names: Sequence[str]) -> None:
        context = self._context
        match verb:
            case "new":
                open_new_alias(context, names[0])
            case "edit":
                open_edit_alias(context, names[0])
            case "duplicate":
                duplicate_aliases(context, names)
            case "enable" | "disable":
                enable_aliases(context, names, enabled=verb == "enable")
            case "toggle":
                self._toggle(names)
            case "delete":
                delete_aliases(context, names)

    def _toggle(self, names: Sequence[str]) -> None:
        """Switches off those that are on; if none is, all on."""
        entries = self._context.workbench.studio.file.aliases
        on = [entry.name for entry in entries if entry.name in names and entry.enabled]
        enable_aliases(self._context, on or names, enabled=not on)
