"""Finds programs and asks them for their versions; what they said is remembered until they change."""

import json
import os
import shutil
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ptc_studio.runtimes.probing import Prober, Unanswered

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
            return [sys.executable]
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
    return str(Path(sys.executable).parent)


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
