"""The confiners under test. `process` stands beside them as the control: what it does not hold, the others must."""

import sys

import pytest

from ptc_studio.runtimes.sandbox import Confiner
from ptc_studio.runtimes.sandbox.choice import PlainProcess
from ptc_studio.runtimes.sandbox.confiners import Bubblewrap, Landlock

if sys.platform != "linux":
    collect_ignore_glob = ["test_*.py"]

MADE = {"bubblewrap": Bubblewrap, "landlock": Landlock, "process": PlainProcess}


@pytest.fixture(scope="session")
def _confiners() -> dict[str, Confiner]:
    return {name: make() for name, make in MADE.items()}


@pytest.fixture
def sandbox(_confiners: dict[str, Confiner]) -> Confiner:
    return _confiners["bubblewrap"]


@pytest.fixture
def landlock(_confiners: dict[str, Confiner]) -> Confiner:
    return _confiners["landlock"]


@pytest.fixture
def control(_confiners: dict[str, Confiner]) -> Confiner:
    return _confiners["process"]


@pytest.fixture(params=["bubblewrap", "landlock"])
def confiner(request: pytest.FixtureRequest, _confiners: dict[str, Confiner]) -> Confiner:
    """Each confiner that bounds what is seen."""
    return _confiners[request.param]


@pytest.fixture(params=["bubblewrap", "landlock", "process"])
def any_confiner(request: pytest.FixtureRequest, _confiners: dict[str, Confiner]) -> Confiner:
    """Each confiner, and the control."""
    return _confiners[request.param]
