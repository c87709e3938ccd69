"""Starts a process within its bounds."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ptc_studio.runtimes.sandbox import Bounds, Confiner, SandboxLaunch


def confined_process(
    confiner: Confiner,
    command: Sequence[str],
    bounds: Bounds,
    environment: Mapping[str, str],
    *,
    directory: Path | None = None,
    stderr: int = subprocess.STDOUT,
    fds: Sequence[int] = (),
) -> tuple["subprocess.Popen[bytes]", SandboxLaunch]:
    """The process, leading a session of its own, and what to close after its end; raises OSError."""
    launch = confiner.launch(command, bounds, directory)
    try:
        process = subprocess.Popen(
            launch.argv,
            env={**environment, **launch.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            pass_fds=(*fds, *launch.fds),
            start_new_session=True,
            bufsize=0,
        )
    except BaseException:
        launch.close()
        raise
    launch.started()
    return process, launch


KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")


def program_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """What is kept of the studio's, and the runtime's own."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return {**kept, **extra}
