"""Small expressions over the arguments of a call."""

import threading
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptc_studio.core.errors import ExpressionError
from ptc_studio.core.responders.expressions import Expression, UnknownName

NAMES: dict[str, Any] = {"qty": 4, "currency": "EUR", "order": {"rows": [1, 2, 3], "note": "x"}, "items": [1, 5]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('qty > 3 and currency == "EUR"', True),
        ("qty > 3 and currency == 'USD'", False),
        ('order["rows"][1:]', [2, 3]),
        (
            '{"total": qty * 3, "rows": [{"id": row} for row in range(2)]}',
            {"total": 12, "rows": [{"id": 0}, {"id": 1}]},
        ),
        ("[*order['rows'], 4]", [1, 2, 3, 4]),
        ('{**order, "note": "y"}', {"rows": [1, 2, 3], "note": "y"}),
        ("len(order['rows']) + min(1, 2) + max([3, 4]) + sum([1, 2]) + abs(-1)", 12),
        ("round(qty / 3, 2)", 1.33),
        ('currency in {"EUR", "USD"} and not qty == 0', True),
        ("1 < qty <= 4", True),
        ("qty if qty > 5 else -qty", -4),
        ('f"{qty:03d} {currency}"', "004 EUR"),
        ("sorted([3, 1, 2])", [1, 2, 3]),
        ("lower(currency) + upper('x') + str(1)", "eurX1"),
        ("int('3') + float('0.5')", 3.5),
        ("get(order, 'nothing', 7)", 7),
        ("join('-', split('a b'))", "a-b"),
        ('{"ok": true, "none": null, "no": false}', {"ok": True, "none": None, "no": False}),
        ("items", [1, 5]),
        ("  qty ", 4),
    ],
)
def test_an_expression_comes_to_its_value(text: str, value: Any):
    assert Expression(text).value(NAMES) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        ("qty >", "invalid syntax"),
        ("qty = 3", "invalid syntax"),
        ("nothing > 3", "there is no argument 'nothing' (there are: currency, items, order, qty)"),
        ("order.note", 'write order["qty"] instead of order.qty'),
        ("().__class__", "a dot cannot be used here"),
        ('__import__("os")', "there is no function '__import__'"),
        ("eval('1')", "there is no function 'eval'"),
        ("lambda: 1", "functions cannot be made"),
        ("(x := 3)", "nothing can be assigned"),
        ("len", "it comes to a function"),
        ('order["nothing"]', "there is no key 'nothing'"),
        ("items[9]", "shorter than that"),
        ("qty / 0", "divides by zero"),
        ("currency > 3", "not supported between"),
        ('"%d" % qty', "write f"),
        (r'"\d"', "invalid escape sequence"),
        ("...", "nothing that JSON has"),
        ("3j", "nothing that JSON has"),
        ("[" * 300 + "]" * 300, "too many nested"),
        ("1" * 3_000, "longer than 2,000 characters"),
    ],
)
def test_what_has_no_value_says_why_in_one_sentence(text: str, reason: str):
    with pytest.raises(ExpressionError) as caught:
        Expression(text).value(NAMES)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "9 ** 9 ** 9",
        "9 ** 999999",
        "((9 ** 99) ** 99) ** 99",
        "1 << 10 ** 9",
        '"a" * 10 ** 9',
        "[0] * 10 ** 9",
        "[[0] * 10000] * 10000",
        "[[[b, b, b, b, b, b] for b in [[a] * 99 for a in [[c] * 99 for c in [[1] * 99]]]]]",
        "[x for x in range(10000) for y in range(10000)]",
        "[big for x in range(9999) if len(big) > x]",
        'f"{qty:999999999}"',
        "str([[i] * 1000 for i in range(9999)])",
        "sum([9 ** 2000 for i in range(9999)]) ** 9",
    ],
)
def test_what_would_take_long_or_make_much_is_given_up(text: str):
    with pytest.raises(ExpressionError, match="too long|too much|more than"):
        Expression(text).value({**NAMES, "big": list(range(500_000))})


def test_a_large_argument_may_be_asked_about():
    assert Expression("len(rows) > 5 and rows[0] == 0 and not rows == []").value({"rows": list(range(500_000))})


def test_an_unknown_argument_is_told_from_other_faults():
    with pytest.raises(UnknownName):
        Expression("a").value({})
    with pytest.raises(ExpressionError) as caught:
        Expression("1 / 0").value({})
    assert not isinstance(caught.value, UnknownName)


def test_several_threads_may_evaluate_the_same_expression():
    one = Expression("[x + y for x in range(50) for y in [n]]")
    wrong: list[Any] = []

    def evaluate(number: int) -> None:
        wrong.extend(1 for _ in range(50) if one.value({"n": number}) != [x + number for x in range(50)])

    threads = [threading.Thread(target=evaluate, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not wrong


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(alphabet="qty()[]{}*+-'\",:. 19<=>forinland\\_\n", max_size=40))
def test_whatever_is_written_has_a_value_or_is_a_fault(text: str):
    with suppress(ExpressionError):
        Expression(text).value(NAMES)
