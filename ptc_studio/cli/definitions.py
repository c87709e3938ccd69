"""`ptc-studio tools --format`: the tools as other systems want them."""

import json
from collections.abc import Sequence

from ptc_studio.app import Studio
from ptc_studio.cli.terminal import Terminal
from ptc_studio.core.registry import Target
from ptc_studio.exports import Format, definitions


def print_definitions(studio: Studio, form: Format, names: Sequence[str], terminal: Terminal) -> None:
    """Writes the definitions of the named tools, or of all; raises ToolNotFound for a name that leads nowhere."""
    made = definitions(_targets(studio, names), form)
    text = made if isinstance(made, str) else json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    # Half a character, as a tool of somebody else's may have it in its description, cannot be written.
    terminal.write(text.encode("utf-8", "replace").decode())


def _targets(studio: Studio, names: Sequence[str]) -> list[Target]:
    """Each once, in the order of the names: each a grant set, a tool, an alias or a pattern."""
    found: dict[str, Target] = {}
    for name in names:
        meant = studio.registry.targets(studio.grant([name]))
        if not meant:
            # Says what it could have been.
            meant = [studio.registry.resolve(name)]
        found.update({target.spec.name: target for target in meant})
    if names:
        return list(found.values())
    return studio.registry.targets(studio.grant(None))
