"""An endpoint that the tests of one module share."""

from collections.abc import Iterator

import pytest

from tests.gateway.http.served import Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`ptc-studio serve` over a few tools."""
    with serving(tmp_path_factory.mktemp("served")) as one:
        yield one
