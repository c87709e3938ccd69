"""The list of completions under the cursor, with the signature of what is chosen."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.ui.language.suggestions import Kind, Suggestion
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import RADIUS, ROW, SPACE

Index = QModelIndex | QPersistentModelIndex
SUGGESTION = Qt.ItemDataRole.UserRole


class SuggestionModel(QAbstractListModel):
    """Rows of suggestions; all are replaced at once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Suggestion] = []

    def set_rows(self, rows: Sequence[Suggestion]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == SUGGESTION:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        return f"{row.text} {row.detail}" if role == Qt.ItemDataRole.AccessibleTextRole else None


SIGNS: dict[Kind, tuple[str, str]] = {
    "tool": ("⌁", "tool"),
    "namespace": ("▸", "tool"),
    "parameter": ("=", "accent"),
    "function": ("ƒ", "muted"),
    "class": ("C", "muted"),
    "module": ("M", "muted"),
    "keyword": ("k", "keyword"),
    "name": ("·", "muted"),
}


class SuggestionRow(QStyledItemDelegate):
    """One row: sign, name, and at the right its type."""

    def _paint_texts(self, painter: QPainter, area: QRect, row: Suggestion) -> None:
        sign, colour = SIGNS[row.kind]
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme().code_font())
        painter.setPen(theme().colour(colour))
        painter.drawText(area, left, sign)
        area.setLeft(area.left() + theme().pixels(5 * SPACE))
        painter.setPen(theme().colour("tool" if row.kind in ("tool", "namespace") else "text"))
        painter.drawText(area, left, row.text)
        area.setLeft(area.left() + QFontMetrics(theme().code_font()).horizontalAdvance(row.text) + 4 * SPACE)
        painter.setFont(theme().text_font(small=True))
        painter.setPen(theme().colour("muted"))
        detail = QFontMetrics(painter.font()).elidedText(row.detail, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, detail)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        area: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        if option.state & QStyle.StateFlag.State_Selected:  # pyright: ignore[reportAttributeAccessIssue]
            painter.fillRect(area, theme().colour("selection"))
        self._paint_texts(painter, area.adjusted(2 * SPACE, 0, -2 * SPACE, 0), index.data(SUGGESTION))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        del option, index
        return QSize(0, theme().pixels(ROW))


MOST_ROWS = 9
WIDTHS = (260, 460)


class CompletionPopup(QFrame):
    """Floats over a window without ever taking the focus from the text.

    Signals: accepted(suggestion): a row was clicked.
    """

    accepted = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("completionPopup")
        self.setAccessibleName("Completions")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._model = SuggestionModel(self)
        self._list = QListView(self)
        self._signature, self._description, self._line = QLabel(), QLabel(), QFrame()
        self._lay_out()
        self._apply_theme()
        theme().changed.connect(self._apply_theme)
        self.hide()

    def show_at(self, cursor: QRect, rows: Sequence[Suggestion], keep: str = "") -> None:
        """Shows the rows under the cursor, or over it where there is more room; the place is the window's.

        The row with the text to keep is chosen, else the first.
        """
        self._model.set_rows(rows)
        chosen = next((index for index, row in enumerate(rows) if row.text == keep), 0)
        self._list.setCurrentIndex(self._model.index(chosen))
        self._explain()
        size = self._wanted_size(rows)
        self.setGeometry(QRect(self._corner(cursor, size), size))
        self.raise_()
        self.show()

    def current(self) -> Suggestion | None:
        return self._list.currentIndex().data(SUGGESTION)

    def move_by(self, rows: int) -> None:
        """Chooses another row; goes round at the ends, except by pages."""
        count, row = self._model.rowCount(), self._list.currentIndex().row() + rows
        row = row % count if abs(rows) == 1 else min(max(row, 0), count - 1)
        self._list.setCurrentIndex(self._model.index(row))
        self._explain()

    def _explain(self) -> None:
        chosen = self.current()
        signature, description = (chosen.shown_signature, chosen.description) if chosen else ("", "")
        self._signature.setText(signature)
        self._description.setText(description.strip().split("\n\n")[0])
        self._signature.setVisible(bool(signature))
        self._description.setVisible(bool(description))
        self._line.setVisible(bool(signature or description))
        if self.isVisible():
            self.resize(self.width(), self._height(self.width()))

    def _wanted_size(self, rows: Sequence[Suggestion]) -> QSize:
        code, small = QFontMetrics(theme().code_font()), QFontMetrics(theme().text_font(small=True))
        widest = max(code.horizontalAdvance(row.text) + small.horizontalAdvance(row.detail) for row in rows)
        least, most = map(theme().pixels, WIDTHS)
        width = min(max(widest + theme().pixels(16 * SPACE), least), most, max(120, self._window.width() - 16))
        return QSize(width, self._height(width))

    def _height(self, width: int) -> int:
        rows = min(self._model.rowCount(), MOST_ROWS) * theme().pixels(ROW)
        self._list.setFixedHeight(rows)
        labels = [each for each in (self._signature, self._description) if each.text()]
        texts = sum(each.heightForWidth(width - 2) for each in labels)
        return rows + texts + (1 if labels else 0) + 2 * SPACE + 2

    def _corner(self, cursor: QRect, size: QSize) -> QPoint:
        window = self._window.rect()
        below = cursor.bottom() + SPACE
        above = cursor.top() - SPACE - size.height()
        top = above if below + size.height() > window.bottom() and above >= 0 else below
        left = max(0, min(cursor.left() - theme().pixels(7 * SPACE), window.right() - size.width() - SPACE))
        return QPoint(left, top)

    def _lay_out(self) -> None:
        self._list.setModel(self._model)
        self._list.setItemDelegate(SuggestionRow(self._list))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._list.clicked.connect(lambda index: self.accepted.emit(index.data(SUGGESTION)))
        self._list.setUniformItemSizes(True)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._line.setFixedHeight(1)
        self._line.setObjectName("line")
        self._signature.setObjectName("signature")
        for label in (self._signature, self._description):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        column = QVBoxLayout(self)
        column.setSpacing(0)
        column.setContentsMargins(1, SPACE + 1, 1, SPACE + 1)
        for widget in (self._list, self._line, self._signature, self._description):
            column.addWidget(widget)
        column.addStretch()

    def _apply_theme(self) -> None:
        colours, radius = theme().colours, theme().pixels(RADIUS)
        self.setStyleSheet(f"""
            QFrame#completionPopup {{ background: {colours.raised}; border: 1px solid {colours.line};
                border-radius: {radius}px; }}
            QListView {{ background: {colours.raised}; border: 0; }}
            QFrame#line {{ background: {colours.line}; }}
            QLabel {{ color: {colours.muted}; padding: {SPACE}px {2 * SPACE}px; background: transparent; }}
            QLabel#signature {{ color: {colours.text}; padding-bottom: 0; }}""")
        self._signature.setFont(theme().code_font())
        self._description.setFont(theme().text_font(small=True))
