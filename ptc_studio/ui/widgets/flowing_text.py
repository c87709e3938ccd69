"""Words of any length that are read and copied: they are broken wherever they must be, and shown in full height."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.plain_text import StillBrowser

NARROWEST = 60


class FlowingText(StillBrowser):
    """As a label with rich text, which breaks between words alone: an address or a name of a tool may have none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._html = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().contentsChanged.connect(self._grow)
        self._grow()

    def text(self) -> str:
        return self._html

    def setText(self, text: str) -> None:
        if text != self._html:
            self._html = text
            self.setHtml(text)

    def _grow(self) -> None:
        self.setFixedHeight(max(1, round(self.document().size().height() + 0.49)))

    def sizeHint(self) -> QSize:
        return QSize(theme().pixels(4 * NARROWEST), self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().pixels(NARROWEST), self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow()
