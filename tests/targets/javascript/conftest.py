"""Tools, and a way to run a text as a JavaScript target does."""

import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Container, Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.targets import Destination, Given, deploy, find_target
from tests.support import Engine

Deployed = Callable[..., Awaitable[Any]]


def price(sku: str) -> dict[str, Any]:
    """The price of a thing."""
    return {"sku": sku, "price": 5}


def fail() -> None:
    """Fails."""
    raise KeyError("sku")


@pytest.fixture(scope="session")
def catalog() -> Iterator[RuntimeCatalog]:
    catalog = RuntimeCatalog(StdioRouter(), spare=0)
    yield catalog
    catalog.close()


@pytest.fixture
def tools(engine: Engine) -> Engine:
    """An engine with a few tools: with a namespace and without, one with a name that is no identifier, one that fails."""
    schema = {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}
    engine.add(price, name="get_price", also=("shop.get_price",), parameters=schema)
    engine.add(lambda a, b=2: a + b, name="add", description="Adds.")
    engine.add(lambda value=None: value, name="echo")
    engine.add(fail, name="fail")
    engine.add(lambda: 1, name="server.get-sum")
    engine.add(lambda seconds: time.sleep(seconds), name="sleep")
    return engine


@pytest.fixture
def deployed(catalog: RuntimeCatalog, tools: Engine) -> Deployed:
    """Runs a text as the target does; the record of it."""

    async def run(
        code: str,
        target_id: str,
        *,
        seconds: float | None = None,
        container: Container | None = None,
        directory: Path | None = None,
        filename: str = "",
        **inputs: Any,
    ) -> Any:
        target = find_target(target_id)
        ending = {"javascript": "mjs", "typescript": "ts"}[target.language]
        script = Script(code, filename or f"script.{ending}", str(directory) if directory else None)
        destination = Destination(target, Given(inputs), container)
        deployment = deploy(destination, script, tools.executor.workers.submit)
        limits = Limits(timeout=seconds) if seconds else Limits()
        return await Session(tools.executor, limits=limits).execute(
            script, catalog.get(target.runtime), deployment=deployment
        )

    return run


def told(record: Any) -> tuple[str, str, int | None]:
    """The type, message and line of the error."""
    return record["error"]["type"], record["error"]["message"], record["error"]["line"]
