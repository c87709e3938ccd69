"""The shell, and a way to run a script in it."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ptc_studio.core.registry import EVERYTHING, Grant
from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes.bash import BashRuntime
from tests.support import Engine

Run = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
def bash() -> BashRuntime:
    return BashRuntime()


@pytest.fixture
def run(bash: BashRuntime, shop: Engine) -> Run:
    """Runs a script with the tools of the shop."""

    async def execute(code: str, grant: Grant = EVERYTHING, **limits: Any) -> dict[str, Any]:
        session = Session(shop.executor, grant=grant, limits=Limits(**limits))
        return await session.execute(Script(code, "script.sh"), bash)

    return execute
