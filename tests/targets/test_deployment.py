"""A run that goes to a target: the record, redaction, inputs, the environment, and what is kept between runs."""

import pytest

from ptc_studio.core.scripts import Container, Containers, Deployment, Script
from ptc_studio.core.session import Session
from ptc_studio.targets import Destination, Given
from tests.targets.conftest import Deployed

pytestmark = pytest.mark.asyncio(loop_scope="module")
TOKEN = "ghp_" + "a1B2" * 9


async def test_a_plain_run_has_no_reply_and_says_where_it_went(deployed: Deployed):
    record = await deployed.run("plain", "add(1, 2)")
    assert (record["target"], record["model_sees"], record["warnings"], record["value"]) == ("plain", None, [], 3)


async def test_what_the_model_sees_is_redacted_as_everything_in_the_record(deployed: Deployed):
    for target, code in (
        ("anthropic", f"print({TOKEN!r})"),
        ("smolagents", f"{TOKEN!r}"),
        ("ironclaw", f"ptc_output('x', {TOKEN!r})"),
        ("monty", f"x = 1\n{TOKEN!r}"),
        ("toolregistry", f"raise ValueError({TOKEN!r})"),
    ):
        record = await deployed.run(target, code)
        assert record["model_sees"]
        assert TOKEN not in str(record)


async def test_a_reply_that_cannot_be_made_costs_no_record(deployed: Deployed, caplog: pytest.LogCaptureFixture):
    def broken(_record: object, _report: object) -> object:
        raise RuntimeError("no reply")

    session = Session(deployed.studio.executor)
    runtime = deployed.studio.runtimes.get("python")
    record = await session.execute(Script("print(1)"), runtime, deployment=Deployment("odd", reply=broken))
    assert (record["status"], record["stdout"], record["model_sees"], record["target"]) == ("ok", "1\n", None, "odd")
    assert "could not be made" in caplog.text


async def test_inputs_are_variables_and_the_environment_is_the_scripts(deployed: Deployed):
    code = "import os\nprint(limit['n'], os.environ['REGION'], os.getenv('PTC_TOKEN'))"
    for target in ("plain", "anthropic"):
        record = await deployed.run(target, code, inputs={"limit": {"n": 3}}, environment={"REGION": "eu"})
        assert record["stdout"] == "3 eu None\n"
    seen = await deployed.sees("monty", "import os\nos.getenv('REGION')", environment={"REGION": "eu"})
    assert seen == "eu"
    assert (await deployed.run("plain", "import os\nos.getenv('REGION')"))["value"] is None


async def test_the_lines_of_errors_and_calls_are_the_authors_under_every_target(deployed: Deployed):
    for target, code in (
        ("anthropic", "\n\nawait add({'a': 1, 'b': 2})\nraise ValueError('x')"),
        ("ironclaw", "\n\ncall_tool('add', {'a': 1, 'b': 2})\nraise ValueError('x')"),
        ("toolregistry", "\n\nadd(a=1, b=2)\nraise ValueError('x')"),
        ("smolagents", "\n\nadd(1, 2)\nraise ValueError('x')"),
        ("utcp-python", "\n\nshop.add(a=1, b=2)\nraise ValueError('x')"),
        ("ms-codeact", "\n\ncall_tool('add', a=1, b=2)\nraise ValueError('x')"),
        ("fastmcp", "\n\nawait call_tool('add', {'a': 1, 'b': 2})\nraise ValueError('x')"),
        ("monty", "\n\nadd(1, 2)\nraise ValueError('x')"),
        ("pydantic-ai", "\n\nawait add(a=1, b=2)\nraise ValueError('x')"),
    ):
        record = await deployed.run(target, code)
        assert record["error"]
        assert ([call["line"] for call in record["calls"]], record["error"]["line"]) == ([3], 4), target
        assert "frame of" not in record["error"]["traceback"]


async def test_a_target_that_keeps_no_state_begins_anew_in_the_same_container(deployed: Deployed):
    await deployed.run("toolregistry", "kept = 1", container="t")
    assert (await deployed.run("toolregistry", "print(kept)", container="t"))["status"] == "error"


async def test_output_of_a_kept_guest_is_whole_and_each_runs_own(deployed: Deployed):
    for number in range(3):
        record = await deployed.run("anthropic", f"print('{number}' * 200_000)", container="o")
        assert record["stdout"] == str(number) * 200_000 + "\n"


async def test_a_script_that_ends_its_own_process_ends_the_container(deployed: Deployed):
    await deployed.run("anthropic", "kept = 1", container="x")
    ended = await deployed.run("anthropic", "import os\nos._exit(3)", container="x")
    assert ended["status"] == "error"
    assert (await deployed.run("anthropic", "print('alive')", container="x"))["stdout"] == "alive\n"
    assert (await deployed.run("anthropic", "kept", container="x"))["error"]


async def test_a_container_ends_what_nobody_takes_and_keeps_nothing_once_it_is_closed():
    ended: list[str] = []
    containers = Containers()
    container = containers.of("a")
    assert containers.of("a") is container
    container.keep("first", lambda: ended.append("first"))
    assert container.used
    assert (container.take(), container.take(), container.used) == ("first", None, False)
    container.keep("second", lambda: ended.append("second"))
    container.state = {"n": 1}
    container.reset()
    assert (ended, container.used) == (["second"], False)
    containers.close()
    container.keep("third", lambda: ended.append("third"))
    assert ended == ["second", "third"]
    assert isinstance(container, Container)


async def test_a_target_that_refuses_the_tools_ends_the_run_with_its_reason(deployed: Deployed):
    from ptc_studio.core.errors import RegistrationError

    def refuse(_tools: object) -> None:
        raise RegistrationError("two tools become `get_sum`")

    session = Session(deployed.studio.executor)
    deployment = Deployment("odd", frame=refuse)
    record = await session.execute(Script("print(1)"), deployed.studio.runtimes.get("python"), deployment=deployment)
    assert record["error"]
    assert (record["status"], record["stdout"], record["error"]["message"]) == (
        "error",
        "",
        "two tools become `get_sum`",
    )


async def test_a_destination_without_a_word_is_plain():
    assert (Destination().target.id, Destination().given) == ("plain", Given())
