"""How much a run and its calls may take."""

from dataclasses import dataclass

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one run; every number has a sensible default."""

    timeout: float = 300.0
    """Seconds for the whole run."""
    max_depth: int = 5
    """How deep calls may nest; a script's own calls are at depth 1."""
    call_timeout: float = 60.0
    """Seconds for a call whose request, alias and tool say nothing."""
    call_timeout_cap: float = 300.0
    """No call gets longer than this, whoever asks."""
    result_bytes: int = 10 * MEGABYTE
    """A longer result reaches the script whole and is cut for display."""
    output_bytes: int = 10 * MEGABYTE
    """Of each of stdout and stderr; what comes after is counted, not kept."""
    ask_timeout: float = 120.0
    """Seconds that a call waits for a person's permission before it is denied."""
    concurrent_calls: int = 256
    """Calls of one script under way at once; further ones wait."""
