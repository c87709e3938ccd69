"""Which exception a script gets for one of a tool's."""

import pytest
from pydantic_monty import SourceRange

from ptc_studio.runtimes.monty.errors import SOURCE, Positions, RaisedError, nearest


class OutOfStock(KeyError):
    """An error of the tools' own."""

    def __str__(self) -> str:
        return f"no more {self.args[0]}"


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (KeyError, "KeyError"),
        (OutOfStock, "KeyError"),
        (ConnectionResetError, "OSError"),
        (EOFError, "Exception"),
        (SystemExit, "Exception"),
        (KeyboardInterrupt, "Exception"),
        (type("TimeoutError", (ValueError,), {"__module__": "theirs"}), "ValueError"),
    ],
)
def test_the_nearest_type_that_monty_knows_is_raised(kind: type[BaseException], name: str):
    assert nearest(kind) == name


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (KeyError("sku"), "sku"),
        (OutOfStock("kettles"), "no more kettles"),
        (FileNotFoundError(2, "No such file", "x.txt"), "[Errno 2] No such file: 'x.txt'"),
        (SystemExit(9), "SystemExit: 9"),
        (ValueError(), ""),
    ],
)
def test_the_text_is_the_exceptions_own(error: BaseException, message: str):
    assert RaisedError().answer(error)["message"] == message


def test_the_original_is_found_by_what_was_made_of_it():
    raised, original = RaisedError(), OutOfStock("kettles")
    raised.answer(ValueError("other"))
    raised.answer(original)
    assert raised.original(KeyError("no more kettles")) is original
    assert raised.original(KeyError("no more lamps")) is None


def test_lines_are_found_by_bytes_not_by_characters():
    positions = Positions("# é\nx = 1\nadd(x)\n")
    assert positions.line(SourceRange(filename=SOURCE, start=0, end=1)) == 1
    assert positions.line(SourceRange(filename=SOURCE, start=5, end=6)) == 2
    assert positions.line(SourceRange(filename=SOURCE, start=11, end=17)) == 3
    assert positions.line(SourceRange(filename="<string>", start=0, end=1)) is None
