"""Compares runs: one script in several runtimes, two runs call by call, or a run with what was published of it."""

import difflib
import json
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, cast

from ptc_studio.core.responders.cassette import Cassette, Published, RecordedCall, equal, fingerprint
from ptc_studio.core.trace import CallRecord, RunRecord

FIELDS = ("status", "return_code", "value", "stdout", "stderr", "error", "calls")
CALL_FIELDS = ("arguments", "status", "result", "error")
"""What tells two calls apart; when and by whom they were answered does not."""
Change = Literal["same", "changed", "added", "gone"]


def differences(records: Sequence[RunRecord]) -> list[tuple[str, ...]]:
    """Of each record, the fields in which it is unlike most: of those that agree, the first is taken as usual."""
    usual = {field: _most_common([_comparable(record, field) for record in records]) for field in FIELDS}
    return [tuple(field for field in FIELDS if _comparable(record, field) != usual[field]) for record in records]


class CallDifference(TypedDict):
    """A call that is not the same in both."""

    change: Change
    a: CallRecord | None
    b: CallRecord | None
    fields: list[str]


class Difference(TypedDict):
    """What is not the same in two runs."""

    same: bool
    calls: list[CallDifference]
    stdout: str
    """The lines that differ, as `diff -u` tells them; empty if none do."""
    fields: list[str]
    """What else of the runs differs, such as their status."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A call of one run and the one of the other that takes its place; either may be missing."""

    a: CallRecord | None
    b: CallRecord | None
    fields: tuple[str, ...] = ()

    @property
    def change(self) -> Change:
        if self.a is None:
            return "added"
        if self.b is None:
            return "gone"
        return "changed" if self.fields else "same"


def compare(a: RunRecord, b: RunRecord) -> Difference:
    """What is not the same in two runs; times and ids are never."""
    unlike = [pair for pair in aligned(a["calls"], b["calls"]) if pair.change != "same"]
    calls: list[CallDifference] = [
        {"change": pair.change, "a": pair.a, "b": pair.b, "fields": list(pair.fields)} for pair in unlike
    ]
    fields = [field for field in ("status", "return_code", "value", "stderr") if _unlike(a, b, field)]
    fields += ["error"] if _run_error(a) != _run_error(b) else []
    stdout = diff_of_text(a["stdout"], b["stdout"])
    return {"same": not (calls or fields or stdout), "calls": calls, "stdout": stdout, "fields": fields}


def aligned(a: Sequence[CallRecord], b: Sequence[CallRecord]) -> list[Pair]:
    """The calls of two runs side by side, children below their parents, in the order of the second.

    Calls belong together if they were made at the same line with the same arguments; else if only their arguments are
    the same, as in an edited script; else if only their line is; else if only their name is; else if it is the same
    tool with the same arguments by another name, such as an alias. The order counts for nothing: concurrent calls come
    in any.
    """
    children = _by_parent(a), _by_parent(b)
    pairs: list[Pair] = []
    _align(None, None, children, pairs)
    return pairs


def diff_of_text(a: str, b: str) -> str:
    """The lines that differ, with three of their neighbours."""
    if a == b:
        return ""
    lines = difflib.unified_diff(a.splitlines(), b.splitlines(), "a", "b", lineterm="")
    return "\n".join(lines) or "(they differ in how their lines end)"


def record_of_cassette(cassette: Cassette, like: RunRecord) -> RunRecord:
    """The recorded run, as far as a cassette holds one: what it does not is as in the other."""
    calls = [_record_of_call(call, number) for number, call in enumerate(cassette.calls)]
    status = cast("Any", cassette.status)
    return {**like, "run_id": cassette.name, "runtime": cassette.runtime, "status": status, "calls": calls}


def _record_of_call(call: RecordedCall, number: int) -> CallRecord:
    return {
        "id": call.id,
        "parent_id": call.parent,
        "depth": call.depth,
        "tool": call.tool,
        "alias": call.name if call.name != call.tool else None,
        "source": None,
        "arguments": call.arguments,
        "status": call.status,
        "result": call.result,
        "error": call.error and {"type": call.error.type, "message": call.error.message},
        "started_ms": float(number),
        "duration_ms": None,
        "line": call.line,
        "redactions": [],
        "truncated": call.truncated,
        "answered_by": "cassette",
    }


Children = Mapping[str | None, list[CallRecord]]


def _by_parent(calls: Sequence[CallRecord]) -> Children:
    found: dict[str | None, list[CallRecord]] = {}
    for call in calls:
        found.setdefault(call["parent_id"], []).append(call)
    return found


def _align(a: str | None, b: str | None, children: tuple[Children, Children], pairs: list[Pair]) -> None:
    """Adds the pairs of the calls below these two."""
    for pair in _matched(children[0].get(a, []), children[1].get(b, [])):
        pairs.append(pair)
        if pair.a is not None and pair.b is not None:
            _align(pair.a["id"], pair.b["id"], children, pairs)
        else:
            _add_alone(pair, children, pairs)


def _add_alone(pair: Pair, children: tuple[Children, Children], pairs: list[Pair]) -> None:
    """What a call made that has no counterpart has none, either."""
    call, side = (pair.a, 0) if pair.a is not None else (pair.b, 1)
    assert call is not None
    for child in children[side].get(call["id"], []):
        below = Pair(child, None) if side == 0 else Pair(None, child)
        pairs.append(below)
        _add_alone(below, children, pairs)


def _matched(a: list[CallRecord], b: list[CallRecord]) -> list[Pair]:
    """Each of the siblings once, in the order of the second; what is gone stands after what was before it."""
    partner: dict[int, int] = {}
    for key in (_line_and_arguments, _arguments, _line, _name, _tool_and_arguments):
        _match(a, b, key, partner)
    former = {number: other for other, number in partner.items()}
    gone: dict[int, list[Pair]] = {}
    behind = -1
    for number, call in enumerate(a):
        if number in partner:
            behind = partner[number]
        else:
            gone.setdefault(behind, []).append(Pair(call, None))
    pairs = gone.get(-1, [])
    for number, call in enumerate(b):
        before = a[former[number]] if number in former else None
        pairs.append(Pair(before, call, _unlike_fields(before, call) if before else ()))
        pairs += gone.get(number, [])
    return pairs


def _match(
    a: list[CallRecord], b: list[CallRecord], key: Callable[[CallRecord], Hashable], partner: dict[int, int]
) -> None:
    """Pairs those that have no partner yet and the same key, first with first."""
    free: dict[Hashable, deque[int]] = {}
    taken = set(partner.values())
    for number, call in enumerate(b):
        if number not in taken:
            free.setdefault(key(call), deque()).append(number)
    for number, call in enumerate(a):
        if number not in partner and (waiting := free.get(key(call))):
            partner[number] = waiting.popleft()


def _name(call: CallRecord) -> str:
    return call["alias"] or call["tool"]


def _arguments(call: CallRecord) -> Hashable:
    return fingerprint(_name(call), call["arguments"])


def _line_and_arguments(call: CallRecord) -> Hashable:
    return call["line"], _arguments(call)


def _line(call: CallRecord) -> Hashable:
    return call["line"], _name(call)


def _tool_and_arguments(call: CallRecord) -> Hashable:
    return fingerprint(call["tool"], call["arguments"])


def _unlike_fields(a: CallRecord, b: CallRecord) -> tuple[str, ...]:
    one, other = cast("Mapping[str, Any]", a), cast("Mapping[str, Any]", b)
    renamed = ("alias",) if _name(a) != _name(b) else ()
    return (*renamed, *(field for field in CALL_FIELDS if not equal(one[field], other[field])))


def _unlike(a: RunRecord, b: RunRecord, field: str) -> bool:
    return not equal(cast("Mapping[str, Any]", a)[field], cast("Mapping[str, Any]", b)[field])


def _run_error(record: RunRecord) -> Any:
    """What counts of an error: a traceback has paths and lines that differ with every edit."""
    error = record["error"]
    return error and (error["type"], error["message"])


def _comparable(record: RunRecord, field: str) -> str:
    value: Any = cast("Mapping[str, Any]", record)[field]
    if field == "calls":
        # Concurrent calls come in any order; what counts is which were made and what came of them.
        value = sorted(
            _text([call["tool"], call["arguments"], call["status"], call["result"]]) for call in record["calls"]
        )
    elif field == "error":
        # A message in the words of its language is no difference; that there is one is.
        value = value is not None
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _most_common(texts: Sequence[str]) -> str:
    return max(texts, key=texts.count, default="")


SHOWN = 60


def published_differences(record: RunRecord, published: Published) -> list[str]:
    """A sentence for each difference, the first line that is not the same among them; empty if there is none."""
    return list(_differences(record, published))


def _differences(record: RunRecord, published: Published) -> Iterator[str]:
    seen = cast("dict[str, Any]", record).get("model_sees")
    here: dict[str, Any] = cast("dict[str, Any]", seen) if isinstance(seen, dict) else {}
    if published.stdout is not None:
        yield from _of_text("The output", here.get("stdout", record["stdout"]), published.stdout)
    if published.stderr:
        # Tracebacks name files and lines of the machine that they come from; what went wrong stands in the last line.
        mine = here.get("stderr", record["stderr"]) or _failure(record)
        yield from _of_text("The last line of stderr", _last_line(mine), _last_line(published.stderr))
    returned = here.get("return_code", record["return_code"])
    if published.return_code is not None and returned != published.return_code:
        yield f"The return code is {returned}, and was {published.return_code}."
    if published.result is not None and seen is not None:
        # Some targets tell more than the one text that was published.
        mine: Any = here["result"] if isinstance(published.result, str) and "result" in here else cast("Any", seen)
        yield from _of_text("What the model sees", _shown_value(mine), _shown_value(published.result))
    if published.return_code is None and (published.status == "ok") != (record["status"] == "ok"):
        yield f"The run ended as {record['status']}, and the published one as {published.status}."


def _of_text(what: str, here: str, there: str) -> Iterator[str]:
    if here == there:
        return
    mine, theirs = here.split("\n"), there.split("\n")
    for number, (one, other) in enumerate(zip(mine, theirs, strict=False), 1):
        if one != other:
            yield f"{what} is not as published, in line {number}: {_short(one)} here, {_short(other)} there."
            return
    shorter, longer = ("here", theirs) if len(mine) < len(theirs) else ("there", mine)
    number = min(len(mine), len(theirs))
    yield f"{what} is not as published: {shorter} it ends before line {number + 1}, {_short(longer[number])}."


def _shown_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _last_line(text: str) -> str:
    return text.rstrip().rpartition("\n")[2]


def _failure(record: RunRecord) -> str:
    error = record["error"]
    return f"{error['type']}: {error['message']}" if error else ""


def _short(text: str) -> str:
    return repr(text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")
