"""One line of words that is cut with an ellipsis where there is little room; its tooltip has all of it then."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QLabel, QStyleOptionComboBox, QTabWidget, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

LEAST = 28
"""So much of the words is always seen."""


class ElidedLabel(QLabel):
    """Asks for as much room as its words need, and makes do with less."""

    def __init__(self, text: str = "", *, about: str = "", parent: QWidget | None = None) -> None:
        """`about` says what the words are; it stands in the tooltip in any case."""
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._about = about
        self.setText(text)

    @property
    def is_cut(self) -> bool:
        return self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()

    def setText(self, text: str) -> None:
        super().setText(text)
        self._tell()

    def _tell(self) -> None:
        self.setToolTip("\n".join(filter(None, (self.text() if self.is_cut else "", self._about))))

    def minimumSizeHint(self) -> QSize:
        whole = super().minimumSizeHint()
        context = whole.width() - self.fontMetrics().horizontalAdvance(self.text())
        return QSize(min(whole.width(), context + theme().pixels(LEAST)), whole.height())

    def sizeHint(self) -> QSize:
        # A pixel more than is needed: metrics are rounded, and nothing is to be cut for that.
        whole = super().sizeHint()
        return QSize(whole.width() + 1, whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_cut:
            super().paintEvent(event)
            return
        painter, location = QPainter(self), self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, location.width())
        side = self.alignment() & Qt.AlignmentFlag.AlignHorizontal_Mask
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(location, int(side | Qt.AlignmentFlag.AlignVCenter), shown)


class ElidedCombo(QComboBox):
    """Qt's own cuts letters in two."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentTextChanged.connect(self.setToolTip)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        room = max(0, self.width() - theme().pixels(8 * SPACE))
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)


SLACK = 12
"""So many pixels may stay empty beside a text that has become shorter."""
UNBOUNDED = 16_777_215


def set_fixed_text(label: QLabel, text: str) -> None:
    """Changes the text. A label of a fixed size asks for no layout, which would paint half of the window anew."""
    if text == label.text():
        return
    label.setText(text)
    if not label.isVisible():
        release_fixed_text(label)
        return
    wanted, size = label.sizeHint(), label.size()
    fits = size.width() - SLACK <= wanted.width() <= size.width() and wanted.height() <= size.height()
    if not fits or label.minimumSize() != label.maximumSize():
        label.setFixedSize(wanted)


def release_fixed_text(label: QLabel) -> None:
    """Lets the label have the size that it asks for, as when its font has changed."""
    label.setMinimumSize(0, 0)
    label.setMaximumSize(UNBOUNDED, UNBOUNDED)


class CornerNote(QLabel):
    """Shows itself where text and tabs fit side by side: the tabs come first."""

    def __init__(self, tabs: QTabWidget) -> None:
        super().__init__(tabs)
        self._tabs = tabs
        self.setProperty("role", "muted")
        self.setMargin(2 * SPACE)
        self.hide()
        tabs.setCornerWidget(self, Qt.Corner.TopRightCorner)
        tabs.installEventFilter(self)
        theme().changed.connect(self._on_theme_changed)

    def show_message(self, text: str) -> None:
        """Says it, or nothing if it is empty."""
        set_fixed_text(self, text)
        self._fit()

    def _fit(self) -> None:
        bar = self._tabs.tabBar()
        room = self._tabs.width() - bar.tabRect(bar.count() - 1).right()
        fits = bool(self.text()) and self.sizeHint().width() <= room
        if fits == self.isHidden():
            self.setVisible(fits)

    def _on_theme_changed(self) -> None:
        release_fixed_text(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)
