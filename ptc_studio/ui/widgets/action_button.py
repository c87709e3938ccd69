"""A button for an action that also shows the action's key."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QIcon, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QStyleOptionToolButton, QToolButton, QWidget

from ptc_studio.ui.icons import icon
from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, SPACE

ICON = 14


class ActionButton(QToolButton):
    """Icon, text and, where it is the primary one, the key."""

    def __init__(
        self, action: QAction, icon_name: str, *, shows_key: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._shows_key = shows_key
        self.setDefaultAction(action)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(action.text().replace("&", ""))
        theme().changed.connect(self.updateGeometry)

    def set_primary(self, primary: bool) -> None:
        """Whether it is where the eye goes."""
        set_property(self, "primary", primary)
        self.update()

    @property
    def _key(self) -> str:
        sequence = self.defaultAction().shortcut()
        return sequence.toString(QKeySequence.SequenceFormat.NativeText) if self._shows_key else ""

    @property
    def _label(self) -> str:
        return self.defaultAction().iconText()

    def _colour(self) -> str:
        return "on_accent" if self.property("primary") and self.isEnabled() else "text"

    def _draw_icon(self, painter: QPainter, area: QRect) -> int:
        size = theme().pixels(ICON)
        place = QRect(area.left(), area.center().y() - size // 2 + 1, size, size)
        mode = QIcon.Mode.Normal if self.isEnabled() else QIcon.Mode.Disabled
        icon(self._icon_name, self._colour()).paint(painter, place, Qt.AlignmentFlag.AlignCenter, mode)
        return place.right() + theme().pixels(SPACE + 2)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(theme().text_font(bold=True))
        width = metrics.horizontalAdvance(self._label) + theme().pixels(ICON + SPACE + 2 + 6 * SPACE)
        if self._key:
            width += QFontMetrics(theme().text_font()).horizontalAdvance(self._key) + theme().pixels(2 * SPACE)
        return QSize(width, theme().pixels(FIELD))

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        """Leaves the style the frame alone: the rest is drawn here."""
        super().initStyleOption(option)
        option.text, option.icon = "", QIcon()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        area = self.rect().adjusted(theme().pixels(3 * SPACE), 0, -theme().pixels(2 * SPACE), 0)
        area.setLeft(self._draw_icon(painter, area))
        painter.setPen(theme().colour(self._colour()))
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        painter.setFont(theme().text_font(bold=True))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), self._label)
        area.setLeft(area.left() + painter.fontMetrics().horizontalAdvance(self._label) + theme().pixels(2 * SPACE))
        painter.setFont(theme().text_font())
        painter.setOpacity(0.75 if self.isEnabled() else 0.4)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), self._key)
