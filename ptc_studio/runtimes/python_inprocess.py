"""The `python-inprocess` runtime: a thread of this process. Quick, convenient, and no isolation whatsoever."""

import asyncio
import contextlib
import ctypes
import inspect
import os
import threading
import traceback
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import CoroutineType
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from ptc_studio.core import codec
from ptc_studio.core.calls import MOST_WAITING, CallQueue, CallRequest
from ptc_studio.core.python_text import read_steadily
from ptc_studio.core.scripts import Failure, Job, ScriptResult
from ptc_studio.core.workers import frame_of
from ptc_studio.gateway.guest_connection import tool_descriptions
from ptc_studio.locations import load_python_kit
from ptc_studio.processes.process_tree import mark_children
from ptc_studio.runtimes.projections import ExecutesProjections
from ptc_studio.runtimes.stdio import StdioRouter

_LastStep: TypeAlias = "CoroutineType[Any, Any, None]"
_PACKAGE = str(Path(__file__).resolve().parent.parent) + os.sep
STOP_ROUNDS, STOP_PAUSE = 20, 0.01
ROUNDS_BETWEEN_STOPS = 5
"""The script is given time to clean up before it is stopped once more."""


class ScriptStopped(BaseException):
    """Raised inside a script's thread to end it; not an Exception, so that `except Exception` lets it pass."""


class PythonInProcess(ExecutesProjections):
    """Executes Python scripts in threads; tools are called directly and values are not copied."""

    id = "python-inprocess"
    isolation = "no isolation"
    shares_objects = True

    def __init__(self, stdio: StdioRouter | None = None) -> None:
        load_python_kit()
        from ptc_kit import script

        if _PACKAGE not in script.OWN_FOLDERS:
            script.OWN_FOLDERS.append(_PACKAGE)
        self._stdio = stdio or StdioRouter()

    async def run(self, job: Job) -> ScriptResult:
        if job.run.stop_reason is not None:
            return ScriptResult("error", None)
        mark_children()
        _look_after_new_loops()
        result: Future[ScriptResult] = Future()
        execution = _Execution(job, result, self._stdio)
        with self._stdio.listening(job.run.run_id, job.write):
            # Of its own: it is stopped by its number, and may be left behind with what it is stuck in.
            threading.Thread(target=execution.start, name="ptc-script", daemon=True).start()
            job.run.on_stop(execution.stop)
            return await asyncio.wrap_future(result)

    def warm(self, memory_mb: int | None = None) -> None:
        """There is nothing to make ready."""

    def close(self) -> None:
        """There is nothing to close."""


class _Execution:
    """One script in one thread."""

    def __init__(self, job: Job, result: Future[ScriptResult], stdio: StdioRouter) -> None:
        self._job = job
        self._result = result
        self._stdio = stdio
        self._thread: int | None = None
        """The thread's number from its first step to its last: outside of them it may be another thread's."""
        self._lock = threading.RLock()
        """Whoever holds it in the script's thread, with nothing raised before, is not stopped meanwhile."""
        self._loops: set[asyncio.AbstractEventLoop] = set()
        """Those that the script has open."""

    def start(self) -> None:
        _threads.execution = self
        # Threads inherit this; those of a script are waited for at its end unless the script says otherwise.
        threading.current_thread()._daemonic = False  # type: ignore[attr-defined]  # noqa: SLF001
        try:
            try:
                self._thread = threading.get_ident()
                result = self._executed()
            finally:
                self._leave()
        except BaseException as error:  # noqa: BLE001 - a late ScriptStopped may arrive anywhere, also while leaving
            self._leave()
            result = ScriptResult("error", None, Failure(type(error).__name__, str(error)))
        self._close_loops()
        self._settle(result)

    def _executed(self) -> ScriptResult:
        from ptc_kit import script, tools

        job = self._job
        filename = job.script.filename
        namespace: dict[str, Any] = {"__name__": "__main__", "__file__": filename, "__doc__": None}
        namespace |= {"__builtins__": __builtins__, **job.extra_globals}
        namespace |= tools.tool_namespace(tool_descriptions(job), _DirectCaller(job), filename)
        with self._stdio.script(job.write) as speaker:
            end = script.execute(job.script.code, filename, namespace, partial(read_steadily, script.compile_script))
            script.await_threads(lambda: speaker.threads)
        failure = Failure(**end.error) if end.error else None
        return ScriptResult("error" if end.code or failure else "ok", end.code, failure, codec.displayable(end.value))

    def new_loop(self, make: Callable[[], asyncio.AbstractEventLoop]) -> asyncio.AbstractEventLoop:
        """An event loop for the script; what stops the script comes before it is made or closed, or afterwards."""
        last_steps: list[_LastStep] = []

        def remembering(make: Callable[..., _LastStep]) -> Callable[..., _LastStep]:
            # Since Python 3.12 one of them is told how long to wait.
            return lambda *given, **named: last_steps.append(made := make(*given, **named)) or made

        def close() -> None:
            with self._lock:
                self._forget_stop()
                for step in last_steps:
                    if inspect.getcoroutinestate(step) == inspect.CORO_CREATED:
                        step.close()
                close_it()
                self._loops.discard(loop)

        with self._lock:
            self._forget_stop()
            loop = make()
            close_it, loop.close = loop.close, close
            loop.shutdown_asyncgens = remembering(loop.shutdown_asyncgens)
            loop.shutdown_default_executor = remembering(loop.shutdown_default_executor)
            self._loops.add(loop)
        if self._job.run.stop_reason is not None:
            raise ScriptStopped
        return loop

    def _close_loops(self) -> None:
        """A script that was stopped on its way out of its loop has left it open."""
        for loop in list(self._loops) if self._job.run.stop_reason is not None else ():
            if not loop.is_running():
                loop.close()

    def stop(self) -> None:
        """Raises ScriptStopped in the thread; if it is stuck in C code it is left to itself, and the run ends."""
        failure = self._position()
        for number in range(STOP_ROUNDS):
            if self._result.done():
                return
            if number % ROUNDS_BETWEEN_STOPS == 0:
                self._raise_stopped()
            self._job.run.end_calls()
            threading.Event().wait(STOP_PAUSE)
        self._settle(ScriptResult("error", None, failure))

    def _raise_stopped(self) -> None:
        with self._lock:
            if self._thread is not None:
                _raise_in(self._thread, ScriptStopped)

    def _leave(self) -> None:
        """Ends the time in which the thread can be stopped; a stop that was raised and has not arrived is dropped."""
        while self._thread is not None:
            try:
                with self._lock:
                    self._forget_stop()
                    self._thread = None
            except ScriptStopped:
                continue

    def _forget_stop(self) -> None:
        """What was raised and has not arrived does not come any more; `stop` raises it again in a while."""
        if self._thread is not None:
            _raise_in(self._thread, None)

    def _position(self) -> Failure:
        frame = frame_of(self._thread or 0)
        stack = traceback.extract_stack(frame) if frame else []
        own = [entry for entry in stack if entry.filename == self._job.script.filename]
        text = "".join(traceback.format_list(own))
        return Failure("ScriptStopped", "The script was stopped.", text, own[-1].lineno if own else None)

    def _settle(self, result: ScriptResult) -> None:
        with self._lock:
            if not self._result.done():
                self._result.set_result(result)


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Has the exception raised at the thread's next step; with None, one that waits to be raised is forgotten."""
    raised = ctypes.py_object(kind) if kind else ctypes.c_void_p(None)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


_threads = threading.local()
"""Which script a thread executes."""


def _look_after_new_loops() -> None:
    """Has the event loops of scripts made whole: one that a stop cuts in two leaves its sockets open."""
    policy = asyncio.get_event_loop_policy()
    if "new_event_loop" in vars(policy):
        return
    make = policy.new_event_loop

    def new_event_loop() -> asyncio.AbstractEventLoop:
        execution: _Execution | None = getattr(_threads, "execution", None)
        return execution.new_loop(make) if execution else make()

    policy.new_event_loop = new_event_loop


class _DirectCaller:
    """Calls go straight to the executor; values are the tools' very objects."""

    def __init__(self, job: Job) -> None:
        self._request = job.request
        self._executor = job.executor
        self._queue = CallQueue(job.executor, job.run.limits.concurrent_calls)
        self._most = job.run.limits.concurrent_calls + MOST_WAITING
        self._slots: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    def call(self, name: str, args: Any, kwargs: Any, line: int | None, timeout: float | None = None) -> Any:
        request = self._request(name, args, kwargs, timeout=timeout, line=line)
        try:
            return self._executor.call(request)
        except Exception:
            if request.run.stop_reason is not None:
                # What stops the script may still be on its way to its thread, and this is nothing for it to catch.
                raise ScriptStopped from None
            raise

    def call_async(
        self, name: str, args: Any, kwargs: Any, line: int | None, timeout: float | None = None
    ) -> Awaitable[Any]:
        return self._in_turn(self._request(name, args, kwargs, timeout=timeout, line=line))

    async def _in_turn(self, request: CallRequest) -> Any:
        """Makes no more calls than may be under way or wait for their turn: the others wait in the script."""
        slots = self._slots.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self._most))
        await slots.acquire()
        try:
            if request.run.stop_reason is not None:
                # What waited for its turn is no call any longer.
                raise asyncio.CancelledError
            return await self._executor.call_async(request, self._queue)
        except Exception:
            if request.run.stop_reason is not None:
                raise asyncio.CancelledError from None
            raise
        finally:
            # A script that was stopped may have closed its loop, and then nobody waits there.
            with contextlib.suppress(RuntimeError):
                slots.release()
