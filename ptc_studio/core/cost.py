"""What a run cost a model's context and kept out of it, against one call a turn; and what is counted of its calls.

No vendor's tokenizer comes with a package that works offline, so tokens are estimated, and named as estimates.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, cast

from ptc_studio.core.codec import encode
from ptc_studio.core.errors import UnserialisableValue
from ptc_studio.core.events import CallFinished, CallStarted, Event, OutputWritten, RunPrepared

TOKENIZER = "estimate of o200k_base"
"""What the estimate is fitted to, by counts of 39 texts: within 10 % on prose, code, tables, JSON and lists of numbers,
within 20 % on identifiers, Chinese, Japanese and base64. An older tokenizer of Claude's makes about a tenth more of
words, and up to a half less of numbers between spaces."""
_PIECE = re.compile(
    # Words in capitals, and codes.
    r" [A-Z]{2,10}(?![a-z])|[A-Z]{2,3}(?![a-z])"
    # Words, which take the space or the sign before them with them.
    r"|[-_./(\"' ]?[a-zß-öø-ÿ]{1,8}| ?[A-Z][a-zß-öø-ÿ]{0,7}"
    # Figures, which do not take a space.
    r"|[0-9]{1,3}| (?=[0-9])| {2,}"
    r"|[Ѐ-ӿ]{1,6}|[\u3040-\u30ff]{1,2}"
    r"| ?[!-/:-@\[-`{-~]{1,3}|[^\x00-\x7f]|\n+"
)
WHOLE, WINDOW = 3_000, 1_000
"""A longer text is judged by three windows of it: to look at ten megabytes would take a second."""
SAMPLE = 500
"""Of more calls, or items of a list, than that, evenly chosen ones stand for all."""


class CostRecord(TypedDict):
    """Turns and tokens of a run."""

    turns_saved: int
    tokens_in_context: int
    tokens_kept_out: int
    estimated: bool
    tokenizer: str


def tokens_of_text(text: str) -> int:
    """About how many tokens a model's tokenizer would make of the text."""
    if len(text) <= WHOLE:
        return len(_PIECE.findall(text))
    middle = (len(text) - WINDOW) // 2
    windows = text[:WINDOW] + text[middle : middle + WINDOW] + text[-WINDOW:]
    return round(len(_PIECE.findall(windows)) * len(text) / len(windows))


def tokens_of(value: Any) -> int:
    """The same of a value as JSON; a text is taken as it is, and nothing costs nothing."""
    if value is None:
        return 0
    if isinstance(value, str):
        return tokens_of_text(value)
    if _is_long(value):
        return _tokens_of_sample(cast("list[Any]", value))
    parts = _parts_with_long_ones(value)
    if parts:
        return sum(tokens_of_text(f'"{key}":') + tokens_of(item) for key, item in parts.items())
    try:
        return tokens_of_text(encode(value).decode())
    except UnserialisableValue:
        return tokens_of_text(repr(value))


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and len(cast("list[Any]", value)) > SAMPLE


def _parts_with_long_ones(value: Any) -> dict[str, Any]:
    parts = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    return parts if any(map(_is_long, parts.values())) else {}


def _tokens_of_sample(items: list[Any]) -> int:
    chosen = items[:: len(items) // SAMPLE]
    return round(tokens_of(list(chosen[:SAMPLE])) * len(items) / min(len(chosen), SAMPLE))


def tokens_of_call(call: Any) -> int:
    """What a call's answer, result or error, would have put into the context."""
    error = call["error"]
    return tokens_of(f"{error['type']}: {error['message']}" if error else call["result"])


def answer_tokens(call: Any) -> str:
    """The same in words, as an estimate."""
    tokens = tokens_of_call(call)
    return f"answer ≈ {tokens:,} token{'' if tokens == 1 else 's'}"


def cost_of(record: Any, script: str) -> CostRecord:
    """The cost of a run that is over.

    Into the context go the script, which the model writes, and what it gets back: the output, the value and the error.
    Kept out is what the script's own calls gave, less what the script handed on: one that prints every result keeps
    nothing out.
    """
    own = [call for call in record["calls"] if call["parent_id"] is None]
    given_back = tokens_given_back(record)
    return {
        "turns_saved": max(len(own) - 1, 0),
        "tokens_in_context": tokens_of_text(script) + given_back,
        "tokens_kept_out": max(_tokens_of_calls(own) - given_back, 0),
        "estimated": True,
        "tokenizer": TOKENIZER,
    }


def tokens_saved(cost: CostRecord, record: Any) -> int:
    """By how much the script and what it gave back are shorter than the results; negative where they are longer."""
    return cost["tokens_kept_out"] + tokens_given_back(record) - cost["tokens_in_context"]


def why_nothing_saved(cost: CostRecord, record: Any) -> str:
    """In a sentence; empty where tokens were saved."""
    if not record["calls"]:
        return "No tokens were saved: the script called no tool."
    if tokens_saved(cost, record) > 0:
        return ""
    return "No tokens were saved: the script and what it gave back are as long as the results themselves."


def tokens_given_back(record: Any) -> int:
    """What the model gets back from the run: as its target shows it, else the output, the value and the error."""
    if record.get("model_sees") is not None:
        return tokens_of(record["model_sees"])
    error = record["error"]
    texts = [record["stdout"], record["stderr"], error["traceback"] or str(error["message"]) if error else ""]
    return sum(map(tokens_of_text, texts)) + tokens_of(record["value"])


def _tokens_of_calls(calls: Sequence[Any]) -> int:
    step = max(len(calls) // SAMPLE, 1)
    chosen = calls[::step]
    return round(sum(map(tokens_of_call, chosen)) * len(calls) / len(chosen)) if chosen else 0


def parallel_turns(calls: Sequence[Any]) -> int:
    """How many turns the same calls would have taken had a model asked for all that overlapped in one turn."""
    turns, end = 0, -1.0
    for call in calls:
        if call["parent_id"] is not None:
            continue
        if call["started_ms"] >= end:
            turns += 1
        end = max(end, call["started_ms"] + (call["duration_ms"] or 0.0))
    return turns


def waiting_saved_ms(calls: Sequence[Any]) -> float:
    """How much longer the script's own calls would have been waited for one after the other."""
    waited = busy = end = 0.0
    for call in calls:
        if call["parent_id"] is not None:
            continue
        start, took = call["started_ms"], call["duration_ms"] or 0.0
        waited += took
        busy += max(start + took - max(start, end), 0.0)
        end = max(end, start + took)
    return max(waited - busy, 0.0)


def cost_text(cost: CostRecord) -> str:
    """In a line: `7 turns saved · ≈ 1,200 tokens in context, ≈ 9,400 kept out`; honest where nothing was."""
    turns = cost["turns_saved"]
    saved = f"{turns:,} turn{'' if turns == 1 else 's'} saved" if turns else "no turn saved"
    about = "≈ " if cost["estimated"] else ""
    kept = f"{about}{cost['tokens_kept_out']:,} kept out" if cost["tokens_kept_out"] else "nothing kept out"
    return f"{saved} · {about}{cost['tokens_in_context']:,} tokens in context, {kept}"


@dataclass(slots=True)
class RunStats:
    """What has been counted of a run so far, while it goes on."""

    calls: int = 0
    depth: int = 0
    redactions: int = 0
    prepare_ms: float | None = None
    """How long the script was compiled; None if it was not, or is still being compiled."""
    at_once: int = 0
    """The most calls of the script that were under way at one time."""
    _started: dict[str, float] = field(default_factory=dict[str, float])
    """When those began that are under way; those of tools are not counted, as whoever made them waits for them."""
    _waited_ms: float = 0.0
    """What the script's calls took, added up."""
    _busy_ms: float = 0.0
    """How long at least one was under way."""
    _busy_since: float = 0.0
    _person_ms: float = 0.0
    """The longest wait for a person since then: that time is nobody's to save."""

    @property
    def saved_ms(self) -> float:
        """How much longer it would have been waited for had the calls been made one after the other."""
        return max(self._waited_ms - self._busy_ms, 0.0) if self.at_once > 1 else 0.0

    @property
    def concurrency_text(self) -> str:
        """`40 at once · 6.9 s of waiting saved`; empty where one call followed the other."""
        if self.at_once < 2:
            return ""
        saved = self.saved_ms
        time = f"{saved / 1000:,.1f} s" if saved >= 1000 else f"{saved:,.0f} ms"
        return f"{self.at_once:,} at once · {time} of waiting saved"

    def take(self, batch: Sequence[Event]) -> None:
        for event in batch:
            match event:
                case CallStarted():
                    self.calls += 1
                    self.depth = max(self.depth, event.depth)
                    self.redactions += len(event.arguments.redactions)
                    if event.parent_id is None:
                        self._begin(event)
                case CallFinished():
                    self.redactions += len(event.result.redactions) if event.result else 0
                    self.redactions += len(event.error.message.redactions) if event.error else 0
                    if event.call_id in self._started:
                        self._end(event)
                case OutputWritten():
                    self.redactions += len(event.text.redactions)
                case RunPrepared():
                    self.prepare_ms = event.prepare_ms
                case _:
                    pass

    def _begin(self, event: CallStarted) -> None:
        if not self._started:
            self._busy_since = event.started_ms
        self._started[event.call_id] = event.started_ms
        self.at_once = max(self.at_once, len(self._started))

    def _end(self, event: CallFinished) -> None:
        end = self._started.pop(event.call_id) + event.span_ms
        self._waited_ms += event.duration_ms
        self._person_ms = max(self._person_ms, event.waited_ms)
        if not self._started:
            self._busy_ms += max(end - self._busy_since - self._person_ms, 0.0)
            self._person_ms = 0.0
