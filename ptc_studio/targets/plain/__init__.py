"""The studio as it is: lenient, and what a script runs under that is going nowhere in particular."""

from collections.abc import Iterator

from ptc_studio.targets import python_checks
from ptc_studio.targets.target import CheckedScript, DeploymentTarget, Finding, Note, own_names

GIVEN = ("call_tool", "call_tool_async", "aio")


def check(script: CheckedScript) -> Iterator[Finding]:
    """What nobody gave, where it can be told."""
    if not script.is_javascript:
        yield from python_checks.unknown_names(script, GIVEN)
        yield from python_checks.unknown_environment(script)


TARGET = DeploymentTarget(
    id="plain",
    name="Plain",
    language="any",
    runtime="",
    notes=(Note("The studio as it is: every runtime, tools in each language's own manner, nothing is refused", "S"),),
    names=own_names,
    check=check,
)
