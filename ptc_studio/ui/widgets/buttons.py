"""Small buttons with an icon and no frame."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QMenu, QToolButton, QVBoxLayout, QWidget

from ptc_studio.ui.icons import set_icon


def flat_button(icon: str, name: str, act: Callable[[], object]) -> QToolButton:
    """A button that does something."""
    button = _button(icon, name)
    button.clicked.connect(lambda: act())
    return button


def flat_toggle(icon: str, name: str, act: Callable[[bool], object]) -> QToolButton:
    """A button that is on or off."""
    button = _button(icon, name)
    button.setCheckable(True)
    button.toggled.connect(act)
    return button


def _button(icon: str, name: str) -> QToolButton:
    button = QToolButton()
    button.setToolTip(name)
    button.setAccessibleName(name)
    button.setProperty("flat", True)
    set_icon(button, icon, "muted")
    return button


EDGE, SPACING = 4, 2


class ButtonColumn(QWidget):
    """The first ones are the last to go into the menu."""

    def __init__(self, buttons: Sequence[QToolButton], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = tuple(buttons)
        self.more = flat_button("chevron-down", "More", self._open)
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        column.setSpacing(SPACING)
        for button in (*self.buttons, self.more):
            column.addWidget(button)
        column.addStretch(1)
        self.more.hide()

    def menu(self) -> QMenu:
        """What is not to be seen at the moment."""
        menu = QMenu(self)
        for button in self.buttons:
            if button.isHidden():
                action = menu.addAction(button.icon(), button.toolTip(), button.click)
                action.setCheckable(button.isCheckable())
                action.setChecked(button.isChecked())
                action.setEnabled(button.isEnabled())
        return menu

    def _open(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _fit(self) -> None:
        high = self.more.sizeHint().height() + SPACING
        room = (self.height() - 2 * EDGE + SPACING) // high
        shown = len(self.buttons) if room >= len(self.buttons) else max(0, room - 1)
        for location, button in enumerate(self.buttons):
            button.setVisible(location < shown)
        self.more.setVisible(shown < len(self.buttons))

    def sizeHint(self) -> QSize:
        one = self.more.sizeHint()
        return QSize(one.width() + 2 * EDGE, len(self.buttons) * (one.height() + SPACING) - SPACING + 2 * EDGE)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width(), self.more.sizeHint().height() + 2 * EDGE)

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        return super().event(event)
