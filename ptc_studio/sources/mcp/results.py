"""What a tool of a server gave, as a value for the script.

Structured content if there is any. Else the blocks of the answer: one as it is, several as a list, none as None. A text
stays a text, also where it looks like JSON, unless the tool has an output schema and the server left the structured
content out. Images, sounds and resources are dictionaries as the protocol has them: `{"type": "image", "mimeType": ...,
"data": base64}`.
"""

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from jsonschema.exceptions import best_match
from jsonschema.protocols import Validator
from referencing.exceptions import Unresolvable

from ptc_studio.sources.mcp.errors import McpProtocolError, McpToolError

if TYPE_CHECKING:
    from mcp_types import CallToolResult

ECHO = 200


def value_of(result: "CallToolResult", tool: str, validator: Validator | None) -> Any:
    """The value; raises McpToolError if the tool failed, McpProtocolError if the value is not what it promised."""
    blocks = [_block(block) for block in result.content]
    if result.is_error:
        texts = [block for block in blocks if isinstance(block, str)]
        raise McpToolError("\n".join(texts) or f"The tool {tool!r} failed without saying why.")
    value = result.structured_content
    if validator is not None:
        value = _parsed(blocks, tool) if value is None else value
        _check(value, tool, validator)
        return value
    if value is not None:
        return value
    return blocks[0] if len(blocks) == 1 else blocks or None


@cache
def result_adapter() -> Any:
    """What reads the answer to a call; made once, for that takes longer than a call."""
    from mcp_types import CallToolResult, InputRequiredResult
    from pydantic import TypeAdapter

    return TypeAdapter(CallToolResult | InputRequiredResult)


def _block(block: Any) -> Any:
    if block.type == "text":
        return block.text
    return block.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"annotations", "meta"})


def _parsed(blocks: list[Any], tool: str) -> Any:
    if len(blocks) == 1 and isinstance(blocks[0], str):
        try:
            return json.loads(blocks[0])
        except (ValueError, RecursionError):
            pass
    raise McpProtocolError(f"The tool {tool!r} has an output schema, but gave no structured content.")


def _check(value: Any, tool: str, validator: Validator) -> None:
    try:
        fault = best_match(validator.iter_errors(value))
    except Unresolvable as error:
        raise McpProtocolError(f"The output schema of {tool!r} refers to what is not there: {error}.") from None
    if fault is not None:
        place = "".join(f"[{step!r}]" for step in fault.absolute_path)
        message = fault.message[:ECHO]
        raise McpProtocolError(
            f"The result of {tool!r} does not fit its own output schema{place and ' at '}{place}: {message}"
        )
