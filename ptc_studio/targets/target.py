"""The words that a deployment target is described in: its convention, its frame, its limits, its reply, its checks."""

import ast
import base64
import marshal
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from keyword import iskeyword
from pathlib import Path
from typing import Any, Literal

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.python_text import parsed
from ptc_studio.core.scripts import Script, TargetWarning, Visible
from ptc_studio.core.trace import RunRecord

Source = Literal["S", "D", "2", "?"]
"""How something about a target is known: from its source, its documentation, second-hand, or not at all."""
SOURCES: Mapping[Source, str] = {
    "S": "from its source",
    "D": "from its documentation",
    "2": "second-hand",
    "?": "nobody has said so",
}
Language = Literal["python", "javascript", "typescript", "any"]
MEBIBYTE = 1 << 20
NEAR = 0.8
"""A run that used so much of a limit came near it."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that is known of a target, and how."""

    text: str
    source: Source

    def __str__(self) -> str:
        return f"{self.text} [{self.source}]"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a script for one target, at its line."""

    line: int | None
    text: str
    source: Source | None = None
    """How one knows; None: by looking at the script."""
    fails: bool = True
    """Whether it is known to fail there; else it is only likely to, or worth knowing."""
    name: str = ""
    """The name that nobody gives, where that is what is wrong."""
    columns: tuple[int, int] | None = None
    """Where in the line it stands, in characters from 1; None: the whole line."""

    @property
    def message(self) -> str:
        """Says whether it is known or likely, and how one knows."""
        sure = "known" if self.fails and self.source in ("S", "D", None) else "likely"
        how = f", {SOURCES[self.source]} [{self.source}]" if self.source else ""
        return f"{self.text} ({sure}{how})"

    def warning(self) -> TargetWarning:
        return TargetWarning(self.line, self.message)


@dataclass(frozen=True, slots=True)
class TargetLimits:
    """What a script may use there; None where there is no limit, or none is known."""

    seconds: float | None = None
    most_seconds: float | None = None
    """What a request may ask for at most, where the target lets it ask for more than `seconds`."""
    calls: int | None = None
    memory_mb: int | None = None
    output: int | None = None
    """Characters of what it prints."""
    call_seconds: float | None = None
    """For one call; None: the studio's own."""
    of_computing: bool = False
    """Whether the time that tools take does not count: then the runtime bounds it, and not the run's clock."""
    source: Source = "S"
    """How they are known."""
    time_source: Source | None = None
    """How the time is, where that is known otherwise."""

    @property
    def of_run(self) -> dict[str, float]:
        """Those of them that bound a run of the studio's, by its names."""
        found = {"timeout": None if self.of_computing else self.seconds, "call_timeout": self.call_seconds}
        return {name: seconds for name, seconds in found.items() if seconds is not None}

    def granted(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What a run gets that asks for such limits of the studio's."""
        found = {**self.of_run, **asked}
        if self.most_seconds and "timeout" in asked:
            found["timeout"] = min(asked["timeout"], self.most_seconds)
        return found

    def near(self, record: RunRecord, calls: int, memory: int | None = None) -> Iterable[Finding]:
        """Which of them the run came near, or passed where they are not enforced; `memory` in bytes, if it is known."""
        seconds = None if self.of_computing else self.seconds
        used: tuple[tuple[str, float, float | None, str, Source], ...] = (
            ("its time", (record["duration_ms"] or 0) / 1000, seconds, "s", self.time_source or self.source),
            ("its calls", calls, self.calls, "calls", self.source),
            ("its memory", (memory or 0) / MEBIBYTE, self.memory_mb, "MB", self.source),
            ("what it may print", len(record["stdout"]), self.output, "characters", self.source),
        )
        for what, amount, most, unit, source in used:
            if most and amount >= NEAR * most:
                how = "came near" if amount <= most else "passed"
                text = f"The run {how} the limit of {what}: {_figure(amount)} of {_figure(most)} {unit}"
                yield Finding(None, text, source, fails=False)


def _figure(amount: float) -> str:
    return f"{amount:,.0f}" if amount >= 1_000 else f"{amount:.3g}"


@dataclass(frozen=True, slots=True)
class CallStyle:
    """How the scripts of a target call a tool."""

    call: str
    """With places for the `name` and for the arguments: as a `dict`, as an `object`, or as `keywords`."""
    root: str = ""
    """What stands before the names of tools, such as `tools` in `tools.add`."""
    gives: str = ""
    """The type of what comes back, where it is always the same."""
    keyword_only: bool = False
    """Whether arguments without names are refused."""
    module: str = ""
    """What is imported for the tools of a `space`, where they are no globals; with `*` for what may stand before."""

    @property
    def by_name(self) -> bool:
        """Whether one function is told the name of the tool."""
        return '"{name}"' in self.call

    @property
    def is_async(self) -> bool:
        return self.call.startswith("await ")

    @property
    def takes_object(self) -> bool:
        """Whether it is JavaScript: then the arguments are one object."""
        return "{object}" in self.call


@dataclass(frozen=True)
class CheckedScript:
    """A script as a target's checks look at it."""

    code: str
    filename: str = "script.py"
    tools: tuple[Visible, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the tools are called there; empty if none are loaded: then nothing can be said of unknown names."""
    inputs: frozenset[str] = frozenset()
    environment: frozenset[str] = frozenset()
    continues: bool = False
    """Whether it finds the names of the runs before it, which nobody knows here."""
    runtime: str = ""
    """The runtime that is chosen here, where that is known."""

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree, if it is Python; raises SyntaxError."""
        return parsed(self.code, self.filename)

    @property
    def is_javascript(self) -> bool:
        return bool(re.search(r"\.[mc]?[jt]sx?$", self.filename))

    @property
    def is_shell(self) -> bool:
        return self.filename.endswith((".sh", ".bash"))


Names = Callable[[Sequence[Visible]], Mapping[str, str]]
Reply = Callable[[RunRecord, Any], Any]
Check = Callable[[CheckedScript], Iterable[Finding]]


def identifier(name: str) -> str:
    """The name with what is no part of an identifier replaced by `_`."""
    clean = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"_{clean}" if clean[:1].isdigit() else f"{clean}_" if iskeyword(clean) else clean


def identifier_names(tools: Sequence[Visible]) -> dict[str, str]:
    """Each tool under those of its names that are identifiers; under its own made one if none is."""
    found: dict[str, str] = {}
    for visible in tools:
        own = visible.names[0]
        plain = [name for name in visible.names if name.isidentifier() and not iskeyword(name)]
        for name in plain or [identifier(own)]:
            found.setdefault(name, own)
    return found


def own_names(tools: Sequence[Visible]) -> dict[str, str]:
    """Each tool under every name that it has here."""
    return {name: visible.names[0] for visible in tools for name in visible.names}


def stderr_of(record: RunRecord) -> str:
    """What a process of the target's writes to stderr, the traceback of an error that ended it among it."""
    error = record["error"]
    return record["stderr"] + (error["traceback"] if error and error["type"] != "SystemExit" else "")


def nothing_found(_script: CheckedScript) -> Iterable[Finding]:
    return ()


@dataclass(frozen=True, kw_only=True)
class DeploymentTarget:
    """One place that scripts are deployed to: data where it can be, a frame in the guest where it must be code."""

    id: str
    name: str
    language: Language
    runtime: str
    """The runtime here that is closest to the target's own; empty: the file's ending decides."""
    notes: tuple[Note, ...]
    call: CallStyle | None = None
    """None: as everywhere here."""
    limits: TargetLimits = TargetLimits()
    globals: frozenset[str] = frozenset()
    """What a script in JavaScript finds defined there beside its tools; empty: nobody looks for other names."""
    frame: str = ""
    """The file beside the target's module that is executed in the guest; empty: none."""
    driver: Any = None
    """What a runtime inside the studio, such as Monty, is given instead of a frame."""
    calls_functions: bool = False
    """Whether a script that is nothing but a function is called there."""
    keeps_state: bool = False
    """Whether a run goes on with the names of the run before, in one container."""
    names: Names = identifier_names
    options: Callable[[Sequence[Visible]], Mapping[str, Any]] = lambda _tools: {}
    """What the frame is told beyond the names of the tools."""
    compile: Callable[[Script, Sequence[Visible]], Mapping[str, Any]] = lambda _script, _tools: {}
    """How the kit compiles the script, as `edits`; may take a while, and raises BuildFailed for what is refused."""
    reply: Reply = lambda _record, _report: None
    check: Check = nothing_found
    sign: Callable[[CheckedScript], str | None] = lambda _script: None
    """What in a script tells that it is for this target; None: nothing."""

    @cached_property
    def frame_code(self) -> str:
        """The text of the guest's side."""
        if not self.frame:
            return ""
        folder = resources.files(f"ptc_studio.targets.{self.id.replace('-', '_')}")
        return read_bytes(Path(str(folder / self.frame))).decode()

    @cached_property
    def frame_compiled(self) -> dict[str, str] | None:
        """The same as bytecode, if it is Python: a guest of this very Python need not compile it, which takes longer
        than many a run."""
        if not self.frame.endswith(".py"):
            return None
        code = compile(self.frame_code, f"<frame of {self.id}>", "exec", dont_inherit=True)
        return {"python": sys.version, "code": base64.b64encode(marshal.dumps(code)).decode()}
