"""Every runtime there is: what it is called, whether it can be used here, and if not, why."""

import platform
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from ptc_studio.core.scripts import Runtime
from ptc_studio.runtimes.python_inprocess import PythonInProcess
from ptc_studio.runtimes.python_process import PythonProcess
from ptc_studio.runtimes.stdio import StdioRouter


@dataclass(frozen=True, slots=True)
class RuntimeInfo:
    """What is to be known of a runtime before it is used."""

    id: str
    name: str
    language: str
    extension: str
    available: bool
    version: str | None
    executable: str | None
    isolation: str
    reason: str | None = None
    """Why it is not available, and what to install."""

    def record(self) -> dict[str, Any]:
        return asdict(self)


class UnknownRuntime(Exception):
    """There is no runtime of that name, or none for that kind of file, or it cannot be used here."""


class RuntimeCatalog:
    """Describes the runtimes and makes each when it is first used."""

    def __init__(self, stdio: StdioRouter, *, spare: int = 1) -> None:
        self._made: dict[str, Any] = {}
        self._makers: dict[str, Callable[[], Any]] = {
            "python": lambda: PythonProcess(spare=spare),
            "python-inprocess": lambda: PythonInProcess(stdio),
        }
        version = platform.python_version()
        self.infos = (
            RuntimeInfo("python", "Python", "python", ".py", True, version, sys.executable, "process"),
            RuntimeInfo(
                "python-inprocess",
                "Python in process (no isolation)",
                "python",
                ".py",
                True,
                version,
                sys.executable,
                "no isolation",
            ),
        )

    def choose(self, runtime_id: str | None, filename: str) -> RuntimeInfo:
        """The runtime of that name; without one, the first for the file's ending."""
        if runtime_id is not None:
            found = next((info for info in self.infos if info.id == runtime_id), None)
            if found is None:
                raise UnknownRuntime(f"There is no runtime {runtime_id!r}; there are {self._names()}.")
        else:
            found = next((info for info in self.infos if filename.endswith(info.extension)), None)
            if found is None:
                raise UnknownRuntime(
                    f"No runtime is known for {filename!r}; choose one with --runtime: {self._names()}."
                )
        if not found.available:
            raise UnknownRuntime(f"The runtime {found.id!r} is not available: {found.reason}")
        return found

    def get(self, runtime_id: str) -> Runtime:
        """The runtime itself."""
        if runtime_id not in self._made:
            self._made[runtime_id] = self._makers[runtime_id]()
        return self._made[runtime_id]

    def close(self) -> None:
        """Ends what the runtimes keep ready."""
        for runtime in self._made.values():
            runtime.close()

    def _names(self) -> str:
        return ", ".join(info.id for info in self.infos)
