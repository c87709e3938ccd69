"""The panel of what waits: one call by itself, or the list of all."""

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.ui.prompts.banner import AnswerButtons, ClickGuard, lay_out_with_footer
from ptc_studio.ui.prompts.bodies import InputBody, PermissionBody, PromptBody, StoppedBody
from ptc_studio.ui.prompts.decisions import (
    KINDS,
    STOPPED,
    Prompt,
    PromptDecision,
    arguments_line,
    circumstances,
    heading,
    time_left,
)
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, SPACE
from ptc_studio.ui.widgets.item_views import PartsLine
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import rule

TICK_MS = 500


class _Line(QTreeWidgetItem):
    """A kind, or one call."""

    def __init__(self, text: str, beside: str, prompts: list[Prompt]) -> None:
        super().__init__([text, beside])
        self.prompts = prompts
        self.setForeground(1, theme().colour("muted"))

    @property
    def is_group(self) -> bool:
        return self.parent() is None

    def stands_for(self, prompt: Prompt) -> bool:
        return self.prompts[0].is_like(prompt) if self.is_group else self.prompts[0] is prompt


class PromptList(QWidget):
    """A row a call below a row a kind.

    Signals: opened(prompt): it is wanted by itself.
    """

    opened = Signal(object)

    def __init__(self, deciding: PromptDecision, guard: ClickGuard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._deciding = deciding
        self.tree = QTreeWidget(columnCount=2)
        self.tree.setObjectName("promptList")
        self.tree.setAccessibleName("Calls that wait for you")
        self.tree.setHeaderHidden(True)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.activated.connect(self._on_activated)
        self.tree.currentItemChanged.connect(lambda *_: self._show_buttons())
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Reason for the scripts, if you deny them")
        self.reason.setAccessibleName("Reason for the scripts")
        self.buttons = AnswerButtons(guard)
        self.allow_all = self.buttons.add("Allow all", "Each once, with its own arguments", self._on_allow_all)
        self.deny_all = self.buttons.add("Deny all", "The scripts get the reason", self._on_deny_all)
        self.open = self.buttons.add("Open", "Shows the call, to be edited", self._on_open)
        lay_out_with_footer(self, self.tree, self.reason, self.buttons)
        self._ticks = QTimer(self, interval=TICK_MS)
        self._ticks.timeout.connect(self._show_times)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.refresh)
        theme().changed.connect(self._soon.start)
        deciding.waiting.came.connect(lambda _: self._soon.start())
        deciding.waiting.went.connect(lambda _: self._soon.start())
        self.refresh()

    def refresh(self) -> None:
        """Shows what waits now; the same row stays chosen."""
        item, chosen = self.tree.currentItem(), self._chosen()
        group = item is None or item.childCount() > 0
        self.tree.clear()
        groups: dict[tuple[str, str], list[Prompt]] = {}
        for prompt in self._deciding.waiting.all:
            groups.setdefault((prompt.name, prompt.question.kind), []).append(prompt)
        for prompts in groups.values():
            self._add_group(prompts)
        self.tree.expandAll()
        self._choose(chosen, group)
        self._show_times()
        self._show_buttons()
        self._ticks.start()

    def _add_group(self, prompts: list[Prompt]) -> None:
        first = prompts[0].question
        group = _Line(f"{MARKS['waiting']} {first.name}  ×{len(prompts):,}", KINDS[first.kind], prompts)
        group.setForeground(0, theme().colour("tool"))
        self.tree.addTopLevelItem(group)
        for prompt in prompts:
            line = f" · line {prompt.question.line}" if prompt.question.line is not None else ""
            item = _Line(f"{arguments_line(prompt.question)}{line}", "", [prompt])
            item.setToolTip(0, plain_tip(arguments_line(prompt.question, 2_000)))
            group.addChild(item)

    def _chosen(self) -> list[Prompt]:
        item = self.tree.currentItem()
        return item.prompts if isinstance(item, _Line) else []

    def _choose(self, before: list[Prompt], group: bool) -> None:
        """The line of the same call, or of the same kind, if it is still there; else the first."""
        lines = self.lines()
        same = [line for line in lines if line.is_group == group and before and line.stands_for(before[0])]
        for line in (same or lines)[:1]:
            self.tree.setCurrentItem(line)

    def lines(self) -> "list[_Line]":
        """All, as they stand below each other."""
        found: list[_Line] = []
        for row in range(self.tree.topLevelItemCount()):
            group = self.tree.topLevelItem(row)
            if isinstance(group, _Line):
                found += [
                    group,
                    *(child for at in range(group.childCount()) if isinstance(child := group.child(at), _Line)),
                ]
        return found

    def _alike(self) -> list[Prompt]:
        """All that ask the same as the chosen row."""
        chosen = self._chosen()
        return self._deciding.waiting.like(chosen[0]) if chosen else []

    def _show_buttons(self) -> None:
        alike = self._alike()
        asks = bool(alike) and alike[0].question.kind == "permission"
        stopped = bool(alike) and alike[0].question.kind in STOPPED
        verb = "Allow" if asks else "Continue"
        self.allow_all.setText(f"{verb} all {len(alike)} like this" if len(alike) > 1 else f"{verb} this")
        self.deny_all.setText(f"Deny all {len(alike)}" if len(alike) > 1 else "Deny this")
        for widget in (self.deny_all, self.reason):
            widget.setVisible(asks)
        # What a tool wants to know is to be said for each.
        self.allow_all.setVisible(asks or stopped)
        for button in (self.allow_all, self.open):
            button.setEnabled(bool(alike))

    def _show_times(self) -> None:
        for line in self.lines():
            if not line.is_group:
                line.setText(1, time_left(line.prompts[0].left))

    def _on_activated(self, _index: QModelIndex) -> None:
        self._on_open()

    def _on_open(self) -> None:
        chosen = self._chosen()
        if chosen:
            self.opened.emit(chosen[0])

    def _on_allow_all(self) -> None:
        alike = self._alike()
        if alike and alike[0].question.kind == "permission":
            self._deciding.allow_all(alike)
        else:
            for prompt in alike:
                self._deciding.go_on(prompt)

    def _on_deny_all(self) -> None:
        self._deciding.deny(self._alike(), self.reason.text())


class PromptView(QWidget):
    """Made anew for each question."""

    def __init__(
        self, prompt: Prompt, deciding: PromptDecision, guard: ClickGuard, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.prompt = prompt
        self.setAccessibleName(heading(prompt.question))
        bodies = {"permission": PermissionBody, **dict.fromkeys(STOPPED, StoppedBody)}
        body: type[PromptBody] = bodies.get(prompt.question.kind, InputBody)
        self.body = body(prompt, deciding, guard)
        self.why = PlainLabel(circumstances(prompt.question), wordWrap=True)
        self.why.setProperty("role", "muted")
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._mark = PlainLabel(MARKS["waiting"])
        self.time = PlainLabel()
        self.time.setProperty("role", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addWidget(rule())
        column.addWidget(self.body, 1)
        self._ticks = QTimer(self, interval=TICK_MS)
        self._ticks.timeout.connect(self._show_time)
        theme().changed.connect(self._apply_style)
        self._apply_style()
        self._show_time()
        if prompt.left is not None:
            self._ticks.start()

    def _head(self) -> QVBoxLayout:
        name = PartsLine()
        name.set_parts([("tool", self.prompt.name), ("badge", KINDS[self.prompt.question.kind])])
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self._mark)
        row.addWidget(name, 1)
        row.addWidget(self.time)
        head = QVBoxLayout()
        head.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        head.setSpacing(SPACE)
        head.addLayout(row)
        below = QHBoxLayout()
        below.addWidget(self.why, 1)
        if self.body.corner is not None:
            below.addWidget(self.body.corner, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(below)
        return head

    def _apply_style(self) -> None:
        self._mark.setStyleSheet(f"color: {theme().colours.warning};")

    def _show_time(self) -> None:
        self.time.setText(time_left(self.prompt.left))


NEXT_MS = 30
"""So long it is waited before the next is shown: of a run that is stopped, all go one after the other."""


class PromptPanel(QWidget):
    """Takes the inspector's place while a call is to be decided about.

    Signals: shown(prompt): that one is in front now. emptied: nothing waits any longer.
    """

    shown = Signal(object)
    emptied = Signal()

    def __init__(self, deciding: PromptDecision, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("promptPanel")
        self.setAccessibleName("Calls that wait for you")
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._deciding = deciding
        self.guard = ClickGuard()
        self.view: PromptView | None = None
        self.list = PromptList(deciding, self.guard)
        self.list.opened.connect(self.show_prompt)
        self.back = QPushButton()
        self.back.setProperty("flat", True)
        self.back.setAutoDefault(False)
        self.back.setToolTip("Shows all calls that wait")
        self.back.clicked.connect(self.show_list)
        self.title = PlainLabel()
        self.title.setProperty("role", "title")
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._lay_out()
        self._next = QTimer(self, singleShot=True, interval=NEXT_MS)
        self._next.timeout.connect(self._show_next)
        deciding.waiting.came.connect(self._on_came)
        deciding.waiting.went.connect(self._on_went)

    @property
    def prompt(self) -> Prompt | None:
        """The one that is in front by itself."""
        return self.view.prompt if self.view is not None else None

    @property
    def has_keyboard(self) -> bool:
        focused = self.window().focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def show_prompt(self, prompt: Prompt) -> None:
        """Shows one by itself."""
        if self.prompt is not prompt:
            self._forget_view()
            self.view = PromptView(prompt, self._deciding, self.guard)
            self._pages.addWidget(self.view)
            self._pages.setCurrentWidget(self.view)
        self._show_head()
        self.shown.emit(prompt)

    def show_list(self) -> None:
        """Shows all that waits."""
        self._forget_view()
        self._pages.setCurrentWidget(self.list)
        self._show_head()

    def focus_first(self, *, reason: bool = False) -> None:
        """The user wants to go there, perhaps to say why not."""
        if self.view is None:
            (self.list.reason if reason else self.list.tree).setFocus()
        elif reason:
            self.view.body.focus_reason()
        else:
            self.view.body.focus_first()

    def proceed(self, *, step: bool = False) -> None:
        """Lets the call that is stopped go on, as it is shown."""
        if self.view is not None and isinstance(self.view.body, StoppedBody):
            self.view.body.proceed(step=step)

    def _forget_view(self) -> None:
        if self.view is not None:
            self._pages.setCurrentWidget(self.list)
            self._pages.removeWidget(self.view)
            self.view.deleteLater()
            self.view = None

    def _show_head(self) -> None:
        count = len(self._deciding.waiting.all)
        self.back.setText(f"‹ All {count} that wait")
        self.back.setVisible(self.view is not None and count > 1)
        self.title.setText(f"{count:,} call{'' if count == 1 else 's'} wait{'s' if count == 1 else ''} for you")
        self.title.setVisible(self.view is None)
        self._head.setVisible(self.view is None or count > 1)
        if self.view is not None:
            self.view.body.refresh()

    def _on_came(self, _prompt: Prompt) -> None:
        self._show_head()

    def _on_went(self, prompt: Prompt) -> None:
        if self.prompt is prompt:
            # What was meant for this one must not answer the next, which comes by itself.
            self.guard.hold()
        if self.prompt is prompt or not self._deciding.waiting.all:
            self._next.start()
        self._show_head()

    def _show_next(self) -> None:
        """The next that asks the same, else the one that has waited longest; the keyboard stays here if it was here."""
        waiting = self._deciding.waiting
        if not waiting.all:
            self.emptied.emit()
            self._forget_view()
        elif self.prompt is not None and self.prompt not in waiting.all:
            focused = self.has_keyboard
            alike = waiting.like(self.prompt)
            self.show_prompt(alike[0] if alike else waiting.all[0])
            self.guard.hold()
            if focused:
                self.focus_first()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, SPACE)
        row.addWidget(self.back)
        row.addWidget(self.title)
        row.addStretch(1)
        self._head = QWidget()
        head = QVBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(0)
        head.addLayout(row)
        head.addWidget(rule())
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self._pages, 1)
