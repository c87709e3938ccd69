"""A note at the right of a row of tabs, for as long as there is room beside them."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QTabWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel
from ptc_studio.ui.widgets.still_text import release, set_still_text


class CornerNote(PlainLabel):
    """Shows itself where text and tabs fit side by side: the tabs come first."""

    def __init__(self, tabs: QTabWidget) -> None:
        super().__init__(parent=tabs)
        self._tabs = tabs
        self.setProperty("role", "muted")
        self.setMargin(2 * SPACE)
        self.hide()
        tabs.setCornerWidget(self, Qt.Corner.TopRightCorner)
        tabs.installEventFilter(self)
        theme().changed.connect(self._on_theme_changed)

    def tell(self, text: str) -> None:
        """Says it, or nothing if it is empty."""
        set_still_text(self, text)
        self._fit()

    def _fit(self) -> None:
        bar = self._tabs.tabBar()
        room = self._tabs.width() - bar.tabRect(bar.count() - 1).right()
        fits = bool(self.text()) and self.sizeHint().width() <= room
        if fits == self.isHidden():
            self.setVisible(fits)

    def _on_theme_changed(self) -> None:
        release(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)
