"""Checks scripts, each in a process within bounds; an answer is kept for the next time that the same is asked."""

import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from ptc_studio.locations import cache_folder
from ptc_studio.runtimes.sandbox import Bounds, Confiner, best_confiner
from ptc_studio.runtimes.sandbox.launch import confined_process, program_environment
from ptc_studio.runtimes.sandbox.usage_watch import finished
from ptc_studio.runtimes.type_check.compilers import (
    DECLARATIONS,
    SCRIPT,
    Compiler,
    Compilers,
    Diagnostic,
    TypeCheckRequest,
    problems_in_order,
)

SECONDS = 30.0
ANSWERS_KEPT = 64


class TypeChecker:
    """Finds a compiler and asks it. For worker threads: a check takes a second. Thread-safe."""

    def __init__(
        self,
        compilers: Compilers | None = None,
        confiner: Callable[[], Confiner] = best_confiner,
        cache: Path | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self._compilers = compilers or Compilers()
        self._confiner = confiner
        self._cache = cache
        self._seconds = seconds
        self._answers: OrderedDict[str, list[Diagnostic]] = OrderedDict()
        self._lock = threading.Lock()

    def compiler(self, folder: Path | None = None) -> Compiler | None:
        """What scripts of that folder are checked by.

        A compiler that lies in the folder is somebody else's program: it is used only where it is in a sandbox.
        """
        return self._compilers.find(folder if self._confiner().id == "bubblewrap" else None)

    def check(
        self, question: TypeCheckRequest, unwanted: Callable[[], bool] = lambda: False
    ) -> list[Diagnostic] | None:
        """What is wrong; None if it cannot be told, or turned out to be unwanted before it was known."""
        compiler, key = self.compiler(question.folder), question.fingerprint
        if compiler is None:
            return None
        known = self._recalled(key)
        if known is not None:
            return known
        found = self._asked(compiler, question, unwanted)
        if found is not None and key is not None:
            self._remember(key, found)
        return found

    def _recalled(self, key: str | None) -> list[Diagnostic] | None:
        with self._lock:
            if key is None or key not in self._answers:
                return None
            self._answers.move_to_end(key)
            return self._answers[key]

    def _remember(self, key: str, found: list[Diagnostic]) -> None:
        with self._lock:
            self._answers[key] = found
            while len(self._answers) > ANSWERS_KEPT:
                self._answers.popitem(last=False)

    def _asked(
        self, compiler: Compiler, question: TypeCheckRequest, unwanted: Callable[[], bool]
    ) -> list[Diagnostic] | None:
        cache = (self._cache or cache_folder()) / "types"
        try:
            (cache / "deno").mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="ptc-types-", ignore_cleanup_errors=True) as made:
                folder = Path(made).resolve()
                (folder / SCRIPT).write_text(question.checked_code, encoding="utf-8", errors="replace", newline="\n")
                (folder / DECLARATIONS).write_text(question.declarations, encoding="utf-8", errors="replace")
                output = self._output(compiler, question, folder, cache, unwanted)
        except OSError:
            # A compiler that is gone, or a full disk: scripts can be written without.
            return None
        return None if output is None else list(problems_in_order(compiler.read(output, folder, question)))

    def _output(
        self, compiler: Compiler, question: TypeCheckRequest, folder: Path, cache: Path, unwanted: Callable[[], bool]
    ) -> str | None:
        bounds = Bounds(
            readable=(*compiler.places, *([question.folder] if question.folder else [])), writable=(folder, cache)
        )
        process, launch = confined_process(
            self._confiner(),
            compiler.command(folder, question),
            bounds,
            program_environment(compiler.environment(cache)),
            directory=folder,
        )
        try:
            done = finished(process, bounds, time.monotonic() + self._seconds, unwanted)
        finally:
            launch.close()
        # Deno and tsc tell of errors by a status of 1 or 2; by a signal they tell nothing.
        return done.output if done.status in (0, 1, 2) else None
