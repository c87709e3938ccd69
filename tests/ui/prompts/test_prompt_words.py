"""What is said of a call that waits."""

from typing import Any

import pytest

from ptc_studio.core.permissions import Question
from ptc_studio.core.redaction import Redactor
from ptc_studio.ui.prompts.decisions import circumstances


def asked(why: str, **changes: Any) -> Question:
    arguments = Redactor().value({}, "arguments")
    fields = {"run_id": "r", "call_id": "c", "tool": "shop.pay", "alias": None, "arguments": arguments, "line": 4}
    return Question(**{**fields, "why": why, **changes})


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("breakpoint: line 4", "Breakpoint: line 4"),
        ("breakpoint: shop.pay line 4 if qty > 3", "Breakpoint: shop.pay line 4 if qty > 3"),
        ("breakpoint: shop.pay", "Breakpoint: shop.pay · line 4"),
        ("breakpoint: line 42", "Breakpoint: line 42 · line 4"),
        ("breakpoint: every call", "Breakpoint: every call · line 4"),
        ("stopped at the next call", "Stopped at the next call · line 4"),
    ],
)
def test_the_line_of_a_call_is_said_once(why: str, said: str) -> None:
    assert circumstances(asked(why)) == said


def test_an_alias_and_a_depth_are_said_before_the_line() -> None:
    question = asked("asked by source 'shop'", alias="pay", depth=2)
    assert circumstances(question) == "Asked by source 'shop' · alias of shop.pay · depth 2 · line 4"


def test_a_call_without_a_line_has_none() -> None:
    assert circumstances(asked("breakpoint: shop.pay", line=None)) == "Breakpoint: shop.pay"
