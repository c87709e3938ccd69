"""What a script asks of the system that it does not have: files, modules, the environment."""

from typing import Any

from ptc_studio.runtimes.monty.hints import ELSEWHERE, missing_module
from ptc_studio.runtimes.monty.names import Names

SLEEP, ASYNC_SLEEP = "system.sleep", "system.async_sleep"


def answer(name: str, args: tuple[Any, ...], names: Names) -> dict[str, Any]:
    """The answer to an operation of the system."""
    if name == "import":
        namespaces = frozenset(tool.partition(".")[0] for tool in names.tools if "." in tool)
        return _refused("ModuleNotFoundError", missing_module(str(args[0]), namespaces))
    if name == "os.environ":
        return {"return_value": {}}
    if name == "os.getenv":
        return {"return_value": args[1] if len(args) > 1 else None}
    if name == "open" or name.startswith("Path."):
        advice = f"a script here has no files; have a tool read or write them, {ELSEWHERE}"
        return _refused("PermissionError", f"Permission denied: {str(args[0])!r}: {advice}")
    return _refused("RuntimeError", f"{name} is not to be had in Monty; random and datetime work, {ELSEWHERE}")


def _refused(kind: str, message: str) -> dict[str, Any]:
    return {"exc_type": kind, "message": message}
