"""A list to choose from in the run bar: a caption, what is chosen, and below the choices what can be done with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, ROW, SPACE
from ptc_studio.ui.widgets.labels import plain_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROW_ROLE = Role.UserRole + 1


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One line."""

    kind: str
    """`line` and `action` are not to be chosen."""
    title: str = ""
    key: str = ""
    """Of the choice, or of the action."""
    note: str = ""
    """What stands beside the title: how much it is, or what is wrong with it."""
    faulty: bool = False

    @property
    def is_choice(self) -> bool:
        return self.kind not in ("line", "action")


class ChoiceRows(QAbstractListModel):
    """The lines, in their order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ChoiceRow, ...] = ()

    @property
    def rows(self) -> tuple[ChoiceRow, ...]:
        return self._rows

    def set_rows(self, rows: Sequence[ChoiceRow]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row_of(self, kind: str, key: str = "") -> int:
        """Where it stands; -1 if it is not there."""
        return next((location for location, row in enumerate(self._rows) if (row.kind, row.key) == (kind, key)), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Role.DisplayRole:
                return row.title
            case Role.ToolTipRole:
                return plain_tip(row.note) or None
            case Role.AccessibleTextRole:
                return f"{row.title}, {row.note}" if row.note else row.title
            case Role.UserRole:
                return row.key
            case _:
                return row if role == ROW_ROLE else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self._rows[index.row()].kind == "line":
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


MOST_SHOWN = 16
WIDEST_NAME, USUAL_NAME, NARROWEST_NAME = 180, 80, 32
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class BarSelector(QComboBox):
    """A combo box of the run bar: it draws its words itself, and its name may be cut where there is little room."""

    popup_width = 300

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._narrow = False
        self.setMaxVisibleItems(MOST_SHOWN)
        theme().changed.connect(self.updateGeometry)

    @property
    def name_width(self) -> int:
        """What it needs to say the name, and nothing else."""
        raise NotImplementedError

    @property
    def spare_width(self) -> int:
        """How much is won when the name may be cut."""
        raise NotImplementedError

    @property
    def narrow_width(self) -> int:
        """What it needs at the least."""
        return self.name_width - self.spare_width

    def set_narrow(self, narrow: bool) -> None:
        """Whether even a short name may be cut; the tooltip has it."""
        if narrow != self._narrow:
            self._narrow = narrow
            self.updateGeometry()

    def showPopup(self) -> None:
        self.view().setMinimumWidth(max(self.width(), theme().pixels(self.popup_width)))
        super().showPopup()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.narrow_width if self._narrow else self.name_width, theme().pixels(FIELD))

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Leaves the style the frame and the arrow alone: the words are drawn here."""
        super().initStyleOption(option)
        option.currentText = ""


class ChoiceSelector(BarSelector):
    """A combo box over `ChoiceRows`; `currentData()` is the key of the chosen one.

    Signals: row_chosen(row): by the user. action_chosen(key): one of the lines below the choices.
    """

    row_chosen = Signal(object)
    action_chosen = Signal(str)
    caption = ""

    def __init__(self, first: ChoiceRow, parent: QWidget | None = None) -> None:
        """`first`: what is chosen until it is known what there is."""
        super().__init__(parent)
        self._chosen = first
        self.choices = ChoiceRows(self)
        self.choices.set_rows((first,))
        self.setModel(self.choices)
        self.setItemDelegate(_ChoiceDelegate(self))
        self.currentIndexChanged.connect(self._on_index_changed)
        self.activated.connect(self._on_activated)

    @property
    def chosen(self) -> ChoiceRow:
        return self._chosen

    def show_rows(self, rows: Sequence[ChoiceRow], chosen: ChoiceRow) -> None:
        """Offers these; the chosen one is one of them."""
        before = self.blockSignals(True)
        if self.choices.rows != tuple(rows):
            self.choices.set_rows(rows)
        self.setCurrentIndex(self.choices.row_of(chosen.kind, chosen.key))
        self.blockSignals(before)
        self._show(chosen)

    def _show(self, chosen: ChoiceRow) -> None:
        moved = chosen.title != self._chosen.title or chosen.faulty != self._chosen.faulty
        self._chosen = chosen
        if moved:
            self.updateGeometry()
        self.update()

    def _on_index_changed(self, location: int) -> None:
        row = self.choices.rows[location] if 0 <= location < len(self.choices.rows) else None
        if row is not None and row.is_choice and row != self._chosen:
            self._show(row)
            self.row_chosen.emit(row)

    def _on_activated(self, location: int) -> None:
        row = self.choices.rows[location]
        if row.kind == "action":
            self.show_rows(self.choices.rows, self._chosen)
            self.action_chosen.emit(row.key)

    @property
    def _name(self) -> str:
        return f"▲ {self._chosen.title}" if self._chosen.faulty else self._chosen.title

    def _width(self, text: str, *, bold: bool = False) -> int:
        return QFontMetrics(theme().text_font(bold=bold)).horizontalAdvance(text)

    def _name_of_at_most(self, width: int) -> int:
        return min(self._width(self._name, bold=True), theme().pixels(width))

    @property
    def name_width(self) -> int:
        return self._name_of_at_most(USUAL_NAME) + theme().pixels(8 * SPACE)

    @property
    def spare_width(self) -> int:
        return self._name_of_at_most(USUAL_NAME) - self._name_of_at_most(NARROWEST_NAME)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """While the list is closed, keys go from choice to choice and never land on an action."""
        step = STEPS.get(Qt.Key(event.key())) if not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier else None
        if step is not None:
            choices = [location for location, row in enumerate(self.choices.rows) if row.is_choice]
            at = choices.index(self.currentIndex()) + step if self.currentIndex() in choices else 0
            self.setCurrentIndex(choices[min(max(at, 0), len(choices) - 1)])
        elif event.text().strip() and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        # What is chosen is not to change because the pointer was in the way.
        event.ignore()

    def sizeHint(self) -> QSize:
        name = min(self._width(self._name, bold=True), theme().pixels(WIDEST_NAME))
        return QSize(self._width(self.caption) + name + theme().pixels(11 * SPACE), theme().pixels(FIELD))

    def _is_cut(self) -> bool:
        return self._width(self._name, bold=True) > self.width() - theme().pixels(8 * SPACE)

    def event(self, event: QEvent) -> bool:
        # The tooltip does not name what is chosen: where the name is cut, it stands there, too.
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._is_cut():
            QToolTip.showText(event.globalPos(), plain_tip(f"{self._name}\n{self.toolTip()}"), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        area = self.rect().adjusted(theme().pixels(3 * SPACE), 0, -theme().pixels(5 * SPACE), 0)
        caption = self._width(self.caption) + theme().pixels(2 * SPACE)
        name = min(self._width(self._name, bold=True), theme().pixels(WIDEST_NAME))
        if caption + name <= area.width() + 2:
            area.setLeft(
                draw_text(painter, area, self.caption, theme().text_font(), "muted") + theme().pixels(2 * SPACE)
            )
        tone = "warning" if self._chosen.faulty else "text"
        draw_text(painter, area, self._name, theme().text_font(bold=True), tone if self.isEnabled() else "muted")


class _ChoiceDelegate(QStyledItemDelegate):
    """A name at the left, its note at the right."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        # Imported late: Qt takes its time to prepare it, and the list is not open at the first paint.
        from PySide6.QtWidgets import QStyle

        row: ChoiceRow = index.data(ROW_ROLE)
        area = QRect(option.rect)
        if row.kind == "line":
            painter.fillRect(QRect(area.left(), area.center().y(), area.width(), 1), theme().colour("line"))
            return
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.fillRect(area, theme().colour("selection"))
        area.adjust(theme().pixels(2 * SPACE), 0, -theme().pixels(2 * SPACE), 0)
        font = theme().text_font(bold=row.is_choice)
        area.setLeft(draw_text(painter, area, row.title, font, "text") + theme().pixels(3 * SPACE))
        tone = "warning" if row.faulty else "muted"
        draw_text(painter, area, row.note, theme().text_font(small=True), tone, Qt.AlignmentFlag.AlignRight)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: ARG002
        row: ChoiceRow = index.data(ROW_ROLE)
        words = QFontMetrics(theme().text_font(bold=True)).horizontalAdvance(row.title)
        note = QFontMetrics(theme().text_font(small=True)).horizontalAdvance(row.note)
        height = 2 * SPACE + 1 if row.kind == "line" else ROW
        return QSize(words + note + theme().pixels(8 * SPACE), theme().pixels(height))


def draw_text(
    painter: QPainter,
    area: QRect,
    text: str,
    font: QFont,
    colour: str,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> int:
    """Draws the text in the area, cut if it must be; gives where it ends."""
    painter.setFont(font)
    painter.setPen(theme().colour(colour))
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, area.width()))
    painter.drawText(area, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
    return area.left() + painter.fontMetrics().horizontalAdvance(shown)
