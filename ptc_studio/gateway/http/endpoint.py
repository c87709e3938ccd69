"""One job served over HTTP: a run whose calls come from scripts elsewhere."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from ptc_studio.core import codec
from ptc_studio.core.calls import Call, CallRequest, Outcome
from ptc_studio.core.events import CallFinished, CallStarted, Event
from ptc_studio.core.executor import Executor
from ptc_studio.core.registry import Target
from ptc_studio.core.session import Session
from ptc_studio.gateway.http.gate import HttpLimits, read_body
from ptc_studio.gateway.http.openapi import openapi_document
from ptc_studio.gateway.http.wire import (
    CallBody,
    Receive,
    RequestRefused,
    Scope,
    Send,
    answer,
    parse_call,
    respond,
    respond_error,
)

PARTS = {"shell": "", "read_file": "content", "write_file": "", "http": "body"}
"""The tools that the wrappers of IronClaw's SDK call, and the part of a result that the wrapper is expected to give."""


def as_meant(wanted: CallBody, names: Callable[[], Iterable[str]]) -> CallBody:
    """The call of the one granted tool that is meant, such as `std.read_file`; as it was for all other names."""
    if wanted.format != "text" or wanted.tool not in PARTS:
        return wanted
    granted = list(names())
    if wanted.tool in granted:
        return wanted
    own, parameters = wanted.tool, dict(wanted.parameters)
    if own == "http":
        # Any other method is none of what the wrappers send.
        if parameters.pop("method", "GET") != "GET":
            return wanted
        own = "http_get"
    found = [name for name in granted if name.rpartition(".")[2] == own]
    if len(found) != 1:
        return wanted
    return replace(wanted, tool=found[0], parameters=parameters, part=PARTS[wanted.tool])


MOST_EVENTS = 10_000
MOST_BYTES = 32_000_000
"""What is kept for listeners that lag behind or come back; whoever lags further is told how much he missed."""
HEARTBEAT_SECONDS = 15.0
AT_ONCE = 64
"""So many events are sent in one go."""
FIRST = b"retry: 1000\n\n"
HEARTBEAT = b": still here\n\n"


class EventLog:
    """What happened in a job, as frames of server-sent events. On the loop's thread only."""

    def __init__(self, job_id: str, *, most_events: int = MOST_EVENTS, most_bytes: int = MOST_BYTES) -> None:
        self._job_id = job_id
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._most_events, self._most_bytes = most_events, most_bytes
        self._under_way: dict[str, CallStarted] = {}
        self._grown = asyncio.Event()
        self.last_id = 0
        self.listeners = 0
        self.closed = False
        self.in_tree: Callable[[Sequence[Event]], Sequence[Event]] = self._of_job
        """Which of all events belong to the job."""

    @property
    def first_id(self) -> int:
        """The number of the oldest event that is kept."""
        return self.last_id - len(self._frames) + 1

    def observe(self, batch: Sequence[Event]) -> None:
        """Takes in the calls of the job."""
        for event in self.in_tree(batch):
            if isinstance(event, CallStarted):
                self._under_way[event.call_id] = event
                self._append("job_tool_use", self._use(event))
            elif isinstance(event, CallFinished) and (started := self._under_way.pop(event.call_id, None)):
                self._append("job_tool_result", self._result(started, event))
        self._wake()

    def _of_job(self, batch: Sequence[Event]) -> list[Event]:
        return [event for event in batch if event.run_id == self._job_id]

    def close(self) -> None:
        """Ends every listener once it has got all there is."""
        self.closed = True
        self._wake()

    async def frames(self, after: int | None, heartbeat: float = HEARTBEAT_SECONDS) -> AsyncGenerator[bytes]:
        """What comes after that number, or from now on; a comment now and then tells that the other end is there."""
        at = self.last_id if after is None else min(after, self.last_id)
        self.listeners += 1
        try:
            yield FIRST
            while True:
                if at < self.first_id - 1:
                    missed, at = self.first_id - 1 - at, self.first_id - 1
                    yield _frame(at, "gap", {"type": "gap", "job_id": self._job_id, "missed": missed})
                if at < self.last_id:
                    start = at - self.first_id + 1
                    some = [self._frames[i] for i in range(start, min(start + AT_ONCE, len(self._frames)))]
                    at += len(some)
                    yield b"".join(some)
                elif self.closed:
                    return
                else:
                    grown = self._grown
                    try:
                        await asyncio.wait_for(grown.wait(), heartbeat)
                    except TimeoutError:
                        yield HEARTBEAT
        finally:
            self.listeners -= 1

    def _append(self, kind: str, data: dict[str, Any]) -> None:
        self.last_id += 1
        frame = _frame(self.last_id, kind, data)
        self._frames.append(frame)
        self._bytes += len(frame)
        while len(self._frames) > self._most_events or (self._bytes > self._most_bytes and len(self._frames) > 1):
            self._bytes -= len(self._frames.popleft())

    def _wake(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()

    def _use(self, event: CallStarted) -> dict[str, Any]:
        return {**self._head("job_tool_use", event), "input": event.arguments.value, "status": "running"}

    def _result(self, started: CallStarted, event: CallFinished) -> dict[str, Any]:
        error = event.error
        return {
            **self._head("job_tool_result", started),
            # A text, as the answer's; of a failed call what went wrong.
            "output": error.message.value if error else _text_of(_value(event)),
            "error": {"type": error.type, "message": error.message.value} if error else None,
            "status": event.status,
            "duration_ms": event.duration_ms,
        }

    def _head(self, kind: str, event: CallStarted) -> dict[str, Any]:
        return {
            "type": kind,
            "job_id": self._job_id,
            "tool_name": event.alias or event.tool,
            "call_id": event.call_id,
            "parent_id": event.parent_id,
            "depth": event.depth,
            "duration_ms": None,
        }


def _value(event: CallFinished) -> Any:
    return event.result.value if event.result else None


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) else codec.encode(value).decode()


def _frame(number: int, kind: str, data: dict[str, Any]) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (number, kind.encode(), codec.encode(data))


QUICK_SECONDS = 0.05
"""Calls that take longer are worth looking after whoever waits for them; so often it is looked for such."""
UNREAD_SECONDS = 60.0
"""A listener that takes nothing for so long is gone."""
MOST_CLIENTS = 100


@dataclass(slots=True)
class Client:
    """Somebody who calls: a program by its own name, for a connection is often made for one call."""

    name: str
    calls: int = 0
    last: float = 0.0


class _Waiting:
    """Somebody elsewhere who waits for an answer."""

    def __init__(self, answered: "asyncio.Future[Outcome | None]", receive: Receive) -> None:
        self._answered, self._receive = answered, receive
        self._watch: asyncio.Task[None] | None = None

    def watch(self) -> None:
        """From now on it is noticed that he goes away."""
        if self._watch is None:
            self._watch = asyncio.ensure_future(self._until_gone())

    def end(self) -> None:
        if self._watch is not None:
            self._watch.cancel()

    async def _until_gone(self) -> None:
        await _gone(self._receive)
        if not self._answered.done():
            self._answered.set_result(None)


class Endpoint:
    """Serves the calls of one job, its tools and its events. On one loop."""

    def __init__(
        self, executor: Executor, session: Session, *, redacted: bool = True, limits: HttpLimits | None = None
    ) -> None:
        self.session = session
        self.job_id = session.run.run_id
        self.limits = limits or HttpLimits()
        self.events = EventLog(self.job_id)
        self.clients: dict[str, Client] = {}
        """Those of late, by name."""
        self.more_routes: list[BaseRoute] = []
        """What else is served beside the job; before `app` is made."""
        self._executor = executor
        self._redacted = redacted
        self._under_way: dict[Call, _Waiting] = {}
        self._look: asyncio.TimerHandle | None = None
        self._unwatch = executor.bus.subscribe(self.events.observe)

    def app(self) -> Starlette:
        """The application, without the gate in front of it."""
        job = "/worker/{job_id}"
        routes = [
            # They are tried in this order.
            Route(f"{job}/tools/call", _Raw(self._call), methods=["POST"]),
            Route("/health", _Raw(self._health), methods=["GET"]),
            Route("/openapi.json", _Raw(self._openapi), methods=["GET"]),
            Route(f"{job}/tools", _Raw(self._tools), methods=["GET"]),
            Route(f"{job}/events", _Raw(self._stream), methods=["GET"]),
            *self.more_routes,
        ]
        made = Starlette(routes=routes, exception_handlers={HTTPException: _on_http_error})
        made.router.redirect_slashes = False
        return made

    def close(self) -> None:
        """Ends every stream of events once it has told all."""
        self.events.close()
        self._unwatch()

    async def _health(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await respond(send, 200, b'{"status":"ok"}')

    async def _openapi(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await respond(send, 200, codec.encode(openapi_document()))

    async def _tools(self, scope: Scope, _receive: Receive, send: Send) -> None:
        self._check_job(scope)
        targets = self._executor.registry.targets(self.session.run.grant)
        await respond(send, 200, codec.encode({"tools": [tool_record(target) for target in targets]}))

    async def _call(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._check_job(scope)
        wanted = as_meant(await self._parsed(await read_body(scope, receive, self.limits)), self._names)
        parent = self._parent(wanted)
        if len(self._under_way) >= self.limits.calls_at_once:
            raise RequestRefused(429, "Too many calls are under way: try again in a moment.", {"Retry-After": "1"})
        agent = next((value for name, value in scope["headers"] if name == b"user-agent"), b"unnamed")
        self.count(agent.decode("latin-1"))
        request = CallRequest(
            parent.run if parent else self.session.run,
            wanted.tool,
            kwargs=wanted.parameters,
            parent=parent,
            timeout=wanted.timeout,
            claimed_depth=wanted.claimed_depth,
            redacted=self._redacted,
        )
        call, outcome = await self._answered(request, receive)
        if outcome is not None:
            duration = (time.monotonic() - call.started) * 1000
            await respond(send, 200, answer(wanted, outcome, call.call_id, duration))

    async def _parsed(self, body: bytes) -> CallBody:
        if len(body) <= codec.LONG_BYTES:
            return parse_call(body)
        # It takes up to a second, for which neither the window nor other clients are to wait.
        return await asyncio.wrap_future(self._executor.workers.submit(lambda: parse_call(body)))

    async def _answered(self, request: CallRequest, receive: Receive) -> tuple[Call, Outcome | None]:
        """What came of the call; None if whoever asked went away, upon which it is given up."""
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Outcome | None] = loop.create_future()

        def deliver(outcome: Outcome) -> None:
            # The loop may be closed by the time that an abandoned tool answers.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: answered.done() or answered.set_result(outcome))

        call = self._executor.submit(request, deliver)
        self._under_way[call] = waiting = _Waiting(answered, receive)
        if self._look is None:
            self._look = loop.call_later(QUICK_SECONDS, self._look_after)
        try:
            outcome = await answered
        except asyncio.CancelledError:
            self._executor.workers.submit(call.cancel)
            raise
        finally:
            del self._under_way[call]
            waiting.end()
        if outcome is None:
            self._executor.workers.submit(call.cancel)
        return call, outcome

    def _look_after(self) -> None:
        """Has those watched who wait for long, whether they are still there: one timer for all of them."""
        self._look = None
        if not self._under_way:
            return
        late = time.monotonic() - QUICK_SECONDS
        for call, waiting in self._under_way.items():
            if call.started <= late:
                waiting.watch()
        self._look = asyncio.get_running_loop().call_later(QUICK_SECONDS, self._look_after)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._check_job(scope)
        after = _last_event_id(Request(scope))
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        gone = asyncio.ensure_future(_gone(receive))
        frames = self.events.frames(after)
        try:
            while not gone.done():
                # Only the next frame or the end of the listener: a heartbeat bounds the wait.
                step = asyncio.ensure_future(anext(frames, None))
                await asyncio.wait([step, gone], return_when=asyncio.FIRST_COMPLETED)
                if not step.done():
                    step.cancel()
                    await asyncio.wait([step])
                    break
                frame = step.result()
                if frame is None:
                    await send({"type": "http.response.body", "body": b""})
                    break
                async with asyncio.timeout(UNREAD_SECONDS):
                    await send({"type": "http.response.body", "body": frame, "more_body": True})
        except TimeoutError:
            # It takes nothing any more; without a proper end the connection is closed.
            return
        finally:
            gone.cancel()
            await frames.aclose()

    def _check_job(self, scope: Scope) -> None:
        if scope["path_params"]["job_id"] != self.job_id:
            raise RequestRefused(404, "There is no such job here: use the job id that the endpoint gave.")

    def _parent(self, wanted: CallBody) -> Call | None:
        if wanted.call_token is None:
            return None
        parent = self._executor.call_tokens.find(wanted.call_token)
        if parent is None:
            raise RequestRefused(403, "The call token is not that of a call under way.")
        return parent

    def _names(self) -> list[str]:
        return [target.spec.name for target in self._executor.registry.targets(self.session.run.grant)]

    def count(self, name: str) -> None:
        """One more call of the client of that name."""
        name = codec.printable(name)[:80]
        client = self.clients.pop(name, None) or Client(name)
        client.calls, client.last = client.calls + 1, time.monotonic()
        self.clients[name] = client
        if len(self.clients) > MOST_CLIENTS:
            del self.clients[next(iter(self.clients))]


def tool_record(target: Target) -> Mapping[str, Any]:
    """A tool or alias as a client is told of it."""
    spec = target.spec
    return {
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
        "source": spec.source,
        "alias_of": target.tool.spec.name if target.alias else None,
        "timeout_secs": spec.timeout,
    }


class _Raw:
    """An endpoint that answers by itself; as a class it is an application to starlette, not a function of a request."""

    def __init__(self, serve: Any) -> None:
        self._serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._serve(scope, receive, send)
        except RequestRefused as error:
            await respond_error(send, error)


async def _on_http_error(request: Request, error: Exception) -> Any:
    assert isinstance(error, HTTPException)
    sentence = {
        404: "There is nothing at this path.",
        405: f"The method {request.method} is not for this path.",
    }.get(error.status_code, error.detail)
    from starlette.responses import JSONResponse

    return JSONResponse({"success": False, "error": sentence}, error.status_code, error.headers)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _last_event_id(request: Request) -> int | None:
    given = request.headers.get("last-event-id") or request.query_params.get("after")
    if given is None:
        return None
    if not given.isascii() or not given.isdigit() or len(given) > 18:
        raise RequestRefused(422, "The last event's id must be a number that came as an event's id.")
    return int(given)
