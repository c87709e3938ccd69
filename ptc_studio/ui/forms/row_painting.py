"""Paints a row's label, the line of a group, fault and help: a form has hundreds of texts, too many for widgets."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from ptc_studio.ui.forms.looks import bold_font, help_font, label_font
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

if TYPE_CHECKING:
    from ptc_studio.ui.forms.row_frame import RowFrame

MARKS = {"fault": "✕", "advice": "▲"}
TONES = {"fault": "error", "advice": "warning"}


@dataclass(slots=True)
class Plan:
    """Where everything is, for one width."""

    label: QRect = field(default_factory=QRect)
    content: QRect = field(default_factory=QRect)
    header: QRect = field(default_factory=QRect)
    summary: QRect = field(default_factory=QRect)
    trailing: list[QRect] = field(default_factory=list)
    texts: QRect = field(default_factory=QRect)
    """Fault and help, one below the other."""
    height: int = 0


def paint_row(painter: QPainter, row: "RowFrame", made: Plan) -> None:
    """All that is no widget."""
    _paint_label(painter, row, made)
    _paint_summary(painter, row, made)
    _paint_texts(painter, row, made)
    if row.header is not None and made.content.height() > 0:
        rect = QRect(theme().pixels(7), made.content.top(), 1, made.content.height())
        painter.fillRect(rect, theme().colour("line"))


def mark_width() -> int:
    """Of the mark before a fault."""
    return theme().pixels(16)


def star_width() -> int:
    """Of the mark of what is required."""
    return theme().pixels(12)


def _paint_label(painter: QPainter, row: "RowFrame", made: Plan) -> None:
    if not row.label or row.label_widget is not None or row.header is not None:
        return
    font = label_font()
    star = star_width() if row.starred else 0
    room = made.label.width() - star
    shown = QFontMetrics(font).elidedText(row.label, Qt.TextElideMode.ElideMiddle, room)
    wide = QFontMetrics(font).horizontalAdvance(shown)
    left = made.label.left() + (room - wide if row.label_width else 0)
    place = QRect(left, made.label.top(), wide + 2, made.label.height())
    _text(painter, place, shown, font, "muted")
    if row.starred:
        _star(painter, QRect(place.right(), place.top(), star, place.height()))


def _paint_summary(painter: QPainter, row: "RowFrame", made: Plan) -> None:
    if row.header is None:
        return
    if row.starred:
        _star(painter, QRect(made.header.right(), 0, star_width(), made.header.height()))
    rect = made.summary.adjusted(theme().pixels(2 * SPACE), 0, 0, 0)
    shown = QFontMetrics(help_font()).elidedText(row.summary, Qt.TextElideMode.ElideRight, rect.width())
    _text(painter, rect, shown, help_font(), "muted")


def _paint_texts(painter: QPainter, row: "RowFrame", made: Plan) -> None:
    font, rect, inset = help_font(), made.texts, mark_width()
    top = float(rect.top())
    if row.fault.text:
        tone = theme().colour(TONES[row.mark])
        high = QFontMetrics(font).height()
        _text(painter, QRect(rect.left(), int(top), inset, high), MARKS[row.mark], font, TONES[row.mark])
        row.fault.draw(painter, QPointF(rect.left() + inset, top), rect.width() - inset, font, tone)
        top += row.fault.height(rect.width() - inset, font) + theme().pixels(SPACE)
    row.help.draw(painter, QPointF(rect.left(), top), rect.width(), font, theme().colour("muted"))


def _text(painter: QPainter, rect: QRect, text: str, font: QFont, colour: str) -> None:
    painter.setFont(font)
    painter.setPen(theme().colour(colour))
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)


def _star(painter: QPainter, rect: QRect) -> None:
    painter.setFont(bold_font())
    painter.setPen(theme().colour("error"))
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignHCenter), "*")
