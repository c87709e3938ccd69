"""The bar above everything: Run and Stop, what the script runs in, and what the run costs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from ptc_studio.ui.grants.selector import GrantSelector
from ptc_studio.ui.run_bar.figures import DepthGauge, Figure, LimitField, RedactedCount
from ptc_studio.ui.run_bar.runtime_selector import RuntimeSelector
from ptc_studio.ui.targets.selector import TargetSelector
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD
from ptc_studio.ui.widgets.buttons import ActionButton
from ptc_studio.ui.widgets.labels import plain_tip
from ptc_studio.ui.widgets.layout import CollapseStep, collapse_to_fit

if TYPE_CHECKING:
    from ptc_studio.runtimes.catalog import RuntimeInfo


SPACING, EDGE = 10, 12


class RunBar(QWidget):
    """Buttons and selectors at the left, figures at the right; what there is no room for stands in the tooltip.

    Signals: runtime_changed(id): another runtime was chosen. timeout_changed(seconds).
    """

    runtime_changed = Signal(str)
    timeout_changed = Signal(int)

    def __init__(self, run_action: QAction, stop_action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("runBar")
        self.selector = RuntimeSelector()
        self.selector.currentIndexChanged.connect(self._on_runtime_chosen)
        self.targets = TargetSelector()
        self.grants = GrantSelector()
        self.limit = LimitField()
        self.limit.valueChanged.connect(self.timeout_changed)
        self.run_button = ActionButton(run_action, "run", shows_key=True)
        self.stop_button = ActionButton(stop_action, "stop")
        self._elapsed, self._calls, self._depth = Figure("Elapsed"), Figure("Calls"), Figure("Depth")
        self._compiled = Figure("Compiled")
        self._compiled.setToolTip("How long the script was compiled before it began")
        self._cost, self._has_cost = Figure("Kept out"), False
        for figure in (self._compiled, self._cost):
            figure.hide()
        self._was_compiled = self._is_compiling = self._gave = False
        self._gauge = DepthGauge()
        self.redacted = RedactedCount()
        self._build()
        self._steps = self._made_steps()
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.set_running(False)
        self.set_stats(0.0, 0, 0, 5, 0)

    def set_runtimes(self, infos: "Sequence[RuntimeInfo]") -> None:
        """Offers these; what was chosen stays so where it can be used, else the first that can.

        One that is still being looked for may be chosen as well.
        """
        before = self.runtime_id()
        with_signal_held = self.selector.blockSignals(True)
        self.selector.runtimes.set_infos(infos)
        usable = [info.id for info in infos if info.available] or [info.id for info in infos if info.sought]
        stays = any(info.id == before and (info.available or info.sought) for info in infos)
        chosen = before if stays else next(iter(usable), "")
        self.selector.setCurrentIndex(self.selector.runtimes.row_of(chosen))
        self.selector.show_chosen()
        self.selector.blockSignals(with_signal_held)
        if self.runtime_id() != before:
            self._on_runtime_chosen()

    def runtime_id(self) -> str:
        """The runtime that is chosen; empty where there is none."""
        return self.selector.currentData() or ""

    def set_runtime(self, runtime_id: str) -> None:
        """Chooses the runtime, if it can be used, or may be found to."""
        row = self.selector.runtimes.row_of(runtime_id)
        if row >= 0 and self.selector.runtimes.can_be_chosen(row):
            self.selector.setCurrentIndex(row)

    def timeout(self) -> int:
        """The limit of a run, in seconds."""
        return self.limit.value()

    def set_timeout(self, seconds: float) -> None:
        self.limit.setValue(round(seconds))

    def set_running(self, running: bool) -> None:
        """While a run goes on, Stop is where the eye goes."""
        self.run_button.set_primary(not running)
        self.stop_button.set_primary(running)
        self.selector.setEnabled(not running)
        self.targets.setEnabled(not running)
        self.grants.setEnabled(not running)
        self.limit.setEnabled(not running)

    def set_stats(self, elapsed: float, calls: int, depth: int, max_depth: int, redactions: int) -> None:
        """What the run has cost: seconds, calls, the deepest level, what was hidden."""
        self._elapsed.show_value(f"{elapsed:.2f} s")
        self._calls.show_value(f"{calls:,}")
        self._depth.show_value(f"{depth}/{max_depth}")
        self._gauge.set_depth(depth, max_depth)
        self.redacted.set_count(redactions)

    def set_cost(self, kept_out: str, about: str) -> None:
        """How many tokens the run kept out of a model's context; empty while that is not known."""
        self._has_cost = bool(kept_out)
        self._cost.show_value(kept_out)
        self._cost.setToolTip(plain_tip(about))
        self._fit()

    def show_compiling(self, seconds: float) -> None:
        """The script is being compiled, and has not begun."""
        self._compiled.show_value(f"{seconds:.2f} s", "Compiling…")
        self._is_compiling = True
        self._show_compiled(True)

    def show_compiled(self, milliseconds: float | None) -> None:
        """How long it was compiled; None if it was not."""
        self._is_compiling = False
        if milliseconds is not None:
            self._compiled.show_value(f"{milliseconds / 1000:.2f} s", "Compiled")
        self._show_compiled(milliseconds is not None)

    def _show_compiled(self, wanted: bool) -> None:
        self._was_compiled = wanted
        self._elapsed.setToolTip(plain_tip(self._compiled.words if wanted else ""))
        self._fit()

    def _made_steps(self) -> tuple[CollapseStep, ...]:
        """What gives way in a window that is too narrow: first what is said elsewhere, too, last how the run stands."""
        elapsed, depth, limit, redacted = self._elapsed, self._depth, self.limit, self.redacted
        return (
            CollapseStep(self._cost_width, lambda gives: self._cost.setVisible(self._has_cost and not gives)),
            CollapseStep(lambda: depth.width_of(self._gauge), lambda gives: self._gauge.setVisible(not gives)),
            CollapseStep(lambda: self.run_button.key_width, lambda gives: self.run_button.show_key(not gives)),
            CollapseStep(
                lambda: elapsed.width_of(elapsed.caption), lambda gives: elapsed.caption.setVisible(not gives)
            ),
            CollapseStep(lambda: limit.words_width, lambda gives: limit.show_words(not gives)),
            CollapseStep(lambda: self.stop_button.words_width, lambda gives: self.stop_button.show_words(not gives)),
            CollapseStep(lambda: self.grants.spare_width, self.grants.set_narrow),
            CollapseStep(lambda: self.targets.spare_width, self.targets.set_narrow),
            CollapseStep(lambda: self.selector.spare_width, self.selector.set_narrow),
            CollapseStep(lambda: depth.shown_width + SPACING, lambda gives: depth.setVisible(not gives)),
            CollapseStep(lambda: redacted.words_width, lambda gives: redacted.show_words(not gives)),
            CollapseStep(lambda: self._calls.whole_width + SPACING, lambda gives: self._calls.setVisible(not gives)),
            CollapseStep(lambda: self.run_button.words_width, lambda gives: self.run_button.show_words(not gives)),
            CollapseStep(lambda: self._state_width(last=False), lambda gives: self._show_state(not gives, last=False)),
            CollapseStep(lambda: redacted.number_width, redacted.set_left_out),
            CollapseStep(lambda: limit.number_width + SPACING, lambda gives: limit.setVisible(not gives)),
            CollapseStep(lambda: self.targets.narrow_width + SPACING, lambda gives: self.targets.setVisible(not gives)),
            CollapseStep(lambda: self._state_width(last=True), lambda gives: self._show_state(not gives, last=True)),
        )

    def _state_figure(self, *, last: bool) -> Figure:
        """Of the two figures that say how the run stands, the one that stays to the last, or the other.

        While the script is compiled no time elapses; later that is what people quote.
        """
        return self._compiled if self._is_compiling == last else self._elapsed

    def _state_width(self, *, last: bool) -> int:
        if self._state_figure(last=last) is self._compiled:
            return self._compiled_width()
        return self._elapsed.shown_width + SPACING

    def _show_state(self, shown: bool, *, last: bool) -> None:
        figure = self._state_figure(last=last)
        figure.setVisible(shown and (figure is self._elapsed or self._was_compiled))

    def _fit(self) -> None:
        """The bar never makes the window wider, and no word in it is cut short without a sign of that."""
        self._gave = collapse_to_fit(self._steps, self._whole_width(), self.width())

    def _tell(self) -> None:
        figures = (self._elapsed.words, self._calls.words, self._depth.words)
        self.setToolTip(plain_tip(" · ".join(figures) if self._gave else ""))

    def _whole_width(self) -> int:
        """What the bar needs if nothing gives way; the selectors can do with less than they like to have."""
        widths = [
            self.selector.name_width,
            self.targets.name_width,
            self.grants.name_width,
            *(part.whole_width for part in (self.limit, self.run_button, self.stop_button)),
            *(figure.whole_width for figure in (self._elapsed, self._calls, self._depth)),
            self.redacted.whole_width,
        ]
        return sum(widths) + self._compiled_width() + self._cost_width() + len(widths) * SPACING + 2 * EDGE

    def _compiled_width(self) -> int:
        return self._compiled.whole_width + SPACING if self._was_compiled else 0

    def _cost_width(self) -> int:
        return self._cost.whole_width + SPACING if self._has_cost else 0

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 8, EDGE, 8)
        row.setSpacing(SPACING)
        # Run comes first: so it keeps its place, whatever the others say and however many figures there are.
        for widget in (self.run_button, self.stop_button, self.selector, self.targets, self.grants, self.limit):
            row.addWidget(widget)
        row.addStretch(1)
        for figure in (self._compiled, self._elapsed, self._calls):
            row.addWidget(figure)
        self._depth.put_between(self._gauge)
        row.addWidget(self._depth)
        row.addWidget(self._cost)
        row.addWidget(self.redacted, 0, Qt.AlignmentFlag.AlignVCenter)
        for field in (self.selector, self.targets, self.grants):
            field.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def _on_runtime_chosen(self) -> None:
        self.selector.updateGeometry()
        self.runtime_changed.emit(self.runtime_id())

    def _on_theme_changed(self) -> None:
        self.setMinimumHeight(theme().pixels(FIELD + 16))

    def event(self, event: QEvent) -> bool:
        # One that asks for another layout needs more room than it had, or less.
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        elif event.type() == QEvent.Type.ToolTip:
            self._tell()
        return super().event(event)
