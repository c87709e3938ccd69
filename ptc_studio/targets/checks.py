"""Looks at a script before it runs: what is wrong with it wherever it goes, then what the target has to say of it."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from ptc_studio.targets import javascript_checks, python_checks
from ptc_studio.targets.target import CheckedScript, DeploymentTarget, Finding

_PYTHON = (".py", ".pyi")


def findings(target: DeploymentTarget, script: CheckedScript) -> Iterable[Finding]:
    """Everything that is to be said of the script for this target."""
    wrong = _wrong_language(target, script)
    if wrong is not None:
        yield wrong
    elif script.is_javascript:
        yield from javascript_checks.everywhere(script, functions_are_called=target.calls_functions)
        yield from target.check(script)
    elif _is_python(target, script):
        yield from _python(target, script)


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
    return None if fits else Finding(None, f"{target.name} runs {target.language}, and this is a {ending} file")


def _is_python(target: DeploymentTarget, script: CheckedScript) -> bool:
    ending = PurePath(script.filename).suffix
    return (
        target.language == "python" or ending in _PYTHON or (target.language == "any" and script.filename == "<stdin>")
    )
