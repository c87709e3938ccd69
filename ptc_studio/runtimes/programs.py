"""Finds programs and asks them for their versions; what they said is remembered until they change."""

import errno
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakSet

from ptc_studio.locations import FROZEN, IMPORT_FOLDER, PYTHON
from ptc_studio.processes.process_tree import end_process_tree

PROBE_SECONDS = 10.0


class Unanswered(Exception):
    """A program that did not say what it was asked; the message says what happened instead."""


class Prober:
    """Has programs run to their end, within a time, until it is closed. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: set[subprocess.Popen[bytes]] = set()
        self._closed = False
        _PROBERS.add(self)

    def ask(self, program: str, arguments: Sequence[str]) -> str:
        """What the program prints, on either stream; raises Unanswered."""
        question = " ".join((Path(program).name, *arguments))
        try:
            answer = self.run([program, *arguments], PROBE_SECONDS)
        except subprocess.TimeoutExpired:
            raise Unanswered(f"`{question}` did not answer within {PROBE_SECONDS:g} s") from None
        except OSError as error:
            raise Unanswered(f"`{question}` cannot be started ({error.strerror})") from None
        if answer.returncode:
            raise Unanswered(f"`{question}` failed with status {answer.returncode}")
        return (answer.stdout + answer.stderr).decode(errors="replace")

    def run(
        self,
        command: Sequence[str],
        seconds: float,
        *,
        environment: Mapping[str, str] | None = None,
        pass_fds: Sequence[int] = (),
    ) -> "subprocess.CompletedProcess[bytes]":
        """What became of the program; raises TimeoutExpired, and OSError if it cannot be started.

        It leads a session of its own: with it goes whatever it started, and no signal of the terminal's reaches it.
        """
        with self._started(command, environment, pass_fds) as process:
            try:
                output, errors = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                end_process_tree(process)
                raise
            finally:
                with self._lock:
                    self._under_way.discard(process)
        return subprocess.CompletedProcess(command, process.returncode, output, errors)

    def close(self) -> None:
        """Ends those that have not answered yet; whoever asks from now on is refused."""
        with self._lock:
            self._closed = True
            for process in self._under_way:
                end_process_tree(process)

    def _started(
        self, command: Sequence[str], environment: Mapping[str, str] | None, pass_fds: Sequence[int]
    ) -> "subprocess.Popen[bytes]":
        # With the lock: none may come into being while the others are ended.
        with self._lock:
            if self._closed:
                raise OSError(errno.ECANCELED, "the program is being closed")
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                pass_fds=pass_fds,
                # Not the folder that was opened: version managers execute what a file there names.
                cwd=Path(os.sep).resolve(),
                start_new_session=True,
            )
            self._under_way.add(process)
        return process


_PROBERS: WeakSet[Prober] = WeakSet()


def end_probes() -> None:
    """Closes every prober: the program ends, and nothing that it asked may stay behind."""
    for prober in list(_PROBERS):
        prober.close()


SHIM_MANAGERS = {f".{name}": name for name in ("pyenv", "rbenv", "nodenv", "goenv", "asdf")} | {"mise": "mise"}
"""By the folder that a shim lies in."""


class Programs:
    """Asks each program each question once, in this launch and the next, as long as its file is the same."""

    def __init__(self, memory: Path | None = None) -> None:
        self._memory = memory
        self._answers: dict[str, Any] = _read(memory)
        self._prober = Prober()
        self._lock = threading.Lock()
        self._changed = False

    def find(self, name: str) -> list[str]:
        """The program's files: all on the path, then the one beside the studio's own Python, as wheels put it."""
        if name == "{python}":
            return [PYTHON]
        folders = [*os.environ.get("PATH", os.defpath).split(os.pathsep), beside_the_studio()]
        found = (shutil.which(name, path=folder) for folder in dict.fromkeys(folders) if folder)
        return [self._behind_shim(path) for path in dict.fromkeys(found) if path]

    def ask(self, program: str, arguments: Sequence[str]) -> str:
        """What the program prints, on either stream; raises Unanswered."""
        key = _key(program, arguments)
        with self._lock:
            known = self._answers.get(key)
        if isinstance(known, str):
            return known
        answer = self._prober.ask(program, arguments)
        with self._lock:
            self._answers[key] = answer
            self._changed = True
        return answer

    def remember(self) -> None:
        """Writes down what was said, for the next launch; a place that cannot be written to is no harm."""
        with self._lock:
            if self._memory is None or not self._changed:
                return
            text, self._changed = json.dumps(self._answers), False
        try:
            self._memory.parent.mkdir(parents=True, exist_ok=True)
            draft = self._memory.with_suffix(f".{os.getpid()}.tmp")
            draft.write_text(text, encoding="utf-8")
            draft.replace(self._memory)
        except OSError:
            return

    def close(self) -> None:
        """Ends those that have not answered yet; from now on nobody is asked, and only what is remembered is told."""
        self._prober.close()

    def _behind_shim(self, path: str) -> str:
        """What a version manager's shim stands for: the shim would cost a hundred milliseconds at each start."""
        folder = Path(path).parent
        manager = SHIM_MANAGERS.get(folder.parent.name) if folder.name == "shims" else None
        command = manager and (shutil.which(manager) or shutil.which(manager, path=str(folder.parent / "bin")))
        if not command:
            return path
        try:
            # Asked each time: another version may have been chosen, and no file tells.
            real = self._prober.ask(command, ["which", Path(path).name]).strip()
        except Unanswered:
            return path
        return real if Path(real).is_file() else path


def beside_the_studio() -> str:
    """Where the programs are that came as Python packages."""
    return str(IMPORT_FOLDER / "bin" if FROZEN else Path(sys.executable).parent)


def _key(program: str, arguments: Sequence[str]) -> str:
    real = os.path.realpath(program)
    try:
        state = Path(real).stat()
        stamp = f"{state.st_mtime_ns}:{state.st_size}"
    except OSError:
        stamp = "?"
    return "\0".join((program, real, stamp, *arguments))


def _read(memory: Path | None) -> dict[str, Any]:
    try:
        content = json.loads(memory.read_text(encoding="utf-8")) if memory else {}
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
