"""Makes of what a guest said, and of how its process ended, the ending of the script."""

import re

from ptc_studio.core.scripts import Ending, Failure
from ptc_studio.gateway.service import Told
from ptc_studio.locations import RUNTIMES
from ptc_studio.runtimes.guest import Guest, signal_name


def ending_of(told: Told, guest: Guest, filename: str) -> Ending:
    """The script's own words where it left any, else what its process's status and report tell."""
    code = guest.return_code or 0
    if guest.excess is not None:
        line = line_in_report(guest.report, filename) or told.last_line
        return Ending("crashed", code, Failure("MemoryError", guest.excess, "", line))
    if told.done is not None:
        error, status = told.done.get("error"), told.done.get("code") or 0
        failure = error and Failure(error["type"], error["message"], error["traceback"], error.get("line"))
        return Ending("error" if status or failure else "ok", status, failure, told.done.get("value"))
    if code == 0:
        return Ending("ok", 0)
    return _sudden(told, code, guest.report, filename)


def _sudden(told: Told, code: int, report: str, filename: str) -> Ending:
    # A fault's own report is the latest word; what the script announced may have been survived.
    line = line_in_report(report, filename) or (told.position or {}).get("line") or told.last_line
    name = signal_name(code)
    why = f"was killed by {name}" if name else f"ended with status {code} without a word"
    note = (told.position or {}).get("message") if not report else None
    message = f"The script's process {why}" + (f": {note}" if note else "") + "."
    status = "crashed" if name else "error"
    return Ending(status, code, Failure("Crashed" if name else "SystemExit", message, readable_report(report), line))


def readable_report(report: str) -> str:
    """A report of faulthandler in the order of a traceback, without the kit's frames."""
    lines = [line for line in report.splitlines() if str(RUNTIMES) not in line]
    head = [line for line in lines if not line.startswith(("  File", "Current thread", "Thread"))]
    frames = [line for line in lines if line.startswith("  File")]
    return "\n".join((*head, *reversed(frames))).strip("\n")


def line_in_report(report: str, filename: str) -> int | None:
    """The script's line in a report of faulthandler; of the main thread's part, which comes last, if it is there."""
    shown = filename.encode("ascii", "backslashreplace").decode()
    # As Python writes it, or as most others do.
    pattern = re.compile(rf'(?:File "{re.escape(shown)}", line |(?<![\w/]){re.escape(shown)}:)(\d+)')
    for part in reversed(re.split(r"^(?:Current t|T)hread .*$", report, flags=re.MULTILINE)):
        found = pattern.search(part)
        if found:
            return int(found[1])
    return None
