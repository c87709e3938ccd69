"""Where the script of a window is going: chosen, or told from the text; kept for the folder that is open."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ptc_studio.ui.run_bar.figures import USUAL
from ptc_studio.ui.targets.selector import AUTO, CONTAINER, PLAIN, SETTING, target_rows

if TYPE_CHECKING:
    from ptc_studio.core.scripts import Container, Visible
    from ptc_studio.storage.settings import WorkspaceSettings
    from ptc_studio.targets import DeploymentTarget, Destination, Given
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.language.target_problems import Missing, TargetChoiceInput
    from ptc_studio.ui.run_bar.bar import RunBar
    from ptc_studio.ui.run_bar.runtime_choice import RuntimeChoice
    from ptc_studio.ui.widgets.choice_selector import ChoiceRow


class TargetChoice(QObject):
    """The choice of one window.

    Signals: changed: another target is chosen, or the text of the page in front tells another.
    """

    changed = Signal()

    def __init__(
        self, context: "Context", bar: "RunBar", runtimes: "RuntimeChoice", choices: "WorkspaceSettings"
    ) -> None:
        super().__init__(context.window)
        self._context, self._bar, self._runtimes, self._choices = context, bar, runtimes, choices
        self._targets: dict[str, DeploymentTarget] = {}
        self.chosen: str = choices.get(SETTING, PLAIN)
        """A target's id, or `auto`."""
        self._given: dict[str, Given] = {}
        """Of pages without a file, by the page's id."""
        self.recorded_tools: Callable[[], list[Visible]] = list
        """The tools of a conversation that is replayed."""
        bar.targets.row_chosen.connect(self._on_row_chosen)
        runtimes.picked.connect(self._on_runtime_picked)
        runtimes.preferred = self._runtime_for
        runtimes.discovered.connect(self._show)
        context.editors.current_changed.connect(self._on_page_changed)
        context.workbench.tools_loaded.connect(self._look_again)

    def start(self) -> None:
        """There is a studio: offers the targets as soon as they are read."""
        self._context.workbench.start_passing(self._load())

    @property
    def all(self) -> "list[DeploymentTarget]":
        """Every target, once they are read."""
        return list(self._targets.values())

    def current(self) -> "DeploymentTarget | None":
        """Where the script in front is going, as far as that is known."""
        page = self._context.editors.current()
        told = page.finder.target if page is not None and self.chosen == AUTO else self.chosen
        return self._targets.get(told)

    @property
    def is_plain(self) -> bool:
        """Whether scripts go nowhere in particular."""
        target = self.current()
        return self.chosen == PLAIN or target is None or target.id == PLAIN

    def choose(self, target_id: str) -> None:
        """Chooses it, and with it the runtime that is closest to it."""
        self.chosen = target_id
        self._choices.set(SETTING, target_id, usual=PLAIN)
        self._show()
        target = self._targets.get(target_id)
        self._show_limit(target)
        if target is not None and target.runtime:
            self._bar.set_runtime(target.runtime)
        else:
            self._runtimes.fit()
        self._look_again()
        self.changed.emit()

    def choose_recorded(self, target_id: str) -> None:
        """Chooses where a recorded run was going, if that is known and for the script in front."""
        page = self._context.editors.current()
        if target_id and target_id != self.chosen and page is not None and self._runtime_of(target_id, page):
            self.choose(target_id)

    def going(self, page: "EditorPage") -> "TargetChoiceInput":
        """What the check of the page's script needs to know."""
        from ptc_studio.ui.language.target_problems import TargetChoiceInput

        bench = self._context.workbench
        recorded = self.recorded_tools()
        session = bench.studio.session(grant=bench.grant) if bench.is_open else None
        session_tools = session.visible_tools if session is not None else tuple

        def tools() -> "list[Visible]":
            own = {name for visible in recorded for name in visible.names}
            return [*recorded, *(visible for visible in session_tools() if not own.intersection(visible.names))]

        given, runtime = self.given(page), self._bar.runtime_id()
        going = TargetChoiceInput(self.chosen, page.script_name, tools, given, self.has_container, runtime)
        if page.path is None or not bench.is_open:
            return going
        from ptc_studio.storage.workspace_folder import holds_tools

        studio = bench.studio
        return replace(going, holds_tools=partial(holds_tools, page.path, folder=studio.folder, file=studio.file))

    def given(self, page: "EditorPage", *, told: bool = False) -> "Given":
        """What the page's script is given beside its tools; nothing where its file cannot be understood, which is
        `told` then."""
        from ptc_studio.storage.saved_inputs import InputsError, read_inputs
        from ptc_studio.targets import Given

        if page.path is None:
            return self._given.get(page.id, Given())
        try:
            return read_inputs(page.path)
        except InputsError as error:
            if told:
                self._context.messages.show_message(str(error))
            return Given()

    def give(self, page: "EditorPage", given: "Given") -> None:
        """Keeps it beside the script, or with the page if that is no file yet; raises OSError."""
        from ptc_studio.storage.saved_inputs import write_inputs

        if page.path is None:
            self._given[page.id] = given
        else:
            write_inputs(page.path, given)
        page.finder.look_soon()

    def missing(self, page: "EditorPage") -> "tuple[Missing, ...]":
        """The names that the page's script needs and nobody gave, as far as that is known."""
        return page.finder.missing

    def destination(
        self, page: "EditorPage", *, same_container: bool = False, target_id: str = ""
    ) -> "Callable[[], Destination]":
        """Makes, in a thread, where a run of the page goes: to what is chosen, unless a target is named.

        Raises UnknownTarget where the text does not tell.
        """
        chosen, given = target_id or self.chosen, self.given(page, told=True)
        return partial(self._destination, chosen, page.text, page.script_name, given, same_container)

    def _destination(
        self, chosen: str, code: str, filename: str, given: "Given", same_container: bool
    ) -> "Destination":
        from ptc_studio.targets import Destination
        from ptc_studio.ui.language.target_problems import chosen_target

        target, _ = chosen_target(chosen, code, filename)
        container = self._context.workbench.studio.containers.of((CONTAINER, target.id)) if target.keeps_state else None
        if container is not None and not same_container:
            container.reset()
        return Destination(target, given, container)

    @property
    def has_container(self) -> bool:
        """Whether a run under the target in front left names for the next."""
        target = self.current()
        bench = self._context.workbench
        if target is None or not target.keeps_state or not bench.is_open:
            return False
        return bench.studio.containers.of((CONTAINER, target.id)).used

    def reset_container(self, then: Callable[[], object]) -> None:
        """Has the next run begin anew; `then` is called when that is so."""
        target, bench = self.current(), self._context.workbench

        async def reset(container: "Container") -> None:
            await bench.studio.in_thread(container.reset)
            then()

        if target is not None and bench.is_open and not bench.is_running:
            bench.start(reset(bench.studio.containers.of((CONTAINER, target.id))))

    # How it is kept up

    async def _load(self) -> None:
        def read() -> "list[DeploymentTarget]":
            from ptc_studio.targets import all_targets

            return all_targets()

        found = await self._context.workbench.studio.in_thread(read)
        self._targets = {target.id: target for target in found}
        if self.chosen != AUTO and self.chosen not in self._targets:
            self.chosen = PLAIN
        self._show()
        if self.chosen != PLAIN:
            self._show_limit(self._targets.get(self.chosen))
        self._on_page_changed(self._context.editors.current())
        self.changed.emit()

    def rows(self) -> "list[ChoiceRow]":
        return target_rows(self.all, self.missing_runtimes())

    def missing_runtimes(self) -> dict[str, str]:
        """Of every runtime that is known not to be there, why."""
        infos = self._bar.selector.runtimes.infos
        return {info.id: info.reason or "not installed" for info in infos if not info.available and not info.sought}

    def _show(self) -> None:
        if not self._targets:
            return
        page = self._context.editors.current()
        told, reason = (page.finder.target, page.finder.reason) if page is not None else ("", "")
        self._bar.targets.show_targets(self.rows(), self.chosen, *((told, reason) if self.chosen == AUTO else ()))

    def _show_limit(self, target: "DeploymentTarget | None") -> None:
        """A run has the time that it has there, until somebody says otherwise; elsewhere what was chosen before."""
        seconds = target.limits.seconds if target is not None else None
        limit = self._bar.limit
        # What a target allows is not what the user wants to have remembered.
        held = limit.blockSignals(True)
        stated = self._context.workbench.studio.file.limits.timeout
        limit.setValue(round(seconds or stated or self._choices.get("timeout", USUAL)))
        limit.blockSignals(held)

    def _runtime_for(self, page: "EditorPage") -> str:
        """The runtime of the page's target, if that is for its language."""
        return self._runtime_of(page.finder.target if self.chosen == AUTO else self.chosen, page)

    def _runtime_of(self, target_id: str, page: "EditorPage") -> str:
        target = self._targets.get(target_id)
        fits = target is not None and target.runtime in self._context.workbench.studio.runtimes.ids_for(
            page.script_name
        )
        return target.runtime if target is not None and fits else ""

    def _on_row_chosen(self, row: "ChoiceRow") -> None:
        self.choose(row.key)

    def _on_runtime_picked(self, runtime_id: str) -> None:
        """Whoever picks another runtime than the target's does not go there any longer."""
        target = self._targets.get(self.chosen)
        if target is not None and target.runtime and target.runtime != runtime_id:
            self._context.messages.show_message(
                f"The target is plain again: {target.id} runs in {target.runtime}, not in {runtime_id}."
            )
            self.chosen = PLAIN
            self._choices.set(SETTING, PLAIN)
            self._show()
            self._show_limit(None)
            self._look_again()
            self.changed.emit()

    def _on_page_changed(self, page: "EditorPage | None") -> None:
        if page is None or not self._targets:
            return
        if page.finder.going is None:
            page.finder.going = partial(self.going, page)
            page.finder.found.connect(self._on_looked)
        page.finder.look_soon()
        self._context.tools.set_calls(page.finder.calls)
        self._show()
        self.changed.emit()

    def _look_again(self) -> None:
        for page in self._context.editors.pages:
            page.finder.look_soon()

    def _on_looked(self) -> None:
        page = self._context.editors.current()
        if page is None or self.sender() is not page.finder:
            return
        before = self._bar.targets.chosen
        self._show()
        self._context.tools.set_calls(page.finder.calls)
        if self.chosen == AUTO and before != self._bar.targets.chosen:
            self._runtimes.fit()
            self.changed.emit()
