"""Makes the shells: what bounds them, and what makes them tell the line of each call."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from bashkit import Bash, ExecutionProfile

from ptc_studio.core.limits import MEGABYTE

LINE = "PTC_LINE"
EXIT = "__ptc_exit"
UNBOUNDED = 2**62
"""Of commands and rounds of loops: the run's time is what bounds a script."""
MEMORY = 100 * MEGABYTE
"""Of the variables and files of one shell."""
_FUNCTION_NAME = re.compile(r"[A-Za-z_][\w.:-]*")
_EXIT_FUNCTION = f'exit() {{ set -- "${{1-$?}}"; {LINE}=${{BASH_LINENO[0]}} {EXIT}; builtin exit "$1"; }}'


def make_shell(commands: Mapping[str, Any], variables: Mapping[str, str], seconds: float) -> Bash:
    """A shell that knows the commands and nothing of this machine; no network is configured, so there is none."""
    return Bash(
        custom_builtins=commands,
        env=variables,
        max_commands=UNBOUNDED,
        max_loop_iterations=UNBOUNDED,
        max_memory=MEMORY,
        timeout_seconds=seconds,
        profile=ExecutionProfile.Interactive,
    )


def prelude(names: Iterable[str], code: str) -> str:
    """Functions around the commands that the script may call, and around `exit`.

    A command is not told its line, but a function can see the line of its caller.
    """
    used = [name for name in names if name in code and _FUNCTION_NAME.fullmatch(name)]
    functions = [f'{name}() {{ {LINE}=${{BASH_LINENO[0]}} command {name} "$@"; }}' for name in used]
    return "\n".join((*functions, *([_EXIT_FUNCTION] if "exit" in code else ())))


def used_up() -> None:
    """Runs nothing in a shell, once."""
    Bash().execute_sync(":")
