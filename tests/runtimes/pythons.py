"""The `python` runtime as a test wants it."""

import sys
from pathlib import Path

from ptc_studio.locations import RUNTIMES, cache_folder
from ptc_studio.runtimes.discovery import FoundToolchain, read_manifest
from ptc_studio.runtimes.process_runtime import ProcessRuntime, RuntimeHost
from ptc_studio.runtimes.sandbox import Confiner, best_confiner, toolchain_places


def python_process(
    executable: str = sys.executable, spare: int = 1, confiner: Confiner | None = None
) -> ProcessRuntime:
    """With an interpreter and a confinement of the test's choosing."""
    manifest = read_manifest(RUNTIMES / "python")
    found = FoundToolchain(executable, "3", tuple(map(str, toolchain_places(Path(executable)))), manifest.probe[0])
    return ProcessRuntime(manifest, found, RuntimeHost(confiner or best_confiner(), cache_folder(), spare=spare))
