"""The runtimes under test, and an engine with the tools that the tests call."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from ptc_studio.runtimes import programs
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.process_runtime import ProcessRuntime
from ptc_studio.runtimes.sandbox import PlainProcess, best_confiner
from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.sources.http.messages import HttpError
from tests.runtimes.pythons import python_process
from tests.support import Engine


class OutOfStock(LookupError):
    """An error of the tools' own."""


class NoneLeft(OutOfStock):
    """One derived from it."""


def add(a: int, b: int = 2) -> int:
    """Adds two numbers."""
    return a + b


def fail(kind: str) -> None:
    """Raises."""
    raise {
        "key": KeyError("sku"),
        "chain": NoneLeft("none left"),
        "http": HttpError("gone", 410, "Gone", body={"why": "moved"}, headers={"x-id": "7"}),
        "group": ExceptionGroup("two", [KeyError("sku"), NoneLeft("none left")]),
        "value": ValueError("no good"),
        "os": FileNotFoundError(2, "No such file", "x.txt"),
        "unicode": UnicodeDecodeError("utf-8", b"x", 0, 1, "bad"),
        "exit": SystemExit(9),
    }[kind]


@pytest.fixture(scope="session", autouse=True)
def _patience() -> Iterator[None]:
    """Toolchains of which the first word takes long on a busy machine are there all the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programs, "PROBE_SECONDS", 40.0)
        yield


@pytest.fixture(scope="session")
def _runtimes() -> Iterator[dict[str, Any]]:
    catalog = RuntimeCatalog(StdioRouter())
    yield {name: catalog.get(name) for name in ("python", "python-inprocess")}
    catalog.close()


@pytest.fixture(params=["python", "python-inprocess"])
def runtime(request: pytest.FixtureRequest, _runtimes: dict[str, Any]) -> Any:
    """Each runtime in turn."""
    return _runtimes[request.param]


@pytest.fixture(scope="session")
def _pythons() -> Iterator[dict[str, ProcessRuntime]]:
    made = {confiner.id: python_process(confiner=confiner) for confiner in (best_confiner(), PlainProcess())}
    yield made
    for runtime in made.values():
        runtime.close()


@pytest.fixture(params=["bubblewrap", "process"])
def python(request: pytest.FixtureRequest, _pythons: dict[str, ProcessRuntime]) -> ProcessRuntime:
    """The `python` runtime, confined and not."""
    return _pythons[request.param]


@pytest.fixture
def open_python(_pythons: dict[str, ProcessRuntime]) -> ProcessRuntime:
    """The `python` runtime without a confinement: its processes have the numbers that the host knows them by."""
    return _pythons["process"]


@pytest.fixture
def shop(engine: Engine) -> Engine:
    """An engine with a few tools."""
    barrier = threading.Barrier(5, timeout=10)
    engine.add(add)
    engine.add(lambda a, b: a * b, name="mul", also=("calc.mul", "deep.calc.mul"))
    engine.add(fail)
    engine.add(lambda value: value, name="echo")
    engine.add(lambda data: f"{type(data).__name__} {data.hex()}", name="hexed")
    engine.add(lambda seconds: time.sleep(seconds) or seconds, name="sleep")
    engine.add(lambda: barrier.wait() >= 0, name="meet")
    engine.add(lambda ticket: ticket.call("add", {"a": 1}), name="outer")
    engine.add(lambda ticket: ticket.call("again", {}), name="again")
    engine.add(lambda: 1, name="server.get-sum")
    return engine
