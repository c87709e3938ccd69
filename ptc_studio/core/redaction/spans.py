"""Stretches of a text that a rule wants hidden, and how they are put together."""

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """What one rule found."""

    opens: int
    """Where the rule began to match; before `start` when it keeps a prefix such as `Bearer `."""
    start: int
    end: int
    rule: str


def merge(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, overlapping ones joined under the name of the longest (the first found, if equal)."""
    merged: list[Span] = []
    longest = 0
    for span in sorted(spans, key=lambda span: span.start):
        length = span.end - span.start
        if not merged or span.start >= merged[-1].end:
            merged.append(span)
            longest = length
            continue
        last = merged[-1]
        rule = span.rule if length > longest else last.rule
        longest = max(longest, length)
        merged[-1] = Span(min(last.opens, span.opens), last.start, max(last.end, span.end), rule)
    return merged


def subtract(spans: Iterable[Span], holes: list[tuple[int, int]]) -> list[Span]:
    """The spans without what lies in the holes, which are in order."""
    return [part for span in spans for part in _pierced(span, holes)]


def _pierced(span: Span, holes: list[tuple[int, int]]) -> Iterable[Span]:
    start = span.start
    for low, high in holes:
        if high <= start:
            continue
        if low >= span.end:
            break
        if low > start:
            yield Span(min(span.opens, start), start, low, span.rule)
        start = high
    if start < span.end:
        yield Span(min(span.opens, start), start, span.end, span.rule)
