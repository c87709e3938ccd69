"""Editors to test with; whatever Qt warns of is a failure."""

import os
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from pytestqt.qtbot import QtBot

from ptc_studio.ui.editor.code_editor import CodeEditor
from ptc_studio.ui.language.hints import ParameterHint, ToolHint
from ptc_studio.ui.theme import theme

HINTS = (
    ToolHint(
        "get_order", "", "One order.", (ParameterHint("number", "int"), ParameterHint("full", "bool", False, "False"))
    ),
    ToolHint("get_orders", parameters=(ParameterHint("customer", "str"),)),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            # Said by the offscreen platform itself at each window that has a layout.
            item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints", extend=True))


@pytest.fixture
def editor(qtbot: QtBot) -> Iterator[CodeEditor]:
    """An editor of Python that has the focus."""
    widget = CodeEditor("", "python")
    qtbot.addWidget(widget)
    widget.resize(600, 400)
    widget.show()
    widget.setFocus()
    yield widget
    theme().set_zoom(1.0)
    theme().set_mode("system")
