"""Limits that the kernel keeps for each process, set by a shell that then becomes the program."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from ptc_studio.runtimes.confinement.bounds import Bounds

# The kernel's own bound for one process's private memory: it holds a burst that is over before it is seen from outside.
# Not RLIMIT_AS, which counts what is only reserved, and of that Go, V8 and mono reserve more than a machine has.
BURST = 2
BLOCK = 512


def limited(
    argv: Sequence[str], bounds: Bounds, *, files: bool, processes: bool, directory: Path | None = None
) -> list[str]:
    """The command that sets the limits and becomes `argv`.

    `files` limits the size of a file; `processes` their number, which only counts right in a user namespace.
    """
    steps = ["ulimit -c 0", f"ulimit -n {bounds.open_files}", f"ulimit -d {bounds.memory_bytes * BURST // 1024}"]
    if files:
        steps.append(f"ulimit -f {bounds.file_bytes // BLOCK}")
    if processes:
        # The letter differs from shell to shell.
        steps.append(f"ulimit -u {bounds.processes} || ulimit -p {bounds.processes}")
    if directory is not None:
        steps.append(f"cd {shlex.quote(str(directory))} && unset OLDPWD")
    return _after(steps, argv)


def expendable(argv: Sequence[str]) -> list[str]:
    """The command that becomes `argv`, with which the kernel begins when the machine runs out of memory."""
    return _after(["echo 1000 >/proc/self/oom_score_adj"], argv)


def _after(steps: Sequence[str], argv: Sequence[str]) -> list[str]:
    script = "".join(f"{{ {step}; }} 2>/dev/null\n" for step in steps) + 'exec "$@"'
    return ["/bin/sh", "-c", script, "sh", *argv]
