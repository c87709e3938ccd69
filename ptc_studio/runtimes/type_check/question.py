"""What is asked of a compiler, and the files that it is asked with."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ptc_studio.runtimes.places import fingerprint

SCRIPT = "script.ts"
DECLARATIONS = "ptc-tools.d.ts"
_REFERENCE = re.compile(r"^[ \t]*///[ \t]*<reference[ \t]+path[ \t]*=[ \t]*([\"'])(.*?)\1.*$", re.MULTILINE)
_NEIGHBOUR = re.compile(r"[\"']\.{1,2}/")
_LONGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Question:
    """A script, the declarations of the tools that it may call, and the folder that it lies in, if it has one."""

    code: str
    declarations: str
    folder: Path | None = None

    @property
    def fingerprint(self) -> str | None:
        """The same for the same question; None where the answer depends on other files, too."""
        if self.folder is not None and (_NEIGHBOUR.search(self.code) or _REFERENCE.search(self.code)):
            return None
        return fingerprint(self.code, self.declarations)

    @property
    def checked_code(self) -> str:
        """The script with its references blanked out: compilers differ in where they look for these files."""
        return _REFERENCE.sub(lambda found: "//".ljust(len(found[0])), self.code)

    def referenced(self) -> Iterator[Path]:
        """The files that the script refers to, but for declarations of tools: those of now take their place."""
        if self.folder is None:
            return
        head = self.declarations.partition("\n")[0]
        for found in _REFERENCE.finditer(self.code):
            path = Path(os.path.abspath(self.folder / found[2]))  # noqa: PTH100 - links are to stay
            if path.is_file() and _first_line(path) != head:
                yield path


def _first_line(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(_LONGEST).rstrip("\r\n")
    except OSError:
        return None
