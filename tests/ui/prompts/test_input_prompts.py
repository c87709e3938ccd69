"""What the reference server asks while a script runs: shown beside the work, and answered there."""

import asyncio
from typing import Any

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest

from ptc_studio.ui.tools.source_actions import SourceLog
from tests.sources.mcp.conftest import EVERYTHING
from tests.ui.prompts.conftest import Desk

SERVER = f"  - {{kind: mcp, name: all, command: node, args: ['{EVERYTHING}', stdio]}}\n"


@pytest.fixture
async def asked(desk: Desk) -> Desk:
    file = desk.studio.workspace / "studio.yaml"
    text = file.read_text().replace("aliases:", SERVER + "aliases:")
    await desk.studio.notice(lambda: file.write_text(text))
    registry = desk.window.workbench.studio.registry
    await desk.studio.until(lambda: registry.find("all.trigger-sampling-request") is not None, 40)
    return desk


def script(tool: str, arguments: str = "{}") -> str:
    return f"print(call_tool('all.{tool}', {arguments}))"


async def test_a_form_of_the_server_is_filled_in_or_refused_beside_the_work(asked: Desk):
    record = asked.start(script("trigger-elicitation-request"))
    await asked.until_waiting()
    view = asked.view
    assert asked.prompts.is_open
    assert view.why.text().startswith("Asked by MCP server 'all'")
    assert asked.window.isEnabled()
    assert [button.text() for button in (view.body.accept, view.body.decline, view.body.cancel)] == [
        "Accept",
        "Decline",
        "Cancel",
    ]
    assert view.body.form.value()["integer"] == 42
    # It is refused as long as what is required is missing.
    asked.press(view.body.accept)
    assert asked.waiting
    QTest.keyClicks(view.body.form.field("name").target(), "Ann")
    asked.press(view.body.accept)
    assert "Name: Ann" in (await asked.ended(record))["stdout"]
    for button, word in (("decline", "declined"), ("cancel", "cancelled")):
        record = asked.start(script("trigger-elicitation-request"))
        await asked.until_waiting()
        asked.press(getattr(asked.view.body, button))
        assert word in (await asked.ended(record))["stdout"]


async def test_an_address_is_told_and_opened_only_if_the_person_agrees(asked: Desk, monkeypatch: pytest.MonkeyPatch):
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    given = "{'url': 'https://example.org/sign', 'message': 'Sign here.'}"
    for button, seen, word in (("decline", [], "declined"), ("accept", ["https://example.org/sign"], "completed")):
        record = asked.start(script("trigger-url-elicitation", given))
        await asked.until_waiting()
        assert asked.view.body.address.text() == "https://example.org/sign"
        asked.press(getattr(asked.view.body, button))
        assert word in (await asked.ended(record))["stdout"]
        assert opened == seen


async def test_a_person_answers_in_the_place_of_a_model_and_the_messages_can_be_looked_through(asked: Desk):
    record = asked.start(script("trigger-sampling-request", "{'prompt': 'Six times seven?'}"))
    await asked.until_waiting()
    banner: Any = asked.prompts.banner
    assert not banner.allow.isVisible()
    assert not banner.go_on.isVisible()
    QTest.keyClicks(asked.view.body.answer, "forty-two")
    asked.press(asked.view.body.accept)
    assert "forty-two" in (await asked.ended(record))["stdout"]

    tools = asked.window.panels.tools
    row = next(node.row for node in tools.model.root.children if node.label == "all")
    tools.source_requested.emit("log", row.loaded_source)
    log: Any = asked.window.findChild(SourceLog)
    log.pages.setCurrentIndex(1)
    await asked.studio.until(lambda: "sampling/createMessage" in log.text.toPlainText())
    log.filter.setText("SAMPLING/create")
    lines = log.text.toPlainText().splitlines()
    assert len(lines) == 1
    assert "←" in lines[0]
    log.close()
    await asyncio.sleep(0)
