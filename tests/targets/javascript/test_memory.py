"""The memory of a script, where its target bounds it."""

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes import catalog as catalog_module
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.sandbox import PlainProcess
from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.targets import Destination, deploy, find_target
from tests.support import Engine

HOG = "const kept = [];\nfor (let i = 0; i < 400; i++) kept.push(new Array(131072).fill(i));\n"
GIVEN = [
    ("utcp", 128, "Isolate is already disposed"),
    ("tanstack", 128, "Isolate is already disposed"),
    ("vercel", 64, "out of memory"),
    (
        "deepagents",
        64,
        '<error type="Error">The script used more than 64 MB of memory, which is the limit there.</error>',
    ),
]


@pytest.mark.parametrize(("target", "megabytes", "seen"), GIVEN)
async def test_a_script_that_needs_more_memory_than_there_is_ends_and_is_told_so(deployed, target, megabytes, seen):
    record = await deployed(HOG, target)
    assert (record["status"], record["error"]["type"], record["stderr"]) == ("crashed", "MemoryError", "")
    assert f"more than {megabytes} MB" in record["error"]["message"]
    assert record["model_sees"] == seen


async def test_a_script_that_came_near_the_limit_of_its_memory_is_warned_of(deployed):
    code = "const kept = [];\nfor (let i = 0; i < 58; i++) kept.push(new Array(131072).fill(i));\nreturn kept.length"
    record = await deployed(code, "vercel")
    assert record["model_sees"] == 58
    assert [each["message"] for each in record["warnings"] if "limit of its memory" in each["message"]]
    assert (await deployed("return 1", "vercel"))["warnings"] == []


async def test_what_looks_like_an_engines_last_words_is_passed_on_if_it_lives(deployed):
    code = "console.error('<--- Last few GCs --->');\nreturn 1"
    record = await deployed(code, "vercel")
    assert (record["status"], record["stderr"]) == ("ok", "<--- Last few GCs --->\n")


async def test_the_memory_of_the_studio_itself_is_none_of_the_scripts(
    tools: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that nothing else starts is told the most that its starter ever had as its own."""
    monkeypatch.setattr(catalog_module, "best_confiner", PlainProcess)
    catalog = RuntimeCatalog(StdioRouter(), spare=0)
    kept = b"x" * (300 << 20)
    script = Script("return 1", "script.ts")
    deployment = deploy(Destination(find_target("vercel")), script, tools.executor.workers.submit)
    record = await Session(tools.executor).execute(script, catalog.get("typescript"), deployment=deployment)
    catalog.close()
    assert (len(kept) >> 20, record["model_sees"], record["warnings"]) == (300, 1, [])
