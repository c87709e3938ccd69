"""A tool's failure becomes an exception of the tool's own type."""

import json
from typing import Any

import pytest
from ptc_kit import errors

from ptc_studio.core import codec
from ptc_studio.core.failures import failure_of


def over_the_wire(error: BaseException) -> Exception:
    """As a script gets it: the host's side, JSON, the kit's side."""
    try:
        raise error
    except BaseException as raised:
        return errors.rebuild(json.loads(codec.encode(failure_of(raised))))


@pytest.mark.parametrize(
    "error",
    [
        KeyError("sku"),
        ValueError("no good"),
        ValueError(),
        ZeroDivisionError("division by zero"),
        TypeError("a", 1),
        FileNotFoundError(2, "No such file", "x.txt"),
        PermissionError("denied"),
        TimeoutError("late"),
        StopIteration(3),
        RecursionError("deep"),
    ],
    ids=repr,
)
def test_a_built_in_exception_is_itself(error: Exception):
    rebuilt = over_the_wire(error)
    assert type(rebuilt) is type(error)
    assert str(rebuilt) == str(error)
    assert rebuilt.args == error.args


class OutOfStock(LookupError):
    def __init__(self, sku: str, left: int) -> None:
        super().__init__(f"{sku}: {left} left")


class NoneLeft(OutOfStock):
    pass


def test_a_foreign_exception_keeps_its_name_and_its_bases_down_to_the_built_in_one():
    rebuilt = over_the_wire(NoneLeft("A1", 0))
    names = [base.__name__ for base in type(rebuilt).__mro__]
    assert names[:4] == ["NoneLeft", "OutOfStock", "LookupError", "Exception"]
    assert str(rebuilt) == "A1: 0 left"
    assert isinstance(rebuilt, LookupError)


def test_the_class_of_a_foreign_exception_is_made_once_so_that_it_can_be_compared():
    assert type(over_the_wire(NoneLeft("A", 1))) is type(over_the_wire(NoneLeft("B", 2)))


@pytest.mark.parametrize(
    "error",
    [
        UnicodeDecodeError("utf-8", b"x", 0, 1, "bad"),
        ExceptionGroup("several", [ValueError("a")]),
        SystemExit(3),
        KeyboardInterrupt(),
        OSError(),
    ],
    ids=repr,
)
def test_an_exception_that_cannot_be_built_again_is_an_exception_with_the_same_text(error: BaseException):
    rebuilt = over_the_wire(error)
    assert isinstance(rebuilt, Exception)
    assert str(rebuilt) == str(error)


def test_the_text_counts_where_an_exceptions_own_str_is_not_here():
    class Polite(Exception):
        def __str__(self) -> str:
            return f"Sorry: {self.args[0]}"

    assert str(over_the_wire(Polite("closed"))) == "Sorry: closed"


def test_the_tools_traceback_is_the_cause():
    def price():
        raise KeyError("sku")

    try:
        price()
    except KeyError as error:
        rebuilt = errors.rebuild(failure_of(error))
    assert isinstance(rebuilt.__cause__, errors.RemoteTraceback)
    assert "in price" in str(rebuilt.__cause__)


@pytest.mark.parametrize(
    "failure",
    [
        {"type": "Odd", "message": "m"},
        {"type": "Odd", "mro": [], "message": "m", "args": None, "traceback": ""},
        {"type": "print", "mro": ["print"], "message": "m"},
        {"type": "BaseException", "mro": ["BaseException"], "message": "m"},
        {"type": "Odd", "mro": ["a.b.Odd", "BaseException"], "message": "m", "args": ["m"]},
    ],
    ids=repr,
)
def test_whatever_a_host_sends_is_some_exception_with_its_message(failure: dict[str, Any]):
    rebuilt = errors.rebuild(failure)
    assert isinstance(rebuilt, Exception)
    assert str(rebuilt) == "m"
    assert rebuilt.__cause__ is None


class Refused(ValueError):
    def __init__(self) -> None:
        super().__init__("refused")
        self.code, self.detail, self.cause_of_it, self._own = 7, {"why": ["late"]}, object(), 1


def test_what_an_exception_carries_reaches_the_script_as_far_as_it_is_plain():
    rebuilt = over_the_wire(Refused())
    assert (str(rebuilt), vars(rebuilt)) == ("refused", {"code": 7, "detail": {"why": ["late"]}})


def test_a_group_of_exceptions_stays_one():
    rebuilt = over_the_wire(ExceptionGroup("two", [KeyError("sku"), ExceptionGroup("in", [NoneLeft("A1", 0)])]))
    caught: list[BaseException] = []
    try:
        raise rebuilt
    except* KeyError as group:
        caught += group.exceptions
    except* LookupError as group:
        caught += group.exceptions[0].exceptions
    assert str(rebuilt) == "two (2 sub-exceptions)"
    assert [(type(error).__name__, str(error)) for error in caught] == [
        ("KeyError", "'sku'"),
        ("NoneLeft", "A1: 0 left"),
    ]
