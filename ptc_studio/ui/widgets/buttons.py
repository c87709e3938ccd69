"""Small buttons with an icon and no frame, rows of them, those that show their key, and the bar that searches."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QFontMetrics, QIcon, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QStyleOptionToolButton,
    QTabWidget,
    QToolButton,
    QWidget,
)

from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import icon, set_icon, theme
from ptc_studio.ui.tokens import FIELD, SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip, release_fixed_text, set_fixed_text


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
    button.setToolTip(plain_tip(name))
    button.setAccessibleName(name)
    button.setProperty("flat", True)
    set_icon(button, icon, "muted")
    return button


SPACING = 2


class ButtonRow(QWidget):
    """Buttons side by side; those that have no room are in a menu. The first ones are the last to go there.

    They go with their page, also where nobody ever showed them: what they call would be held by them for good.
    """

    def __init__(self, buttons: Sequence[QToolButton], page: QWidget) -> None:
        super().__init__(page)
        self.hide()
        self.buttons = tuple(buttons)
        self.more = flat_button("chevron-down", "More", self._open)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACING)
        for button in (*self.buttons, self.more):
            row.addWidget(button)
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

    def fit(self, room: int) -> int:
        """Shows what has room in so many pixels, the way to the rest in any case; gives what that takes."""
        wide = self.more.sizeHint().width() + SPACING
        most = max(1, (room + SPACING) // wide)
        shown = len(self.buttons) if most >= len(self.buttons) else most - 1
        for location, button in enumerate(self.buttons):
            button.setVisible(location < shown)
        self.more.setVisible(shown < len(self.buttons))
        return wide * min(most, len(self.buttons)) - SPACING

    def _open(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))


class TabCorner(QWidget):
    """What stands beside tabs, as far as they leave room: a note, and the buttons of the page in front.

    A page has buttons by having `tab_buttons`.
    """

    def __init__(self, tabs: QTabWidget) -> None:
        super().__init__(tabs)
        self._tabs = tabs
        self._buttons: ButtonRow | None = None
        self.note = PlainLabel()
        self.note.setProperty("role", "muted")
        self.note.setMargin(2 * SPACE)
        self.note.hide()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, SPACE, 0)
        self._row.setSpacing(SPACE)
        self._row.addWidget(self.note)
        tabs.setCornerWidget(self, Qt.Corner.TopRightCorner)
        tabs.installEventFilter(self)
        tabs.currentChanged.connect(lambda _: self.follow())
        theme().changed.connect(self._on_theme_changed)

    def show_message(self, text: str) -> None:
        """Says it, or nothing if it is empty."""
        set_fixed_text(self.note, text)
        self._fit()

    def follow(self) -> None:
        """Shows the buttons of the page that is in front by now."""
        buttons: ButtonRow | None = getattr(self._tabs.currentWidget(), "tab_buttons", None)
        if buttons is not self._buttons:
            if self._buttons is not None:
                self._row.removeWidget(self._buttons)
                self._buttons.hide()
            if buttons is not None:
                self._row.addWidget(buttons)
                buttons.show()
            self._buttons = buttons
        self._fit()

    def set_title(self, index: int, title: str, short: str = "") -> None:
        """Names a tab; by the `short` title where there is no room for all of them."""
        bar = self._tabs.tabBar()
        bar.setTabData(index, (title, short or title))
        bar.setAccessibleTabName(index, title)
        self._tabs.setTabText(index, _as_it_is(title))
        self._fit()

    def title(self, index: int) -> str:
        """The whole one, whatever is seen of it."""
        return self._tabs.tabBar().tabData(index)[0]

    def _shorten(self) -> None:
        """The titles as they have room; what a tab has around its words is the same for all."""
        bar = self._tabs.tabBar()
        shown = [index for index in range(bar.count()) if bar.isTabVisible(index) and bar.tabData(index)]
        if not shown:
            return
        width = bar.fontMetrics().horizontalAdvance
        around = bar.tabRect(shown[0]).width() - width(bar.tabText(shown[0]).replace("&&", "&"))
        needed = sum(width(bar.tabData(index)[0]) + around for index in shown)
        least = (self._buttons.more.sizeHint().width() if self._buttons is not None else 0) + 5 * SPACE
        for index in shown:
            text = _as_it_is(bar.tabData(index)[needed > self._tabs.width() - least])
            if text != bar.tabText(index):
                bar.setTabText(index, text)

    def _fit(self) -> None:
        self._shorten()
        bar = self._tabs.tabBar()
        taken = sum(bar.tabRect(index).width() for index in range(bar.count()) if bar.isTabVisible(index))
        room = self._tabs.width() - taken - 3 * SPACE
        used = self._buttons.fit(room) + SPACE if self._buttons is not None else 0
        words = self.note.sizeHint().width() + SPACE
        fits = bool(self.note.text()) and words <= room - used
        if fits == self.note.isHidden():
            self.note.setVisible(fits)
        self.setFixedWidth(used + (words if fits else 0) + 2 * SPACE if used or fits else 0)

    def _on_theme_changed(self) -> None:
        release_fixed_text(self.note)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return super().eventFilter(watched, event)


def _as_it_is(text: str) -> str:
    """Qt takes a single & for the mark of a key."""
    return text.replace("&", "&&")


ICON = 14


class ActionButton(QToolButton):
    """Icon, text and, where it is the primary one, the key; text and key can be left out where there is little room."""

    def __init__(
        self, action: QAction, icon_name: str, *, shows_key: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._has_key = self._shows_key = shows_key
        self._shows_words = True
        # On the action: the button takes its tooltip from there whenever the action changes.
        key = self._key_of(action)
        action.setToolTip(plain_tip(f"{action.iconText()} ({key})" if key else action.iconText()))
        self.setDefaultAction(action)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(action.text().replace("&", ""))
        theme().changed.connect(self.updateGeometry)

    def set_primary(self, primary: bool) -> None:
        """Whether it is where the eye goes."""
        set_property(self, "primary", primary)
        self.update()

    def show_key(self, shown: bool) -> None:
        """Whether the key is seen; the tooltip has it in any case."""
        if shown != self._shows_key:
            self._shows_key = shown
            self.updateGeometry()

    def show_words(self, shown: bool) -> None:
        """Whether more than the icon is seen."""
        if shown != self._shows_words:
            self._shows_words = shown
            self.updateGeometry()

    @property
    def key_width(self) -> int:
        """How much is won when the key is left out."""
        if not self._has_key:
            return 0
        return QFontMetrics(theme().text_font()).horizontalAdvance(self._key) + theme().pixels(2 * SPACE)

    @property
    def words_width(self) -> int:
        """How much is won when the text is left out."""
        metrics = QFontMetrics(theme().text_font(bold=True))
        return metrics.horizontalAdvance(self._label) + theme().pixels(SPACE + 2)

    @property
    def whole_width(self) -> int:
        """With everything that can be left out."""
        return theme().pixels(ICON + 6 * SPACE) + self.words_width + self.key_width

    @property
    def _key(self) -> str:
        return self._key_of(self.defaultAction())

    @staticmethod
    def _key_of(action: QAction) -> str:
        return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    @property
    def _label(self) -> str:
        return self.defaultAction().iconText()

    def _colour(self) -> str:
        return "on_accent" if self.property("primary") and self.isEnabled() else "text"

    def _draw_icon(self, painter: QPainter, area: QRect) -> int:
        size = theme().pixels(ICON)
        location = QRect(area.left(), area.center().y() - size // 2 + 1, size, size)
        mode = QIcon.Mode.Normal if self.isEnabled() else QIcon.Mode.Disabled
        icon(self._icon_name, self._colour()).paint(painter, location, Qt.AlignmentFlag.AlignCenter, mode)
        return location.right() + theme().pixels(SPACE + 2)

    def sizeHint(self) -> QSize:
        width = self.whole_width
        if self._has_key and not self._shows_key:
            width -= self.key_width
        if not self._shows_words:
            width -= self.words_width
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
        if not self._shows_words:
            return
        painter.setPen(theme().colour(self._colour()))
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        painter.setFont(theme().text_font(bold=True))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), self._label)
        area.setLeft(area.left() + painter.fontMetrics().horizontalAdvance(self._label) + theme().pixels(2 * SPACE))
        if not self._shows_key:
            return
        painter.setFont(theme().text_font())
        painter.setOpacity(0.75 if self.isEnabled() else 0.4)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), self._key)


class SearchBar(QFrame):
    """What is searched, and how the bar is laid out, is for each kind of it to say."""

    def __init__(self, prompt: str, *, pause: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(placeholderText=prompt, clearButtonEnabled=True)
        self.field.setAccessibleName(prompt)
        self.field.textChanged.connect(self._on_typed)
        self.count = PlainLabel()
        self.count.setProperty("role", "muted")
        self._pause = QTimer(self, interval=pause, singleShot=True)
        self._pause.timeout.connect(self.search)

    def open(self) -> None:
        """Shows the bar, its field ready to be typed into."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def put_away(self) -> None:
        """Hides the bar."""
        self.hide()

    def search(self) -> None:
        """Finds everything anew."""

    def go(self, *, back: bool = False) -> None:
        """To the next match, or the one before."""

    def arrow_buttons(self, previous: str, following: str) -> tuple[QToolButton, QToolButton]:
        """The buttons to the match before and to the next one."""
        return (
            flat_button("chevron-up", previous, lambda: self.go(back=True)),
            flat_button("chevron-down", following, self.go),
        )

    def _on_typed(self) -> None:
        self._pause.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.put_away()
        elif event.matches(QKeySequence.StandardKey.FindPrevious):
            self.go(back=True)
        elif event.matches(QKeySequence.StandardKey.FindNext):
            self.go()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go(back=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)
