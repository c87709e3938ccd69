"""Test of an HTTP source asks, sends, and shows all that came back; errors of a form are gone to when Save is pressed."""

import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QScrollArea, QWidget

from tests.sources.http.web_server import WebServer, answer

SECRET = "tok-6c1d0a77f2e94b"


@pytest.fixture
def server() -> Iterator[WebServer]:
    made = WebServer()
    yield made
    made.close()


@pytest.fixture
async def forms(forms: Any) -> AsyncIterator[Any]:
    yield forms
    await forms.close()


async def asked(studio: Any, forms: Any, **texts: str) -> Any:
    """Fills the form in and presses Test: the question is there, and nothing was sent."""
    dialog = forms.add("http", **texts)
    said = await forms.test(dialog)
    assert said.startswith("✓ 1 tool"), said
    assert dialog.trial.sending.isVisibleTo(dialog)
    return dialog


async def sent(studio: Any, forms: Any, dialog: Any) -> str:
    """Presses Send, and gives the line that says how it went."""
    pane = dialog.trial.sending.pane
    forms.press(pane.call_button)
    await studio.until(lambda: not pane.is_busy and pane.result.isVisibleTo(dialog))
    return pane.result.said.text()


async def test_test_of_a_request_asks_and_then_really_sends(studio: Any, forms: Any, server: WebServer):
    studio.window.workbench.studio.secrets.set("KEY", SECRET)
    body = {"name": "Ada", "echo": f"Bearer {SECRET}"}
    server.answers["/users/7"] = answer(body, X_Request="r-1", Set_Cookie="session=abc123")
    url = f"{server.url}/users/{{id}}"
    dialog = await asked(studio, forms, name="get_user", url=url)
    assert not server.received
    sending = dialog.trial.sending
    assert sending.request.text() == f"GET {url}"
    assert "real request" in sending.question.text()
    forms.press(sending.pane.call_button)
    assert "Not called" in sending.pane.note.text()
    assert not server.received
    sending.pane.set_arguments({"id": "7"})
    line = await sent(studio, forms, dialog)
    assert line.startswith("✓ 200 OK · "), line
    assert " ms" in line
    assert [request.target for request in server.received] == ["/users/7"]
    shown = sending.pane.result.value.model.value
    assert (shown["status"], shown["headers"]["x-request"], shown["body"]["name"]) == (200, "r-1", "Ada")
    assert SECRET not in str(shown)
    assert "abc123" not in str(shown)
    assert "hidden" in line
    # Nothing was saved by it, and the dialog is there still: it is not modal.
    assert "get_user" not in forms.file


async def test_an_answer_that_is_an_error_is_shown_whole(studio: Any, forms: Any, server: WebServer):
    server.answers["/gone"] = answer({"why": "moved away"}, "404 Not Found")
    dialog = await asked(studio, forms, name="gone", url=f"{server.url}/gone")
    line = await sent(studio, forms, dialog)
    assert line.startswith("✕ 404 Not Found · ")
    assert line.endswith("a script would get an error")
    assert dialog.trial.sending.pane.result.value.model.value["body"] == {"why": "moved away"}


async def test_a_server_that_is_not_there_is_told_in_a_sentence(studio: Any, forms: Any, server: WebServer):
    url = f"{server.url}/"
    server.close()
    dialog = await asked(studio, forms, name="nobody", url=url)
    assert (await sent(studio, forms, dialog)).startswith("✕ Failed")
    told = dialog.trial.sending.pane.result.record["error"]["message"]
    assert url.rstrip("/") in told
    assert "Traceback" not in told


async def test_a_request_that_takes_long_is_cancelled(studio: Any, forms: Any, server: WebServer):
    release = threading.Event()

    def slow(_request: Any) -> bytes:
        release.wait(30)
        return answer("late")

    server.answers["/slow"] = slow
    dialog = await asked(studio, forms, name="slow", url=f"{server.url}/slow")
    pane = dialog.trial.sending.pane
    forms.press(pane.call_button)
    await studio.until(lambda: server.asked.is_set() or server.received)
    await studio.until(pane.cancel_button.isVisible)
    forms.press(pane.cancel_button)
    await studio.until(lambda: not pane.is_busy)
    assert "Cancelled" in pane.result.said.text()
    release.set()


async def test_a_change_of_the_form_takes_the_answer_away(studio: Any, forms: Any, server: WebServer):
    dialog = await asked(studio, forms, name="any", url=f"{server.url}/")
    await sent(studio, forms, dialog)
    forms.type(dialog, "url", f"{server.url}/other")
    assert not dialog.trial.sending.isVisibleTo(dialog)


async def test_save_goes_to_the_first_field_that_is_wrong(studio: Any, forms: Any):
    dialog = forms.add("http", name="x", url="https://example.com/{id}")
    dialog.resize(dialog.width(), 420)
    dialog.form.more.setChecked(True)
    timeout = dialog.form.rare.field("timeout").target()
    timeout.setText("-5")
    before = forms.file
    await studio.until(lambda: not dialog.form.is_valid())
    dialog.form.verticalScrollBar().setValue(0)
    forms.press(dialog.save_button)
    await studio.until(lambda: in_view(dialog.form, timeout))
    assert dialog.focusWidget() is timeout or timeout.isAncestorOf(dialog.focusWidget())
    assert dialog.note.text().startswith("✕ Not saved. ")
    assert forms.file == before
    timeout.setText("5")
    assert dialog.note.text() == f"Will be saved to {studio.workspace / 'studio.yaml'}"


def in_view(area: QScrollArea, widget: QWidget) -> bool:
    top = widget.mapTo(area.viewport(), widget.rect().topLeft())
    return area.viewport().rect().contains(top)
