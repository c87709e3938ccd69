"""What the tests of the panels share."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from ptc_studio.ui.stylesheet import stylesheet
from ptc_studio.ui.theme import theme


@pytest.fixture
def dressed(qapp: QApplication) -> Iterator[QApplication]:
    """The application with its style sheet, dark; undressed afterwards."""
    theme().set_mode("dark")
    qapp.setStyleSheet(stylesheet(theme()))
    yield qapp
    qapp.setStyleSheet("")
    theme().set_mode("system")
