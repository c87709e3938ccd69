"""Compares our targets with the real ones, program by program: `python -m tests.targets.peers [-v] [TARGET ...]`.

The real ones are installed into `.venv/peers` the first time; see requirements.txt for their versions. Programs are those
of `tests/targets/programs`, and the shorter ones below, each made for a rule. What is known to differ is told with its
reason; the exit status is 1 if anything else does.
"""

import asyncio
import json
import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.targets import Destination, find_target

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
PROGRAMS = FOLDER.parent / "programs"
SETS = {"ms-codeact": "requirements-agent-framework.txt"}
TARGETS = ("smolagents", "toolregistry", "fastmcp", "pydantic-ai", "monty", "utcp-python", "ms-codeact")
RULES: dict[str, list[str]] = json.loads((FOLDER / "rules.json").read_text())
KNOWN: dict[str, list[tuple[str, str]]] = {
    "fastmcp": [("Missing required argument", "the words of the validation are each its own")],
    "pydantic-ai": [("repl_type_stubs.pyi", "what a tool gives is not known here, so the stubs differ"),
                    ("CoroutineType", "what a tool gives is not known here")],
    "utcp-python": [("is not defined", "version 1.1.0 lacks guards and built-ins; it runs here with a warning")],
    "ms-codeact": [("MontyTypingError", "it is type-checked there first")],
    "monty": [("takes from 1 to 2 positional", "the words of the validation are each its own"),
              ("an awaitable is required", "functions are async here where the script awaits them; there none was")],
}  # fmt: skip
"""Words in what is seen there, and why it differs."""


def python_of(target: str) -> Path:
    """The Python that has the real target; made if it is not there."""
    requirements = FOLDER / SETS.get(target, "requirements.txt")
    place = ROOT / ".venv" / "peers" / requirements.stem
    if not (place / "ready").exists():
        venv.create(place, with_pip=True)
        command = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "-r", str(requirements)]
        subprocess.run(command, check=True)
        (place / "ready").touch()
    return place / "bin" / "python"


def programs_of(target: str) -> list[str]:
    files = sorted((PROGRAMS / target).glob("*.py"))
    programs = [*(path.read_text() for path in files), *RULES.get(target, ())]
    # Of its variants only the one with Monty installs, in which everything is awaited.
    return [code for code in programs if "await" in code] if target == "ms-codeact" else programs


def real(target: str, programs: list[str]) -> list[Any]:
    """What the model sees there."""
    command = [str(python_of(target)), "-W", "ignore", str(FOLDER / "real.py"), target]
    done = subprocess.run(command, input=json.dumps(programs), capture_output=True, text=True, check=False)
    lines = [
        line for line in done.stdout.splitlines() if line.startswith(("{", "[", '"', "null")) or line[:1].isdigit()
    ]
    if len(lines) != len(programs):
        raise SystemExit(f"{target} itself failed: {done.stderr[-2000:]}")
    return [json.loads(line) for line in lines]


async def ours(target_id: str, programs: list[str]) -> list[Any]:
    """What the model sees here."""
    studio = Studio(Setup(functions=FOLDER.parent / "tools"))
    await studio.load()
    target = find_target(target_id)
    info = await studio.choose_runtime(target.runtime, "main.py")
    seen: list[Any] = []
    for code in programs:
        record = await studio.run(studio.session(target=target), Script(code, "main.py"), info, Destination(target))
        seen.append(record["model_sees"])
    await studio.close()
    return seen


def comparable(target: str, seen: Any) -> Any:
    """Without what is never twice the same; FastMCP's value as the text that it is sent as."""
    if target == "fastmcp" and not isinstance(seen, str):
        seen = "" if seen is None else json.dumps(seen, separators=(",", ":"))
    text = json.dumps(seen, sort_keys=True)
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    return re.sub(r"Authorized imports are: \[[^]]*\]", "Authorized imports are: []", text)


def main() -> int:
    wanted = [each for each in sys.argv[1:] if each != "-v"] or TARGETS
    unknown = 0
    for target in wanted:
        programs = programs_of(target)
        theirs, here = real(target, programs), asyncio.run(ours(target, programs))
        same = known = 0
        for code, there, seen in zip(programs, theirs, here, strict=True):
            if comparable(target, there) == comparable(target, seen):
                same += 1
            elif reason := next((why for words, why in KNOWN.get(target, ()) if words in json.dumps(there)), None):
                known += 1
                print(f"  {target}: {code.splitlines()[0][:60]!r}: {reason}")
                if "-v" in sys.argv:
                    print(f"    here  {seen!r}\n    there {there!r}")
            else:
                unknown += 1
                print(f"✕ {target}:\n{code}\n  here  {seen!r}\n  there {there!r}")
        print(f"{target:<14} {same} of {len(programs)} the same, {known} known to differ")
    return 1 if unknown else 0


if __name__ == "__main__":
    raise SystemExit(main())
