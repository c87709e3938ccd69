"""ToolRegistry's own programmatic tool calling, where it is installed."""

import importlib.util
import json
from collections.abc import Callable
from typing import Any


def peer_call(function: Callable[..., Any], code: str) -> Callable[[], float] | None:
    """Something that runs the code there and gives the number that it prints; None where it is not installed."""
    if not (importlib.util.find_spec("toolregistry") and importlib.util.find_spec("codecell")):
        return None
    from toolregistry import ToolRegistry

    registry = ToolRegistry()
    registry.register(function)
    registry.ptc.enable(timeout=60)
    tool = registry.get_callable("programmatic_tool_call")

    def measure() -> float:
        answer = tool(code=code)
        text = answer if isinstance(answer, str) else json.dumps(answer, default=str)
        return float(text.split("took")[1].split()[0].strip('",}\\n'))

    return measure
