"""Breakpoints and mocks as a script meets them, in each runtime for Python."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from ptc_studio.core.permissions import Decision, Question, Reply
from ptc_studio.core.responders.breakpoints import Breakpoint, BreakpointResponder, Breakpoints
from ptc_studio.core.responders.mocks import Mock, Mocks
from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.stdio import StdioRouter
from tests.support import Engine, wait_until

GO_ON = Decision(allowed=True)
Decide = Callable[[Question], Decision | None]


class Decider:
    """Decides by a function of the test's; what it gives nothing for is answered later."""

    def __init__(self, decide: Decide) -> None:
        self.questions: list[Question] = []
        self.answers: list[Future[Decision]] = []
        self._decide = decide

    def ask(self, question: Question) -> "Future[Decision]":
        answer: Future[Decision] = Future()
        decision = self._decide(question)
        if decision is not None:
            answer.set_result(decision)
        self.questions.append(question)
        self.answers.append(answer)
        return answer


@pytest.fixture(scope="module")
def _all() -> Iterator[dict[str, Any]]:
    catalog = RuntimeCatalog(StdioRouter())
    yield {name: catalog.get(name) for name in ("python", "python-inprocess", "monty")}
    catalog.close()


@pytest.fixture(params=["python", "python-inprocess", "monty"])
def runtime(request: pytest.FixtureRequest, _all: dict[str, Any]) -> Any:
    return _all[request.param]


@pytest.fixture
def breakpoints(engine: Engine) -> Breakpoints:
    engine.add(lambda a, b=2: a + b, name="add")
    engine.add(lambda name: {"name": name, "password": "hunter2-and-more"}, name="login")
    made = Breakpoints()
    BreakpointResponder(engine.executor, made)
    return made


def deciding(engine: Engine, decide: Decide) -> Decider:
    decider = engine.executor.asker = Decider(decide)
    return decider


async def test_a_call_waits_with_its_line_and_goes_on(engine: Engine, breakpoints: Breakpoints, runtime: Any):
    decider = deciding(engine, lambda _question: GO_ON)
    breakpoints.add(Breakpoint(line=2))
    record = await engine.execute("add(1)\nprint(add(2))\nadd(3)", runtime)
    assert record["stdout"] == "4\n"
    assert [(question.arguments.value, question.line) for question in decider.questions] == [({"a": 2}, 2)]
    assert {call["answered_by"] for call in record["calls"]} == {"tool"}


async def test_edited_arguments_are_what_the_tool_gets(engine: Engine, breakpoints: Breakpoints, runtime: Any):
    deciding(engine, lambda _question: Decision(allowed=True, arguments={"a": 40, "b": 2}))
    breakpoints.add(Breakpoint("add", condition="a == 1"))
    record = await engine.execute("print(add(1), add(2))", runtime)
    assert record["stdout"] == "42 4\n"
    assert [call["arguments"] for call in record["calls"]] == [{"a": 40, "b": 2}, {"a": 2}]


async def test_an_edited_result_is_what_the_script_gets(engine: Engine, breakpoints: Breakpoints, runtime: Any):
    def decide(question: Question) -> Decision:
        if question.kind == "breakpoint":
            return Decision(allowed=True, look=True)
        assert question.result is not None
        return Decision(allowed=True, reply=Reply({**question.result.value, "name": "Eve"}))

    deciding(engine, decide)
    breakpoints.add(Breakpoint("login"))
    record = await engine.execute("got = login('Ada')\nprint(got['name'], got['password'][:7])", runtime)
    assert record["stdout"] == "Eve hunter2\n"
    assert record["calls"][0]["answered_by"] == "person"
    assert record["calls"][0]["result"]["name"] == "Eve"


async def test_an_error_that_is_thrown_is_caught_by_its_type(engine: Engine, breakpoints: Breakpoints, runtime: Any):
    deciding(engine, lambda _question: Decision(allowed=True, reply=Reply(error="KeyError", message="sku")))
    breakpoints.add(Breakpoint("add"))
    record = await engine.execute("try:\n    add(1)\nexcept KeyError as error:\n    print('caught', error)", runtime)
    assert record["stdout"] == "caught 'sku'\n"
    assert record["calls"][0]["error"] == {"type": "KeyError", "message": "'sku'"}


async def test_a_step_waits_at_the_next_call(engine: Engine, breakpoints: Breakpoints, runtime: Any):
    decider = deciding(engine, lambda question: Decision(allowed=True, step=question.arguments.value == {"a": 1}))
    breakpoints.add(Breakpoint("add", condition="a == 1"))
    await engine.execute("add(1)\nlogin('Ada')\nadd(3)", runtime)
    assert [question.tool for question in decider.questions] == ["add", "login"]


async def test_to_stop_at_a_breakpoint_cancels_the_run(engine: Engine, breakpoints: Breakpoints, runtime: Any):
    deciding(engine, lambda _question: Decision(allowed=False))
    breakpoints.add(Breakpoint("add"))
    record = await engine.execute(
        "print('before')\ntry:\n    add(1)\nexcept Exception:\n    pass\nprint('after')", runtime
    )
    assert record["status"] == "cancelled"
    assert record["stdout"] == "before\n"
    assert record["calls"][0]["status"] == "cancelled"


async def test_ten_calls_wait_at_once(engine: Engine, breakpoints: Breakpoints, runtime: Any):
    decider = deciding(engine, lambda _question: None)
    breakpoints.add(Breakpoint("add"))
    code = (
        "import asyncio\nasyncio_sum = await asyncio.gather(*[aio.add(n) for n in range(10)])\nprint(sum(asyncio_sum))"
    )
    run = asyncio.ensure_future(engine.execute(code, runtime))
    await asyncio.to_thread(wait_until, lambda: len(decider.answers) == 10 or run.done())
    assert not run.done()
    for answer in decider.answers:
        answer.set_result(Decision(allowed=True, reply=Reply(100)))
    record = await run
    assert record["stdout"] == "1000\n"
    assert {call["answered_by"] for call in record["calls"]} == {"person"}


async def test_a_run_is_cancelled_while_its_calls_wait(engine: Engine, breakpoints: Breakpoints, runtime: Any):
    decider = deciding(engine, lambda _question: None)
    breakpoints.add(Breakpoint("add"))
    session = Session(engine.executor, limits=Limits(timeout=30))
    run = asyncio.ensure_future(session.execute(Script("add(1)"), runtime))
    await asyncio.to_thread(wait_until, lambda: decider.answers)
    session.stop()
    record = await run
    assert record["status"] == "cancelled"
    assert record["calls"][0]["status"] == "cancelled"
    wait_until(decider.answers[0].cancelled)


async def test_a_mock_answers_and_the_record_says_so(engine: Engine, breakpoints: Breakpoints, runtime: Any):
    mocks = Mocks(engine.executor)
    mocks.set([Mock("add", "expression", expression="a * 100"), Mock("login", "error", error="PermissionError")])
    code = "print(add(3))\ntry:\n    login('Ada')\nexcept PermissionError:\n    print('denied')"
    record = await engine.execute(code, runtime)
    assert record["stdout"] == "300\ndenied\n"
    assert [call["answered_by"] for call in record["calls"]] == ["mock", "mock"]


async def test_a_person_looks_at_what_a_mock_gave(engine: Engine, breakpoints: Breakpoints, runtime: Any):
    decider = deciding(engine, lambda question: Decision(allowed=True, look=question.kind == "breakpoint"))
    Mocks(engine.executor).set([Mock("add", value=7)])
    breakpoints.add(Breakpoint("add"))
    record = await engine.execute("add(1)", runtime)
    assert decider.questions[1].result is not None
    assert decider.questions[1].result.value == 7
    assert record["calls"][0]["answered_by"] == "mock"
