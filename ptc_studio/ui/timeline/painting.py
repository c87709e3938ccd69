"""How the timeline is drawn: the axis, the names of the lanes, their bars."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from ptc_studio.ui.models.call_nodes import Call
from ptc_studio.ui.theme import theme
from ptc_studio.ui.timeline.lanes import Bar, Row
from ptc_studio.ui.timeline.layout import Placed
from ptc_studio.ui.timeline.scale import Scale
from ptc_studio.ui.tokens import MARKS, SPACE
from ptc_studio.ui.widgets.parts_painter import tabular

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

    def outline(self, painter: QPainter, placed: Placed, number: int, call: Call, scale: Scale, now: float) -> None:
        """The call that is chosen."""
        bar = Bar(call.start, now if call.end is None else call.end, call.status)
        box = self._box(bar, QRectF(0, placed.bar_top(number), 0, placed.bar), scale).adjusted(-1.5, -1.5, 1.5, 1.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._text, 1.5))
        painter.drawRoundedRect(box, placed.bar / 3, placed.bar / 3)

    def _row(self, painter: QPainter, row: Row, box: QRectF, scale: Scale, now: float) -> None:
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
