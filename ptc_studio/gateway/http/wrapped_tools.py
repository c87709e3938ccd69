"""What IronClaw's SDK means by `read_file` and its like, in a job whose tools for that have names of their own."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from ptc_studio.gateway.http.wire import CallBody

PARTS = {"shell": "", "read_file": "content", "write_file": "", "http": "body"}
"""The tools that the SDK's wrappers call, and the part of a result that the wrapper is expected to give."""


def as_meant(wanted: CallBody, names: Callable[[], Iterable[str]]) -> CallBody:
    """The call of the one granted tool that is meant, such as `std.read_file`; as it was for all other names."""
    if wanted.format != "text" or wanted.tool not in PARTS:
        return wanted
    granted = list(names())
    if wanted.tool in granted:
        return wanted
    own, parameters = wanted.tool, dict(wanted.parameters)
    if own == "http":
        # Any other method is none of what the wrappers send.
        if parameters.pop("method", "GET") != "GET":
            return wanted
        own = "http_get"
    found = [name for name in granted if name.rpartition(".")[2] == own]
    if len(found) != 1:
        return wanted
    return replace(wanted, tool=found[0], parameters=parameters, part=PARTS[wanted.tool])
