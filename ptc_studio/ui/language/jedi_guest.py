"""What runs in the process that completes Python: one question a line in, one answer a line out, both JSON.

Started as a file, so that it needs nothing of the program; it ends when nobody asks any longer.
"""

import json
import os
import signal
import sys
from typing import Any


def answer(question: dict[str, Any]) -> list[tuple[str, str]]:
    """The names that may stand at that place, with what they are."""
    import jedi

    # Nothing of the folder that the studio happens to be in: what it has for jedi could have modules of it executed.
    jedi.settings.auto_import_modules = []
    project = jedi.Project(os.path.dirname(__file__), smart_sys_path=False)  # noqa: PTH120 - it needs nothing else
    script = jedi.Script(question["code"], environment=jedi.InterpreterEnvironment(), project=project)
    found = script.complete(question["line"], question["column"])
    return [(each.name_with_symbols, each.type) for each in found[: question["most"]]]


def main() -> None:
    """Answers until its standard input ends; whatever else is printed is no answer, and goes nowhere."""
    # Completing is a help: it takes nothing from the run, nor from the window, and leaves when they do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        try:
            found = answer(json.loads(line))
        except Exception:  # noqa: BLE001 - jedi fails now and then on code that is half written
            found = []
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
