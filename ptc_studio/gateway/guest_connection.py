"""Serves the calls of one guest: reads its frames, has each call performed, and sends the answer."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.calls import Call, CallQueue, CallRequest, Outcome
from ptc_studio.core.errors import UnserialisableValue
from ptc_studio.core.failures import failure_of
from ptc_studio.core.scripts import Frame as TargetFrame
from ptc_studio.core.scripts import ImportedObject, Job
from ptc_studio.gateway.frames import FRAME_BYTES, FrameError, FrameReader, FrameWriter

log = logging.getLogger(__name__)

Frame = dict[str, Any]
_NUMBER = (int, float)


@dataclass(slots=True)
class GuestReport:
    """What a guest reported of its script."""

    done: Frame | None = None
    position: Frame | None = None
    last_line: int | None = None


class CallFrameError(FrameError):
    """A call whose id can be told, but which lacks a field or has one of the wrong type."""


class GuestConnection:
    """One guest, one run. `on_end` is called once, when the guest said `done` or closed the channel."""

    def __init__(self, job: Job, reader: FrameReader, writer: FrameWriter, on_end: Callable[[], object]) -> None:
        self.report = GuestReport()
        self._job = job
        self._reader = reader
        self._writer = writer
        self._on_end = on_end
        self._turn = 0
        self._stuck: Call | None = None
        self._turns = threading.Lock()
        self._ended = False
        self._gone = False
        self._calls: dict[int, Call] = {}
        self._queue = CallQueue(job.executor, job.run.limits.concurrent_calls)
        self._handlers: dict[str, Callable[[Frame], None]] = {
            "call": self._on_call,
            "cancel": self._on_cancel,
            "position": self._on_position,
            "done": self._on_done,
        }

    def serve(self, turn: int = 0) -> None:
        """Reads and serves in this thread until the end, or until another thread has taken over."""
        while turn == self._turn and not self._ended:
            try:
                frame = self._reader.read()
                if frame is None:
                    break
                self._handle(frame)
            except FrameError as error:
                self._refuse(error)
            except Exception as error:
                log.exception("A frame of a guest could not be served")
                self._send({"type": "error", "message": f"the host failed: {error}"})
        if turn == self._turn:
            self._end()

    def _refuse(self, error: FrameError) -> None:
        """Tells the guest; if it waits for a call, that call fails rather than being waited for in vain."""
        if self._job.run.stop_reason is not None:
            return
        if error.call_id is None or error.call_id in self._calls:
            self._send({"type": "error", "message": str(error)})
        elif isinstance(error, CallFrameError):
            self._send({"type": "error", "id": error.call_id, "message": str(error)})
        else:
            self._send({"type": "failure", "id": error.call_id, "error": failure_of(ValueError(str(error)))})

    def _end(self) -> None:
        with self._turns:
            if self._ended:
                return
            self._ended = True
        self._on_end()

    def _handle(self, frame: Frame) -> None:
        kind = frame.get("type")
        handler = self._handlers.get(kind) if isinstance(kind, str) else None
        if handler is None:
            raise FrameError(f"a frame has the unknown type {kind!r}")
        handler(frame)

    def _on_call(self, frame: Frame) -> None:
        if self._job.run.stop_reason is not None:
            # What is still in the pipe of a script that was stopped: nobody is left who could receive an answer.
            return
        call_id, request = self._parse_call(frame)
        call = self._job.executor.admit(request, lambda outcome: self._answer(call_id, outcome))
        self._calls[call_id] = call
        self.report.last_line = request.line or self.report.last_line
        # The script went on: wherever it announced an end before, it was none.
        self.report.position = None
        if frame.get("wait") is True:
            # The guest is silent until the answer, so this thread need not read meanwhile. If the call is given up
            # while its tool is stuck here, another thread reads on.
            self._stuck = call
            call.on_abandon(lambda: self._take_over(call))
            self._job.executor.perform(call)
            with self._turns:
                # From here on this thread reads again, or another one has begun to: never both.
                if self._stuck is call:
                    self._stuck = None
        else:
            self._queue.add(call, self._reader.last_bytes)
            self._queue.await_room(lambda: self._gone or self._job.run.stop_reason is not None)

    def read_on(self) -> None:
        """Has another thread read if the one that does is busy with a call: the guest may be gone."""
        self._gone = True
        call = self._stuck
        if call is not None:
            self._take_over(call)

    def _take_over(self, call: Call) -> None:
        with self._turns:
            if call is not self._stuck or self._ended:
                return
            self._stuck = None
            self._turn += 1
            turn = self._turn
        self._job.executor.workers.submit(lambda: self.serve(turn))

    def _answer(self, call_id: int, outcome: Outcome) -> None:
        self._calls.pop(call_id, None)
        if outcome.exception is not None:
            self._send({"type": "failure", "id": call_id, "error": _failure(outcome.exception)})
        elif len(outcome.encoded) > FRAME_BYTES - 100:
            error = ValueError(f"the result has {len(outcome.encoded)} bytes, more than a script can be sent")
            self._send({"type": "failure", "id": call_id, "error": failure_of(error)})
        else:
            # Where scripts are deployed values come as JSON.
            has_bytes = outcome.bytes_at and self._job.frame is None
            places = b',"bytes":%b' % codec.encode(outcome.bytes_at) if has_bytes else b""
            self._writer.write(b'{"type":"result","id":%d,"value":%b%b}\n' % (call_id, outcome.encoded, places))

    def _on_cancel(self, frame: Frame) -> None:
        call = self._calls.pop(_positive(frame, "id"), None)
        if call is not None:
            self._job.executor.workers.submit(call.cancel)

    def _on_position(self, frame: Frame) -> None:
        _optional(frame, "line", int)
        self.report.position = frame

    def _on_done(self, frame: Frame) -> None:
        _optional(frame, "code", int)
        error = _optional(frame, "error", dict)
        if error is not None:
            for field in ("type", "message", "traceback"):
                if not isinstance(error.get(field), str):
                    raise FrameError(f"the error of a done frame needs a text as {field!r}")
            _optional(error, "line", int)
        for field in ("value", "report"):
            if frame.get(field) is not None:
                frame[field] = codec.showable(codec.as_texts(frame[field])[0])
        self.report.done = frame
        self._end()

    def _parse_call(self, frame: Frame) -> tuple[int, CallRequest]:
        call_id = _positive(frame, "id")
        if call_id in self._calls:
            raise FrameError(f"the call id {call_id} is in use")
        try:
            return call_id, self._parse_request(frame)
        except FrameError as error:
            raise CallFrameError(str(error), call_id) from None

    def _parse_request(self, frame: Frame) -> CallRequest:
        tool = frame.get("tool")
        if not isinstance(tool, str):
            raise FrameError("a call frame needs a text as 'tool'")
        args, kwargs, line, timeout = frame.get("args"), frame.get("kwargs"), frame.get("line"), frame.get("timeout")
        # As nearly every call is; what is not is looked at piece by piece.
        if not (type(args) is list and type(kwargs) is dict and type(line) is int and timeout is None):
            args = _optional(frame, "args", list) or ()
            kwargs = _optional(frame, "kwargs", dict) or {}
            line = _optional(frame, "line", int)
            timeout = _optional(frame, "timeout", _NUMBER)
            if timeout is not None and not timeout > 0:
                raise FrameError("the timeout of a call must be above 0")
        return self._job.request(tool, args, kwargs, timeout=timeout, line=line)

    def _send(self, frame: Frame) -> None:
        try:
            self._writer.write(codec.encode(frame) + b"\n")
        except UnserialisableValue as error:
            message = f"an answer cannot be sent: {error}"
            self._writer.write(codec.encode({**frame, "error": failure_of(ValueError(message))}) + b"\n")


def _failure(error: BaseException) -> Frame:
    """What is sent of an exception, whatever the exception makes of being looked at: somebody waits for it."""
    try:
        return failure_of(error)
    except Exception:  # noqa: BLE001 - an exception of the user's may have anything in it
        return failure_of(RuntimeError(f"a tool failed with a {type(error).__name__} that cannot be sent"))


def tool_descriptions(job: Job) -> list[Frame]:
    """The tools as a kit is told of them."""
    return [
        {
            "names": visible.names,
            "doc": visible.target.spec.doc or visible.target.spec.description,
            "params": [
                (parameter.name, parameter.required, parameter.default, parameter.annotation, parameter.keyword_only)
                for parameter in visible.target.spec.signature
            ],
        }
        for visible in job.tools
    ]


def start_frame(job: Job, directory: str | None, compilation: Mapping[str, Any] = MappingProxyType({})) -> bytes:
    """The frame that starts the script, in that folder if the guest can see one, compiled as the kit is told."""
    script = job.script
    values = {name: value for name, value in job.extra_globals.items() if not isinstance(value, ImportedObject)}
    imports = {
        name: (value.module, value.path)
        for name, value in job.extra_globals.items()
        if isinstance(value, ImportedObject)
    }
    frame: Frame = {
        "type": "start",
        "code": script.code,
        "filename": script.filename,
        "directory": directory,
        "tools": tool_descriptions(job),
        "globals": values,
        **({"imports": imports} if imports else {}),
        **({"bytes": places} if (places := codec.as_texts(values)[1]) else {}),
        **compilation,
    }
    if job.frame is not None:
        frame["frame"] = _frame_of_target(job.frame, job.container.state if job.container else None)
    if job.container is not None:
        frame["keep"] = True
    return codec.encode(frame) + b"\n"


def _frame_of_target(frame: TargetFrame, state: Any) -> Frame:
    return {
        "target": frame.target,
        "code": frame.code,
        "compiled": frame.compiled,
        "names": frame.names,
        "options": frame.options,
        "language": frame.language,
        "state": state,
    }


def _positive(frame: Frame, field: str) -> int:
    value = frame.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise FrameError(f"a {frame.get('type')} frame needs a positive number as {field!r}")
    return value


def _optional(frame: Frame, field: str, kind: Any) -> Any:
    value = frame.get(field)
    if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
        raise FrameError(f"a frame has a {type(value).__name__} as {field!r}")
    return value
