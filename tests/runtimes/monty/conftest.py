"""Monty, once for all tests."""

from collections.abc import Iterator

import pytest

from ptc_studio.runtimes.monty import MontyRuntime


@pytest.fixture(scope="module")
def monty() -> Iterator[MontyRuntime]:
    runtime = MontyRuntime()
    yield runtime
    runtime.close()
