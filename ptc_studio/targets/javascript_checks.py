"""What several JavaScript targets look for in a script."""

from collections.abc import Iterable

from ptc_studio.targets.target import CheckedScript, Finding


def everywhere(_script: CheckedScript) -> Iterable[Finding]:
    """What is wrong with a script wherever it goes."""
    return ()
