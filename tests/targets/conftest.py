"""Runs scripts as a target does, with the tools of this folder."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import Destination, Given, check, find_target

TOOLS = Path(__file__).parent / "tools"
ENDINGS = {"python": ".py", "javascript": ".mjs", "typescript": ".ts", "any": ".py"}


class Deployed:
    """A studio whose runs go to targets."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    async def run(
        self,
        target: str,
        code: str,
        *,
        inputs: dict[str, Any] | None = None,
        environment: dict[str, str] | None = None,
        container: Any = None,
        timeout: float | None = None,
        filename: str | None = None,
    ) -> RunRecord:
        found = find_target(target)
        name = filename or f"script{ENDINGS[found.language]}"
        info = await self.studio.choose_runtime(found.runtime or None, name)
        session = self.studio.session(target=found, timeout=timeout)
        kept = self.studio.containers.of(container) if container else None
        destination = Destination(found, Given(inputs or {}, environment or {}), kept)
        return await self.studio.run(session, Script(code, name), info, destination)

    async def sees(self, target: str, code: str, **options: Any) -> Any:
        """What the model sees."""
        return (await self.run(target, code, **options))["model_sees"]

    def check(self, target: str, code: str, **given: Any) -> list[tuple[int | None, str, bool]]:
        """What is said of the script without a run: lines, messages, and whether it fails there."""
        found = find_target(target)
        script = Script(code, f"script{ENDINGS[found.language]}")
        tools = self.studio.session().visible_tools()
        return [(each.line, each.message, each.fails) for each in check(found, script, tools, Given(**given))]

    def warned(self, target: str, code: str, line: int | None, words: str, *, fails: bool = True) -> None:
        """Asserts that the script is warned of at the line, in such words."""
        found = self.check(target, code)
        assert any(at == line and words in message and sure is fails for at, message, sure in found), found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def deployed() -> AsyncIterator[Deployed]:
    """One for all tests of a module: a studio and its processes take longer to start than most of them."""
    studio = Studio(Setup(functions=TOOLS))
    await studio.load()
    yield Deployed(studio)
    await studio.close()
