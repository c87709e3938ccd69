"""What the tests of forms share."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from ptc_studio.ui.forms import SchemaForm
from ptc_studio.ui.stylesheet import stylesheet
from ptc_studio.ui.theme import theme

MakeForm = Callable[..., SchemaForm]


@pytest.fixture(scope="session")
def dressed(qapp: QApplication) -> Iterator[QApplication]:
    """The application with its style sheet, dark; undressed afterwards."""
    theme().set_mode("dark")
    qapp.setStyleSheet(stylesheet(theme()))
    yield qapp
    qapp.setStyleSheet("")
    theme().set_mode("system")


@pytest.fixture
def make_form(dressed: QApplication) -> Iterator[MakeForm]:
    """Opens a form for a schema; it is gone afterwards, not only when a loop comes to it."""
    made: list[SchemaForm] = []

    def make(schema: Any, value: Any = None, **options: Any) -> SchemaForm:
        form = SchemaForm(schema, value, **options)
        made.append(form)
        form.resize(640, 700)
        form.show()
        return form

    yield make
    for form in made:
        form.close()
        delete(form)
