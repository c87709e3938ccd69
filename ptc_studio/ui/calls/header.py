"""The head of the call tree: its name, how many calls, group, filter and follow."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from ptc_studio.ui.theme import set_icon, theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip

HEIGHT = 34


class CallHeader(QWidget):
    """Title, count, and three toggles, which have icons in the place of their words where there is little room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count = PlainLabel()
        self.count.setProperty("role", "badge")
        self.count.hide()
        self.group = _toggle("Group", "group", "Calls from one line together; off: all in the order in which they came")
        self.group.setChecked(True)
        self.filter = _toggle("Filter…", "filter", "Show only some calls (Ctrl+F)")
        self.follow = _toggle("↓ Follow", "follow", "Keep the newest call in sight")
        self.follow.setChecked(True)
        self._title = title = PlainLabel("Calls")
        title.setProperty("role", "title")
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * SPACE, 0, SPACE, 0)
        row.setSpacing(2 * SPACE)
        for widget in (title, self.count):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        self._toggles = (self.group, self.filter, self.follow)
        for widget in self._toggles:
            row.addWidget(widget)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_count(self, total: int, matching: int) -> None:
        """How many calls there are, and how many of them are shown."""
        self.count.setText(f"{total:,}" if matching == total else f"{matching:,} of {total:,}")
        self.count.setVisible(total > 0)

    def _restyle(self) -> None:
        self.setFixedHeight(theme().pixels(HEIGHT))

    def _fit(self) -> None:
        words = sum(_width_of_words(button) for button in self._toggles)
        style = Qt.ToolButtonStyle
        wanted = style.ToolButtonTextOnly if self._rest() + words <= self.width() else style.ToolButtonIconOnly
        for button in self._toggles:
            if button.toolButtonStyle() != wanted:
                button.setToolButtonStyle(wanted)

    def _rest(self) -> int:
        """What all but the toggles takes."""
        count = 0 if self.count.isHidden() else self.count.sizeHint().width() + 2 * SPACE
        return self._title.sizeHint().width() + count + 12 * SPACE

    def minimumSizeHint(self) -> QSize:
        return QSize(self._rest() + sum(map(_width_of_icon, self._toggles)), theme().pixels(HEIGHT))

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        return super().event(event)


def _width_of_icon(button: QToolButton) -> int:
    alone = button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
    return max(button.sizeHint().width() if alone else 0, theme().pixels(HEIGHT))


def _width_of_words(button: QToolButton) -> int:
    return button.fontMetrics().horizontalAdvance(button.text()) + theme().pixels(3 * SPACE)


def _toggle(text: str, icon: str, about: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    set_icon(button, icon, "muted")
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    button.setToolTip(plain_tip(about))
    button.setCheckable(True)
    button.setProperty("flat", True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
