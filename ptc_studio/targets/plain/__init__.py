"""The studio as it is: lenient, and what a script runs under that is going nowhere in particular."""

from collections.abc import Iterator
from difflib import get_close_matches

from ptc_studio.runtimes.javascript_scopes import is_global
from ptc_studio.targets import javascript_checks, python_checks
from ptc_studio.targets.target import CheckedScript, DeploymentTarget, Finding, Note, own_names

GIVEN = ("call_tool", "call_tool_async", "aio")


def check(script: CheckedScript) -> Iterator[Finding]:
    """What nobody gave, where it can be told."""
    if script.is_javascript:
        yield from javascript_checks.unknown_names(script, lambda name: is_global(name, script.runtime), sloppy=False)
    elif script.is_shell:
        yield from _commands(script)
    else:
        yield from python_checks.unknown_names(script, GIVEN)
        yield from python_checks.unknown_environment(script)


def _commands(script: CheckedScript) -> Iterator[Finding]:
    # Imported when a script is first looked at: the shell is a library of some size.
    from ptc_studio.runtimes.bash.commands_used import wrong_commands

    for wrong in wrong_commands(script.code, script.names):
        columns = wrong.column, wrong.end_column
        if not wrong.name:
            yield Finding(wrong.line, f"The shell cannot read this: {wrong.text}", columns=columns)
        elif script.names:
            close = get_close_matches(wrong.name, script.names, n=1, cutoff=0.7)
            better = f": did you mean `{close[0]}`?" if close else ": neither the shell nor a tool has that name"
            yield Finding(wrong.line, f"There is no command `{wrong.name}`{better}", name=wrong.name, columns=columns)


TARGET = DeploymentTarget(
    id="plain",
    name="Plain",
    language="any",
    runtime="",
    notes=(Note("The studio as it is: every runtime, tools in each language's own manner, nothing is refused", "S"),),
    names=own_names,
    check=check,
)
