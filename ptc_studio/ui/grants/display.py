"""Shows in the window what the script may call and what it uses without, and changes it, with undo."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from ptc_studio.core.errors import PtcError
from ptc_studio.ui.grants.choice import GrantChoice, GrantState
from ptc_studio.ui.grants.patterns import GrantSetChange, Patterns, fitted, granted, setting, summed_up, with_names
from ptc_studio.ui.grants.selector import AS_TICKED, EVERYTHING, GrantSelector
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, SPACE
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.choice_selector import ChoiceRow
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.editor.problems_view import ProblemsView
    from ptc_studio.ui.grants.dialog import GrantDialog
    from ptc_studio.ui.language.problems import Problem
    from ptc_studio.ui.run_presenter import RunPresenter
    from ptc_studio.ui.workspace_edits import WorkspaceEdits


UPDATE, SAVE, EDIT = "update", "save", "edit"
"""Actions of the selector."""
GONE = "no longer in studio.yaml"
NOTHING = "matches nothing"
NAMED_IN_TOOLTIP = 6


def offered(choice: "GrantChoice", *, settled: bool) -> list[ChoiceRow]:
    """Everything, the sets, what is ticked, and what can be done. Until all tools are there, nothing is missed."""
    targets = choice.targets
    rows = [ChoiceRow("everything", EVERYTHING, note=f"all {len(targets):,}" if settled else "")]
    rows += [_set_row(name, patterns, targets, settled) for name, patterns in choice.sets.items()]
    if choice.name and choice.name not in choice.sets:
        rows.append(ChoiceRow("set", choice.name, choice.name, GONE if choice.is_gone else "", choice.is_gone))
    if choice.is_as_ticked:
        rows.append(ChoiceRow("ticked", AS_TICKED, note=f"{len(choice.ticked):,} of {len(targets):,}"))
    rows.append(ChoiceRow("line"))
    if choice.is_as_ticked and choice.name in choice.sets:
        rows.append(ChoiceRow("action", f"Update {choice.name}", UPDATE, "to what is ticked"))
    rows.append(ChoiceRow("action", "Save as a grant set…", SAVE))
    rows.append(ChoiceRow("action", "Edit grant sets…", EDIT))
    return rows


def chosen_row(choice: "GrantChoice", rows: Sequence[ChoiceRow]) -> ChoiceRow:
    """The one that holds."""
    wanted = ("ticked", "") if choice.is_as_ticked else ("set", choice.name) if choice.name else ("everything", "")
    return next(row for row in rows if (row.kind, row.key) == wanted)


def grant_tooltip(choice: "GrantChoice", row: ChoiceRow, used: Sequence[str]) -> str:
    """What the tooltip of the selector says; `used` are the tools that the script in front uses."""
    may = choice.ticked
    lines = [f"The script may call {len(may):,} of {_counted(len(choice.targets))}"]
    if row.kind == "ticked":
        lines.append(
            "The ticks are remembered here, not in studio.yaml: save them as a grant set to name and share them."
        )
    elif row.faulty and row.note == GONE:
        lines.append(f"▲ The grant set {choice.name!r} is no longer in studio.yaml; what it granted last still holds.")
    elif row.faulty:
        lines.append(f"▲ The patterns of {choice.name!r} match no tool and no alias.")
    spare = sorted(may.difference(used))
    if used and spare and row.kind != "everything":
        lines.append(f"Granted, but not used by this script: {listed(spare)}")
    return "\n".join(lines)


def listed(names: Sequence[str], most: int = NAMED_IN_TOOLTIP) -> str:
    """`a, b, c and 4 more`."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} more"


def _set_row(name: str, patterns: Patterns, targets: "Sequence[Target]", settled: bool) -> ChoiceRow:
    if not settled:
        return ChoiceRow("set", name, name)
    count = len(granted(patterns, targets))
    if not count:
        return ChoiceRow("set", name, name, NOTHING if patterns else "grants nothing", bool(patterns))
    return ChoiceRow("set", name, name, f"{count:,} of {len(targets):,}")


def _counted(count: int) -> str:
    return "1 tool" if count == 1 else f"{count:,} tools and aliases"


MOST_NAMED = 4


class GrantLine(QFrame):
    """Hidden while nothing is missing. Closed by the user, it comes back when something else is missing, or at a run.

    Signals: grant_requested(names).
    """

    grant_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("grantLine")
        self._missing: tuple[str, ...] = ()
        self._closed_for: tuple[str, ...] = ()
        self._mark = PlainLabel("▲")
        self.text = PlainLabel()
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setWordWrap(True)
        self.button = QPushButton("Grant them")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(lambda: self.grant_requested.emit(list(self._missing)))
        self.dismiss = flat_button("close", "Close until something else is missing", self._close)
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * SPACE, SPACE, SPACE, SPACE)
        row.setSpacing(2 * SPACE)
        row.addWidget(self._mark)
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        row.addWidget(self.dismiss)
        theme().changed.connect(self._apply_style)
        self._apply_style()
        self.hide()

    @property
    def missing(self) -> tuple[str, ...]:
        return self._missing

    def show_uses(self, used: int, missing: Sequence[str]) -> None:
        """How many tools the script uses, and which of them it is not granted."""
        self._missing = tuple(missing)
        if missing:
            self._say(used)
        if not missing:
            self._closed_for = ()
        self.setVisible(bool(missing) and self._missing != self._closed_for)

    def insist(self) -> None:
        """Shows itself again if it was closed: the script is run now."""
        self._closed_for = ()
        self.setVisible(bool(self._missing))

    def _say(self, used: int) -> None:
        shown, more = self._missing[:MOST_NAMED], len(self._missing) - MOST_NAMED
        names = ", ".join(shown) + (f" and {more} more" if more > 0 else "")
        words = f"Uses {used} tool{'' if used == 1 else 's'}; not granted: {names}"
        self.text.setText(words)
        self.text.setToolTip(plain_tip(f"Calls of these are denied: {', '.join(self._missing)}"))
        self.setAccessibleName(words)
        self.button.setText("Grant it" if len(self._missing) == 1 else "Grant them")
        self.button.setToolTip("Adds what is missing to the chosen grant set, or ticks it; can be undone")

    def _close(self) -> None:
        self._closed_for = self._missing
        self.hide()

    def _apply_style(self) -> None:
        colours = theme().colours
        self.setStyleSheet(
            f"#grantLine {{ background: {colours.panel}; border: 0; border-top: 1px solid {colours.line}; }}"
        )
        self._mark.setStyleSheet(f"color: {colours.warning};")
        self.button.setFixedHeight(theme().pixels(FIELD))


WAITING = ("new", "loading")
"""Sources in these states are yet to bring their tools."""


class GrantPresenter(QObject):
    """Connects the panels of one window to its choice of grants."""

    def __init__(
        self, actions: "GrantActions", selector: GrantSelector, problems: "ProblemsView", run: "RunPresenter"
    ) -> None:
        context = actions.context
        super().__init__(context.window)
        self._context, self._actions, self._choice = context, actions, actions.choice
        self._selector, self._run = selector, run
        self._was_gone = False
        self.line = GrantLine()
        layout = context.editors.layout()
        assert layout is not None
        layout.addWidget(self.line)
        self._connect(problems)
        if context.workbench.is_open:
            self._show()

    def _connect(self, problems: "ProblemsView") -> None:
        context = self._context
        self._choice.changed.connect(self._show)
        self._selector.row_chosen.connect(self._on_row_chosen)
        self._selector.action_chosen.connect(self._on_action_chosen)
        self.line.grant_requested.connect(self._grant)
        problems.grant_requested.connect(self._grant)
        context.editors.current_changed.connect(self._on_page_changed)
        context.workbench.run_started.connect(self._on_run_started)
        context.commands["grantsAction"].triggered.connect(lambda: self._actions.open_sets())
        context.commands["saveGrantAction"].triggered.connect(lambda: self._actions.save_ticked())

    def _show(self) -> None:
        studio, choice = self._context.workbench.studio, self._choice
        settled = not any(loaded_source.status.state in WAITING for loaded_source in studio.source_set.loaded_sources)
        rows = offered(choice, settled=settled)
        chosen = chosen_row(choice, rows)
        self._selector.show_rows(rows, chosen)
        self._explain()
        if choice.is_gone and not self._was_gone:
            self._context.messages.offer(
                f"The grant set {choice.name!r} is no longer in studio.yaml: what it granted last still holds. "
                "Choose another in the run bar.",
                "Save it again…",
                self._actions.save_ticked,
                kind="warning",
            )
        self._was_gone = choice.is_gone

    def _explain(self) -> None:
        if self._context.workbench.is_open:
            page = self._context.editors.current()
            used = [use.tool for use in page.finder.uses] if page is not None else []
            self._selector.setToolTip(plain_tip(grant_tooltip(self._choice, self._selector.chosen, used)))

    def _on_row_chosen(self, row: ChoiceRow) -> None:
        if row.kind != "ticked":
            self._choice.choose(row.key)

    def _on_action_chosen(self, key: str) -> None:
        actions = self._actions
        does = {UPDATE: actions.update_chosen, SAVE: actions.save_ticked, EDIT: actions.open_sets}
        does[key]()

    def _on_page_changed(self, page: "EditorPage | None") -> None:
        if page is not None:
            page.finder.found.connect(self._on_found, Qt.ConnectionType.UniqueConnection)
            page.editor.mending_asked.connect(self._on_mending_asked, Qt.ConnectionType.UniqueConnection)
        self._show_missing(page)

    def _on_found(self) -> None:
        page = self._context.editors.current()
        if page is not None and self.sender() in (page.finder, None):
            self._show_missing(page)

    def _on_mending_asked(self, problem: "Problem") -> None:
        self._grant([problem.ungranted])

    def _show_missing(self, page: "EditorPage | None") -> None:
        uses = page.finder.uses if page is not None else []
        missing = dict.fromkeys(use.tool for use in uses if not use.granted)
        self.line.show_uses(len({use.tool for use in uses}), list(missing))
        self._explain()

    def _on_run_started(self) -> None:
        page = self._context.editors.current()
        if page is not None and page is self._run.page:
            page.finder.catch_up()
            self.line.insist()

    def _grant(self, names: list[str]) -> None:
        self._actions.grant_tools(names)


NO_WORKSPACE = "Grant sets are kept in the studio.yaml of a workspace, and none is open."


class GrantActions:
    """Of one window, and of what is chosen in it."""

    def __init__(self, context: "Context", choice: GrantChoice) -> None:
        self.context, self.choice = context, choice

    def open_sets(self) -> "GrantDialog | None":
        """Has the user edit the grant sets."""
        if not self._can_save():
            return None
        from ptc_studio.ui.grants.dialog import GrantDialog

        dialog = GrantDialog(self)
        dialog.open()
        return dialog

    def save_ticked(self) -> "GrantDialog | None":
        """Has the user name what is ticked as a set of its own; a set that is gone is offered as it was."""
        dialog, choice = self.open_sets(), self.choice
        if dialog is not None and choice.is_gone and not choice.is_as_ticked:
            dialog.add(choice.patterns or (), choice.name, choose=True)
        elif dialog is not None:
            dialog.add(tuple(sorted(choice.ticked)), choose=True)
        return dialog

    def update_chosen(self) -> None:
        """Has the chosen set grant exactly what is ticked."""
        choice = self.choice
        if choice.name not in choice.sets or not self._can_save():
            return
        patterns = fitted(choice.sets[choice.name], choice.targets, choice.ticked)
        self.context.workbench.start(self.save([setting(choice.name, patterns)], choose=choice.name))

    def grant_tools(self, names: Sequence[str]) -> None:
        """Grants these to the script: by the chosen set if one holds, else by ticking them."""
        choice, bench = self.choice, self.context.workbench
        if not bench.is_open or not names:
            return
        text = ("{} is granted now" if len(names) == 1 else "{} are granted now").format(listed(names))
        if choice.name in choice.sets and not choice.is_as_ticked and bench.studio.fault is None:
            patterns = with_names(choice.sets[choice.name], choice.targets, names)
            change = GrantSetChange(text, setting(choice.name, patterns).apply)
            bench.start(self.save([change], message=f"{text}, by the grant set {choice.name!r}."))
            return
        before = choice.standing
        choice.tick({*choice.ticked, *names})
        self.context.messages.offer(f"{text}: ticked in the tool panel.", "Undo", lambda: choice.restore(before))

    async def save(
        self,
        changes: Sequence[GrantSetChange],
        *,
        choose: str = "",
        message: str = "",
        edits: "WorkspaceEdits | None" = None,
        failed: Callable[[str], Any] | None = None,
    ) -> bool:
        """Writes the changes and offers to undo them; whether that could be done. `choose`: the set that holds then."""
        from ptc_studio.ui.workspace_edits import WorkspaceEdits

        context, choice = self.context, self.choice
        edits, before = edits or WorkspaceEdits(context), choice.standing
        try:
            done = await edits.change_grants(changes)
        except PtcError as error:
            (failed or context.messages.show_message)(str(error))
            return False
        self._follow(changes, choose)

        async def undo() -> None:
            await edits.undo(done)
            choice.restore(before)

        context.messages.offer(message or summed_up(changes), "Undo", lambda: context.start_reported(undo()))
        return True

    def _follow(self, changes: Sequence[GrantSetChange], choose: str) -> None:
        """Has the choice mean what it meant: a set that the user renamed or deleted is not a set that is gone."""
        choice = self.choice
        for change in changes:
            if change.renames is not None:
                choice.follow_rename(*change.renames)
            if change.removes and change.removes == choice.name:
                ticked = choice.ticked if choice.is_as_ticked else granted(choice.patterns or (), choice.targets)
                choice.restore(GrantState(None, tuple(sorted(ticked))))
        if choose:
            choice.choose(choose)

    def _can_save(self) -> bool:
        """Whether there is a file to write sets into; says so if not."""
        context = self.context
        if not context.is_ready():
            return False
        studio = context.workbench.studio
        if not studio.has_workspace:
            open_workspace = context.commands["openWorkspaceAction"].trigger
            context.messages.offer(NO_WORKSPACE, "Open workspace…", open_workspace, kind="note")
        elif studio.fault is not None:
            context.messages.show_message(studio.fault, "error")
        else:
            return True
        return False
