"""What every source finds around it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ptc_studio.core.scripts import RunScript
from ptc_studio.sources.functions.context import Directories, working_directories
from ptc_studio.sources.functions.invocation import Stdio, unchanged_stdio
from ptc_studio.sources.references import References


def _no_scripts(_call: Any) -> Any:
    raise RuntimeError("scripts cannot be run here")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The workspace's folder, its secrets, and the ways back into the studio."""

    folder: Path
    references: References = field(default_factory=References)
    stdio: Stdio = unchanged_stdio
    directories: Directories = working_directories
    run_script: RunScript = _no_scripts
    protected: Callable[[], Sequence[Path]] = tuple[Path, ...]
    """The files and folders that no tool may write to, as of now."""
