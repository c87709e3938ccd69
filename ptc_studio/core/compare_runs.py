"""Compares the runs of one script in several runtimes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ptc_studio.core.trace import RunRecord

FIELDS = ("status", "return_code", "value", "stdout", "stderr", "error", "calls")


def differences(records: Sequence[RunRecord]) -> list[tuple[str, ...]]:
    """Of each record, the fields in which it is unlike most: of those that agree, the first is taken as usual."""
    usual = {field: _most_common([_comparable(record, field) for record in records]) for field in FIELDS}
    return [tuple(field for field in FIELDS if _comparable(record, field) != usual[field]) for record in records]


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
