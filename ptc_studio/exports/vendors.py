"""Tools as other systems want them described: the interfaces of models, and MCP."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ptc_studio.core.names import exported_names, fitting_names
from ptc_studio.exports.schemas import Bound, Shown, flat_object, moved

Definition = dict[str, Any]
CODE_EXECUTION = "code_execution_20260120"
RETURNS_LIMIT = 4000
INPUT_LIMIT, OUTPUT_LIMIT = 60_000, 12_000
"""Characters of one schema: no model reads more of what it may pass, and still less of what it gets."""


def anthropic(tools: Sequence[Shown]) -> list[Definition]:
    """For `tools` of a message, beside the code execution tool; what a tool returns is told in its description."""
    names = exported_names([tool.name for tool in tools], taken=("code_execution",))
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
    names = exported_names([tool.name for tool in tools])
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
    names = fitting_names([tool.name for tool in tools], "A-Za-z0-9_.-", 128)
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
