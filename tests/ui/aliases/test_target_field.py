"""The field in which the tool of an alias is searched for."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ptc_studio.ui.aliases.alias_form import TargetField


@pytest.fixture
def fields(qtbot: QtBot) -> tuple[TargetField, QLineEdit]:
    room = QWidget()
    field, other = TargetField(), QLineEdit()
    column = QVBoxLayout(room)
    column.addWidget(field)
    column.addWidget(other)
    qtbot.addWidget(room)
    with qtbot.waitExposed(room):
        room.show()
    room.activateWindow()
    # Whoever has the fields keeps the room.
    other.room = room  # type: ignore[attr-defined]
    return field, other


def test_what_is_typed_into_it_stays(fields: tuple[TargetField, QLineEdit], qtbot: QtBot):
    field, _ = fields
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field.line, "price")
    assert field.tool() == "price"


@pytest.mark.parametrize("receiver", ["the list", "its line"])
def test_keys_that_come_after_it_was_left_go_on(fields: tuple[TargetField, QLineEdit], qtbot: QtBot, receiver: str):
    field, other = fields
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    for letter in "late":
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_L, Qt.KeyboardModifier.NoModifier, letter)
        QApplication.sendEvent(field if receiver == "the list" else field.line, event)
    assert (other.text(), field.tool()) == ("late", "")
