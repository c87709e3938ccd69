"""A prompt in little room: the answers stay whole."""

from typing import Any

from PySide6.QtWidgets import QPushButton

from ptc_studio.ui.theme import theme
from tests.ui.prompts.conftest import Desk


def cut(body: Any) -> list[str]:
    """The buttons that cannot be seen whole."""
    shown = [button for button in body.buttons.findChildren(QPushButton) if button.isVisible()]
    assert len(shown) >= 3
    return [
        button.text()
        for button in shown
        if not body.rect().contains(button.rect().translated(button.mapTo(body, button.rect().topLeft())))
        or button.visibleRegion().boundingRect() != button.rect()
    ]


async def test_no_answer_is_cut_off_in_the_smallest_window(desk: Desk) -> None:
    desk.window.resize(1024, 700)
    desk.studio.type("add(1, 2)")
    desk.window.commands["breakpointAction"].trigger()
    ended = desk.studio.press_run()
    await desk.until_waiting()
    body = await desk.open()
    assert desk.view.why.text() == "Breakpoint: line 1"
    rows = {button.y() for button in body.buttons.findChildren(QPushButton) if button.isVisible()}
    assert len(rows) <= 2
    await desk.studio.until(lambda: not cut(body))
    theme().set_zoom(1.3)
    await desk.studio.until(lambda: not cut(body))
    desk.press(body.stop)
    await desk.ended(ended)
