"""A recorded run as slides: what is asked, a slide a call, the figures. No widget."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ptc_studio.core.cost import (
    CostRecord,
    cost_of,
    parallel_turns,
    tokens_of_call,
    waiting_saved_ms,
    why_nothing_saved,
)
from ptc_studio.core.trace import CallRecord
from ptc_studio.reports.figures import arguments_text, asked, mark_of, outcome, parallel_text, seconds
from ptc_studio.storage.history import PastRun
from ptc_studio.ui.language.line_lexer import ROOT, LineLexer, Piece
from ptc_studio.ui.language.names import language_of

MOST_SLIDES = 400
"""Of calls; of a longer run, evenly chosen ones stand for all, for nobody sits through ten thousand."""
LONGEST_RESULT = 1_200
COLOURED = ("comment", "keyword", "string", "number")
MOST_LINES = 5_000
"""Of a script; more are not shown."""


@dataclass(frozen=True, slots=True)
class Slide:
    """What an audience sees at one moment."""

    kind: Literal["start", "call", "end"]
    at_ms: float
    """When it happened in the run."""
    call: CallRecord | None = None
    number: int = 0
    """Of the call in the run, from 1."""
    kept_out: int = 0
    """Tokens that the calls up to here gave to the script alone."""


@dataclass(frozen=True, slots=True)
class Deck:
    """All slides of a run."""

    past: PastRun
    slides: tuple[Slide, ...]
    cost: CostRecord

    @property
    def title(self) -> str:
        return self.past.title

    @property
    def question(self) -> str:
        return asked(self.past)

    def script_lines(self) -> "list[list[tuple[str, str]]]":
        """The script line by line, each as parts: the name of a colour, and a text."""
        lexer, stack = LineLexer(language_of(Path(self.past.summary.script or ""))), ROOT
        lines: list[list[tuple[str, str]]] = []
        for text in self.past.code.splitlines()[:MOST_LINES]:
            pieces, stack = lexer.lex(text, stack)
            lines.append(_parts(text, pieces))
        return lines

    @property
    def output(self) -> str:
        """What the script said in the end."""
        return self.past.record["stdout"][:LONGEST_RESULT].strip()

    @property
    def tools(self) -> list[str]:
        """What the script may use, as far as it did."""
        names = [definition["name"] for definition in self.past.definitions]
        return names or sorted({call["alias"] or call["tool"] for call in self.past.record["calls"]})

    @property
    def whole_ms(self) -> float:
        ends = [call["started_ms"] + (call["duration_ms"] or 0.0) for call in self.past.record["calls"]]
        return max([self.past.summary.duration_ms or 0.0, *ends, 0.001])

    def figures(self) -> list[tuple[str, str]]:
        """The numbers of the last slide, the most telling first."""
        calls, cost = self.past.record["calls"], self.cost
        told = [
            (f"≈ {cost['tokens_kept_out']:,}", "tokens kept out of the context"),
            (f"≈ {cost['tokens_in_context']:,}", "tokens in the context"),
            (f"{cost['turns_saved']:,}", "turns saved"),
            (f"{len(calls):,}", "call" if len(calls) == 1 else "calls"),
            (seconds(self.past.summary.duration_ms), "in all"),
        ]
        saved = waiting_saved_ms(calls)
        return told + ([(seconds(saved), "of waiting saved")] if saved >= 10 else [])

    def closing(self) -> str:
        """What is to be said of the figures, honestly."""
        if why := why_nothing_saved(self.cost, self.past.record):
            return why
        return parallel_text(self.cost["turns_saved"] + 1, parallel_turns(self.past.record["calls"]))


def _parts(text: str, pieces: "list[Piece]") -> list[tuple[str, str]]:
    """The line with what stands between its pieces; what is of two kinds at once is of the first."""
    parts: list[tuple[str, str]] = []
    done = 0
    for at, length, kind in sorted(pieces):
        begin, end = max(at, done), min(at + length, len(text))
        if begin < end:
            parts += [("text", text[done:begin]), (kind if kind in COLOURED else "text", text[begin:end])]
            done = end
    parts.append(("text", text[done:]))
    return [(kind, part) for kind, part in parts if part]


def deck_of(past: PastRun) -> Deck:
    """The slides of a run that was opened with its calls."""
    calls = past.record["calls"]
    step = max(-(-len(calls) // MOST_SLIDES), 1)
    slides, kept_out = [Slide("start", 0.0)], 0
    for number, call in enumerate(calls):
        kept_out += tokens_of_call(call) if call["parent_id"] is None and number < 50 * MOST_SLIDES else 0
        if number % step == 0:
            slides.append(Slide("call", call["started_ms"], call, number + 1, kept_out))
    slides.append(Slide("end", past.summary.duration_ms or 0.0))
    return Deck(past, tuple(slides), past.record.get("cost") or cost_of(past.record, past.code))


def call_lines(call: CallRecord) -> tuple[str, str, str]:
    """Its name, its arguments and what came of it, for large type."""
    result: Any = call["result"]
    came = outcome(call, LONGEST_RESULT)
    if call["status"] == "ok" and not isinstance(result, str):
        came = json.dumps(result, indent=2, ensure_ascii=False, default=str)[:LONGEST_RESULT]
    return call["alias"] or call["tool"], arguments_text(call, 200), came


def tree_line(call: CallRecord) -> str:
    """A call in the tree, on one line."""
    return f"{mark_of(call['status'])} {call['alias'] or call['tool']}({arguments_text(call, 60)})"


class Player:
    """Which slide is shown, and how long until the next when it plays by itself."""

    SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
    LEAST_MS, MOST_MS = 250, 4_000
    """Of a slide, whatever the times in the run."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.index = 0
        self.playing = False
        self._speed = self.SPEEDS.index(1.0)

    @property
    def slide(self) -> Slide:
        return self.deck.slides[self.index]

    @property
    def speed(self) -> float:
        return self.SPEEDS[self._speed]

    def go(self, steps: int) -> bool:
        """Forward or back; False at the end."""
        return self.go_to(self.index + steps)

    def go_to(self, index: int) -> bool:
        before = self.index
        self.index = min(max(index, 0), len(self.deck.slides) - 1)
        return self.index != before

    def change_speed(self, steps: int) -> None:
        self._speed = min(max(self._speed + steps, 0), len(self.SPEEDS) - 1)

    def pause_ms(self) -> int:
        """Until the next slide: as in the run, but never too quick to be read nor so slow that it bores."""
        if self.index + 1 >= len(self.deck.slides):
            return self.MOST_MS
        gap = self.deck.slides[self.index + 1].at_ms - self.slide.at_ms
        least = 2_500 if self.slide.kind != "call" else 1_200
        return round(min(max(gap, least), self.MOST_MS) / self.speed) or self.LEAST_MS
