"""What the window does about targets beside choosing one: asks for inputs, keeps and resets containers."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QStatusBar

from ptc_studio.ui.recordings.actions import Chip

if TYPE_CHECKING:
    from ptc_studio.targets import Destination, Given
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.language.target_problems import Missing
    from ptc_studio.ui.run_presenter import RunPresenter
    from ptc_studio.ui.targets.choice import TargetChoice


class TargetRun(QObject):
    """What a run needs to know of its target, in one window."""

    def __init__(self, context: "Context", targets: "TargetChoice", status_bar: QStatusBar) -> None:
        super().__init__(context.window)
        self._context, self._targets = context, targets
        self._asked: dict[str, tuple[Missing, ...]] = {}
        """What was asked for of each page: once is enough."""
        self.container = Chip("containerChip", "accent", self.reset_container)
        status_bar.addWidget(self.container)
        targets.changed.connect(self._show)
        context.workbench.run_started.connect(self._show)
        context.workbench.run_ended.connect(lambda _record: self._show())

    def connect_commands(self, run: "RunPresenter") -> None:
        """Has the commands do what they say."""
        commands = self._context.commands
        commands["sameContainerAction"].triggered.connect(lambda: run.run_script(same_container=True))
        commands["resetContainerAction"].triggered.connect(lambda: self.reset_container())
        commands["inputsAction"].triggered.connect(lambda: self.open_inputs(run.run_script))
        self._show()

    def destination(self, page: "EditorPage", *, same_container: bool) -> "Callable[[], Destination]":
        """Where a run of the page goes, to be made in a thread."""
        return self._targets.destination(page, same_container=same_container)

    def destination_then(
        self, page: "EditorPage", target_id: str, inputs: Mapping[str, Any]
    ) -> "Callable[[], Destination]":
        """The same as a past run of it went, with what it was given; the page keeps that."""
        from ptc_studio.targets import Given

        if inputs:
            self._targets.give(page, Given(inputs, self._targets.given(page).environment))
        return self._targets.destination(page, target_id=target_id)

    def asks_for_inputs(self, page: "EditorPage", run: Callable[[], object]) -> bool:
        """Whether the script needs what nobody gave: then that is asked for, once, and `run` is called afterwards."""
        missing = self._targets.missing(page)
        # A script that goes nowhere in particular is given nothing: an unknown name is a mistake, and told as one.
        if self._targets.is_plain or not missing or self._asked.get(page.id) == missing:
            return False
        self._asked[page.id] = missing
        self._open(page, missing, run)
        return True

    def open_inputs(self, run: Callable[[], object]) -> None:
        """Shows what the script in front is given."""
        page = self._context.editors.current()
        if page is not None:
            self._open(page, self._targets.missing(page), run)

    def reset_container(self) -> None:
        """Has the next run begin anew."""
        self._targets.reset_container(self._show)

    def _open(self, page: "EditorPage", missing: "tuple[Missing, ...]", run: Callable[[], object]) -> None:
        from ptc_studio.ui.targets.inputs import InputsDialog

        given = self._targets.given(page, told=True)
        InputsDialog(self._context.window, page.title, given, missing, partial(self._give, page, run)).open()

    def _give(self, page: "EditorPage", run: Callable[[], object], given: "Given", then_run: bool) -> None:
        self._targets.give(page, given)
        # Whatever was left empty was left so on purpose.
        self._asked[page.id] = self._targets.missing(page)
        if then_run:
            run()

    def _show(self) -> None:
        target, kept = self._targets.current(), self._targets.has_container
        running = self._context.workbench.is_running
        commands = self._context.commands
        keeps = target is not None and target.keeps_state
        commands["sameContainerAction"].setEnabled(keeps and not running)
        commands["resetContainerAction"].setEnabled(kept and not running)
        words = f"Container of {target.id} kept" if kept and target is not None else ""
        tip = "“Run in the same container” goes on with the names of the last run. Click to reset the container."
        self.container.show_text(words, tip)
