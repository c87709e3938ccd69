"""What the timeline says of what is under the pointer. Knows no Qt."""

from ptc_studio.ui.models.call_nodes import Call
from ptc_studio.ui.models.call_text import milliseconds, tooltip
from ptc_studio.ui.timeline.lanes import Lane


def call_words(call: Call) -> str:
    """The call, when it began and how long it took."""
    took = "under way" if call.end is None else f"{milliseconds(call.end - call.start)} ms"
    return f"{tooltip(call)}\n{took}, from {milliseconds(call.start)} ms on"


def lane_words(lane: Lane) -> str:
    """The tool, how many calls, and how many of them at once."""
    calls = f"{lane.count:,} call{'' if lane.count == 1 else 's'}"
    return f"{lane.name}\n{calls}{f', up to {len(lane.rows)} at once' if len(lane.rows) > 1 else ''}"
