"""An engine with real runtimes, in which scripts of a folder are tools."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes import programs
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.nested_scripts import NestedScripts
from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.sources.script.entry import ScriptEntry
from ptc_studio.sources.script.source import ScriptSource
from tests.support import Engine

STDIO = StdioRouter()


class Bench:
    """Registers scripts as tools, and runs scripts that call them."""

    def __init__(self, engine: Engine, folder: Path, catalog: RuntimeCatalog, **options: Any) -> None:
        self.engine = engine
        self.folder = folder
        self.catalog = catalog
        self.run_script = NestedScripts(catalog, STDIO, **options)

    def add(self, path: str, code: str, **entry: Any) -> ScriptSource:
        """Makes the file a tool, named as it is unless the entry says otherwise."""
        (self.folder / path).write_text(code)
        source = ScriptSource(
            ScriptEntry(**{"name": Path(path).stem, "path": path, **entry}),
            folder=self.folder,
            run_script=self.run_script,
        )
        for tool in source.refresh().tools:
            self.engine.registry.register(tool)
        return source

    def session(self, **limits: Any) -> Session:
        return Session(self.engine.executor, limits=Limits(**limits))

    async def run(
        self, code: str, runtime: str = "python-inprocess", session: Session | None = None, **limits: Any
    ) -> RunRecord:
        session = session or self.session(**limits)
        # Made here, for that may look for a toolchain.
        executed = await asyncio.to_thread(self.catalog.get, runtime)
        with STDIO.listening(session.run.run_id, session.write):
            return await session.execute(Script(code), executed)


@pytest.fixture(scope="session")
def catalog() -> Iterator[RuntimeCatalog]:
    made = RuntimeCatalog(STDIO)
    with pytest.MonkeyPatch.context() as patch:
        # Toolchains of which the first word takes long on a busy machine are there all the same.
        patch.setattr(programs, "PROBE_SECONDS", 40.0)
        yield made
    made.close()


@pytest.fixture
def bench(engine: Engine, tmp_path: Path, catalog: RuntimeCatalog) -> Bench:
    """An engine, a folder for scripts, and every runtime."""
    return Bench(engine, tmp_path, catalog)
