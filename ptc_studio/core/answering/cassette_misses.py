"""Why a cassette has no answer, in one sentence that names what differs."""

import json
from collections.abc import Sequence
from typing import Any, cast

from ptc_studio.core.answering.cassette_calls import RecordedCall, equal

LONGEST = 60
MOST_COMPARED = 200


def unknown_call(cassette: str, name: str, arguments: Any, recorded: Sequence[RecordedCall]) -> str:
    """None of those recorded under the name has these arguments: says in what the most similar one differs."""
    if not recorded:
        return f"The cassette {cassette!r} has no call of {name}."
    nearest = min(recorded[:MOST_COMPARED], key=lambda call: len(_differences(arguments, call.arguments)))
    names = _differences(arguments, nearest.arguments)
    return (
        f"The cassette {cassette!r} has no call of {name} {_told(arguments, names)} "
        f"(recorded: {_told(nearest.arguments, names).removeprefix('with ')}{_place(nearest)})."
    )


def used_up(cassette: str, call: RecordedCall, times: int) -> str:
    """The script calls more often than it did."""
    often = "once" if times == 1 else f"{times:,} times"
    return f"The cassette {cassette!r} has no further call of {described(call)} (recorded {often}, last{_at(call)})."


def out_of_turn(cassette: str, name: str, arguments: Any, expected: RecordedCall | None) -> str:
    """It was recorded, but not at this point."""
    called = f"{name}({_listed(arguments)})"
    if expected is None:
        return f"The cassette {cassette!r} has no call of {called} at this point."
    return f"The cassette {cassette!r} has {described(expected)}{_at(expected)} next, not {called}."


def cut_short(cassette: str, call: RecordedCall) -> str:
    """The result was too long to be kept."""
    return (
        f"The cassette {cassette!r} has only the beginning of what {described(call)} gave{_at(call)}: "
        "it was longer than limits.result_bytes allows."
    )


def unfinished(cassette: str, call: RecordedCall) -> str:
    """The run was cut off while the call was under way."""
    return f"The cassette {cassette!r} has no end of {described(call)}{_at(call)}: the run was over before."


def described(call: RecordedCall) -> str:
    """The call as a script would write it, in short."""
    return f"{call.name}({_listed(call.arguments)})"


def never_made(cassette: str, calls: list[RecordedCall], most: int = 3) -> str:
    """What was recorded and not asked for."""
    several = (
        f"{len(calls):,} calls that this run did not make" if len(calls) > 1 else "a call that this run did not make"
    )
    shown = "; ".join(f"{described(call)}{_at(call)}" for call in calls[:most])
    more = f"; and {len(calls) - most:,} more" if len(calls) > most else ""
    return f"The cassette {cassette!r} has {several}: {shown}{more}."


def _differences(asked: Any, recorded: Any) -> list[str]:
    """The names of the arguments that are not the same."""
    if not isinstance(asked, dict) or not isinstance(recorded, dict):
        return [] if equal(asked, recorded) else ["*"]
    mine, theirs = cast("dict[str, Any]", asked), cast("dict[str, Any]", recorded)
    names = list(dict.fromkeys((*mine, *theirs)))
    return [name for name in names if name not in mine or name not in theirs or not equal(mine[name], theirs[name])]


def _told(arguments: Any, names: list[str]) -> str:
    """The arguments of these names, and which of them are missing."""
    if not isinstance(arguments, dict):
        return f"with {_short(arguments)}"
    given = cast("dict[str, Any]", arguments)
    there = [f"{name}={_short(given[name])}" for name in names if name in given]
    missing = [name for name in names if name not in given]
    without = f"without {', '.join(missing)}" if missing else ""
    return " and ".join(filter(None, (f"with {', '.join(there)}" if there else "", without))) or "with these arguments"


def _listed(arguments: Any) -> str:
    if not isinstance(arguments, dict):
        return _short(arguments)
    return _cut(", ".join(f"{name}={_short(value)}" for name, value in cast("dict[str, Any]", arguments).items()))


def _short(value: Any) -> str:
    return _cut(json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _at(call: RecordedCall) -> str:
    return f" at line {call.line}" if call.line else ""


def _place(call: RecordedCall) -> str:
    return f", at line {call.line}" if call.line else ""
