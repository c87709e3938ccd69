"""What the tests of prompts share: a shop that asks before it does anything, and its user."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.prompts.controller import Prompts
from ptc_studio.ui.prompts.decisions import Prompt

SHOP = '''\
from typing import Any

done = []


def refund(order: int, amount: float = 1.0, api_key: str = "") -> dict:
    """Gives money back."""
    done.append([order, amount, api_key])
    return {"order": order, "amount": amount, "key_length": len(api_key)}


def ship(order: int) -> str:
    """Sends the parcel."""
    return f"shipped {order}"


def settle(order: int, *, _context: dict[str, Any]) -> str:
    """Ships, by way of another tool."""
    return _context["call_tool"]("ship", {"order": order})
'''
FILE = """\
version: 1
sources:
  - kind: functions
    path: tools
  # Money goes out here.
  - kind: functions
    name: shop
    path: shop
    permission: ask  # always
aliases:
  - name: team
    tool: people.team_members
    preset: {team: engineering}
  - name: give_back
    tool: refund
    preset: {amount: 5.0}
"""


class Desk:
    """The person at the window, and what waits for him."""

    def __init__(self, studio: Any) -> None:
        self.studio = studio
        self.window = studio.window
        prompts = self.window.findChild(Prompts, "prompts")
        assert prompts is not None
        self.prompts = prompts

    @property
    def file(self) -> str:
        return (self.studio.workspace / "studio.yaml").read_text()

    @property
    def waiting(self) -> tuple[Prompt, ...]:
        return self.prompts.waiting.all

    @property
    def view(self) -> Any:
        panel = self.prompts.panel
        assert panel is not None
        assert panel.view is not None
        return panel.view

    def start(self, text: str, runtime: str = "python") -> "asyncio.Future[Any]":
        """Types the script and presses Run; the record comes at the end."""
        self.studio.type(text)
        self.window.run_bar.set_runtime(runtime)
        return self.studio.press_run()

    async def until_waiting(self, count: int = 1) -> None:
        """Until so many calls wait, in the tree as well, and their buttons answer."""
        model = self.window.panels.calls.model
        await self.studio.until(lambda: len(self.waiting) == count, 30)
        await self.studio.until(lambda: sum(call.waits for call in model.calls()) == count)
        await self.until_unguarded()

    async def until_unguarded(self) -> None:
        panel, banner = self.prompts.panel, self.prompts.banner
        assert panel is not None
        assert banner is not None
        await self.studio.until(lambda: not panel.guard.holds and not banner.guard.holds)

    async def open(self) -> Any:
        """Opens the prompt from the banner; its body."""
        assert self.prompts.banner is not None
        self.press(self.prompts.banner.open)
        await self.studio.until(lambda: self.prompts.is_open)
        return self.view.body

    def press(self, button: QWidget) -> None:
        assert button.isVisible()
        assert button.isEnabled()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def set_patience(self, seconds: float) -> None:
        """How long a call waits, which no file can say."""
        bench = self.window.workbench.studio
        bench.limits = replace(bench.limits, ask_timeout=seconds)

    async def ended(self, record: "asyncio.Future[Any]") -> Any:
        return await asyncio.wait_for(record, 30)


@pytest.fixture
async def desk(studio: Any) -> Desk:
    folder = studio.workspace / "shop"
    folder.mkdir()
    (folder / "till.py").write_text(SHOP)
    await studio.notice(lambda: (studio.workspace / "studio.yaml").write_text(FILE))
    studio.window.context.messages.hide()
    loaded = studio.signal(studio.window.workbench.tools_loaded)
    studio.window.workbench.load()
    await asyncio.wait_for(loaded, 30)
    # The panels about runs are there from the first text on.
    studio.type("")
    return Desk(studio)
