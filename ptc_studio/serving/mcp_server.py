"""The granted tools as an MCP server, with `run_script` and `search_tools`: programmatic calling for any client."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

import mcp_types as types

from ptc_studio.app import Studio
from ptc_studio.core import codec
from ptc_studio.core.calls import Call, CallRequest, Outcome
from ptc_studio.core.events import CallFinished, CallProgressed, CallStarted, Event
from ptc_studio.core.names import fitting_names
from ptc_studio.core.registry import Target, identifier
from ptc_studio.core.session import Session
from ptc_studio.exports.schemas import Shown, shown
from ptc_studio.exports.vendors import mcp as mcp_definitions
from ptc_studio.gateway.http.wire import error_text
from ptc_studio.serving.mcp_protocol import Context
from ptc_studio.serving.script_tool import RUN_SCRIPT, ScriptRuns, ScriptTool

PAGE = 500
DESCRIBED = 60
"""So many signatures stand in the description of `run_script`; the rest is found by `search_tools`."""
FOUND = 20
SEARCH_TOOLS = "search_tools"
OWN = (RUN_SCRIPT, SEARCH_TOOLS)
_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}
Notice = tuple[float, float | None, str]


class McpTools:
    """What an MCP client sees of a studio; its calls belong to the session's run, each script is a run of its own."""

    def __init__(
        self, studio: Studio, session: Session, *, raw: bool = False, on_call: Callable[[str], None] | None = None
    ) -> None:
        self._studio = studio
        self._on_call = on_call
        """Told the name of the client, of each call."""
        self._session = session
        self._raw = raw
        self.script = ScriptTool(studio, session.run)
        self._script_target = self.script.target

    # What the protocol asks for

    async def list_tools(self, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        start = _cursor(params)
        listed = [*self._own_tools(), *self._granted_tools()]
        more = str(start + PAGE) if start + PAGE < len(listed) else None
        return types.ListToolsResult(tools=listed[start : start + PAGE], next_cursor=more)

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if self._on_call is not None:
            client = ctx.session.client_params
            self._on_call(client.client_info.name if client else "MCP client")
        arguments = params.arguments or {}
        by_name = self._by_name()
        if params.name == SEARCH_TOOLS and params.name not in by_name:
            return self._search(arguments)
        if params.name == RUN_SCRIPT and params.name not in by_name:
            outcome, _ = await self._call(ctx, self._script_target, RUN_SCRIPT, arguments)
            return script_result(outcome)
        # Of a name that leads nowhere the executor says what it could have been, and that it was asked for is reported.
        return _answer(*await self._call(ctx, by_name.get(params.name), params.name, arguments))

    # The tools

    def _targets(self) -> list[Target]:
        return self._studio.registry.targets(self._session.run.grant)

    def _by_name(self) -> dict[str, Target]:
        """Under the names that clients take, and under their own."""
        targets = {target.spec.name: target for target in self._targets()}
        named = fitting_names(list(targets), taken=OWN)
        return {**{named[name]: target for name, target in targets.items()}, **targets}

    def _granted_tools(self) -> list[types.Tool]:
        tools = [shown(target) for target in self._targets()]
        named = fitting_names([tool.name for tool in tools], taken=OWN)
        return [
            types.Tool.model_validate({**definition, "name": named[tool.name]})
            for tool, definition in zip(tools, mcp_definitions(tools), strict=True)
        ]

    def _own_tools(self) -> list[types.Tool]:
        query = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
        schema = dict(self.script.spec.parameters)
        return [
            types.Tool(name=RUN_SCRIPT, description=self._script_description(), input_schema=schema),
            types.Tool(
                name=SEARCH_TOOLS,
                description="Finds tools by words of their name and description; gives signatures for run_script.",
                input_schema=query,
            ),
        ]

    def _script_description(self) -> str:
        tools = [shown(target) for target in self._targets()]
        lines = [f"- {signature(tool)}  # {_first_line(tool.description)}" for tool in tools[:DESCRIBED]]
        if len(tools) > DESCRIBED:
            lines.append(f"- and {len(tools) - DESCRIBED} more: ask search_tools for them")
        return (
            "Runs a script that calls the tools as functions, and gives its output, its last value and its error. In "
            "Python each tool is a function of its name, called with positional or keyword arguments; "
            "call_tool(name, {...}) takes any name; for several at once: await aio.NAME(...). In JavaScript: "
            "await tools.NAME({...}). A failed call raises.\nThe tools:\n" + "\n".join(lines)
        )

    def _search(self, arguments: Mapping[str, Any]) -> types.CallToolResult:
        words = str(arguments.get("query", "")).lower().split()
        ranked = [(_score(tool, words), tool) for tool in map(shown, self._targets())]
        best = sorted((pair for pair in ranked if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].name))[:FOUND]
        found = [{"name": tool.name, "signature": signature(tool), "description": tool.description} for _, tool in best]
        text = "\n".join(f"{one['signature']}  # {_first_line(one['description'])}" for one in found)
        return _result(text or "No tool has these words in its name or description.", {"tools": found})

    # Calls and scripts

    async def _call(
        self, ctx: Context, target: Target | None, name: str, arguments: Mapping[str, Any]
    ) -> tuple[Outcome, Target | None]:
        executor = self._studio.executor
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Outcome] = loop.create_future()

        def deliver(outcome: Outcome) -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: answered.done() or answered.set_result(outcome))

        script = target is self._script_target
        request = CallRequest(
            self._session.run,
            target.spec.name if target else name,
            kwargs=arguments,
            target=target if script else None,
            # A script has its own limit; its call has as long as any.
            timeout=self._session.run.limits.call_timeout_cap if script else None,
            redacted=not self._raw,
        )
        call = executor.submit(request, deliver)
        try:
            async with self._notices(ctx, _Notices(call, self.script.scripts).notice):
                return await answered, target
        except asyncio.CancelledError:
            executor.workers.submit(call.cancel)
            raise

    @contextlib.asynccontextmanager
    async def _notices(self, ctx: Context, told: Callable[[Event], Notice | None]) -> AsyncIterator[None]:
        """While this lasts, the client is told how far things are, if it asked for that."""
        queue: asyncio.Queue[Notice] = asyncio.Queue()

        def observe(batch: Sequence[Event]) -> None:
            for event in batch:
                notice = told(event)
                if notice is not None:
                    queue.put_nowait(notice)

        async def send() -> None:
            while True:
                done, total, message = await queue.get()
                # A client that is gone is told nothing.
                with contextlib.suppress(Exception):
                    await ctx.session.report_progress(done, total, message)
                queue.task_done()

        unwatch = self._studio.watch(observe)
        sending = asyncio.ensure_future(send())
        try:
            yield
            self._studio.bus.flush()
            await _within(queue.join(), 2.0)
        finally:
            unwatch()
            sending.cancel()


class _Notices:
    """What a client is told while it waits for a call: how far that is, and of a script each call that ended."""

    def __init__(self, call: Call, scripts: ScriptRuns) -> None:
        self._call, self._scripts = call, scripts
        self._names: dict[str, str] = {}
        self._done = 0

    def notice(self, event: Event) -> Notice | None:
        call = self._call
        if isinstance(event, CallProgressed) and (event.run_id, event.call_id) == (call.run_id, call.call_id):
            return event.done, event.total, str(event.message.value)
        if isinstance(event, CallStarted | CallFinished) and self._scripts.call_of(event.run_id) == call.call_id:
            return self._of_script(event)
        return None

    def _of_script(self, event: CallStarted | CallFinished) -> Notice | None:
        if isinstance(event, CallStarted):
            self._names[event.call_id] = event.alias or event.tool
            return None
        self._done += 1
        name = self._names.pop(event.call_id, "")
        return self._done, None, f"{name} {event.status} ({event.duration_ms:.0f} ms)"


async def _within(work: Awaitable[Any], seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(work, seconds)


def signature(tool: Shown) -> str:
    """The tool as a function of Python, in one line."""
    properties: Mapping[str, Any] = tool.parameters.get("properties", {})
    told: list[str] = []
    for parameter in tool.signature:
        kind = parameter.annotation or _TYPES.get(str(properties.get(parameter.name, {}).get("type")), "Any")
        default = "" if parameter.required else f" = {parameter.default!r}"
        told.append(f"{parameter.name}: {kind}{default}")
    returns = _TYPES.get(str(tool.output.get("type")), "Any") if tool.output else ""
    return f"{identifier(tool.name)}({', '.join(told)})" + (f" -> {returns}" if returns else "")


def script_result(outcome: Outcome) -> types.CallToolResult:
    """A script's run as a model reads it, and as a program does."""
    if outcome.exception is not None:
        return _failed(error_text(outcome))
    record = codec.decode(outcome.encoded)
    error = record["error"]
    parts = [record["stdout"].rstrip("\n")]
    if record["stderr"].strip():
        parts.append(f"stderr:\n{record['stderr'].rstrip()}")
    if record["value"] is not None:
        parts.append(f"value: {json.dumps(record['value'], ensure_ascii=False)}")
    if error:
        # Where a script was stopped its traceback says where, and only the message why.
        why = "" if error["message"] in error["traceback"] else f"{error['type']}: {error['message']}"
        parts += [error["traceback"].rstrip(), why]
    text = "\n".join(part for part in parts if part) or f"The script ended with {record['status']} and printed nothing."
    return _result(text, record, failed=record["status"] != "ok")


def _answer(outcome: Outcome, target: Target | None) -> types.CallToolResult:
    if outcome.exception is not None:
        return _failed(error_text(outcome))
    value = codec.decode(outcome.encoded)
    text = value if isinstance(value, str) else outcome.encoded.decode()
    if target is None or target.spec.output is None or outcome.sanitized:
        return _result(text)
    # As the definition says: a result that is no object goes under `result`.
    is_object = target.spec.output.get("type") == "object"
    return _result(text, value if is_object and isinstance(value, dict) else {"result": value})


def _result(text: str, structured: Any = None, *, failed: bool = False) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=codec.printable(text))]
    return types.CallToolResult(content=content, structured_content=structured, is_error=failed)


def _failed(message: str) -> types.CallToolResult:
    return _result(message, failed=True)


def _cursor(params: types.PaginatedRequestParams | None) -> int:
    cursor = params.cursor if params else None
    return int(cursor) if cursor and cursor.isascii() and cursor.isdigit() and len(cursor) < 9 else 0


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= 100 else f"{line[:99]}…"


def _score(tool: Shown, words: Sequence[str]) -> int:
    """Words in the name weigh more; a tool that has none of them is not found."""
    name, about = tool.name.lower(), tool.description.lower()
    parameters = " ".join(tool.parameters.get("properties", {})).lower()
    weights = (8 * (word == name) + 4 * (word in name) + 2 * (word in about) + (word in parameters) for word in words)
    return sum(weights)
