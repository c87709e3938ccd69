"""Labels whose text changes often."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from ptc_studio.ui.widgets.labels import release_fixed_text, set_fixed_text


class Layouts(QObject):
    """Counts how often a widget is laid out anew."""

    count = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def shown(qtbot: QtBot) -> tuple[QWidget, QLabel, Layouts]:
    window = QWidget()
    qtbot.addWidget(window)
    label = QLabel("0.00 s")
    QHBoxLayout(window).addWidget(label)
    window.show()
    layouts = Layouts(window)
    window.installEventFilter(layouts)
    set_fixed_text(label, "0.01 s")
    QApplication.processEvents()
    layouts.count = 0
    return window, label, layouts


def test_a_text_of_the_same_width_asks_for_no_layout(qtbot: QtBot) -> None:
    _window, label, layouts = shown(qtbot)
    set_fixed_text(label, "0.10 s")
    QApplication.processEvents()
    assert label.text() == "0.10 s"
    assert layouts.count == 0


def test_a_longer_text_gets_the_room_that_it_needs(qtbot: QtBot) -> None:
    _window, label, layouts = shown(qtbot)
    set_fixed_text(label, "100,000.25 s")
    QApplication.processEvents()
    assert layouts.count
    assert label.width() >= label.sizeHint().width()


def test_a_label_that_is_released_follows_its_font_again(qtbot: QtBot) -> None:
    _window, label, _ = shown(qtbot)
    release_fixed_text(label)
    label.setStyleSheet("font-size: 40px")
    QApplication.processEvents()
    assert label.height() >= 40
