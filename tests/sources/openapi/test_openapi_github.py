"""A large document of a real service."""

import json
import time
from pathlib import Path

import jsonschema
import pytest

from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.source import OpenApiSource
from tests.sources.http.fakes import Client
from tests.sources.http.web_server import WebServer, answer


@pytest.fixture(scope="module")
def service(github: Path):
    source = OpenApiSource(OpenApiEntry(name="github", document=github.name), folder=github.parent)
    yield Client(source)
    source.close()


def test_all_its_operations_are_tools(service: Client) -> None:
    tools = service.tools
    assert service.errors == []
    assert len(tools) > 1000
    spec = tools["github.repos.list_for_user"].spec
    assert spec.also == ("github.repos/list-for-user",)
    assert spec.parameters["required"] == ["username"]
    assert spec.output["type"] == "array"
    assert all(name.replace(".", "").replace("_", "").isalnum() for name in tools)


def test_their_schemas_can_be_used(service: Client) -> None:
    for tool in list(service.tools.values())[::25]:
        jsonschema.Draft202012Validator.check_schema(tool.spec.parameters)
        if tool.spec.output is not None:
            jsonschema.Draft202012Validator.check_schema(tool.spec.output)


def test_it_loads_within_a_bound(github: Path) -> None:
    # Half a second on a quiet machine; the bound is for a busy one.
    before = time.thread_time()
    OpenApiSource(OpenApiEntry(name="github", document=github.name), folder=github.parent).refresh()
    assert time.thread_time() - before < 20


@pytest.fixture
def nearby(github: Path, server: WebServer):
    """The same service, answered by the server of the test."""
    source = OpenApiSource(OpenApiEntry(name="github", document=github.name, base_url=server.url), folder=github.parent)
    yield Client(source)
    source.close()


def test_its_operations_ask_as_the_service_wants(nearby: Client, server: WebServer) -> None:
    server.answers["*"] = answer({"number": 7})
    made = nearby.call("github.issues.create", owner="o", repo="r", title="Broken", labels=["bug"], assignee=None)
    assert made == {"number": 7}
    assert (server.last.method, server.last.target) == ("POST", "/repos/o/r/issues")
    assert json.loads(server.last.body) == {"title": "Broken", "labels": ["bug"], "assignee": None}
    nearby.call("github.repos.list_for_user", username="joe", per_page=5)
    assert server.last.target == "/users/joe/repos?per_page=5"
    nearby.call("github.markdown.render_raw", body="# Hi")
    assert (server.last.body, server.last.header("Content-Type")) == (b"# Hi", "text/plain; charset=utf-8")
