"""A past run with concurrent, nested, failed and redacted calls, kept as every run is."""

import asyncio
from pathlib import Path

import pytest

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.storage.history import History, HistoryRecorder, PastRun

TOOLS = '''
import time


class OutOfStock(KeyError):
    """A type of the tool's own."""


def orders(customer: str) -> list[dict]:
    """The orders of a customer."""
    time.sleep(0.02)
    return [{"id": n, "total": n * 1.5, "note": "a long line of text about this very order"} for n in range(40)]


def reserve(sku: str) -> str:
    """Reserves an article."""
    raise OutOfStock(sku)


def login(user: str, password: str) -> dict:
    """Logs somebody in."""
    return {"user": user, "token": "sk-ant-api03-" + "Ab3" * 30}
'''
SCRIPT = """# What did Ada & <Bob> spend?
import asyncio


async def main():
    found = await asyncio.gather(aio.orders("Ada"), aio.orders("Bob"))
    print(sum(order["total"] for orders in found for order in orders))


await main()
try:
    reserve("A-1")
except KeyError:
    print("<b>gone</b>")
login("ada", password="".join(["hunter2", "secret"]))
len("x")
"""


@pytest.fixture(scope="session")
def kept_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[History, str, Path]:
    """The history, the run's id and the folder of its tools."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "tools").mkdir()
    (folder / "tools" / "shop.py").write_text(TOOLS)

    async def run() -> str:
        studio = Studio(Setup(functions=folder / "tools", history=HistoryRecorder(folder / "history.db")))
        await studio.load()
        try:
            script = Script(SCRIPT, "spending.py", str(folder))
            record = await studio.run(studio.session(), script, studio.runtimes.choose("python", "spending.py"))
        finally:
            await studio.close()
        assert record["status"] == "ok", record["error"]
        return record["run_id"]

    return History(folder / "history.db"), asyncio.run(run()), folder / "tools"


@pytest.fixture
def past(kept_run: tuple[History, str, Path]) -> PastRun:
    """The run, with its calls."""
    history, run_id, _ = kept_run
    return history.open(run_id, with_calls=True)
