"""What a script would meet where it is going, and what a compiler refuses: as problems of its lines."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ptc_studio.core.errors import PtcError
from ptc_studio.core.scripts import Script, Visible
from ptc_studio.targets import (
    CheckedScript,
    DeploymentTarget,
    Finding,
    Given,
    all_targets,
    check,
    find_target,
    is_for_language,
    recognise,
)
from ptc_studio.ui.language.hints import ToolHint, known_by_name, shown_hint
from ptc_studio.ui.language.problems import Findings, Problem, look_over
from ptc_studio.ui.language.target_calls import TargetCalls, calls_for
from ptc_studio.ui.language.tool_mentions import ToolUse, uses_there

if TYPE_CHECKING:
    from ptc_studio.runtimes.type_check import TypeChecker


_WORD = re.compile(r"\w+")


def declarations(code: str, hints: Iterable[ToolHint]) -> str:
    """The text: what is exported for editors, whole for the tools that the script may mean.

    Of two thousand tools a script speaks of few; the others are there by name, so that no other name passes for one.
    """
    from ptc_studio.exports.dts import dts

    words = set(_WORD.findall(code))
    tools = []
    for first, *others in _by_tool(hints):
        names = [first.name, *(other.name for other in others)]
        spoken_of = any(words.issuperset(_WORD.findall(name)) for name in names)
        tools.append((shown_hint if spoken_of else known_by_name)(first, tuple(names[1:])))
    return dts(tools)


def _by_tool(hints: Iterable[ToolHint]) -> Iterator[list[ToolHint]]:
    """The hints of one tool stand together, that of its own name first, and have one schema."""
    for _, group in groupby(hints, key=lambda hint: id(hint.schema) if hint.schema is not None else hint.name):
        yield list(group)


TYPED = frozenset({"typescript"})
"""The languages that are checked."""


@dataclass(frozen=True, slots=True)
class TypeCheckInput:
    """A text to look at."""

    code: str
    language: str
    hints: tuple[ToolHint, ...]
    folder: Path | None = None
    """Where its file lies, if it has one."""


class ScriptTypes:
    """Has scripts checked; the compiler is looked for at the first."""

    def __init__(self, make: "Callable[[], TypeChecker] | None" = None) -> None:
        self._make = make or self._type_checker
        self.trusts: Callable[[Path], bool] = lambda _folder: False
        """Whether a compiler that lies in a folder may be used for the scripts there."""
        self._checker: TypeChecker | None = None

    def findings(self, refresh: TypeCheckInput, unwanted: Callable[[], bool] = lambda: False) -> Findings:
        """All problems: those that are found in every language, and the compiler's."""
        from ptc_studio.runtimes.type_check import TypeCheckRequest

        found = look_over(refresh.code, refresh.language, refresh.hints)
        if self._checker is None:
            self._checker = self._make()
        if self._checker.compiler(refresh.folder) is None:
            return replace(found, note=_remedy())
        question = TypeCheckRequest(refresh.code, declarations(refresh.code, refresh.hints), refresh.folder)
        refused = [
            Problem(each.line, each.column, each.end_column, "error", each.message)
            for each in self._checker.check(question, unwanted) or ()
        ]
        # What the compiler says of a line that is wrong is the better word.
        own = [
            each for each in found.problems if each.severity != "error" or each.line not in {r.line for r in refused}
        ]
        return replace(found, problems=sorted([*own, *refused], key=lambda each: (each.line, each.column)))

    def _type_checker(self) -> "TypeChecker":
        from ptc_studio.runtimes.type_check import TypeChecker

        return TypeChecker(trusts=lambda folder: self.trusts(folder))


def _remedy() -> str:
    from ptc_studio.runtimes.type_check import how_to_install

    command = how_to_install()
    return f"Types are not checked, for neither Deno nor tsc is installed{f': {command}' if command else '.'}"


PLAIN, AUTO = "plain", "auto"
_GIVE = re.compile(r"give it with --(input|env) \w+=\w+")
NOTHING = Given()
_ASKED = re.compile(r"--(?P<kind>input|env) (?P<name>\w+)=")


@dataclass(frozen=True, slots=True)
class TargetChoiceInput:
    """What the target of a script is told from, and what its check needs to know."""

    chosen: str
    """A target's id, or `auto`."""
    filename: str
    tools: Callable[[], Sequence[Visible]] = tuple
    """Gives the tools that the script may call; asked in a thread, for there may be many."""
    given: Given = NOTHING
    continues: bool = False
    """Whether it may go on with the names of another, in one container."""
    runtime: str = ""
    """The runtime that is chosen, which has names of its own."""
    holds_tools: Callable[[str], bool] = lambda _code: False
    """Says whether the text is one of tools, which goes nowhere; asked in a thread."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A name that the script needs and nobody gave."""

    kind: Literal["input", "env"]
    name: str


@dataclass(frozen=True, slots=True)
class TargetFindings(Findings):
    """What a look at a script brings with its target in mind."""

    target: str = PLAIN
    reason: str = ""
    """Why it is this target, where the text told; or why none could be told."""
    missing: tuple[Missing, ...] = ()
    calls: TargetCalls | None = None
    """How tools are called there."""


def chosen_target(chosen: str, code: str, filename: str) -> tuple[DeploymentTarget, str]:
    """The target, and what in the text tells so; raises UnknownTarget where that is not clear."""
    if chosen != AUTO:
        return find_target(chosen), ""
    found = recognise(CheckedScript(code, filename))
    return found.target, found.reason


def look_over_for(
    going: TargetChoiceInput,
    looked_at: TypeCheckInput,
    plainly: Callable[[TypeCheckInput], Findings] | None = None,
) -> TargetFindings:
    """The problems of a script by its own language's rules and by those of its target.

    `plainly` looks at one that goes nowhere in particular: a compiler knows the names of the studio, and no others.
    """
    code = looked_at.code
    look = plainly or (lambda given: look_over(given.code, given.language, given.hints))
    try:
        target, reason = chosen_target(going.chosen, code, going.filename)
    except PtcError as error:
        found = look(looked_at)
        note = Problem(1, 1, 1, "warning", str(error))
        return TargetFindings([*found.problems, note], found.uses, found.note, "", str(error))
    plain = target.id == PLAIN
    found = look(looked_at) if plain else look_over(code, looked_at.language, looked_at.hints, conventions=False)
    tools = going.tools()
    calls = calls_for(target, _names(target, tools))
    if calls is not None and found.uses is not None:
        found = replace(found, uses=_uses(looked_at, calls))
    if found.uses is None or going.holds_tools(code):
        # What cannot be read cannot be checked either; and what holds tools is called by others.
        return TargetFindings(found.problems, found.uses, found.note, target.id, reason, calls=calls)
    script = Script(code, going.filename)
    findings = check(target, script, tools, going.given, continues=going.continues, runtime=going.runtime)
    findings = [each for each in findings if not _is_told(each, looked_at, found.problems)]
    missing = tuple(_missing(findings))
    given = tuple(f"{name!r} is not known" for name in (*going.given.inputs, *(each.name for each in missing)))
    own = (problem for problem in found.problems if not (given and problem.message.startswith(given)))
    problems = [*own, *_problems(findings, code.split("\n"))]
    problems.sort(key=lambda problem: (problem.line, problem.column))
    return TargetFindings(problems, found.uses, found.note, target.id, reason, missing, calls)


def _is_told(finding: Finding, looked_at: TypeCheckInput, problems: Iterable[Problem]) -> bool:
    """Whether a name that nobody gives is a tool's that is not granted, or another problem of the line tells of it."""
    if not finding.name:
        return False
    own, asked = f"'{finding.name}' is not known", "--input" in finding.text
    # Of what may be an input the finding is the better word.
    others = [each for each in problems if each.line == finding.line and not (asked and each.message.startswith(own))]
    if any(f"'{finding.name}'" in each.message or f"`{finding.name}`" in each.message for each in others):
        return True
    # In JavaScript a tool is no name of its own. Elsewhere also one that is not granted, or of the examples, is known.
    bare = looked_at.language not in ("javascript", "typescript")
    return bare and any(finding.name in (hint.name, hint.name.partition(".")[0]) for hint in looked_at.hints)


def _uses(looked_at: TypeCheckInput, calls: TargetCalls) -> list[ToolUse]:
    """The tools that the script uses, by the names that they have there; also one that it may not call."""
    own = {hint.own_name: hint for hint in looked_at.hints}
    there = {name: own[tool] for name, tool in calls.names.items() if tool in own}
    barred = {hint.name: hint for hint in looked_at.hints if not hint.granted or hint.fault}
    return uses_there(looked_at.code, looked_at.language, {**barred, **there}, calls.convention.root)


def _names(target: DeploymentTarget, tools: Sequence[Visible]) -> Mapping[str, str]:
    """What the tools are called there; nothing where the target refuses them, which its check tells."""
    try:
        return target.names(tools)
    except PtcError:
        return {}


def _problems(findings: Sequence[Finding], lines: Sequence[str]) -> list[Problem]:
    return [_problem(finding, lines) for finding in findings]


def _problem(finding: Finding, lines: Sequence[str]) -> Problem:
    severity = "error" if finding.fails else "warning"
    # In the window there is a form for it.
    message = _GIVE.sub("give it by Run, Inputs and environment", finding.message)
    if finding.line is None or not 1 <= finding.line <= len(lines):
        # Of the script as a whole: nothing is underlined.
        return Problem(1, 1, 1, severity, message)
    text = lines[finding.line - 1]
    if finding.columns is not None:
        return Problem(finding.line, *finding.columns, severity, message)
    start = len(text) - len(text.lstrip()) + 1
    return Problem(finding.line, start, max(len(text.rstrip()) + 1, start + 1), severity, message)


def _missing(findings: Sequence[Finding]) -> "dict[Missing, None]":
    asked = (_ASKED.search(finding.text) for finding in findings)
    return dict.fromkeys(Missing("env" if each["kind"] == "env" else "input", each["name"]) for each in asked if each)


Outlook = Literal["runs", "warned", "cannot"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the script would run under one target."""

    target: str
    name: str
    outlook: Outlook
    warnings: int
    reason: str = ""
    """The first thing that is wrong."""
    line: int | None = None
    runtime: str = ""


def verdicts(code: str, going: TargetChoiceInput, missing: Mapping[str, str]) -> list[Verdict]:
    """One for each target, those for the script's language first; `missing` says of runtimes that are not there why."""
    script, tools = Script(code, going.filename), going.tools()
    targets = sorted(all_targets(), key=lambda target: not is_for_language(target, going.filename))
    return [
        _verdict(target, check(target, script, tools, going.given, continues=going.continues), missing)
        for target in targets
    ]


def _verdict(target: DeploymentTarget, found: Sequence[Finding], missing: Mapping[str, str]) -> Verdict:
    fatal = [finding for finding in found if finding.fails]
    first = next(iter(fatal or found), None)
    outlook: Outlook = "cannot" if fatal else "warned" if found else "runs"
    absent = missing.get(target.runtime, "")
    note = f"here it cannot be tried: {absent}" if absent and first is None else ""
    reason, line = (first.message, first.line) if first else (note, None)
    return Verdict(target.id, target.name, outlook, len(found), reason, line, target.runtime)
