"""Every target there is, and which one a script is for: a folder of this package is one."""

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import ptc_studio.targets
from ptc_studio.core.errors import PtcError
from ptc_studio.targets import javascript_checks
from ptc_studio.targets.target import CheckedScript, DeploymentTarget

PLAIN, AUTO = "plain", "auto"
SCRIPTS = ("javascript", "typescript")


class UnknownTarget(PtcError):
    """There is no such target, or a script does not tell which one it is for."""


def target_ids() -> tuple[str, ...]:
    """`plain` first, then the others by name."""
    folders = pkgutil.iter_modules(ptc_studio.targets.__path__)
    ids = {module.name.replace("_", "-") for module in folders if module.ispkg}
    return (PLAIN, *sorted(ids - {PLAIN}))


@cache
def find_target(target_id: str) -> DeploymentTarget:
    """The target of that name; raises UnknownTarget."""
    if target_id not in target_ids():
        raise UnknownTarget(f"There is no target {target_id!r}; there are {', '.join(target_ids())}, and auto.")
    return importlib.import_module(f"ptc_studio.targets.{target_id.replace('-', '_')}").TARGET


def all_targets() -> list[DeploymentTarget]:
    return [find_target(target_id) for target_id in target_ids()]


@dataclass(frozen=True, slots=True)
class Recognised:
    """The target that a script is for, and what tells so."""

    target: DeploymentTarget
    reason: str


def recognise(script: CheckedScript) -> Recognised:
    """Tells the target from the text; raises UnknownTarget where more than one fits."""
    found = _fitting(script)
    if len(found) > 1:
        fitting = " or ".join(f"{one.target.id} ({one.reason})" for one in found)
        choice = " or ".join(f"--target {one.target.id}" for one in found)
        raise UnknownTarget(f"The script {script.filename!r} may be for {fitting}: say which with {choice}.")
    return found[0] if found else Recognised(find_target(PLAIN), "nothing in the text tells of a target")


def _fitting(script: CheckedScript) -> Sequence[Recognised]:
    if script.is_javascript or script.filename.endswith(".py"):
        return _signed(script, SCRIPTS if script.is_javascript else ("python",))
    # A text without a file: most that is written for a JavaScript target can be read as Python, but not the reverse.
    found = _signed(script, ("python",))
    return found or ([] if _is_only_python(script) else _signed(replace(script, filename="script.js"), SCRIPTS))


def _is_only_python(script: CheckedScript) -> bool:
    """Whether the text is Python, and no JavaScript."""
    try:
        _ = script.tree
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return javascript_checks.read(script).broken


def _signed(script: CheckedScript, languages: Sequence[str]) -> list[Recognised]:
    reasons = ((target, target.sign(script)) for target in all_targets() if target.language in languages)
    return [Recognised(target, reason) for target, reason in reasons if reason]
