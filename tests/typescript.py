"""A real compiler of TypeScript, asked directly."""

import re
import subprocess
from pathlib import Path

from ptc_studio.runtimes.programs import beside_the_studio

_PLACE = re.compile(r"^ {4}at file://\S+/(\S+):(\d+):(\d+)$", re.MULTILINE)
"""Places that only explain another are farther to the right."""


def deno_complaints(folder: Path, **files: str) -> list[tuple[str, int, int]]:
    """File, line and column of all that `deno check` refuses in files by these names; `tools` are declarations."""
    names = [f"{name}.d.ts" if name == "tools" else f"{name}.ts" for name in files]
    for name, text in zip(names, files.values(), strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [f"{beside_the_studio()}/deno", "check", "--quiet", "--no-config", "--no-lock", *names],
        cwd=folder,
        env={
            "DENO_DIR": str(folder.parent / "deno"),
            "NO_COLOR": "1",
            "DENO_NO_UPDATE_CHECK": "1",
            "HOME": str(folder),
        },
        capture_output=True,
        text=True,
        timeout=55,
    )
    found = [(name, int(line), int(column)) for name, line, column in _PLACE.findall(done.stderr)]
    assert bool(done.returncode) == bool(found), done.stderr
    return found
