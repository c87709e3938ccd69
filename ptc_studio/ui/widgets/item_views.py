"""What trees and tables share: lines of coloured parts, chips and badges, trees without frames, a table of rows."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHoverEvent, QPainter, QPaintEvent, QPalette, QPolygonF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QSizePolicy,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from ptc_studio.ui.calls.values import Part, plain
from ptc_studio.ui.stylesheet import row_hover
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE
from ptc_studio.ui.widgets.labels import plain_tip

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_CHIPS = {"redacted": ("redacted", "redacted_ground", None), "badge": ("muted", "raised", "line")}


def tabular(font: QFont) -> QFont:
    """The font with figures of one width."""
    font = QFont(font)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def code_small() -> QFont:
    """The font of code, in the size of chips."""
    font = QFont(theme().code_font())
    font.setPixelSize(max(8, font.pixelSize() - theme().pixels(2)))
    return font


class PartsPainter:
    """The fonts and colours of the theme as it was when this was made: asking it anew for each cell is slow."""

    def __init__(self, *, code: bool = False) -> None:
        now = theme()
        names = ("text", "muted", "tool", "error", "string", "number", "keyword", "redacted", "ok", "accent", "warning")
        self._colours = {name: now.colour(name) for name in (*names, "redacted_ground", "raised", "line")}
        body = now.code_font() if code else now.text_font()
        self._fonts = {"tool": now.code_font(), "redacted": code_small(), "badge": now.text_font(small=True)}
        self._body = body
        self._metrics = {name: QFontMetrics(font) for name, font in self._fonts.items()}
        self._body_metrics = QFontMetrics(body)
        self._pad = now.pixels(SPACE + 1)

    def colour(self, name: str) -> QColor:
        return self._colours[name]

    def draw(self, painter: QPainter, rect: QRect, parts: Iterable[Part]) -> None:
        """Draws as much as fits, from the left; what is cut off ends in an ellipsis."""
        left = QRect(rect)
        for colour, text in merged(parts):
            if left.width() <= self._pad:
                return
            metrics = self._metrics.get(colour, self._body_metrics)
            used = (self._chip if colour in _CHIPS else self._text)(painter, left, colour, text, metrics)
            left.setLeft(left.left() + used)

    def _text(self, painter: QPainter, rect: QRect, colour: str, text: str, metrics: QFontMetrics) -> int:
        width = metrics.horizontalAdvance(text)
        if width > rect.width():
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
            width = rect.width()
        painter.setFont(self._fonts.get(colour, self._body))
        painter.setPen(self._colours.get(colour, self._colours["text"]))
        painter.drawText(rect, _LEFT | Qt.TextFlag.TextSingleLine, text)
        return width

    def _chip(self, painter: QPainter, rect: QRect, colour: str, text: str, metrics: QFontMetrics) -> int:
        """A rounded box; one that does not fit is cut, or an ellipsis where there is hardly any room."""
        ink, ground, edge = _CHIPS[colour]
        margin = self._pad if colour == "badge" else 0
        room = rect.width() - margin - 2 * self._pad
        if room < metrics.horizontalAdvance(text[:4]) and len(text) > 4:
            return self._text(painter, rect, "muted", "…", self._body_metrics) + rect.width()
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        width = metrics.horizontalAdvance(text) + 2 * self._pad
        height = min(metrics.height() + 2, rect.height() - 4)
        box = QRectF(rect.left() + margin, rect.center().y() - height / 2 + 1, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._colours[edge] if edge else Qt.PenStyle.NoPen)
        painter.setBrush(self._colours[ground])
        radius = height / 2 if colour == "badge" else 4.0
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.setFont(self._fonts[colour])
        painter.setPen(self._colours[ink])
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        return int(width + margin + (0 if colour == "redacted" else self._pad))


def merged(parts: Iterable[Part]) -> Iterator[Part]:
    """Neighbours of one colour as one part, so that what is cut off is cut at the right place."""
    for colour, run in groupby(parts, key=lambda part: part[0]):
        texts = [text for _, text in run]
        yield from ((colour, text) for text in texts) if colour in _CHIPS else ((colour, "".join(texts)),)


class PartsLine(QWidget):
    """Shows parts as the call tree does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: Sequence[Part] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._restyle)
        self._restyle()

    @property
    def text(self) -> str:
        return plain(self._parts)

    def set_parts(self, parts: Sequence[Part]) -> None:
        if parts != self._parts:
            self._parts = parts
            self.setToolTip(plain_tip(self.text))
            self.setAccessibleName(self.text)
            self.updateGeometry()
            self.update()

    def _restyle(self) -> None:
        self._painter = PartsPainter()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        self._painter.draw(painter, self.rect(), self._parts)

    def sizeHint(self) -> QSize:
        width = QFontMetrics(theme().text_font()).horizontalAdvance(self.text)
        return QSize(width, theme().pixels(ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().pixels(60), theme().pixels(ROW))


Index = QModelIndex | QPersistentModelIndex


class FlatTree(QTreeView):
    """What the call tree and the value trees have in common."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        # Qt does not know, where it draws the ground of a row under the mouse, that the row is selected.
        self.setProperty("drawsGround", True)
        self._muted = QColor()
        self._selected = QColor()
        self._under_mouse = QColor()
        self._hovered = QPersistentModelIndex()
        theme().changed.connect(self._on_theme_changed)
        self.restyle()

    def restyle(self) -> None:
        """Takes the theme's colours and sizes."""
        now = theme()
        palette = self.palette()
        for role, name in (
            (QPalette.ColorRole.Base, "panel"),
            (QPalette.ColorRole.Window, "panel"),
            (QPalette.ColorRole.Text, "text"),
            (QPalette.ColorRole.Highlight, "selection"),
            (QPalette.ColorRole.HighlightedText, "text"),
        ):
            palette.setColor(role, now.colour(name))
        self.setPalette(palette)
        self._muted, self._selected = now.colour("muted"), now.colour("selection")
        self._under_mouse = QColor(row_hover(now.colours))
        self.setIndentation(now.pixels(4 * SPACE))
        self.setFont(now.text_font())

    def visible_indexes(self) -> list[QModelIndex]:
        """The rows that can be seen, from the top."""
        found: list[QModelIndex] = []
        index = self.indexAt(self.viewport().rect().topLeft())
        bottom = self.viewport().height()
        while index.isValid() and self.visualRect(index).top() < bottom:
            found.append(index)
            index = self.indexBelow(index)
        return found

    def _on_theme_changed(self) -> None:
        self.restyle()
        # Later, when the delegates know of their new sizes too.
        QTimer.singleShot(0, self, self.doItemsLayout)

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        selection = self.selectionModel()
        if selection is not None and selection.isSelected(index):
            painter.fillRect(options.rect, self._selected)  # pyright: ignore[reportAttributeAccessIssue]
        elif self._hovered == index:
            painter.fillRect(options.rect, self._under_mouse)  # pyright: ignore[reportAttributeAccessIssue]
        super().drawRow(painter, options, index)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHoverEvent):
            left = event.type() == QEvent.Type.HoverLeave
            index = QModelIndex() if left else self.indexAt(event.position().toPoint())
            self._hovered = QPersistentModelIndex(index.siblingAtColumn(0))
        return super().viewportEvent(event)

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        if not self.model().hasChildren(index):
            return
        size = theme().pixels(3.5)
        center = QPointF(rect.right() - self.indentation() / 2 + 1, rect.center().y() + 1)
        corners = [(-size, -size / 2), (size, -size / 2), (0, size * 0.7)]
        if not self.isExpanded(index):
            corners = [(-size / 2, -size), (-size / 2, size), (size * 0.7, 0)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._muted)
        painter.drawPolygon(QPolygonF([center + QPointF(x, y) for x, y in corners]))
        painter.restore()


T = TypeVar("T")
Role = Qt.ItemDataRole


class RowTable(QAbstractTableModel, Generic[T]):
    """A table with one value a row; what its cells say, in which colour, and their tooltips are told by the methods."""

    columns: ClassVar[Sequence[str]] = ()
    figures: ClassVar[Sequence[int]] = ()
    """The columns of numbers, which stand at the right."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[T] = []

    @property
    def rows(self) -> Sequence[T]:
        return self._rows

    def cell(self, row: T, column: int) -> str:
        """What stands there."""
        raise NotImplementedError

    def whole(self, row: T, column: int) -> str:
        """More than fits, for the tooltip."""
        raise NotImplementedError

    def tone(self, row: T, column: int) -> str:
        """The name of its colour."""
        raise NotImplementedError

    def set_rows(self, rows: Sequence[T]) -> None:
        """Shows these; nothing changes where they are the same."""
        if list(rows) != self._rows:
            self.beginResetModel()
            self._rows = list(rows)
            self.endResetModel()

    def append(self, row: T) -> T:
        """Shows one more at the end."""
        self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows))
        self._rows.append(row)
        self.endInsertRows()
        return row

    def repaint(self) -> None:
        """Any cell may look different."""
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(self.columns) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return self._alignment(section)
        return self.columns[section] if role == Role.DisplayRole and 0 <= section < len(self.columns) else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        match role:
            case Role.DisplayRole:
                return self.cell(row, column)
            case Role.ToolTipRole:
                return plain_tip(self.whole(row, column))
            case Role.ForegroundRole:
                return theme().colour(self.tone(row, column))
            case Role.TextAlignmentRole:
                return self._alignment(column)
            case Role.AccessibleTextRole:
                return f"{self.columns[column]}: {self.cell(row, column) or 'nothing'}"
            case _:
                return None

    def _alignment(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignRight if column in self.figures else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)


def table_view(name: str, about: str, model: "RowTable[Any]") -> QTreeView:
    """A view of such a table, by its object name and accessible name."""
    view = QTreeView(rootIsDecorated=False, uniformRowHeights=True, allColumnsShowFocus=True)
    view.setObjectName(name)
    view.setAccessibleName(about)
    view.setModel(model)
    view.header().setSectionsClickable(False)
    return view
