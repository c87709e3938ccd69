"""What a program wrote, as a value; or why it failed."""

import signal
from typing import Any

from ptc_studio.core import codec
from ptc_studio.sources.command.entry import CommandFields
from ptc_studio.sources.command.errors import CommandFailed, CommandUnusable
from ptc_studio.sources.command.process import Finished
from ptc_studio.sources.used_secrets import UsedSecrets

STDERR_SHOWN = 2000
_ECHO = 80


def value_of(finished: Finished, fields: CommandFields, label: str, used: UsedSecrets) -> Any:
    """The value; raises CommandFailed or CommandUnusable."""
    if finished.too_long:
        raise CommandUnusable(
            f"{label} wrote more than {fields.max_output} bytes: have it write less, or raise its `max_output`."
        )
    if finished.status not in fields.ok:
        raise _failure(finished, label, used)
    text = finished.stdout.decode(errors="replace")
    if fields.output == "json":
        return _json(text, label, used)
    if fields.output == "lines":
        return text.splitlines()
    # As a shell takes over the output of a command.
    return text.rstrip("\n")


def _failure(finished: Finished, label: str, used: UsedSecrets) -> CommandFailed:
    stderr = used.hidden(finished.stderr.decode(errors="replace").strip())
    said = stderr or used.hidden(finished.stdout[-STDERR_SHOWN:].decode(errors="replace").strip())
    said = said if len(said) <= STDERR_SHOWN else "…" + said[1 - STDERR_SHOWN :]
    return CommandFailed(f"{label} {_end(finished.status)}" + (f": {said}" if said else ""), finished.status, said)


def _end(status: int) -> str:
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"


def _json(text: str, label: str, used: UsedSecrets) -> Any:
    try:
        return codec.decode(text)
    except ValueError:
        shown = " ".join(used.hidden(text[: 20 * _ECHO]).split())
        shown = shown if len(shown) <= _ECHO else shown[: _ECHO - 1] + "…"
        raise CommandUnusable(f"{label} wrote no JSON but {shown!r}.") from None
