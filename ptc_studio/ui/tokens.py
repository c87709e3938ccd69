"""The colours and sizes of the window: the one place where they stand."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Colours:
    """What each colour is for; the values are those of one appearance."""

    ground: str
    panel: str
    raised: str
    line: str
    selection: str
    text: str
    muted: str
    accent: str
    on_accent: str
    ok: str
    error: str
    warning: str
    tool: str
    redacted: str
    redacted_ground: str
    comment: str
    keyword: str
    string: str
    number: str


DARK = Colours(
    ground="#14161b",
    panel="#1a1d24",
    raised="#222630",
    line="#2c313d",
    selection="#26324a",
    text="#e7e9ef",
    muted="#98a1b3",
    accent="#7aa8ff",
    on_accent="#0b1220",
    ok="#4cc38a",
    error="#ff7b7b",
    warning="#f2b84b",
    tool="#4fd1c5",
    redacted="#d3b0ff",
    redacted_ground="#352a46",
    comment="#8590a6",
    keyword="#c792ea",
    string="#9ccc8f",
    number="#f2a66b",
)
LIGHT = Colours(
    ground="#eef0f4",
    panel="#ffffff",
    raised="#f4f6f9",
    line="#d8dde6",
    selection="#e2ebff",
    text="#1b2130",
    muted="#566074",
    accent="#2259d6",
    on_accent="#ffffff",
    ok="#137a43",
    error="#c22121",
    warning="#a15c07",
    tool="#0b7d74",
    redacted="#6d28b5",
    redacted_ground="#f1e6ff",
    comment="#667085",
    keyword="#8b2fb8",
    string="#2d7a33",
    number="#b4541a",
)

SPACE = 4
"""Everything is spaced in steps of this."""
ROW = 26
FIELD = 30
RADIUS = 6
DOCK_RADIUS = 8
TEXT_PIXELS = 13
CODE_PIXELS = 13

MARKS = {
    "ok": "✓",
    "error": "✕",
    "timeout": "✕",
    "invalid": "✕",
    "not_found": "✕",
    "depth": "✕",
    "denied": "▲",
    "cancelled": "▲",
    "running": "◐",
    "waiting": "◆",
}
"""A status is told by its mark, never by colour alone."""
