"""Where in a value something is: a chain of steps, spelled out as a JSONPath only when it is needed."""

import re
from typing import Optional, TypeAlias

Path: TypeAlias = Optional[tuple["Path", str | int]]  # noqa: UP045  (a string cannot be joined by |)

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def spell(path: Path) -> str:
    """The chain as text: `$.user.password`, `$.items[0]`, `$['odd key']`."""
    steps: list[str] = []
    while path is not None:
        path, step = path
        steps.append(_spell_step(step))
    return "$" + "".join(reversed(steps))


def _spell_step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if _PLAIN.fullmatch(step):
        return f".{step}"
    return "['" + step.replace("\\", "\\\\").replace("'", "\\'") + "']"
