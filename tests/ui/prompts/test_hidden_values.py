"""What a person may not see is kept, and its mark is never sent in its stead."""

from typing import Any

import pytest

from ptc_studio.ui.forms import FieldError
from ptc_studio.ui.prompts.value_page import left_over, spared

MARK = "[REDACTED:token]"


@pytest.mark.parametrize(
    ("shown", "edited", "places"),
    [
        ({"key": MARK, "a": 1}, {"key": MARK, "a": 2}, []),
        ({"key": MARK}, {}, []),
        ({"key": MARK}, {"key": "mine"}, []),
        ({"key": f"is {MARK}"}, {"key": f"was {MARK}"}, [("key",)]),
        ({"keys": [MARK, 1]}, {"keys": [MARK, 2]}, []),
        ({"keys": [MARK, 1]}, {"keys": [MARK]}, [("keys", 0)]),
        ({"key": MARK}, {"other": MARK}, [("other",)]),
        ([{"key": MARK}], [{"key": MARK}], []),
        (MARK, MARK, []),
    ],
)
def test_a_mark_is_left_over_where_what_it_stands_for_is_lost(shown: Any, edited: Any, places: list[Any]):
    assert [fault.path for fault in left_over(shown, edited)] == places


def test_a_hidden_number_is_not_a_wrong_one():
    value = {"pin": MARK, "qty": "x", "one_of": {"pin": MARK}}
    assert spared(FieldError(("pin",), "Not a number.", "type"), value)
    assert spared(FieldError(("one_of",), "Fits none.", "anyOf"), value)
    assert not spared(FieldError(("qty",), "Not a number.", "type"), value)
    assert not spared(FieldError((), "'a' is missing.", "required"), value)
