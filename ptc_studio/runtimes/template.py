"""Wraps a short script in the frame that its language needs, so that its lines stay the user's."""

import re

from ptc_studio.bounded_files import read_bytes
from ptc_studio.runtimes.manifest import Manifest

_HOISTED, _SCRIPT = "{{hoisted}}", "{{script}}"


def wrapped(manifest: Manifest, code: str, filename: str) -> str:
    """The script as the compiler gets it."""
    template = manifest.template
    if template is None or re.search(template.own_main, code):
        return code
    hoisted: list[str] = []

    def lift(found: re.Match[str]) -> str:
        line = code.count("\n", 0, found.start()) + 1
        hoisted.append(_at_line(template.directive, line, filename) + found[0])
        return "\n" * found[0].count("\n")

    # The pieces are found in the code as it is: their place in it is their line.
    pieces = "|".join(f"(?:{part})" for part in template.hoist) or r"(?!)"
    rest = re.sub(pieces, lift, code, flags=re.MULTILINE | re.DOTALL)
    frame = read_bytes(manifest.file(template.file)).decode()
    before, _, after = frame.partition(_SCRIPT)
    before = before.replace(_HOISTED, "\n".join(hoisted))
    return before + _at_line(template.directive, 1, filename) + rest + after


def _at_line(directive: str, line: int, filename: str) -> str:
    return directive.replace("{line}", str(line)).replace("{file}", filename) + "\n" if directive else ""
