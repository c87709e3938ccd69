"""Jedi is loaded before it is asked: in the background, for the first script that is Python."""

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from ptc_studio.ui.editor import completion
from ptc_studio.ui.editor.background import CompletionWorker
from ptc_studio.ui.editor.tabs import EditorTabs
from tests.ui.seen import child


@pytest.fixture
def tabs(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> EditorTabs:
    monkeypatch.setattr(completion, "WARM_UP_AFTER", 0)
    tabs = EditorTabs()
    qtbot.addWidget(tabs, before_close_func=lambda tabs: tabs.shut_down())
    return tabs


@pytest.mark.parametrize(("language", "asked"), [("python", 1), ("javascript", 0)])
def test_only_the_first_script_and_only_python(
    qtbot: QtBot, tabs: EditorTabs, monkeypatch: pytest.MonkeyPatch, language: str, asked: int
) -> None:
    questions: list[str] = []

    def remember(code: str, *_: object) -> list[tuple[str, str]]:
        questions.append(code)
        return []

    monkeypatch.setattr(child(tabs, CompletionWorker).python.jedi, "ask", remember)
    for _ in range(2):
        tabs.new_untitled(language=language)
    with qtbot.waitCallback() as later:
        QTimer.singleShot(0, later)
    assert child(tabs, CompletionWorker).wait(30)
    assert len(questions) == asked


def test_it_leaves_the_process_ready_and_closing_ends_it(qtbot: QtBot, tabs: EditorTabs) -> None:
    tabs.new_untitled()
    jedi = child(tabs, CompletionWorker).python.jedi
    qtbot.waitUntil(lambda: jedi.process is not None, timeout=30_000)
    process = jedi.process
    assert process is not None
    assert child(tabs, CompletionWorker).wait(60)
    assert process.poll() is None
    tabs.shut_down()
    assert process.returncode is not None
