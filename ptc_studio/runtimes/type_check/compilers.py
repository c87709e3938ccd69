"""The compilers that can check types: how each is found, told what to check, and read."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from ptc_studio.locations import RUNTIMES
from ptc_studio.runtimes.confinement import toolchain_places
from ptc_studio.runtimes.discovery import install_command
from ptc_studio.runtimes.manifest import read_manifests
from ptc_studio.runtimes.probing import Unanswered
from ptc_studio.runtimes.programs import Programs
from ptc_studio.runtimes.type_check.diagnostics import Diagnostic, read_deno, read_tsc
from ptc_studio.runtimes.type_check.question import DECLARATIONS, SCRIPT, Question

OLDEST_DENO = 2
_AS_IT_IS = "/!$&'()*+,;=:@~[]|^"
"""In the path of a file's address."""


class Compiler(Protocol):
    """Checks the script that lies in a folder of the studio's, beside the declarations of its tools."""

    @property
    def places(self) -> tuple[Path, ...]:
        """The folders that it must be able to see."""
        ...

    def environment(self, cache: Path) -> Mapping[str, str]: ...

    def command(self, folder: Path, question: Question) -> list[str]:
        """What to start, once the settings that it needs are written to the folder."""
        ...

    def read(self, output: str, folder: Path, question: Question) -> list[Diagnostic]: ...


@dataclass(frozen=True, slots=True)
class Deno:
    """`deno check`, which knows the modules of Node.js as well."""

    program: str

    @property
    def places(self) -> tuple[Path, ...]:
        return toolchain_places(Path(self.program))

    def environment(self, cache: Path) -> Mapping[str, str]:
        return {
            "DENO_DIR": str(cache / "deno"),
            "DENO_NO_UPDATE_CHECK": "1",
            "DENO_NO_PACKAGE_JSON": "1",
            "NO_COLOR": "1",
        }

    def command(self, folder: Path, question: Question) -> list[str]:
        settings = folder / "deno.json"
        settings.write_text(json.dumps({"imports": _neighbours(folder, question)}), encoding="utf-8")
        files = [folder / SCRIPT, folder / DECLARATIONS, *question.referenced()]
        options = ["--quiet", "--no-lock", "--cached-only", "--config", str(settings)]
        return [self.program, "check", *options, *map(str, files)]

    def read(self, output: str, folder: Path, question: Question) -> list[Diagnostic]:
        output = output.replace(f"'{_address(question.folder or folder)}/", "'./")
        return read_deno(output, _address(folder / SCRIPT), question.checked_code)


def _neighbours(folder: Path, question: Question) -> dict[str, str]:
    """What the script finds beside itself is what lies beside the user's file; itself it finds where it is."""
    if question.folder is None:
        return {}
    own = [_address(folder / name) for name in (SCRIPT, DECLARATIONS)]
    return {f"{_address(folder)}/": f"{_address(question.folder)}/", **{name: name for name in own}}


def _address(path: Path) -> str:
    """As Deno writes it, which leaves more letters as they are than Python does."""
    return f"file://{quote(path.as_posix(), safe=_AS_IT_IS)}"


@dataclass(frozen=True, slots=True)
class Tsc:
    """TypeScript's own compiler, which runs in Node.js."""

    program: str
    node: str

    @property
    def places(self) -> tuple[Path, ...]:
        real = Path(os.path.realpath(self.program))
        # From its version 7 on the compiler proper is a package beside it.
        packages = [folder for folder in real.parents if folder.name == "node_modules"]
        return (*toolchain_places(Path(self.node)), *toolchain_places(real), *packages[:1])

    def environment(self, cache: Path) -> Mapping[str, str]:
        del cache
        return {"NO_COLOR": "1"}

    def command(self, folder: Path, question: Question) -> list[str]:
        roots = [str(folder), *([str(question.folder)] if question.folder else [])]
        options = {
            "noEmit": True,
            "strict": True,
            "target": "esnext",
            "module": "esnext",
            "moduleResolution": "bundler",
            "moduleDetection": "force",
            "allowImportingTsExtensions": True,
            "resolveJsonModule": True,
            "allowJs": True,
            "lib": ["esnext", "dom", "dom.iterable"],
            "types": [],
            "skipLibCheck": True,
            "rootDirs": roots,
        }
        files = [SCRIPT, DECLARATIONS, *map(str, question.referenced())]
        settings = folder / "tsconfig.json"
        settings.write_text(json.dumps({"compilerOptions": options, "files": files}), encoding="utf-8")
        program = os.path.realpath(self.program)
        return [self.node, program, "--pretty", "false", "--project", str(settings)]

    def read(self, output: str, folder: Path, question: Question) -> list[Diagnostic]:
        del folder
        return read_tsc(output, SCRIPT, question.checked_code)


@dataclass(slots=True)
class Compilers:
    """Finds the compiler to use; Deno is looked for until it is there."""

    programs: Programs = field(default_factory=Programs)
    _deno: Deno | None = None

    def find(self, folder: Path | None = None) -> Compiler | None:
        """Deno, else TypeScript's own compiler: of the path, or of the packages of that folder."""
        if self._deno is None:
            self._deno = next((Deno(path) for path in self.programs.find("deno") if self._is_new(path)), None)
        return self._deno or next(self._tscs(folder), None)

    def _is_new(self, program: str) -> bool:
        try:
            version = re.match(r"deno (\d+)\.", self.programs.ask(program, ["--version"]))
        except Unanswered:
            return False
        return version is not None and int(version[1]) >= OLDEST_DENO

    def _tscs(self, folder: Path | None) -> Iterator[Tsc]:
        node = next(iter(self.programs.find("node")), None)
        if node is None:
            return
        found = self.programs.find("tsc")
        for parent in (folder, *folder.parents) if folder else ():
            found.append(str(parent / "node_modules" / "typescript" / "bin" / "tsc"))
        # What the path has is JavaScript behind a link; a script of another kind is not for Node.js.
        yield from (Tsc(path, node) for path in found if _is_javascript(path))


@cache
def how_to_install() -> str:
    """The command that installs a compiler here: what installs the runtime of that name."""
    manifests, _ = read_manifests([RUNTIMES])
    return next((install_command(manifest) for manifest in manifests if manifest.id == "deno"), "")


def _is_javascript(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            head = file.readline(200)
    except OSError:
        return False
    return head.startswith(b"#!") and b"node" in head
