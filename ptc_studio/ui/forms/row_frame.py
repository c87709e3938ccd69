"""The room of one field: label, field, buttons, help and fault, placed for any width."""

from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from ptc_studio.ui.forms.controls import bold_font, field_height, help_font, label_font
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE

MARKS = {"fault": "✕", "advice": "▲"}
TONES = {"fault": "error", "advice": "warning"}


@dataclass(slots=True)
class RowLayout:
    """Where everything is, for one width."""

    label: QRect = field(default_factory=QRect)
    content: QRect = field(default_factory=QRect)
    header: QRect = field(default_factory=QRect)
    summary: QRect = field(default_factory=QRect)
    trailing: list[QRect] = field(default_factory=list)
    texts: QRect = field(default_factory=QRect)
    """Fault and help, one below the other."""
    height: int = 0


def paint_row(painter: QPainter, row: "RowFrame", made: RowLayout) -> None:
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


def _paint_label(painter: QPainter, row: "RowFrame", made: RowLayout) -> None:
    if not row.label or row.label_widget is not None or row.header is not None:
        return
    font = label_font()
    star = star_width() if row.starred else 0
    room = made.label.width() - star
    shown = QFontMetrics(font).elidedText(row.label, Qt.TextElideMode.ElideMiddle, room)
    wide = QFontMetrics(font).horizontalAdvance(shown)
    left = made.label.left() + (room - wide if row.label_width else 0)
    location = QRect(left, made.label.top(), wide + 2, made.label.height())
    _text(painter, location, shown, font, "muted")
    if row.starred:
        _star(painter, QRect(location.right(), location.top(), star, location.height()))


def _paint_summary(painter: QPainter, row: "RowFrame", made: RowLayout) -> None:
    if row.header is None:
        return
    if row.starred:
        _star(painter, QRect(made.header.right(), 0, star_width(), made.header.height()))
    rect = made.summary.adjusted(theme().pixels(2 * SPACE), 0, 0, 0)
    shown = QFontMetrics(help_font()).elidedText(row.summary, Qt.TextElideMode.ElideRight, rect.width())
    _text(painter, rect, shown, help_font(), "muted")


def _paint_texts(painter: QPainter, row: "RowFrame", made: RowLayout) -> None:
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


class WrappedText:
    """Breaks its text into as many lines as it needs, or may have."""

    def __init__(self, text: str = "", most: int = 100) -> None:
        self.text = " ".join(text.split())
        self._most = most
        self._layout: QTextLayout | None = None
        self._for: tuple[int, str] | None = None
        self._height = 0.0
        self.is_cut = False
        """Whether there is more than is shown."""

    def height(self, width: int, font: QFont) -> int:
        """How high it is when it is so wide."""
        if not self.text:
            return 0
        self._break(max(width, 20), font)
        return int(self._height + 0.999)

    def draw(self, painter: QPainter, location: QPointF, width: int, font: QFont, colour: QColor) -> None:
        """Paints it with its top left corner there."""
        if self.text:
            self._break(max(width, 20), font)
            painter.setPen(colour)
            assert self._layout is not None
            self._layout.draw(painter, location)

    def _break(self, width: int, font: QFont) -> None:
        key = (width, font.key())
        if key == self._for:
            return
        self._for = key
        ends = self._lay_out(self.text, width, font)
        self.is_cut = len(ends) > self._most
        if self.is_cut:
            kept = self.text[: ends[self._most - 2]] if self._most > 1 else ""
            last = self.text[len(kept) :]
            kept += QFontMetricsF(font).elidedText(last, Qt.TextElideMode.ElideRight, width)
            self._lay_out(kept, width, font)

    def _lay_out(self, text: str, width: int, font: QFont) -> list[int]:
        """Where each line ends."""
        layout, height, ends = QTextLayout(text, font), 0.0, []
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, height))
            height += line.height()
            ends.append(line.textStart() + line.textLength())
        layout.endLayout()
        self._layout, self._height = layout, height
        return ends


HELP_LINES = 3
INDENT = 5 * SPACE
GAP = 3 * SPACE


class RowFrame(QWidget):
    """Places and paints; what it holds is the row's own business."""

    def __init__(self, label: str, *, required: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = label
        self.required = required
        self.starred = required and bool(label)
        """Whether a mark says that it is required; an item of a list is there anyway."""
        self.label_width = 0
        """Of the column of labels; 0 for a label above its field."""
        self.label_widget: QWidget | None = None
        """Stands in the label's place: the key of a row whose key can be changed."""
        self.header: QToolButton | None = None
        self.content: QWidget | None = None
        self.is_line = False
        """Whether the content is as high as one line, whatever it holds."""
        self.trailing: list[QWidget] = []
        self.summary = ""
        self.help = WrappedText()
        self.fault = WrappedText()
        self.mark = ""
        self._plans: dict[int, RowLayout] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self.replan)

    def set_label_width(self, width: int) -> None:
        """Puts the label beside the field, in a column of this width, or above it."""
        if width != self.label_width:
            self.label_width = width
            self.replan()

    def label_hint(self) -> int:
        """How wide the label would be."""
        if self.label_widget is not None:
            return self.label_widget.sizeHint().width()
        star = star_width() if self.starred else 0
        # One more than the whole pixels: a label that needs a part of another would be cut.
        return QFontMetrics(label_font()).horizontalAdvance(self.label) + 1 + star if self.label else 0

    def add_trailing(self, widget: QWidget) -> None:
        """Puts a button at the right end."""
        widget.setParent(self)
        widget.show()
        self.trailing.append(widget)
        self.replan()

    def replan(self) -> None:
        """Something has another size."""
        self._plans.clear()
        if self.isVisible():
            self._location()
            self.update()
        self.updateGeometry()

    def plan(self, width: int) -> RowLayout:
        """Where everything is when the row is so wide."""
        found = self._plans.get(width)
        if found is None:
            found = self._group_plan(width) if self.header is not None else self._line_plan(width)
            self._plans[width] = found
        return found

    def _line_plan(self, width: int) -> RowLayout:
        made, line = RowLayout(), field_height()
        left = top = 0
        if self.label or self.label_widget is not None:
            if self.label_width:
                made.label = QRect(0, 0, self.label_width, line)
                left = self.label_width + theme().pixels(GAP)
            else:
                high = line if self.label_widget is not None else QFontMetrics(label_font()).height()
                made.label = QRect(0, 0, width, high)
                top = high + theme().pixels(SPACE)
        right = self._place_trailing(made, width, top, line)
        high = line if self.is_line else _height_of(self.content, right - left, line)
        made.content = QRect(left, top, right - left, high)
        return self._with_texts(made, left, width, top + high)

    def _group_plan(self, width: int) -> RowLayout:
        made, line = RowLayout(), field_height()
        right = self._place_trailing(made, width, 0, line)
        assert self.header is not None
        wide = min(self._header_width(), right)
        made.header = QRect(0, 0, wide, line)
        left = wide
        if self.label_widget is not None:
            made.label = QRect(wide, 0, min(theme().pixels(160), right - wide), line)
            left = made.label.right() + theme().pixels(2 * SPACE)
        star = star_width() if self.starred else 0
        made.summary = QRect(left + star, 0, max(0, right - left - star), line)
        indent = theme().pixels(INDENT)
        made = self._with_texts(made, indent, width, line)
        if self.content is not None and not self.content.isHidden():
            top = made.height + theme().pixels(SPACE)
            high = _height_of(self.content, width - indent, 0)
            made.content = QRect(indent, top, width - indent, high)
            made.height = top + high
        return made

    def _place_trailing(self, made: RowLayout, width: int, top: int, line: int) -> int:
        """Puts the buttons at the right end; gives where they begin."""
        right, rects = width, list[QRect]()
        for widget in reversed(self.trailing):
            if widget.isHidden():
                rects.append(QRect())
                continue
            hint = _size_of(widget)
            right -= hint.width()
            rects.append(QRect(right, top + (line - hint.height()) // 2, hint.width(), hint.height()))
            right -= theme().pixels(SPACE) // 2
        made.trailing = rects[::-1]
        return right - (theme().pixels(SPACE) if right < width else 0)

    def _with_texts(self, made: RowLayout, left: int, width: int, bottom: int) -> RowLayout:
        font, space = help_font(), theme().pixels(SPACE)
        high = sum(
            text.height(width - left - inset, font) + space
            for text, inset in ((self.fault, mark_width()), (self.help, 0))
            if text.text
        )
        made.texts = QRect(left, bottom + space, width - left, high)
        made.height = bottom + high
        return made

    def _header_width(self) -> int:
        """Of chevron and title: the button's own hint has room for a menu."""
        assert self.header is not None
        text = QFontMetrics(bold_font()).horizontalAdvance(self.header.text())
        return theme().pixels(INDENT) + text + theme().pixels(2 * SPACE)

    def _location(self) -> None:
        made = self.plan(self.width())
        for widget, rect in zip(self.trailing, made.trailing, strict=True):
            widget.setGeometry(rect)
        for widget, rect in (
            (self.header, made.header),
            (self.content, made.content),
            (self.label_widget, made.label),
        ):
            if widget is not None:
                widget.setGeometry(rect)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.plan(width).height

    def sizeHint(self) -> QSize:
        width = self.width() if self.testAttribute(Qt.WidgetAttribute.WA_Resized) else 400
        return QSize(theme().pixels(400), self.plan(width).height)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().pixels(120), field_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._location()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._location()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and not self.is_line:
            self.replan()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        paint_row(painter, self, self.plan(self.width()))
        painter.end()


def _size_of(widget: QWidget) -> QSize:
    """A button with nothing but an icon is square: its own hint has room for a menu."""
    if isinstance(widget, QToolButton) and not widget.text():
        return QSize(theme().pixels(ROW), theme().pixels(ROW))
    return widget.sizeHint()


def _height_of(widget: QWidget | None, width: int, least: int) -> int:
    if widget is None:
        return least
    if widget.hasHeightForWidth():
        return max(widget.heightForWidth(max(width, 1)), least)
    return max(widget.sizeHint().height(), least)
