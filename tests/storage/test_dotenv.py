"""Files of names and values, as shells and their libraries read them."""

from pathlib import Path

import pytest

from ptc_studio.storage.secrets import SecretsError
from ptc_studio.storage.secrets.environment import LARGEST, parse_dotenv, read_dotenv

TEXT = """\
# the keys of the shop
PLAIN=abc123
export EXPORTED = spaced   # said of it
HASH=a#b
SINGLE='as $it "is" \\n'  # not this
DOUBLE="two\\nlines \\"quoted\\" # no comment"
MANY="first
second"
EMPTY=
TWICE=1
just words
TWICE=2
DOTTED.NAME-x=y
"""


def test_every_way_to_write_a_value_is_read():
    found = parse_dotenv(TEXT)
    assert found.values == {
        "PLAIN": "abc123",
        "EXPORTED": "spaced",
        "HASH": "a#b",
        "SINGLE": 'as $it "is" \\n',
        "DOUBLE": 'two\nlines "quoted" # no comment',
        "MANY": "first\nsecond",
        "TWICE": "2",
        "DOTTED.NAME-x": "y",
    }
    assert found.unread == (11,)
    assert "abc123" not in repr(found)


def test_a_file_that_is_none_is_told_without_a_word_of_it(tmp_path: Path):
    path = tmp_path / ".env"
    for content, said in (
        (b"only words", "has no line of the form NAME=value"),
        (b"A=\xff\xfesecret", "is not UTF-8 text"),
        (b"x" * (LARGEST + 1), "cannot be read"),
    ):
        path.write_bytes(content)
        with pytest.raises(SecretsError, match=said) as raised:
            read_dotenv(path)
        assert "secret" not in str(raised.value)
    path.write_bytes(b"\xef\xbb\xbfA=1\r\nB=2\r\n")
    assert read_dotenv(path).values == {"A": "1", "B": "2"}
    with pytest.raises(SecretsError, match="No such file"):
        read_dotenv(tmp_path / "nothing")


def test_quotes_that_are_never_closed_do_not_hold_it_up():
    assert len(parse_dotenv("\n".join(f'A{n}="open' for n in range(2_000))).values) == 2_000
