"""What is said of a call that waits. Knows no Qt."""

import re
from collections import Counter
from collections.abc import Iterable

from ptc_studio.core.permissions import Question
from ptc_studio.ui.models.call_text import argument_parts
from ptc_studio.ui.models.value_text import Part, plain

_WAITS = {"permission": "waits for you", "breakpoint": "is stopped", "result": "is stopped with its result"}
KINDS = {"permission": "permission", "breakpoint": "breakpoint", "result": "result"}
"""What stands on the badge."""
MINUTE = 60


def heading(question: Question) -> str:
    """`shop.refund waits for you`."""
    return f"{question.name} {_WAITS[question.kind]}"


def heading_parts(question: Question, room: int) -> list[Part]:
    """The same with the arguments, in coloured parts."""
    waits = ("text", f" {_WAITS[question.kind]}  ")
    return [("tool", question.name), waits, *argument_parts(question.arguments.value, room)]


def many_parts(questions: Iterable[Question]) -> list[Part]:
    """`10 calls wait for you: shop.refund ×7, shop.pay ×3`."""
    counts = Counter(question.name for question in questions)
    parts: list[Part] = [("text", f"{counts.total():,} calls wait for you:  ")]
    for number, (name, count) in enumerate(counts.most_common()):
        parts += [("muted", ", ")] if number else []
        parts += [("tool", name), ("muted", f" ×{count:,}")]
    return parts


def arguments_line(question: Question, room: int = 200) -> str:
    """The arguments in one line."""
    return plain(argument_parts(question.arguments.value, room))


def circumstances(question: Question) -> str:
    """Why it is a question, and where the call was made: `Asked by source 'shop' · alias of shop.pay · line 8`."""
    why = question.why[:1].upper() + question.why[1:]
    alias = f"alias of {question.tool}" if question.alias else ""
    line = f"line {question.line}" if question.line is not None else ""
    if line and re.search(rf"\b{line}\b", why):
        # A breakpoint on a line names it itself.
        line = ""
    depth = f"depth {question.depth}" if question.depth > 1 else ""
    return " · ".join(filter(None, (why, alias, depth, line)))


def time_left(seconds: float | None) -> str:
    """`denied in 1:54`, `denied in 12 s`; empty where there is no end to it."""
    if seconds is None:
        return ""
    whole = int(seconds + 0.999)
    if whole > MINUTE:
        return f"denied in {whole // MINUTE}:{whole % MINUTE:02}"
    return f"denied in {whole} s"
