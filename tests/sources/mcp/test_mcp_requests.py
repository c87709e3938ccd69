"""What servers ask of a person, what they have beside tools, and the messages: mostly of the reference server."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from ptc_studio.core.calls import CallRequest
from ptc_studio.core.permissions import Decision, Question, Reply
from ptc_studio.core.redaction import Redactor
from ptc_studio.core.tools import Ticket
from ptc_studio.sources.mcp.entry import McpEntry
from tests.support import Engine, wait_until

from .conftest import Client, Connect
from .test_mcp_everything import HttpServer


class Person:
    """Answers each question with what is set, after a while."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.answers: list[Future[Decision]] = []
        self.decision: Decision | None = None

    def ask(self, question: Question) -> "Future[Decision]":
        answer: Future[Decision] = Future()
        self.questions.append(question)
        self.answers.append(answer)
        if self.decision is not None:
            answer.set_result(self.decision)
        return answer


@pytest.fixture(scope="module")
def http_server(everything: str) -> Iterator[HttpServer]:
    server = HttpServer(everything)
    yield server
    server.stop()


@pytest.fixture
def client(request: pytest.FixtureRequest, connect: Connect, everything: str) -> Client:
    if getattr(request, "param", "") == "stdio":
        return connect(McpEntry(name="all", command="node", args=(everything, "stdio")))
    return connect(McpEntry(name="all", url=request.getfixturevalue("http_server").url))


@pytest.fixture
def person(client: Client, engine: Engine) -> Person:
    # Its tools that ask come after the first list, when it knows what the studio can do.
    wait_until(lambda: "trigger-sampling-request" in client.tools())
    for tool in client.source.refresh().tools:
        engine.registry.register(tool)
    person = engine.executor.asker = Person()
    return person


@pytest.mark.parametrize("client", ["stdio", "http"], indirect=True)
def test_a_server_asks_with_a_form_an_address_and_for_a_models_answer(engine: Engine, person: Person) -> None:
    person.decision = Decision(allowed=True, reply=Reply({"name": "Ann", "integer": 7}))
    assert "Name: Ann" in str(engine.call("all.trigger-elicitation-request"))
    form = person.questions[-1]
    assert (form.kind, form.message, form.why) == (
        "form",
        "Please provide inputs for the following fields:",
        "asked by MCP server 'all'",
    )
    assert form.schema["required"] == ["name"]
    assert form.schema["properties"]["integer"]["maximum"] == 100
    person.decision = Decision(allowed=False)
    assert "declined" in str(engine.call("all.trigger-elicitation-request"))
    person.decision = Decision(allowed=False, dismissed=True)
    assert "cancelled" in str(engine.call("all.trigger-elicitation-request"))

    person.decision = Decision(allowed=True)
    given = {"url": "https://example.org/sign?x=1", "message": "Sign here."}
    assert "completed the URL" in str(engine.call("all.trigger-url-elicitation", **given))
    assert (person.questions[-1].kind, person.questions[-1].url) == ("link", given["url"])

    person.decision = Decision(allowed=True, reply=Reply("forty-two"))
    assert "forty-two" in str(engine.call("all.trigger-sampling-request", prompt="What is six times seven?"))
    asked = person.questions[-1]
    assert asked.result is not None
    assert "six times seven" in json.dumps(asked.result.value)
    person.decision = Decision(allowed=False, reason="Not today.")
    with pytest.raises(Exception, match="Not today"):
        engine.call("all.trigger-sampling-request", prompt="?")


def test_a_refusal_that_names_an_address_is_asked_about_and_the_call_made_once_more(
    engine: Engine, person: Person
) -> None:
    person.decision = Decision(allowed=True)
    given = {"url": "https://example.org/after", "message": "Then this.", "errorPath": True}
    assert "completed the URL" in str(engine.call("all.trigger-url-elicitation", **given))
    assert [question.url for question in person.questions] == ["https://modelcontextprotocol.io", given["url"]]
    person.decision = Decision(allowed=False)
    with pytest.raises(Exception, match="-32042"):
        engine.call("all.trigger-url-elicitation", **{**given, "url": "https://example.org/other"})


def test_while_a_person_is_asked_the_clock_stands_still(engine: Engine, person: Person) -> None:
    results: list[Any] = []
    run = engine.run()
    request = CallRequest(run, "all.trigger-elicitation-request", timeout=30)
    thread = threading.Thread(target=lambda: results.append(engine.executor.call(request)), daemon=True)
    thread.start()
    wait_until(lambda: person.answers)
    asked = time.monotonic()
    (call,) = run.active
    assert call.deadline == float("inf")
    wait_until(lambda: time.monotonic() > asked + 0.2)
    person.answers[-1].set_result(Decision(allowed=True, reply=Reply({"name": "Slow"})))
    thread.join(20)
    assert "Name: Slow" in str(results[0])
    record = engine.records()[-1]
    assert record.get("waited_ms", 0) >= 200, "a person's time is not the tool's"


def test_a_given_up_call_withdraws_its_question(engine: Engine, person: Person) -> None:
    run = engine.run()
    ended = threading.Event()

    def work() -> None:
        with pytest.raises(RuntimeError):
            engine.executor.call(CallRequest(run, "all.trigger-elicitation-request"))
        ended.set()

    threading.Thread(target=work, daemon=True).start()
    wait_until(lambda: person.answers)
    run.stop("cancelled")
    assert ended.wait(20)
    assert person.answers[-1].cancelled()


def test_resources_and_prompts_are_listed_and_read_by_calls_like_any_other(engine: Engine, client: Client) -> None:
    tools = client.tools()
    for tool in tools.values():
        engine.registry.register(tool)
    about = tools["resource"].spec.doc
    assert "demo://resource/static/document/features.md" in about
    assert "demo://resource/dynamic/text/{resourceId}" in about
    assert "args-prompt(city, state?)" in tools["prompt"].spec.doc
    assert "7 resources, 4 prompts" in client.source.status.detail
    text = engine.call("all.resource", "demo://resource/static/document/features.md")
    assert isinstance(text, str)
    assert text.startswith("#")
    assert engine.call("all.resource", uri="demo://resource/dynamic/blob/1")["blob"]
    filled = engine.call("all.prompt", "args-prompt", {"city": "Bonn"})
    assert filled["messages"][0]["content"]["text"] == "What's weather in Bonn?"
    with pytest.raises(Exception, match="all"):
        engine.call("all.resource", uri="demo://resource/nowhere")
    assert [record["status"] for record in engine.records()] == ["ok", "ok", "ok", "error"]


def test_the_messages_are_kept_as_they_were_and_shown_redacted(client: Client) -> None:
    client.call("echo", message="key sk-proj-abcdefghij0123456789ABCDEFGHIJ")
    lines = [message.line(Redactor()) for message in client.source.messages.messages]
    sent = next(line for line in lines if '"tools/call"' in line)
    assert "→" in sent
    assert any("←" in line and "Echo: key" in line for line in lines)
    assert not any("sk-proj-abc" in line for line in lines)
    assert json.loads(sent.partition("→ ")[2])["params"]["name"] == "echo"


def test_a_server_that_wants_to_know_more_before_it_answers_is_told_and_asked_again(
    rogue: Callable[..., Client],
) -> None:
    asked: list[Any] = []

    class Answering:
        """A call whose person answers at once."""

        run_id, call_id = "r1", "c1"

        def request_input(self, request: Any, beside: "list[Ticket]") -> "Future[Decision]":
            asked.append((request.kind, request.message))
            answer: Future[Decision] = Future()
            answer.set_result(Decision(allowed=True, reply=Reply({"colour": "red"})))
            return answer

        def progress(self, *_: Any) -> None: ...
        def on_abandon(self, _: Any) -> None: ...

    client = rogue("modern")
    assert json.loads(client.call("curious", Answering())) == {"state": "s1", "content": {"colour": "red"}}
    assert asked == [("form", "Which colour?")]
