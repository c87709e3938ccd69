"""A workspace that a test writes, and the studio that is open over it."""

import textwrap
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.core.trace import CallRecord, RunRecord

TOOLS = '''
import os
import time

def price(item: str, qty: int = 1, currency: str = "USD") -> str:
    """The price."""
    return f"{item} {qty} {currency}"

def account() -> dict:
    """An account."""
    return {"iban": "DE89370400440532013000", "ticket": "TCK-123456", "owner": "Ada"}

def variable(name: str) -> str:
    """Of the environment."""
    return os.environ[name]

def spin() -> None:
    """Takes long; not for ever, for its thread cannot be ended."""
    for _ in range(2000):
        time.sleep(0.001)

def forever() -> None:
    """Never ends."""
    while True:
        pass

def vanish() -> None:
    """Ends its process."""
    os._exit(7)

def down(n: int, _context=None) -> int:
    """Calls itself."""
    return _context.call_tool("down", {"n": n - 1}) + 1 if n else 0
'''


SOURCES = "sources: [{kind: functions, name: shop, path: tools}]\n"


class Bench:
    """A workspace and the studio that is open over it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._studio: Studio | None = None
        self.write("tools/shop.py", TOOLS)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))

    async def open(self, file: str, **setup: Any) -> Studio:
        """Opens and loads the workspace with that file."""
        self.write("studio.yaml", file)
        studio = self.make(**setup)
        await studio.load()
        return studio

    def make(self, **setup: Any) -> Studio:
        """Opens it as the folder stands there, and loads nothing yet."""
        self._studio = Studio(Setup(self.folder, spare_processes=0, **setup))
        return self._studio

    @property
    def studio(self) -> Studio:
        assert self._studio is not None
        return self._studio

    async def call(self, name: str, /, **arguments: Any) -> CallRecord:
        return await self.studio.call(self.studio.session(), name, arguments)

    async def run(self, code: str, **session: Any) -> RunRecord:
        runtime = self.studio.runtimes.choose("python-inprocess", "script.py")
        return await self.studio.run(self.studio.session(**session), Script(code), runtime)

    def told(self) -> list[tuple[str, int | None, str]]:
        """The errors: the file's name, the line and the message."""
        return [(Path(error.file).name, error.line, error.message) for error in self.studio.errors]

    async def close(self) -> None:
        if self._studio is not None:
            await self._studio.close()


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    await bench.close()
