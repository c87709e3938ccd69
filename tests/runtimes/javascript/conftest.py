"""The runtimes of JavaScript and TypeScript, and a way to run a text in one of them."""

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.stdio import StdioRouter
from tests.support import Engine

FILENAMES = {"node": "script.mjs", "typescript": "script.ts", "deno": "script.mjs"}

Run = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture(scope="session")
def catalog() -> Iterator[RuntimeCatalog]:
    catalog = RuntimeCatalog(StdioRouter(), spare=0)
    yield catalog
    catalog.close()


@pytest.fixture
def run(catalog: RuntimeCatalog, shop: Engine) -> Run:
    """Runs a text; the record of it."""

    async def run(
        code: str, runtime_id: str = "node", filename: str | None = None, directory: Path | None = None
    ) -> dict[str, Any]:
        script = Script(code, filename or FILENAMES[runtime_id], str(directory) if directory else None)
        return await Session(shop.executor).execute(script, catalog.get(runtime_id))

    return run
