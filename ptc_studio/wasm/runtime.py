"""The `wasm` runtime: modules, as text or compiled, in a thread of this process, given tools and nothing else."""

import codecs
import contextlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from wasmtime import WasmtimeError as EngineError
from wasmtime import wat2wasm

from ptc_studio.core.events import Stream
from ptc_studio.core.failures import message_of
from ptc_studio.core.scripts import Failure, Job, ScriptResult
from ptc_studio.runtimes.projections import ExecutesProjections
from ptc_studio.wasm.imports import ToolImports, Wasi, answered, placed_and_named
from ptc_studio.wasm.module import Exited, GuestBounds, GuestError, GuestModule, Interrupted, ModuleRefused, Trapped

LINE_GLOBAL = "ptc.line"
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|;;[^\n]*|\(;|[()]|[^\s()";]+|[;"]', re.DOTALL)
_MARKED = re.compile(
    r"(?:return_)?call(?:_indirect|_ref)?|unreachable|br|br_if|throw"
    r"|i(?:32|64)\.(?:div|rem)_[su]|i(?:32|64)\.trunc_f\d\d_[su]"
    r"|[a-z0-9]+\.(?:load|store)\w*|(?:memory|table)\.\w+"
)
_GLOBAL = f'(global ${LINE_GLOBAL} (export "{LINE_GLOBAL}") (mut i32) (i32.const 0))'


class _Token(NamedTuple):
    text: str
    start: int
    line: int


def with_lines(text: str) -> str:
    """The same module with its lines in it."""
    pieces: list[str] = []
    copied = 0

    def put_in(piece: str, at: int) -> None:
        nonlocal copied
        pieces.extend((text[copied:at], piece))
        copied = at

    marks: list[int | None] = []
    end, before = len(text), ""
    for token in _tokens(text):
        if token.text == "(":
            marks.append(None)
        elif token.text == ")":
            mark = marks.pop() if marks else None
            if mark is not None:
                # The operands of a folded instruction come first; this is then the last of them.
                put_in(f" (global.set ${LINE_GLOBAL} (i32.const {mark}))", token.start)
            end = token.start if not marks and text.lstrip().startswith("(module") else end
        elif _MARKED.fullmatch(token.text):
            if before == "(" and marks:
                marks[-1] = token.line
            else:
                put_in(f"i32.const {token.line} global.set ${LINE_GLOBAL} ", token.start)
        before = token.text
    put_in(_GLOBAL, max(end, copied))
    return "".join((*pieces, text[copied:]))


def has_content(text: str) -> bool:
    """Whether there is more than comments and white space."""
    return next(_tokens(text), None) is not None


def function_lines(text: str) -> list[int]:
    """The line where each function begins, by its number in the module."""
    found: list[int] = []
    heads: list[str] = []
    before = ""
    for token in _tokens(text):
        if token.text == "(":
            heads.append("")
        elif token.text == ")":
            heads = heads[:-1]
        elif before == "(" and heads:
            heads[-1] = token.text
            if token.text == "func" and (heads[:-1] or ["module"])[-1] in ("module", "import"):
                found.append(token.line)
        before = token.text
    return found


def _tokens(text: str) -> Iterator[_Token]:
    """Parentheses, words and strings; comments are passed over."""
    at, line, counted = 0, 1, 0
    while found := _TOKEN.search(text, at):
        at = found.end()
        if found[0] == "(;":
            at = _comment_end(text, at)
        elif not found[0].startswith(";;"):
            line += text.count("\n", counted, found.start())
            counted = found.start()
            yield _Token(found[0], found.start(), line)


def _comment_end(text: str, at: int) -> int:
    """Behind the end of a comment that began before; comments may hold others."""
    depth = 1
    for found in re.compile(r"\(;|;\)").finditer(text, at):
        depth += 1 if found[0] == "(;" else -1
        if depth == 0:
            return found.end()
    return len(text)


MAGIC = "\0asm"
"""The beginning of a compiled module, whose bytes then are the characters of the code."""
ENTRIES = ("_start", "run", "main")
_STREAMS: dict[int, Stream] = {1: "stdout", 2: "stderr"}
_PLACE = re.compile(r"--> <anon>:(\d+)")


class WasmRuntime(ExecutesProjections):
    """Executes WebAssembly modules; tools are called directly, values are copied as JSON."""

    id = "wasm"
    isolation = "WebAssembly sandbox"

    def __init__(self, bounds: GuestBounds | None = None) -> None:
        self._bounds = bounds or GuestBounds()

    async def run(self, job: Job) -> ScriptResult:
        if job.run.stop_reason is not None:
            return ScriptResult("error", None)
        return await job.executor.workers.run(_Execution(job, self._bounds).result)

    def warm(self, memory_mb: int | None = None) -> None:
        """There is nothing to make ready."""

    def close(self) -> None:
        """There is nothing to close."""


class NotUnderstood(Exception):
    """A text that is no module; the message is the compiler's first line, `shown` all that it said."""

    def __init__(self, message: str, shown: str, line: int | None) -> None:
        super().__init__(message)
        self.shown = shown
        self.line = line


class _Execution:
    """One module from its text to its end."""

    def __init__(self, job: Job, bounds: GuestBounds) -> None:
        self._job = job
        self._bounds = bounds
        self._output = _Output(job)
        self._guest: GuestModule | None = None

    def result(self) -> ScriptResult:
        try:
            self._guest = guest = self._made()
            self._job.run.on_stop(guest.interrupt)
            value = self._executed(guest)
            return ScriptResult(value=value)
        except Exited as error:
            return self._exited(error)
        except NotUnderstood as error:
            return ScriptResult("error", 1, Failure("CompileError", str(error), error.shown, error.line))
        except Interrupted as error:
            return ScriptResult("error", None, self._failure("Interrupted", str(error), self._stack(error)))
        except Trapped as error:
            return ScriptResult("error", 1, self._failure("Trap", self._explained(error), self._stack(error)))
        except (GuestError, ModuleRefused) as error:
            return ScriptResult("error", 1, self._failure(type(error).__name__, str(error)))
        except BaseException as error:  # noqa: BLE001 - a tool's failure that the module passed on, whatever it is
            return ScriptResult("error", 1, self._failure(type(error).__name__, message_of(error)))
        finally:
            self._output.close()
            if self._guest is not None:
                self._guest.close()

    def _made(self) -> GuestModule:
        """The module, which knows its lines where that can be."""
        code, filename = self._job.script.code, self._job.script.filename
        if code.startswith(MAGIC):
            return GuestModule(code.encode("latin-1"), self._bounds)
        module = _compiled(code if has_content(code) else "(module)", filename)
        # A text of a kind that was not foreseen runs all the same.
        with contextlib.suppress(EngineError):
            module = wat2wasm(with_lines(code))
        try:
            return GuestModule(bytes(module), self._bounds)
        except ModuleRefused as error:
            line = dict(enumerate(function_lines(code))).get(-1 if error.function is None else error.function)
            raise NotUnderstood(str(error), f"{filename}:{line or '?'}: {error}", line) from None

    def _executed(self, guest: GuestModule) -> Any:
        system = Wasi(guest, lambda fd, data: self._output.write(_STREAMS[fd], data))
        tools = ToolImports(guest, self._invoke, lambda data: self._output.write("stdout", data))
        guest.start({**system.offers, **tools.offers}, Wasi.otherwise)
        if guest.exports("_initialize"):
            guest.call("_initialize")
        entry = next((name for name in ENTRIES if guest.exports(name)), None)
        return guest.call(entry) if entry else None

    def _invoke(self, alias: str, parameters: Any, timeout: float | None) -> bytes:
        args, kwargs = placed_and_named(alias, parameters)
        request = self._job.request(alias, args, kwargs, timeout=timeout, line=self._line())
        return answered(self._job.executor, request)

    def _line(self) -> int | None:
        return (self._guest.global_value(LINE_GLOBAL) or None) if self._guest else None

    def _exited(self, error: Exited) -> ScriptResult:
        if error.status == 0:
            return ScriptResult()
        return ScriptResult(
            "error", error.status, self._failure("SystemExit", f"the script ended with status {error.status}")
        )

    def _failure(self, kind: str, message: str, stack: str = "") -> Failure:
        line = self._line()
        location = f"{self._job.script.filename}:{line}: " if line else ""
        return Failure(kind, message, f"{location}{kind}: {message}{stack}", line)

    def _explained(self, error: Trapped) -> str:
        if self._guest is not None and self._guest.is_full:
            return f"{error}, with its memory grown to the limit of {self._bounds.memory_bytes >> 20} MB"
        return str(error)

    def _stack(self, error: Trapped) -> str:
        return "".join(f"\n  in {name}" for name in error.stack)


class _Output:
    """What the module writes; a character may come in several pieces."""

    def __init__(self, job: Job) -> None:
        self._job = job
        make = codecs.getincrementaldecoder("utf-8")
        self._decoders: dict[Stream, codecs.IncrementalDecoder] = {name: make("replace") for name in _STREAMS.values()}

    def write(self, stream: Stream, data: bytes) -> None:
        self._pass_on(stream, self._decoders[stream].decode(data))

    def close(self) -> None:
        for stream, decoder in self._decoders.items():
            self._pass_on(stream, decoder.decode(b"", final=True))

    def _pass_on(self, stream: Stream, text: str) -> None:
        if text:
            self._job.write(stream, text)


def _compiled(code: str, filename: str) -> Any:
    try:
        return wat2wasm(code)
    except EngineError as error:
        shown = str(error).replace("<anon>", filename)
        location = _PLACE.search(str(error))
        raise NotUnderstood(shown.splitlines()[0], shown, int(location[1]) if location else None) from None


__all__ = ["WasmRuntime"]
