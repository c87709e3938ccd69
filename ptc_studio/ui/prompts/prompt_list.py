"""All calls that wait, those that ask the same together, with an answer for all of a kind."""

from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget

from ptc_studio.ui.prompts.answer_buttons import AnswerButtons
from ptc_studio.ui.prompts.deciding import Deciding
from ptc_studio.ui.prompts.footed import lay_out_footed
from ptc_studio.ui.prompts.guard import Guard
from ptc_studio.ui.prompts.waiting import Prompt
from ptc_studio.ui.prompts.words import KINDS, arguments_line, time_left
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS
from ptc_studio.ui.widgets.plain_text import plain_tip

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

    def __init__(self, deciding: Deciding, guard: Guard, parent: QWidget | None = None) -> None:
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
        lay_out_footed(self, self.tree, self.reason, self.buttons)
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
        verb = "Allow" if asks else "Continue"
        self.allow_all.setText(f"{verb} all {len(alike)} like this" if len(alike) > 1 else f"{verb} this")
        self.deny_all.setText(f"Deny all {len(alike)}" if len(alike) > 1 else "Deny this")
        for widget in (self.deny_all, self.reason):
            widget.setVisible(asks)
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
