"""What the tests of the panels share."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from ptc_studio.ui.stylesheet import stylesheet
from ptc_studio.ui.theme import theme


@pytest.fixture
def dressed(qapp: QApplication) -> Iterator[QApplication]:
    """The application with its style sheet, dark.

    It stays on, as it does after every window: Qt crashes now and then when one is put on after one was taken off.
    """
    theme().set_mode("dark")
    qapp.setStyleSheet(stylesheet(theme()))
    yield qapp
    theme().set_mode("system")
