"""Tools as other systems want them described: the interfaces of models, and MCP."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ptc_studio.exports.schemas import Bound, flat_object, moved
from ptc_studio.exports.shown_tools import Shown

_SUFFIX = 6


def vendor_names(
    names: Sequence[str], allowed: str = "A-Za-z0-9_-", limit: int = 64, taken: Collection[str] = ()
) -> dict[str, str]:
    """From each name to the one that the system takes; what would be the same gets an ending made of the whole name."""
    mapped = {name: _fitting(name, allowed, limit) for name in names}
    wanted = Counter(mapped.values())
    for name, fitting in mapped.items():
        # Of two that would be alike the one whose own name it is keeps it.
        if fitting in taken or (wanted[fitting] > 1 and fitting != name):
            mapped[name] = _marked(fitting, name, limit)
    return mapped


def _fitting(name: str, allowed: str, limit: int) -> str:
    fitting = re.sub(f"[^{allowed}]", "_", name) or "_"
    return fitting if len(fitting) <= limit else _marked(fitting, name, limit)


def _marked(fitting: str, name: str, limit: int) -> str:
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_SUFFIX]
    return f"{fitting[: limit - _SUFFIX - 1]}_{mark}"


Definition = dict[str, Any]
CODE_EXECUTION = "code_execution_20260120"
RETURNS_LIMIT = 4000
INPUT_LIMIT, OUTPUT_LIMIT = 60_000, 12_000
"""Characters of one schema: no model reads more of what it may pass, and still less of what it gets."""


def anthropic(tools: Sequence[Shown]) -> list[Definition]:
    """For `tools` of a message, beside the code execution tool; what a tool returns is told in its description."""
    names = vendor_names([tool.name for tool in tools], taken=("code_execution",))
    bound = Bound()
    return [
        {
            "name": names[tool.name],
            "description": _with_returns(tool, bound),
            "input_schema": bound.bounded(flat_object(tool.parameters), INPUT_LIMIT),
            "allowed_callers": [CODE_EXECUTION],
        }
        for tool in tools
    ]


def openai(tools: Sequence[Shown]) -> list[Definition]:
    """For `tools` of a response, beside `{"type": "programmatic_tool_calling"}`."""
    names = vendor_names([tool.name for tool in tools])
    bound = Bound()
    return [
        {
            "type": "function",
            "name": names[tool.name],
            "description": tool.description,
            "parameters": bound.bounded(flat_object(tool.parameters), INPUT_LIMIT),
            "strict": False,
            "allowed_callers": ["direct", "programmatic"],
            **({"output_schema": bound.bounded(tool.output, OUTPUT_LIMIT)} if tool.output is not None else {}),
        }
        for tool in tools
    ]


def mcp(tools: Sequence[Shown]) -> list[Definition]:
    """As a server would list them; a result that is no object goes under `result`, for the protocol wants one."""
    names = vendor_names([tool.name for tool in tools], "A-Za-z0-9_.-", 128)
    bound = Bound()
    return [
        {
            "name": names[tool.name],
            "description": tool.description,
            "inputSchema": bound.bounded(tool.parameters, INPUT_LIMIT),
            **(
                {"outputSchema": _mcp_output(bound.bounded(tool.output, OUTPUT_LIMIT))}
                if tool.output is not None
                else {}
            ),
            "annotations": {"title": tool.name},
        }
        for tool in tools
    ]


def plain_schema(tools: Sequence[Shown]) -> list[Definition]:
    """The schemas alone, under the tools' own names."""
    bound = Bound()
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters": bound.bounded(tool.parameters, INPUT_LIMIT),
            **({"output": bound.bounded(tool.output, OUTPUT_LIMIT)} if tool.output is not None else {}),
        }
        for tool in tools
    ]


def _with_returns(tool: Shown, bound: Bound) -> str:
    if not tool.output or not bound.fits(tool.output, RETURNS_LIMIT):
        return tool.description
    returns = json.dumps(tool.output, ensure_ascii=False)
    if len(returns) > RETURNS_LIMIT:
        return tool.description
    return f"{tool.description}\n\nReturns JSON of this schema: {returns}".lstrip()


def _mcp_output(output: Mapping[str, Any]) -> dict[str, Any]:
    if output.get("type") == "object":
        return dict(output)
    return {"type": "object", "properties": {"result": moved(output, "/properties/result")}, "required": ["result"]}
