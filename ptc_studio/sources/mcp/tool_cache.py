"""Makes tools of what a server lists, those it takes only as tasks too; what stays the same stays the same object."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from jsonschema.exceptions import best_match
from jsonschema.protocols import Validator
from referencing.exceptions import Unresolvable

from ptc_studio.core.schema_validation import pattern_notes, validator_of
from ptc_studio.core.tools import JsonSchema, LoadedTools, LoadError, Ticket, ToolSpec
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.launch import McpProtocolError, McpToolError
from ptc_studio.sources.mcp.listing import Library, ToolListing, library_tools
from ptc_studio.sources.schema_tool import SchemaTool, signature_of, twin_of

if TYPE_CHECKING:
    from mcp.client.session import ClientSession
    from mcp.shared.dispatcher import ProgressFnT
    from mcp_types import CallToolResult
    from mcp_types import Tool as Definition


FORGOTTEN = "Session terminated"
"""What the library says where a server over HTTP answers 404 to a session that it does not know any longer."""
KEPT_MS = 600_000
"""How long the server is asked to keep the result of a task."""
PAUSE = 0.5
"""Seconds between two questions of how far a task is, where the server does not say."""


async def result_of_task(session: "ClientSession", task: Any, progress: "ProgressFnT") -> Any:
    """What the task gives in the end; whoever gives up has it cancelled."""
    from mcp_types import CallToolResult, GetTaskPayloadRequest, GetTaskPayloadRequestParams

    task_id = task.task_id
    try:
        await _ended(session, task, progress)
        request = GetTaskPayloadRequest(params=GetTaskPayloadRequestParams(task_id=task_id))
        return await session.send_request(request, CallToolResult)
    except asyncio.CancelledError:
        await asyncio.shield(_cancel(session, task_id))
        raise


async def _ended(session: "ClientSession", task: Any, progress: "ProgressFnT") -> None:
    """Waits until the task has come to its end; one that asks for input gives it with its result."""
    from mcp_types import GetTaskRequest, GetTaskRequestParams, GetTaskResult

    request = GetTaskRequest(params=GetTaskRequestParams(task_id=task.task_id))
    asked = 0
    while task.status == "working":
        await asyncio.sleep((task.poll_interval or 1000 * PAUSE) / 1000)
        task = await session.send_request(request, GetTaskResult)
        asked += 1
        if task.status_message:
            await progress(float(asked), None, task.status_message)


async def _cancel(session: "ClientSession", task_id: str) -> None:
    from mcp.shared.exceptions import MCPError
    from mcp_types import CancelTaskRequest, CancelTaskRequestParams, CancelTaskResult

    try:
        async with asyncio.timeout(1.0):
            request = CancelTaskRequest(params=CancelTaskRequestParams(task_id=task_id))
            await session.send_request(request, CancelTaskResult)
    except (MCPError, TimeoutError):
        """It came to its end meanwhile, or the server cannot cancel."""


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
        return value[WRAPPED] if is_wrapped(validator.schema) else value
    if value is not None:
        return value
    return blocks[0] if len(blocks) == 1 else blocks or None


WRAPPED = "result"
"""What servers call the only field of an object that they put around a value which is none."""


def is_wrapped(schema: Any) -> bool:
    """Whether the server put an object around its value, because the protocol has objects alone."""
    if not isinstance(schema, Mapping):
        return False
    fields = cast("Mapping[str, Any]", schema)
    return list(fields.get("properties") or ()) == [WRAPPED] and WRAPPED in (fields.get("required") or ())


def unwrapped(schema: JsonSchema | None) -> JsonSchema | None:
    """The schema of what a script gets."""
    if schema is None or not is_wrapped(schema):
        return schema
    inner = schema["properties"][WRAPPED]
    shared = {name: schema[name] for name in ("$defs", "definitions") if name in schema}
    return {**shared, **inner} if isinstance(inner, Mapping) else inner


Method = Literal["tools/call", "resources/read", "prompts/get"]
"""What scripts ask of a server."""


def request_of(method: Method, params: Mapping[str, Any]) -> tuple[Any, Any]:
    """The request, and what reads the answer to it."""
    request, wanted, adapter = _forms()["task" if "task" in params else method]
    return request(params=wanted(**params)), adapter


@cache
def _forms() -> dict[str, tuple[Any, Any, Any]]:
    """Made once, for that takes longer than a call."""
    import mcp_types as types
    from pydantic import Field, TypeAdapter

    more = types.InputRequiredResult
    # In this order: a task that was begun has no content worth reading.
    begun = Annotated[types.CreateTaskResult | types.CallToolResult, Field(union_mode="left_to_right")]
    return {
        "tools/call": (types.CallToolRequest, types.CallToolRequestParams, TypeAdapter(types.CallToolResult | more)),
        "task": (types.CallToolRequest, types.CallToolRequestParams, TypeAdapter(begun)),
        "resources/read": (
            types.ReadResourceRequest,
            types.ReadResourceRequestParams,
            TypeAdapter(types.ReadResourceResult | more),
        ),
        "prompts/get": (
            types.GetPromptRequest,
            types.GetPromptRequestParams,
            TypeAdapter(types.GetPromptResult | more),
        ),
    }


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
        problem = best_match(validator.iter_errors(value))
    except Unresolvable as error:
        raise McpProtocolError(f"The output schema of {tool!r} refers to what is not there: {error}.") from None
    if problem is not None:
        location = "".join(f"[{step!r}]" for step in problem.absolute_path)
        message = problem.message[:ECHO]
        raise McpProtocolError(
            f"The result of {tool!r} does not fit its own output schema{location and ' at '}{location}: {message}"
        )


Ask = Callable[[Method, Mapping[str, Any], Ticket], Any]
"""Asks the server, and waits for what it answers."""
_HINTS = (
    ("read_only_hint", True, "only reads"),
    ("destructive_hint", True, "may destroy something"),
    ("idempotent_hint", True, "may be repeated without further effect"),
    ("open_world_hint", True, "reaches beyond this machine"),
    ("open_world_hint", False, "stays on this machine"),
)


class ToolCache:
    """The tools of one server."""

    def __init__(self, entry: McpEntry, ask: Ask) -> None:
        self._entry = entry
        self._ask = ask
        self._made: dict[str, tuple[Any, SchemaTool]] = {}
        self._library: tuple[Any, list[SchemaTool]] = (None, [])

    def filled(self, listing: ToolListing) -> LoadedTools:
        """The tools of the list; a broken one, and a second of the same name, is an error."""
        made: dict[str, tuple[Any, SchemaTool]] = {}
        errors = [self._error(error.tool, error.message) for error in listing.errors]
        taken = {self._name(definition.name) for definition in listing.tools}
        for definition in listing.tools:
            if definition.name in made:
                errors.append(self._error(definition.name, "there is one of that name already"))
                continue
            twins = tuple(twin for twin in twin_of(self._name(definition.name)) if twin not in taken)
            taken.update(twins)
            made[definition.name] = self._cached(definition, twins)
        self._made = made
        tools = (*(tool for _, tool in made.values()), *self._library_tools(listing.library, made))
        return LoadedTools(tools, tuple(errors))

    def _library_tools(self, library: Library, taken: Iterable[str]) -> list[SchemaTool]:
        names = ("resource" in taken, "prompt" in taken)
        if self._library[0] != (library, names):
            self._library = (library, names), library_tools(library, self._entry.name, taken, self._ask)
        return self._library[1]

    def _cached(self, definition: "Definition", twins: tuple[str, ...]) -> tuple[Any, SchemaTool]:
        content = (definition.model_dump(mode="json", exclude_none=True), twins)
        before = self._made.get(definition.name)
        if before is not None and before[0] == content:
            return before
        remote = _RemoteTool(definition, self._ask)
        return content, SchemaTool(self._spec(definition, twins), remote.answer)

    def _spec(self, definition: "Definition", twins: tuple[str, ...]) -> ToolSpec:
        title = definition.title or (definition.annotations.title if definition.annotations else None) or ""
        description = (definition.description or title).strip()
        return ToolSpec(
            name=self._name(definition.name),
            description=description,
            parameters=definition.input_schema,
            source=self._entry.name,
            signature=signature_of(definition.input_schema),
            doc="\n\n".join(part for part in (description, *_notes(definition, title)) if part),
            also=twins,
            origin=f"MCP server {self._entry.name}",
            output=unwrapped(definition.output_schema),
            title=title,
            annotations=_annotations(definition),
        )

    def _name(self, tool: str) -> str:
        return f"{self._entry.name}.{tool}"

    def _error(self, tool: str, message: str) -> LoadError:
        named = f"The tool {tool!r} of the MCP server" if tool else "The MCP server"
        # Where its entry stands is known to whoever has the file.
        return LoadError(self._entry.name, "", None, f"{named} {self._entry.name!r} is left out: {message}.")


class _RemoteTool:
    """A tool on the other side."""

    def __init__(self, definition: "Definition", ask: Ask) -> None:
        self._name = definition.name
        self._output_schema = definition.output_schema
        self._ask = ask
        self._as_task = is_task(definition)

    def answer(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        params: dict[str, Any] = {"name": self._name, "arguments": arguments}
        if self._as_task:
            params["task"] = {"ttl": KEPT_MS}
        return value_of(self._ask("tools/call", params, ticket), self._name, self._validator)

    @cached_property
    def _validator(self) -> Validator | None:
        return None if self._output_schema is None else validator_of(self._output_schema)


def is_task(definition: "Definition") -> bool:
    """Whether the server takes calls of it only as tasks, whose result is asked for later."""
    return definition.execution is not None and definition.execution.task_support == "required"


def _annotations(definition: "Definition") -> dict[str, bool]:
    hints = definition.annotations
    told = hints.model_dump(by_alias=True, exclude_none=True) if hints is not None else {}
    return {name: value for name, value in told.items() if isinstance(value, bool)}


def _notes(definition: "Definition", title: str) -> list[str]:
    notes: list[str] = []
    if title and title not in (definition.description or "") and title != definition.name:
        notes.append(f"Title: {title}")
    hints = definition.annotations
    found = [words for field, value, words in _HINTS if hints is not None and getattr(hints, field) is value]
    if found:
        notes.append(f"The server says that it {', '.join(found)}.")
    if definition.output_schema is not None:
        notes.append(f"Returns: {json.dumps(definition.output_schema, ensure_ascii=False)}")
    return [*notes, *pattern_notes([definition.input_schema, definition.output_schema])]
