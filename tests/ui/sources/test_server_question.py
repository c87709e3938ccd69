"""Keys go to a server that only a document names once the user has said so, and the answer is kept in the file."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ptc_studio.ui.workspace_edits import WorkspaceEdits
from tests.sources.http.web_server import WebServer, answer


@pytest.fixture
def server() -> Iterator[WebServer]:
    made = WebServer()
    made.answers["*"] = answer({"fine": True})
    yield made
    made.close()


async def test_keys_are_sent_to_a_server_that_the_document_names_once_that_was_confirmed(
    studio: Any, forms: Any, server: WebServer
):
    paths = {"/thing": {"get": {"operationId": "thing", "responses": {"200": {"description": "ok"}}}}}
    document = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths}
    (studio.workspace / "api.json").write_text(json.dumps({**document, "servers": [{"url": server.url}]}))
    entry = {"kind": "openapi", "name": "shop", "document": "api.json", "headers": {"Authorization": "Bearer canary"}}
    await WorkspaceEdits(studio.window.context).add_sources(entry)
    messages = studio.window.context.messages
    asked = f"The document of shop names {server.url}: your keys and headers are not sent there unasked."
    await studio.until(lambda: messages.isVisible() and messages.message == asked, 30)
    model = studio.window.context.tools.model
    lines = lambda: [model.index(row, 0).data() for row in range(model.rowCount())]  # noqa: E731
    await studio.until(lambda: "shop: keys are not sent" in lines(), 30)
    forms.press(messages.other)
    assert not messages.isVisible()
    record = await studio.run("shop.thing()")
    assert (record["status"], server.received) == ("error", [])
    assert f"`allow_origins: [{server.url}]`" in record["error"]["message"]
    # A refused call asks again.
    await studio.until(lambda: messages.isVisible() and messages.message == asked, 30)
    forms.press(messages.button)
    await studio.until(lambda: "allow_origins" in forms.file, 30)
    source_set = studio.window.workbench.studio.source_set
    await studio.until(
        lambda: any(each.name == "shop" and each.entry.allow_origins for each in source_set.loaded_sources), 30
    )
    record = await studio.run("print(shop.thing())")
    assert (record["status"], server.last.header("Authorization")) == ("ok", "Bearer canary")
