"""The environment of a script's process: nothing of the studio's own but what a program needs to run at all."""

import os
from collections.abc import Mapping

KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")


def program_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """What is kept of the studio's, and the runtime's own."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return {**kept, **extra}
