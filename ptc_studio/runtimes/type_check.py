"""Has a compiler check the types of a script against the declarations of its tools."""

import json
import os
import re
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from ptc_studio.locations import RUNTIMES, cache_folder
from ptc_studio.runtimes.build import private_folder
from ptc_studio.runtimes.discovery import fingerprint, install_command, read_manifests
from ptc_studio.runtimes.programs import Programs, Unanswered
from ptc_studio.runtimes.sandbox import Bounds, Confiner, best_confiner, toolchain_places
from ptc_studio.runtimes.sandbox.launch import confined_process, program_environment
from ptc_studio.runtimes.sandbox.usage_watch import finished

SCRIPT = "script.ts"
DECLARATIONS = "ptc-tools.d.ts"
_REFERENCE = re.compile(r"^[ \t]*///[ \t]*<reference[ \t]+path[ \t]*=[ \t]*([\"'])(.*?)\1.*$", re.MULTILINE)
_NEIGHBOUR = re.compile(r"[\"']\.{1,2}/")
_LONGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class TypeCheckRequest:
    """A script, the declarations of the tools that it may call, and the folder that it lies in, if it has one."""

    code: str
    declarations: str
    folder: Path | None = None

    @property
    def fingerprint(self) -> str | None:
        """The same for the same question; None where the answer depends on other files, too."""
        if self.folder is not None and (_NEIGHBOUR.search(self.code) or _REFERENCE.search(self.code)):
            return None
        return fingerprint(self.code, self.declarations)

    @property
    def checked_code(self) -> str:
        """The script with its references blanked out: compilers differ in where they look for these files."""
        return _REFERENCE.sub(lambda found: "//".ljust(len(found[0])), self.code)

    def referenced(self) -> Iterator[Path]:
        """The files that the script refers to, but for declarations of tools: those of now take their place."""
        if self.folder is None:
            return
        head = self.declarations.partition("\n")[0]
        for found in _REFERENCE.finditer(self.code):
            path = Path(os.path.abspath(self.folder / found[2]))  # noqa: PTH100 - links are to stay
            if path.is_file() and _first_line(path) != head:
                yield path


def _first_line(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(_LONGEST).rstrip("\r\n")
    except OSError:
        return None


_DENO_HEAD = re.compile(r"(?:error: )?(TS\d+) \[ERROR\]: (.*)")
_DENO_SYNTAX = re.compile(r"error: SyntaxError: (.*)")
_DENO_PLACE = re.compile(r" +at (file://\S+):(\d+):(\d+)")
_UNDERLINE = re.compile(r"[ |]*([~^]+)\s*")
_TSC_HEAD = re.compile(r"(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)")
_WORD = re.compile(r"[\w$]+|\"[^\"]*\"|'[^']*'|.")
_BARE_MODULE = re.compile(r"Cannot find module '(?!\.|file:)")
_NOT_THE_SCRIPTS = frozenset({"TS1007", "TS1108", "TS2580", "TS2591"})
"""Where a bracket was opened, which belongs to another error; and that the types of Node.js are not installed."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something that the compiler refuses. Lines and columns count from 1, columns in characters."""

    line: int
    column: int
    end_column: int
    """Just after the last character."""
    message: str
    code: str = ""
    """The compiler's number for it, such as `TS2345`; empty for what is no TypeScript at all."""


def read_deno(output: str, address: str, code: str) -> list[Diagnostic]:
    """What `deno check` printed of the file at the address, whose text is given."""
    found: list[Diagnostic] = []
    block: list[str] = []
    for line in output.splitlines():
        if _DENO_HEAD.match(line) or _DENO_SYNTAX.match(line):
            block = [line]
        elif block:
            location = _DENO_PLACE.fullmatch(line)
            if location is None:
                block.append(line)
                continue
            if location[1] == address:
                found.append(_deno_block(block, int(location[2]), int(location[3])))
            # What follows tells of other places.
            block = []
    return _placed(found, code)


def read_tsc(output: str, file: str, code: str) -> list[Diagnostic]:
    """What `tsc` printed of the file of that name, whose text is given."""
    found: list[Diagnostic] = []
    own = False
    for line in output.splitlines():
        head = _TSC_HEAD.fullmatch(line)
        if head is not None:
            own = head[1].replace("\\", "/").rpartition("/")[2] == file
            if own:
                location = int(head[2]), int(head[3])
                found.append(Diagnostic(*location, location[1], head[5], head[4]))
        elif own and line.startswith("  "):
            found[-1] = replace(found[-1], message=f"{found[-1].message} {line.strip()}")
    return _placed(found, code)


def _deno_block(block: list[str], line: int, column: int) -> Diagnostic:
    head = _DENO_HEAD.match(block[0])
    if head is None:
        # A picture of the place follows, between bars.
        message = block[0].removeprefix("error: SyntaxError: ")
        return Diagnostic(line, column, column, message)
    details, length = block[1:], 0
    underline = _UNDERLINE.fullmatch(details[-1]) if details else None
    if underline is not None:
        # The line before it is the script's own.
        details, length = details[:-2], len(underline[1])
    further = (text for text in map(str.strip, details) if not text.startswith("hint: "))
    return Diagnostic(line, column, column + length, " ".join([head[2].strip(), *further]), head[1])


def _placed(found: list[Diagnostic], code: str) -> list[Diagnostic]:
    lines = code.split("\n")
    return [_in_characters(each, lines) for each in found if not _is_beside_the_point(each)]


def _is_beside_the_point(found: Diagnostic) -> bool:
    """Packages are the runtime's to find, and it looks in other places than the compiler."""
    if found.code == "TS2307":
        return "not in import map" in found.message or _BARE_MODULE.match(found.message) is not None
    return found.code in _NOT_THE_SCRIPTS


def _in_characters(found: Diagnostic, lines: list[str]) -> Diagnostic:
    """Columns are counted in the units of UTF-16, but by Deno's parser; where no end is told, the word ends it."""
    line = min(max(found.line, 1), len(lines))
    text = lines[line - 1]
    start, end = found.column - 1, found.end_column - 1
    if found.code:
        start, end = _characters(text, start), _characters(text, end)
    if end <= start:
        word = _WORD.match(text, start)
        end = word.end() if word else start + 1
    return replace(found, line=line, column=start + 1, end_column=end + 1)


def _characters(text: str, units: int) -> int:
    if text.isascii():
        return min(units, len(text))
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))


def problems_in_order(found: list[Diagnostic]) -> Iterator[Diagnostic]:
    """From top to bottom, each once."""
    return iter(sorted(dict.fromkeys(found), key=lambda each: (each.line, each.column)))


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

    def command(self, folder: Path, question: TypeCheckRequest) -> list[str]:
        """What to start, once the settings that it needs are written to the folder."""
        ...

    def read(self, output: str, folder: Path, question: TypeCheckRequest) -> list[Diagnostic]: ...


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

    def command(self, folder: Path, question: TypeCheckRequest) -> list[str]:
        settings = folder / "deno.json"
        settings.write_text(json.dumps({"imports": _neighbours(folder, question)}), encoding="utf-8")
        files = [folder / SCRIPT, folder / DECLARATIONS, *question.referenced()]
        options = ["--quiet", "--no-lock", "--cached-only", "--config", str(settings)]
        return [self.program, "check", *options, *map(str, files)]

    def read(self, output: str, folder: Path, question: TypeCheckRequest) -> list[Diagnostic]:
        output = output.replace(f"'{_address(question.folder or folder)}/", "'./")
        return read_deno(output, _address(folder / SCRIPT), question.checked_code)


def _neighbours(folder: Path, question: TypeCheckRequest) -> dict[str, str]:
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

    def command(self, folder: Path, question: TypeCheckRequest) -> list[str]:
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

    def read(self, output: str, folder: Path, question: TypeCheckRequest) -> list[Diagnostic]:
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
        trusts: Callable[[Path], bool] = lambda _folder: False,
    ) -> None:
        """`trusts` says whether what lies in a folder may be executed."""
        self._trusts = trusts
        self._compilers = compilers or Compilers()
        self._confiner = confiner
        self._cache = cache
        self._seconds = seconds
        self._answers: OrderedDict[str, list[Diagnostic]] = OrderedDict()
        self._lock = threading.Lock()

    def compiler(self, folder: Path | None = None) -> Compiler | None:
        """What scripts of that folder are checked by.

        A compiler that lies in the folder is somebody else's program: it is used only where the folder is trusted, and
        in a sandbox.
        """
        own = folder is not None and self._trusts(folder) and self._confiner().id == "bubblewrap"
        return self._compilers.find(folder if own else None)

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
            private_folder(cache)
            private_folder(cache / "deno")
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
