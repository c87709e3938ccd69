"""The timeline of a run: what ran when, and what ran at once."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from ptc_studio.ui.calls.model import CallModel
from ptc_studio.ui.calls.nodes import CallNode
from ptc_studio.ui.chunked_task import ChunkedTask
from ptc_studio.ui.theme import theme
from ptc_studio.ui.timeline.lanes import Bar, LaneRow, Lanes, Placed, Scale, call_text, lane_text, place
from ptc_studio.ui.tokens import MARKS, SPACE
from ptc_studio.ui.widgets.item_views import tabular
from ptc_studio.ui.widgets.labels import TIMELINE, EmptyOverlay, plain_tip

NARROWEST = 3.0
INDENT = 14
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class TimelinePainter:
    """The theme's colours and fonts, and what is drawn with them."""

    def __init__(self) -> None:
        now = theme()
        self._gap = now.pixels(SPACE)
        self._indent = now.pixels(INDENT)
        self._font, self._small = now.text_font(), tabular(now.text_font(small=True))
        self._metrics = QFontMetrics(self._font)
        self._tool, self._muted, self._line = now.colour("tool"), now.colour("muted"), now.colour("line")
        self._panel, self._text, self._selection = now.colour("panel"), now.colour("text"), now.colour("selection")
        self._bars = {status: QColor(now.status_colour(status)) for status in MARKS}
        self._bars["ok"] = now.colour("accent")
        for status, colour in self._bars.items():
            colour.setAlphaF(0.5 if status == "running" else 0.8)

    def axis(self, painter: QPainter, area: QRect, scale: Scale, bottom: int) -> None:
        """Times along the top, and a dashed line down from each."""
        painter.setFont(self._small)
        for moment, words in scale.marks():
            x = round(scale.x(moment))
            painter.setPen(QPen(self._line, 1, Qt.PenStyle.DashLine))
            painter.drawLine(x, area.top(), x, bottom)
            painter.setPen(self._muted)
            painter.drawText(QRect(x + self._gap, area.top(), area.right() - x, area.height()), _LEFT, words)

    def name(self, painter: QPainter, area: QRect, placed: Placed, *, chosen: bool) -> None:
        """Whose lane it is, and how many calls there are; what does not fit is in the tooltip."""
        if chosen:
            painter.fillRect(area, self._selection)
        lane = placed.lane
        left = area.left() + 2 * self._gap + max(lane.depth, 0) * self._indent
        painter.setFont(self._font)
        if lane.depth > 0:
            painter.setPen(self._muted)
            painter.drawText(area.adjusted(left - self._indent - area.left(), 0, 0, 0), _LEFT, "└")
        count = f" ×{lane.count:,}" if lane.count > 1 else ""
        room = area.right() - left - self._metrics.horizontalAdvance(count) - self._gap
        name = self._metrics.elidedText(lane.name, Qt.TextElideMode.ElideRight, room)
        painter.setPen(self._tool)
        painter.drawText(area.adjusted(left - area.left(), 0, 0, 0), _LEFT, name)
        painter.setPen(self._muted)
        left += self._metrics.horizontalAdvance(name)
        painter.drawText(area.adjusted(left - area.left(), 0, 0, 0), _LEFT, count)

    def bars(self, painter: QPainter, placed: Placed, scale: Scale, now: float, seen: range) -> None:
        """The bars of those rows of the lane that are seen, given by where they are."""
        painter.setPen(Qt.PenStyle.NoPen)
        for number, row in enumerate(placed.lane.rows):
            top = placed.bar_top(number)
            if top + placed.bar >= seen.start and top < seen.stop:
                self._row(painter, row, QRectF(0, top, 0, placed.bar), scale, now)

    def outline(self, painter: QPainter, placed: Placed, number: int, call: CallNode, scale: Scale, now: float) -> None:
        """The call that is chosen."""
        bar = Bar(call.start, now if call.end is None else call.end, call.status)
        box = self._box(bar, QRectF(0, placed.bar_top(number), 0, placed.bar), scale).adjusted(-1.5, -1.5, 1.5, 1.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._text, 1.5))
        painter.drawRoundedRect(box, placed.bar / 3, placed.bar / 3)

    def _row(self, painter: QPainter, row: LaneRow, box: QRectF, scale: Scale, now: float) -> None:
        step = NARROWEST * scale.step
        for bar in row.bars(scale.first, scale.last, step, now):
            painter.setBrush(self._bars.get(bar.status, self._bars["error"]))
            painter.drawRoundedRect(self._box(bar, box, scale), box.height() / 3, box.height() / 3)

    @staticmethod
    def _box(bar: Bar, box: QRectF, scale: Scale) -> QRectF:
        """Never so short that it cannot be seen, never far beyond what is seen."""
        left = max(scale.x(bar.start), scale.left - NARROWEST)
        right = min(max(scale.x(bar.end), left + NARROWEST - 0.5), scale.left + scale.width + NARROWEST)
        return QRectF(left, box.top(), right - left, box.height())


def lane_at(placed: Sequence[Placed], y: float) -> Placed | None:
    """The lane that covers that height."""
    return next((each for each in placed if each.top <= y < each.bottom), None)


TICK_MS = 200
TAKEN_AT_ONCE = 250
AXIS, NAMES, RIGHT = 24, 170, 16
ZOOM = 0.8
NEAR = 4.0
"""Pixels beside a bar that still are of it."""
FINE = 10_000
"""The steps of the bar at the bottom for a whole run."""


class TimelineView(QAbstractScrollArea):
    """Lanes and bars. Works only while it can be seen.

    Signals: call_chosen(id): the user went to that call.
    """

    call_chosen = Signal(str)

    def __init__(self, model: CallModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timelineView")
        self.setAccessibleName("Timeline")
        self._model = model
        self._clock, self._calls = model.clock, model.all_calls
        self._lanes = Lanes()
        self._placed: list[Placed] = []
        self._span: tuple[float, float] | None = None
        """What is seen of the run; None for all of it."""
        self._chosen: CallNode | None = None
        self._paints = TimelinePainter()
        self._reading = ChunkedTask(self)
        self._ticks = QTimer(self, interval=TICK_MS)
        self._empty = EmptyOverlay(self, TIMELINE)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._reading.done.connect(self._lay_out)
        self._ticks.timeout.connect(self.refresh)
        self.horizontalScrollBar().valueChanged.connect(self._on_panned)
        theme().changed.connect(self._on_theme_changed)

    @property
    def lanes(self) -> list[str]:
        """The names of the lanes, from top to bottom."""
        return [placed.lane.name for placed in self._placed]

    @property
    def busy(self) -> bool:
        """Whether calls are being taken in."""
        return self._reading.busy

    @property
    def chosen(self) -> CallNode | None:
        return self._chosen

    @property
    def scale(self) -> Scale:
        """The time that is seen, and where."""
        first, last = self._span or (0.0, self._whole)
        left = min(theme().pixels(NAMES), self.viewport().width() // 3)
        return Scale(first, last, left, max(self.viewport().width() - left - theme().pixels(RIGHT), 1))

    def start_run(self) -> None:
        """Forgets the last run, and looks for calls from now on."""
        self._forget()
        self._ticks.start()

    def end_run(self, _record: object = None) -> None:
        """Nothing more happens."""
        self._ticks.stop()
        self.refresh()

    def refresh(self) -> None:
        """Takes in what has happened since, if anybody can see it."""
        if not self.isVisible() or self._reading.busy:
            return
        if self._clock is not self._model.clock:
            self._forget()
        elif self._calls is not self._model.all_calls:
            # The same run, of which not all calls are kept.
            self._read_again()
        self._reading.start(self._read())

    def choose(self, call_id: str | None) -> None:
        """Marks a call that was chosen elsewhere, and brings it into view."""
        self._chosen = self._model.any_call(call_id) if call_id else None
        self._reveal()
        self.viewport().update()

    def show_all(self) -> None:
        """The whole run."""
        self._span = None
        self._fit_bars()
        self.viewport().update()

    def zoom(self, factor: float, context: float | None = None) -> None:
        """Shows a stretch that is `factor` as long as now, around a moment, else around the middle."""
        scale = self.scale
        first, last = scale.zoomed(factor, (scale.first + scale.last) / 2 if context is None else context, self._whole)
        self._span = None if last - first >= self._whole else (first, last)
        self._fit_bars()
        self.viewport().update()

    @property
    def _whole(self) -> float:
        return max(self._model.clock.elapsed(), 1.0)

    @property
    def _axis(self) -> int:
        return theme().pixels(AXIS)

    def _forget(self) -> None:
        self._chosen, self._span = None, None
        self._read_again()
        self._lay_out()

    def _read_again(self) -> None:
        self._reading.cancel()
        self._clock, self._calls = self._model.clock, self._model.all_calls
        self._lanes, self._placed = Lanes(), []

    def _read(self) -> Iterator[None]:
        self._lanes.settle()
        while self._lanes.taken < len(self._calls):
            self._lanes.take(self._calls[self._lanes.taken : self._lanes.taken + TAKEN_AT_ONCE])
            yield

    def _lay_out(self) -> None:
        self._placed = place(self._lanes.all(), theme().pixels)
        self._empty.setVisible(not self._placed)
        self.setAccessibleDescription(f"{self._lanes.taken:,} calls of {len(self._placed)} tools")
        self._fit_bars()
        self.viewport().update()

    def _fit_bars(self) -> None:
        height = self.viewport().height() - self._axis
        content = self._placed[-1].bottom if self._placed else 0
        self.verticalScrollBar().setPageStep(height)
        self.verticalScrollBar().setSingleStep(theme().pixels(20))
        self.verticalScrollBar().setRange(0, max(content - height, 0))
        first, last = self._span or (0.0, self._whole)
        page = round(FINE * (last - first) / self._whole)
        bar = self.horizontalScrollBar()
        bar.blockSignals(True)
        bar.setPageStep(page)
        bar.setSingleStep(max(page // 10, 1))
        bar.setRange(0, FINE - page if self._span else 0)
        bar.setValue(round(FINE * first / self._whole))
        bar.blockSignals(False)

    def _reveal(self) -> None:
        found = self._place_of(self._chosen)
        if found is None or self._chosen is None:
            return
        placed, number = found
        top, bar = placed.bar_top(number), self.verticalScrollBar()
        height = self.viewport().height() - self._axis
        if not bar.value() <= top <= bar.value() + height - placed.pitch:
            bar.setValue(top - height // 2)
        scale = self.scale
        if not scale.first <= self._chosen.start <= scale.last:
            first = min(max(self._chosen.start - scale.length / 2, 0.0), self._whole - scale.length)
            self._span = first, first + scale.length
            self._fit_bars()

    def _place_of(self, call: CallNode | None) -> tuple[Placed, int] | None:
        found = self._lanes.find(call) if call is not None else None
        if found is None:
            return None
        placed = next((each for each in self._placed if each.lane is found[0]), None)
        return (placed, found[0].rows.index(found[1])) if placed else None

    def call_at(self, point: QPoint) -> CallNode | None:
        """The call whose bar is there."""
        y = point.y() - self._axis + self.verticalScrollBar().value()
        placed, scale = lane_at(self._placed, y), self.scale
        row = placed.row_at(y) if placed and point.y() >= self._axis and point.x() >= scale.left - NEAR else None
        return row.at(scale.moment(point.x()), NEAR * scale.step, self._whole) if row else None

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def tip_at(self, point: QPoint) -> str:
        """What is told of the call that is there, or of the lane."""
        call = self.call_at(point)
        if call is not None:
            return call_text(call)
        placed = lane_at(self._placed, point.y() - self._axis + self.verticalScrollBar().value())
        return lane_text(placed.lane) if placed and point.y() >= self._axis else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if not self._placed:
            return
        painter, scale, area = QPainter(self.viewport()), self.scale, self.viewport().rect()
        down = self._axis - self.verticalScrollBar().value()
        self._paints.axis(painter, QRect(0, 0, area.width(), self._axis), scale, area.bottom())
        painter.setClipRect(area.adjusted(0, self._axis, 0, 0))
        painter.translate(0, down)
        seen = range(self._axis - down, area.height() - down)
        found = self._place_of(self._chosen)
        for placed in self._placed:
            if placed.bottom > seen.start and placed.top < seen.stop:
                names = QRect(0, placed.top, int(scale.left) - theme().pixels(4), placed.height)
                self._paints.name(painter, names, placed, chosen=found is not None and found[0] is placed)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(QRect(int(scale.left) - 2, seen.start, int(scale.width) + theme().pixels(RIGHT), len(seen)))
        for placed in self._placed:
            if placed.bottom > seen.start and placed.top < seen.stop:
                self._paints.bars(painter, placed, scale, self._whole, seen)
        if found is not None and self._chosen is not None:
            self._paints.outline(painter, *found, self._chosen, scale, self._whole)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        call = self.call_at(event.position().toPoint())
        if call is not None and event.button() == Qt.MouseButton.LeftButton:
            self._choose_here(call)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.call_at(event.position().toPoint()) is None:
            self.show_all()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.angleDelta().y():
            self.zoom(ZOOM if event.angleDelta().y() > 0 else 1 / ZOOM, self.scale.moment(event.position().x()))
            event.accept()
            return
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(ZOOM)
            case Qt.Key.Key_Minus:
                self.zoom(1 / ZOOM)
            case Qt.Key.Key_0 | Qt.Key.Key_Home:
                self.show_all()
            case Qt.Key.Key_Left:
                self._step(-1)
            case Qt.Key.Key_Right:
                self._step(1)
            case _:
                super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_bars()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _step(self, by: int) -> None:
        """Goes to the next call of the same tool, or the one before."""
        chosen = self._chosen
        found = self._lanes.find(chosen) if chosen is not None else None
        if chosen is None or found is None:
            wanted = self._calls[0] if self._calls else None
        else:
            wanted = found[0].next_to(chosen, after=by > 0)
        if wanted is not None:
            self._choose_here(wanted)

    def _choose_here(self, call: CallNode) -> None:
        self._chosen = call
        self._reveal()
        self.viewport().update()
        self.call_chosen.emit(call.call_id)

    def _on_panned(self, value: int) -> None:
        if self._span is not None:
            length = self._span[1] - self._span[0]
            first = min(self._whole * value / FINE, self._whole - length)
            self._span = first, first + length
            self.viewport().update()

    def _on_theme_changed(self) -> None:
        self._paints = TimelinePainter()
        self._lay_out()
