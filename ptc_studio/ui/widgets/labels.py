"""Labels: plain text by construction, cut where there is little room, or in the middle of what is empty yet."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE


class PlainLabel(QLabel):
    """Shows its text as it is. Whoever wants markup asks for it by `setTextFormat`, and escapes the rest."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, role: str = "", **properties: Any) -> None:
        """The role is one of the style sheet's: title, muted, badge."""
        # Before the text: Qt would look at it at once.
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText, **properties)
        if role:
            self.setProperty("role", role)
        if text:
            self.setText(text)


def plain_tip(text: str) -> str:
    """The text for a tooltip: as it is, or escaped where Qt would take it for markup."""
    if not Qt.mightBeRichText(text):
        return text
    # Imported late: it is large, and the first paint does not need it.
    from html import escape

    return f"<p style='white-space: pre-wrap'>{escape(text)}</p>"


LEAST = 28
"""So much of the words is always seen."""


class ElidedLabel(PlainLabel):
    """Asks for as much room as its words need, and makes do with less."""

    def __init__(self, text: str = "", *, about: str = "", parent: QWidget | None = None) -> None:
        """`about` says what the words are; it stands in the tooltip in any case."""
        super().__init__(parent=parent)
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
        self.setToolTip(plain_tip("\n".join(filter(None, (self.text() if self.is_cut else "", self._about)))))

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


# Said by the first paint's placeholders and by the panels that take their places.
CALLS = "Run a script to see its calls here"
INSPECTOR = "Select a call to see its values"
OUTPUT = "Output of the script appears here"
READING_TOOLS = "Reading the tools…"
FILTER_TOOLS = "Filter tools…"
FILTER_FILES = "Filter files…"
TIMELINE = "Run a script to see when its calls ran"


class EmptyState(PlainLabel):
    """A quiet text in the middle of an empty panel."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setProperty("role", "muted")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setMargin(4 * SPACE)


class EmptyOverlay(PlainLabel):
    """A text in the middle of a view; whoever owns the view says when it shows, or gives it a model to watch."""

    def __init__(self, view: QAbstractScrollArea, text: str) -> None:
        super().__init__(text, view.viewport())
        self._view = view
        self._model: QAbstractItemModel | None = None
        self.setProperty("role", "muted")
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMargin(16)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.viewport().installEventFilter(self)
        self._fill()

    def watch(self, model: QAbstractItemModel) -> None:
        """Shows the text whenever the model has no rows."""
        self._model = model
        for signal in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            signal.connect(self._on_rows_changed)
        self._on_rows_changed()

    def _on_rows_changed(self) -> None:
        self.setVisible(self._model is not None and self._model.rowCount() == 0)

    def _fill(self) -> None:
        self.setGeometry(self._view.viewport().rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fill()
        return super().eventFilter(watched, event)
