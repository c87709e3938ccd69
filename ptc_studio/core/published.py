"""Says where a run differs from what was published of the same program."""

import json
from collections.abc import Iterator
from typing import Any, cast

from ptc_studio.core.responders.cassette import Published
from ptc_studio.core.trace import RunRecord

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
        yield from _of_text("What the model sees", _text(mine), _text(published.result))
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


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _last_line(text: str) -> str:
    return text.rstrip().rpartition("\n")[2]


def _failure(record: RunRecord) -> str:
    error = record["error"]
    return f"{error['type']}: {error['message']}" if error else ""


def _short(text: str) -> str:
    return repr(text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")
