"""An engine in which modules of a folder are tools."""

from pathlib import Path
from typing import Any

import pytest

from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.wasm.entry import WasmEntry
from ptc_studio.wasm.source import WasmSource
from tests.runtimes.conftest import shop
from tests.support import Engine

__all__ = ["shop"]


class Bench:
    """Registers modules as tools."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine = engine
        self.folder = folder
        self.stdio = StdioRouter()

    def source(self, name: str, module: str | bytes, /, **entry: Any) -> WasmSource:
        path = self.folder / f"{name}.{'wat' if isinstance(module, str) else 'wasm'}"
        path.write_bytes(module.encode() if isinstance(module, str) else module)
        made = WasmEntry(**{"name": name, "path": path.name, "parameters": {"a": {"default": 1}}, **entry})
        return WasmSource(made, folder=self.folder, stdio=self.stdio.tool)

    def add(self, name: str, module: str | bytes, /, **entry: Any) -> WasmSource:
        source = self.source(name, module, **entry)
        for tool in source.refresh().tools:
            self.engine.registry.register(tool)
        return source


@pytest.fixture
def bench(engine: Engine, tmp_path: Path) -> Bench:
    """An engine and a folder for modules."""
    return Bench(engine, tmp_path)
