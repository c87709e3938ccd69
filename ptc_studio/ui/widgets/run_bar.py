"""The bar above everything: what the script runs in, Run and Stop, and what the run costs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSpinBox, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD
from ptc_studio.ui.widgets.action_button import ActionButton
from ptc_studio.ui.widgets.depth_gauge import DepthGauge
from ptc_studio.ui.widgets.grant_selector import GrantSelector
from ptc_studio.ui.widgets.runtime_selector import RuntimeSelector
from ptc_studio.ui.widgets.still_text import release, set_still_text

if TYPE_CHECKING:
    from ptc_studio.runtimes.catalog import RuntimeInfo

LONGEST_TIMEOUT = 3600
USUAL_TIMEOUT = 30
SPACING = 10


class RunBar(QWidget):
    """Selectors and buttons at the left, figures at the right.

    Signals: runtime_changed(id): another runtime was chosen. timeout_changed(seconds).
    """

    runtime_changed = Signal(str)
    timeout_changed = Signal(int)

    def __init__(self, run_action: QAction, stop_action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("runBar")
        self.selector = RuntimeSelector()
        self.selector.currentIndexChanged.connect(self._on_runtime_chosen)
        self.grants = GrantSelector()
        self.limit = _limit_field()
        self.limit.valueChanged.connect(self.timeout_changed)
        self.run_button = ActionButton(run_action, "run", shows_key=True)
        self.stop_button = ActionButton(stop_action, "stop")
        self._elapsed, self._calls, self._depth = _Figure("Elapsed"), _Figure("Calls"), _Figure("Depth")
        self._compiled = _Figure("Compiled")
        self._compiled.setToolTip("How long the script was compiled before it began")
        self._compiled.hide()
        self._gauge = DepthGauge()
        self._redacted = QLabel()
        self._redacted.setProperty("role", "redacted")
        self._redacted.setToolTip("Values that were hidden in what is shown and kept")
        self._build()
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
        self.grants.setEnabled(not running)
        self.limit.setEnabled(not running)

    def set_stats(self, elapsed: float, calls: int, depth: int, max_depth: int, redactions: int) -> None:
        """What the run has cost: seconds, calls, the deepest level, what was hidden."""
        self._elapsed.show_value(f"{elapsed:.2f} s")
        self._calls.show_value(f"{calls:,}")
        self._depth.show_value(f"{depth}/{max_depth}")
        self._gauge.set_depth(depth, max_depth)
        set_still_text(self._redacted, f"{redactions:,} redacted")
        self._redacted.setVisible(redactions > 0)

    def show_compiling(self, seconds: float) -> None:
        """The script is being compiled, and has not begun."""
        self._compiled.show_value(f"{seconds:.2f} s", "Compiling…")
        self._show_compiled(True)

    def show_compiled(self, milliseconds: float | None) -> None:
        """How long it was compiled; None if it was not."""
        if milliseconds is not None:
            self._compiled.show_value(f"{milliseconds / 1000:.2f} s", "Compiled")
        self._show_compiled(milliseconds is not None)

    def _show_compiled(self, wanted: bool) -> None:
        """In a window that is too narrow for it, it stands in a tooltip: the bar never makes the window wider."""
        own = self._compiled.sizeHint().width() + SPACING
        others = self.minimumSizeHint().width() - (0 if self._compiled.isHidden() else own)
        self._compiled.setVisible(wanted and others + own <= self.width())
        self._elapsed.setToolTip(self._compiled.words if wanted else "")

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(SPACING)
        for widget in (self.selector, self.grants, self.limit, self.run_button, self.stop_button):
            row.addWidget(widget)
        row.addStretch(1)
        for figure in (self._compiled, self._elapsed, self._calls):
            row.addWidget(figure)
        self._depth.put_between(self._gauge)
        row.addWidget(self._depth)
        row.addWidget(self._redacted, 0, Qt.AlignmentFlag.AlignVCenter)
        for field in (self.selector, self.grants, self.limit):
            field.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def _on_runtime_chosen(self) -> None:
        self.selector.updateGeometry()
        self.runtime_changed.emit(self.runtime_id())

    def _on_theme_changed(self) -> None:
        self.setMinimumHeight(theme().pixels(FIELD + 16))
        self.limit.setFont(theme().text_font())


class _Figure(QWidget):
    """A caption and a number whose digits keep their places."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        self._caption = label = QLabel(caption)
        label.setProperty("role", "muted")
        self._value = QLabel()
        self._value.setProperty("role", "figure")
        self._value.setAccessibleName(caption)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self._row.addWidget(label)
        self._row.addWidget(self._value)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def put_between(self, widget: QWidget) -> None:
        """Puts something between caption and number."""
        self._row.insertWidget(1, widget)

    @property
    def words(self) -> str:
        return f"{self._caption.text()} {self._value.text()}"

    def show_value(self, text: str, caption: str = "") -> None:
        set_still_text(self._value, text)
        if caption and caption != self._caption.text():
            self._caption.setText(caption)
            self._value.setAccessibleName(caption)

    def _on_theme_changed(self) -> None:
        font = theme().text_font(bold=True)
        font.setFeature(QFont.Tag("tnum"), 1)
        release(self._value)
        self._value.setFont(font)


def _limit_field() -> QSpinBox:
    field = QSpinBox(minimum=1, maximum=LONGEST_TIMEOUT, value=USUAL_TIMEOUT, prefix="Limit  ", suffix=" s")
    field.setObjectName("timeLimit")
    field.setAccessibleName("Time limit in seconds")
    field.setToolTip("A run that takes longer is stopped.")
    field.setProperty("plain", True)
    field.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return field
