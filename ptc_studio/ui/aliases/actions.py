"""What is done to aliases in the window: made, changed, copied, switched off and on, deleted; all of it undoable.

All of it is imported when it is first asked for: the window opens without it.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor

from ptc_studio.core.python_text import parsed
from ptc_studio.core.registry import identifier
from ptc_studio.ui.editor.gutter import to_units
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.tool_mentions import ToolUse, bindings_of, mentions_in, uses_in, uses_in_python
from ptc_studio.ui.widgets.picker import Picker, PickerChoice

if TYPE_CHECKING:
    from ptc_studio.storage.edited_file import Undo
    from ptc_studio.ui.aliases.alias_dialog import AliasDialog
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.workspace_edits import WorkspaceEdits


Place = tuple[int, int, int]
"""Line and column of a name, counted from 0 in characters, and its length."""


def uses_of(name: str, text: str, language: str) -> list[Place]:
    """Every place where the alias is called or handed on, in order; not what only looks so in texts and comments."""
    if language == "wat":
        # Its texts have their lengths written elsewhere: another name would break them.
        return []
    written = dict.fromkeys((name, identifier(name)))
    hints = {each: ToolHint(each) for each in written}
    lines = text.split("\n")
    found = _in_python(text, lines, hints) if language == "python" else uses_in(text, language, hints)
    if found is None:
        return _in_unfinished(text, lines, written)
    spans = ((use.line - 1, use.column - 1, use.end_column - 1) for use in found)
    return [location for line, start, end in spans if (location := _within(lines[line], line, start, end, written))]


def _in_python(text: str, lines: list[str], hints: dict[str, ToolHint]) -> list[ToolUse] | None:
    """None for a script that Python cannot read, such as one that is being typed."""
    try:
        tree = parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return uses_in_python(tree, bindings_of(tree), lines, hints)


def _in_unfinished(text: str, lines: list[str], written: Iterable[str]) -> list[Place]:
    """As far as words tell it."""
    wanted = {*written, *(f"aio.{each}" for each in written)}
    places: list[Place] = []
    for spoken in sorted(mentions_in(text, "python"), key=lambda each: each.start):
        if spoken.name in wanted:
            line = text.count("\n", 0, spoken.start)
            start = spoken.start - (text.rfind("\n", 0, spoken.start) + 1)
            location = _within(lines[line], line, start, start + spoken.end - spoken.start, written)
            places += [location] if location else []
    return places


def _within(line: str, number: int, start: int, end: int, written: Iterable[str]) -> Place | None:
    """Where in `aio.team`, `tools.team` or `"team"` the name itself stands."""
    for name in written:
        at = line.rfind(name, start, end)
        if at >= 0:
            return number, at, len(name)
    return None


@dataclass(frozen=True, slots=True)
class Uses:
    """What of the open scripts calls the alias."""

    calls: int
    scripts: int

    def __str__(self) -> str:
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        return f"{calls} in {'1 open script' if self.scripts == 1 else f'{self.scripts} open scripts'}"


def count_uses(context: "Context", name: str) -> Uses:
    """How often the open scripts call it."""
    counts = [len(uses_of(name, page.text, page.language)) for page in context.editors.pages]
    return Uses(sum(counts), sum(map(bool, counts)))


def rename_uses(context: "Context", former: str, name: str) -> None:
    """Writes the new name in every open script: one step to undo in each."""
    for page in context.editors.pages:
        found = uses_of(former, page.text, page.language)
        if found:
            _replace(page, found, name)


def _replace(page: "EditorPage", found: list[Place], name: str) -> None:
    document = page.editor.document()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    # From the end: what comes before stays where it is.
    for line, column, length in reversed(found):
        block = document.findBlockByNumber(line)
        begin, end = (to_units(block.text(), each) for each in (column, column + length))
        cursor.setPosition(block.position() + begin)
        cursor.setPosition(block.position() + end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(name)
    cursor.endEditBlock()


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
