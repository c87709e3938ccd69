"""What the tests of calls by hand share: the real window, and a pane over its tools."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from shiboken6 import isValid

from ptc_studio.core.registry import Target
from ptc_studio.ui.manual_calls import TryPane

TOOLS = '''
"""Tools that are good to try."""
import threading
import time

GATE = threading.Event()


def greet(name: str, times: int = 1) -> list[str]:
    """Greets.

    Args:
        name: Who is greeted.
        times: How often.
    """
    return [f"Hello {name}"] * times


def ping() -> str:
    """Answers."""
    return "pong"


def fail(why: str) -> None:
    """Always fails."""
    raise ValueError(why)


def wait() -> str:
    """Waits for the gate."""
    GATE.wait(60)
    return "open"


def open_gate() -> None:
    """Opens the gate."""
    GATE.set()


def login(user: str, password: str) -> dict[str, str]:
    """Logs in."""
    return {"user": user, "token": "ghp_" + "a1B2" * 9}
'''


class Trying:
    """Tries tools as a user would."""

    def __init__(self, studio: Any, pane: TryPane) -> None:
        self.studio = studio
        self.pane = pane

    def target(self, name: str) -> Target:
        return self.studio.window.workbench.studio.registry.resolve(name)

    def choose(self, name: str) -> None:
        self.pane.set_target(self.target(name))

    def fill(self, *path: str | int, text: str) -> None:
        form = self.pane.form.schema_form
        assert form is not None
        field = form.field(*path).target()
        field.clear()  # type: ignore[attr-defined]
        QTest.keyClicks(field, text)

    def press(self, button: Any) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    async def call(self) -> dict[str, Any]:
        """Presses Call, and gives the record."""
        called = self.studio.signal(self.pane.called)
        self.press(self.pane.call_button)
        return await asyncio.wait_for(called, 30)


@pytest.fixture
async def trying(studio: Any) -> AsyncIterator[Trying]:
    (studio.workspace / "tools" / "tryable.py").write_text(TOOLS)
    window = studio.window
    async with asyncio.timeout(30):
        # A look that was under way already may have missed the file.
        while not any(tool.spec.name == "greet" for tool in window.workbench.studio.registry.tools):
            await window.workbench.studio.load()
    pane = TryPane(window.workbench)
    pane.resize(640, 700)
    pane.show()
    yield Trying(studio, pane)
    if isValid(pane):
        pane.close()
        pane.deleteLater()
    await asyncio.sleep(0)
