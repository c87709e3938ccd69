"""Every runtime there is: what it is called, whether it can be used here, and if not, why."""

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ptc_studio.core.scripts import Runtime
from ptc_studio.locations import RUNTIMES, RUNTIMES_VARIABLE, cache_folder, config_folder
from ptc_studio.runtimes.discovery import (
    FoundToolchain,
    Manifest,
    MissingToolchain,
    find_toolchain,
    install_command,
    read_manifests,
)
from ptc_studio.runtimes.process_runtime import Freedoms, ProcessRuntime, RuntimeHost
from ptc_studio.runtimes.programs import Programs
from ptc_studio.runtimes.sandbox import MEBIBYTE, Bounds, PlainProcess, best_confiner
from ptc_studio.runtimes.stdio import StdioRouter

NOT_LOOKED_FOR = "is being looked for"


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
    remedy: str = ""
    """The command that installs it, where one is known."""
    sought: bool = False
    """Whether it is not known yet if it is available."""
    gaps: tuple[str, ...] = ()
    """What its isolation does not hold, and what of the workspace it does not show; sentences for the user."""

    def record(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name not in ("remedy", "sought", "gaps")}


@dataclass(frozen=True, slots=True)
class RuntimeTraits:
    """What is to be known of a runtime beside the files that it runs, whether it is available or not."""

    extensions: tuple[str, ...]
    highlighter: str
    example: Path
    compiles: bool
    """Whether a script is compiled before it begins."""


class UnknownRuntime(Exception):
    """There is no runtime of that name, or none for that kind of file, or it cannot be used here."""


def runtime_folders() -> list[Path]:
    """Where runtimes are looked for: the product's own, then the user's."""
    named = os.environ.get(RUNTIMES_VARIABLE)
    return [RUNTIMES, config_folder() / "runtimes", *([Path(named).resolve()] if named else [])]


class RuntimeCatalog:
    """Describes the runtimes, looks for their toolchains, and makes each when it is first used. Thread-safe."""

    def __init__(
        self,
        stdio: StdioRouter,
        *,
        spare: int = 1,
        workspace: Path | None = None,
        freedoms: Mapping[str, Freedoms] | None = None,
        folders: Iterable[Path] | None = None,
    ) -> None:
        self._stdio = stdio
        self._spare = spare
        self._workspace = workspace
        self._freedoms = freedoms or {}
        self._cache = cache_folder()
        self._programs = Programs(self._cache / "programs.json")
        self.manifests, self.faults = read_manifests(runtime_folders() if folders is None else folders)
        self._by_id = {manifest.id: manifest for manifest in self.manifests}
        self._found: dict[str, FoundToolchain | MissingToolchain] = {}
        self._made: dict[str, Any] = {}
        self._lock = threading.Lock()

    @property
    def infos(self) -> tuple[RuntimeInfo, ...]:
        """What is known by now; a toolchain that was not looked for yet is not available."""
        return tuple(self._info(manifest) for manifest in self.manifests)

    def discover(self) -> tuple[RuntimeInfo, ...]:
        """Looks for every toolchain, all at once; in a worker thread, for it may take seconds the first time."""
        # Of its own: only so many programs are asked at a time.
        with ThreadPoolExecutor(max_workers=8, thread_name_prefix="ptc-probe") as pool:
            list(pool.map(self._look_for, self.manifests))
        self._programs.remember()
        return self.infos

    def look_for(self, runtime_id: str) -> RuntimeInfo | None:
        """Looks for this one alone; None if there is no such runtime. In a worker thread, too."""
        manifest = self._by_id.get(runtime_id)
        if manifest is None:
            return None
        self._look_for(manifest)
        self._programs.remember()
        return self._info(manifest)

    def ids_for(self, filename: str) -> tuple[str, ...]:
        """The runtimes for the file's ending, available or not."""
        return tuple(manifest.id for manifest in self.manifests if filename.endswith(manifest.extensions))

    def traits(self, runtime_id: str) -> RuntimeTraits | None:
        """What the runtime's folder says of it; None if there is no such runtime."""
        manifest = self._by_id.get(runtime_id)
        if manifest is None:
            return None
        plans = (manifest.prepare.commands if manifest.prepare else (), *(probe.prepare for probe in manifest.probe))
        return RuntimeTraits(manifest.extensions, manifest.highlighter, manifest.example_file, any(plans))

    def choose(self, runtime_id: str | None, filename: str) -> RuntimeInfo:
        """The runtime of that name; without one, the first for the file's ending that can be used."""
        found = self._candidates(runtime_id, filename)
        is_news = any(manifest.id not in self._found for manifest in found)
        for manifest in found:
            self._look_for(manifest)
            info = self._info(manifest)
            if info.available:
                if is_news:
                    self._programs.remember()
                return info
        first = self._info(found[0])
        raise UnknownRuntime(f"The runtime {first.id!r} is not available: {first.reason}")

    def get(self, runtime_id: str) -> Runtime:
        """The runtime itself."""
        with self._lock:
            if runtime_id not in self._made:
                self._made[runtime_id] = self._make(self._by_id[runtime_id])
            return self._made[runtime_id]

    def set_freedoms(self, freedoms: Mapping[str, Freedoms]) -> None:
        """Grants other things from the next run on; what was kept ready under the former ones is ended."""
        with self._lock:
            changed = [name for name in self._made if freedoms.get(name) != self._freedoms.get(name)]
            self._freedoms = freedoms
            former = [self._made.pop(name) for name in changed]
        for runtime in former:
            runtime.close()

    def stop_looking(self) -> None:
        """Ends the programs that are being asked: a look that is under way is over at once, and finds no more."""
        self._programs.close()

    def close(self) -> None:
        """Ends what the runtimes keep ready, and the look for them."""
        self.stop_looking()
        for runtime in self._made.values():
            runtime.close()

    def all_for(self, filename: str) -> list[RuntimeInfo]:
        """Every runtime that the script can be executed in, also those that are not available; looks for them all."""
        found = self._candidates(None, filename)
        for manifest in found:
            self._look_for(manifest)
        self._programs.remember()
        return [self._info(manifest) for manifest in found]

    def _candidates(self, runtime_id: str | None, filename: str) -> Sequence[Manifest]:
        if runtime_id is not None:
            if runtime_id not in self._by_id:
                raise UnknownRuntime(f"There is no runtime {runtime_id!r}; there are {self._names()}.")
            return [self._by_id[runtime_id]]
        fitting = [manifest for manifest in self.manifests if filename.endswith(manifest.extensions)]
        if not fitting:
            raise UnknownRuntime(f"No runtime is known for {filename!r}; choose one with --runtime: {self._names()}.")
        return fitting

    def _look_for(self, manifest: Manifest) -> FoundToolchain | MissingToolchain:
        known = self._found.get(manifest.id)
        if known is None:
            # Tried here already: telling of the runtime asks for it too, and that may be on the loop's thread.
            best_confiner()
            known = self._found[manifest.id] = find_toolchain(manifest, self._programs)
        return known

    def _info(self, manifest: Manifest) -> RuntimeInfo:
        found = self._found.get(manifest.id)
        info = RuntimeInfo(
            manifest.id,
            manifest.name,
            manifest.language,
            manifest.extensions[0],
            isinstance(found, FoundToolchain),
            None,
            None,
            manifest.isolation.name or (self._granted(manifest).describe(best_confiner().id) if found else ""),
        )
        if isinstance(found, FoundToolchain):
            gaps = self._gaps(manifest)
            return replace(info, version=found.version, executable=found.program or None, gaps=gaps)
        if found is None:
            return replace(info, reason=f"{manifest.name} {NOT_LOOKED_FOR}.", sought=True)
        return replace(info, reason=found.reason, remedy=install_command(manifest))

    def _gaps(self, manifest: Manifest) -> tuple[str, ...]:
        if manifest.driver == "inprocess":
            return ("It is part of the studio: it does whatever the studio may do, and a crash of it is the studio's.",)
        if manifest.driver != "process":
            return ()
        granted = self._granted(manifest)
        shown = Bounds(
            workspace=self._workspace, workspace_writable=granted.workspace_writable, protected=granted.protected
        )
        confiner = best_confiner()
        return (*confiner.gaps, *(shown.notes() if confiner.id != PlainProcess.id else ()))

    def _granted(self, manifest: Manifest) -> Freedoms:
        return self._freedoms.get(manifest.id, Freedoms())

    def _make(self, manifest: Manifest) -> Any:
        found = self._look_for(manifest)
        if isinstance(found, MissingToolchain):
            raise UnknownRuntime(f"The runtime {manifest.id!r} is not available: {found.reason}")
        freedoms = self._granted(manifest)
        if manifest.driver != "process":
            return _DRIVERS[manifest.driver](self._stdio, freedoms)
        host = RuntimeHost(best_confiner(), self._cache, self._workspace, self._spare)
        return ProcessRuntime(manifest, found, host, freedoms)

    def _names(self) -> str:
        return ", ".join(manifest.id for manifest in self.manifests)


def _inprocess(stdio: StdioRouter, _freedoms: Freedoms) -> Runtime:
    from ptc_studio.runtimes.python_inprocess import PythonInProcess

    return PythonInProcess(stdio)


def _monty(_stdio: StdioRouter, freedoms: Freedoms) -> Runtime:
    from ptc_studio.runtimes.monty import MontyRuntime

    return MontyRuntime(memory_mb=freedoms.memory_mb) if freedoms.memory_mb else MontyRuntime()


def _bash(_stdio: StdioRouter, _freedoms: Freedoms) -> Runtime:
    from ptc_studio.runtimes.bash import BashRuntime

    return BashRuntime()


def _wasm(_stdio: StdioRouter, freedoms: Freedoms) -> Runtime:
    from ptc_studio.wasm.module import GuestBounds
    from ptc_studio.wasm.runtime import WasmRuntime

    return WasmRuntime(GuestBounds(freedoms.memory_mb * MEBIBYTE) if freedoms.memory_mb else None)


_DRIVERS: dict[str, Callable[[StdioRouter, Freedoms], Runtime]] = {
    "inprocess": _inprocess,
    "monty": _monty,
    "bash": _bash,
    "wasm": _wasm,
}
