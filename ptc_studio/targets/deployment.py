"""Makes of a target and a script what a session runs by: the frame, the reply and the warnings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePath
from typing import Any

from ptc_studio.core.errors import PtcError
from ptc_studio.core.scripts import Container, Deployment, Frame, Script, TargetWarning, Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import javascript_checks, python_checks
from ptc_studio.targets.catalog import PLAIN, find_target
from ptc_studio.targets.target import CheckedScript, DeploymentTarget, Finding

_PYTHON = (".py", ".pyi")
LANGUAGES = {"python": "Python", "javascript": "JavaScript", "typescript": "TypeScript"}


def findings(target: DeploymentTarget, script: CheckedScript) -> Iterable[Finding]:
    """Everything that is to be said of the script for this target."""
    wrong = _wrong_language(target, script)
    if wrong is not None:
        yield wrong
    elif script.is_javascript:
        yield from javascript_checks.everywhere(script, functions_are_called=target.calls_functions)
        found = list(target.check(script))
        yield from found
        yield from _unknown_names(target, script, found)
    elif script.is_shell:
        yield from target.check(script)
    elif _is_python(target, script):
        yield from _python(target, script)


def _unknown_names(target: DeploymentTarget, script: CheckedScript, found: Sequence[Finding]) -> Iterator[Finding]:
    """Names that nobody gives in a script of JavaScript, but for those that the target's own check speaks of."""
    if not target.globals or not script.names or script.continues:
        return
    known = target.globals | {name.partition(".")[0] for name in script.names}
    # Where a text is the body of a function an assignment makes a name.
    for unknown in javascript_checks.unknown_names(script, known.__contains__, sloppy=True):
        if not any(f"`{unknown.name}" in told.text for told in found):
            yield unknown


def _python(target: DeploymentTarget, script: CheckedScript) -> Iterator[Finding]:
    try:
        _ = script.tree
    except SyntaxError as error:
        yield Finding(error.lineno, f"The script is no Python: {error.msg}")
        return
    except (ValueError, RecursionError, MemoryError) as error:
        yield Finding(None, f"The script is no Python: {error}")
        return
    yield from python_checks.everywhere(script)
    yield from target.check(script)


def _wrong_language(target: DeploymentTarget, script: CheckedScript) -> Finding | None:
    ending = PurePath(script.filename).suffix
    if target.language == "any" or not ending or script.filename.startswith("<"):
        return None
    fits = script.is_javascript if target.language in ("javascript", "typescript") else ending in _PYTHON
    return None if fits else Finding(None, f"It runs {LANGUAGES[target.language]}, and this is a {ending} file")


def is_for_language(target: DeploymentTarget, filename: str) -> bool:
    """Whether scripts there are written in the language of that file."""
    return _wrong_language(target, CheckedScript("", filename)) is None


def _is_python(target: DeploymentTarget, script: CheckedScript) -> bool:
    ending = PurePath(script.filename).suffix
    return (
        target.language == "python" or ending in _PYTHON or (target.language == "any" and script.filename == "<stdin>")
    )


LONGEST_CHECKED = 500_000
"""Characters of a script that is looked at; a longer one was not written by a model."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a user gives a script beside its tools."""

    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Variables, by name."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


NOTHING = Given()


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a run goes: the target, what the script is given there, and the container that it goes on in."""

    target: DeploymentTarget = field(default_factory=lambda: find_target(PLAIN))
    given: Given = NOTHING
    container: Container | None = None


def check(
    target: DeploymentTarget,
    script: Script,
    tools: Sequence[Visible] = (),
    given: Given = NOTHING,
    *,
    continues: bool = False,
    runtime: str = "",
) -> list[Finding]:
    """What is wrong with the script for that target, in the order of its lines; `runtime`: the one that is chosen."""
    if len(script.code) > LONGEST_CHECKED:
        wrong = _wrong_language(target, CheckedScript("", script.filename))
        text = f"The script is too long to be looked at: {len(script.code):,} of {LONGEST_CHECKED:,} characters"
        return [wrong or Finding(None, text, fails=False)]
    try:
        names = target.names(tools)
    except PtcError as error:
        return [Finding(None, str(error))]
    looked_at = CheckedScript(
        script.code,
        script.filename,
        tuple(tools),
        names,
        frozenset(given.inputs),
        frozenset(given.environment),
        continues,
        runtime,
    )
    return sorted(findings(target, looked_at), key=lambda finding: finding.line or 0)


def deploy(
    destination: Destination,
    script: Script,
    submit: Callable[[Callable[[], list[Finding]]], "Future[list[Finding]]"],
    ending: str = "",
) -> Deployment:
    """The deployment of one run. The script is checked while it runs: `submit` has that done in a thread.

    `ending` is that of the runtime's files: what comes from standard input is looked at as such a file.
    """
    checked = script if PurePath(script.filename).suffix else replace(script, filename=f"{script.filename}{ending}")
    target, given = destination.target, destination.given
    container = destination.container if target.keeps_state else None
    continues = container is not None and container.used
    looks: list[Future[list[Finding]]] = []

    def frame(tools: Sequence[Visible]) -> Frame | None:
        looks.append(submit(lambda: check(target, checked, tools, given, continues=continues)))
        if not target.frame and target.driver is None:
            return None
        return Frame(
            target.id,
            target.frame_code,
            target.names(tools),
            target.options(tools),
            target.frame_compiled,
            partial(target.compile, script, tools),
            target.driver,
            target.limits.memory_mb,
            target.language,
        )

    def warnings(record: RunRecord, calls: int, memory: int | None) -> list[TargetWarning]:
        found = [*looks[0].result(), *target.limits.near(record, calls, memory)] if looks else []
        return [finding.warning() for finding in found if not (target.id == PLAIN and _is_the_error(finding, record))]

    return Deployment(
        target.id,
        frame,
        target.reply,
        warnings,
        given.inputs,
        given.environment,
        container,
    )


def _is_the_error(finding: Finding, record: RunRecord) -> bool:
    """Whether the run failed by just that: it is told once, as the run's error."""
    error = record["error"]
    if error is None or error["type"] != "SyntaxError":
        return False
    # Two readers of one text seldom agree on the place where it went wrong.
    return error["line"] == finding.line is not None or finding.text.startswith("The script is no ")
