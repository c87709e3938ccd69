"""Tests of reading escape sequences."""

import pytest

from ptc_studio.ui.output.writer import PLAIN, AnsiParser, Style, rgb_of


def read(*texts: str) -> list[tuple[str, Style]]:
    parser = AnsiParser()
    return [piece for text in texts for piece in parser.feed(text)]


@pytest.mark.parametrize(
    ("codes", "style"),
    [
        ("31", Style(foreground=1)),
        ("1;32", Style(foreground=2, bold=True)),
        ("97", Style(foreground=15)),
        ("44", Style(background=4)),
        ("103", Style(background=11)),
        ("38;5;208", Style(foreground=208)),
        ("48;2;1;2;3", Style(background=(1, 2, 3))),
        ("38:2:9:8:7", Style(foreground=(9, 8, 7))),
        ("3;4;7", Style(italic=True, underline=True, inverse=True)),
        ("1;22", PLAIN),
        ("31;0", PLAIN),
        ("", PLAIN),
        ("38;5", PLAIN),
        ("999", PLAIN),
    ],
)
def test_codes_become_a_style(codes: str, style: Style) -> None:
    assert read(f"\x1b[{codes}mx") == [("x", style)]


def test_a_style_lasts_until_it_is_reset() -> None:
    assert read("\x1b[31ma", "b\x1b[0mc") == [("a", Style(foreground=1)), ("b", Style(foreground=1)), ("c", PLAIN)]


@pytest.mark.parametrize("cut", range(1, 9))
def test_a_sequence_may_be_cut_anywhere(cut: int) -> None:
    text = "a\x1b[1;31mb"
    pieces = read(text[:cut], text[cut:])
    assert "".join(part for part, _ in pieces) == "ab"
    assert pieces[-1] == ("b", Style(foreground=1, bold=True))


@pytest.mark.parametrize(
    "sequence", ["\x1b[2K", "\x1b[10;20H", "\x1b[?25l", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\", "\x07", "\x1bM"]
)
def test_other_sequences_are_dropped(sequence: str) -> None:
    assert "".join(part for part, _ in read(f"a{sequence}b")) == "ab"


def test_a_title_may_be_cut_anywhere() -> None:
    text = "a\x1b]0;title\x1b\\b"
    for cut in range(1, len(text)):
        assert "".join(part for part, _ in read(text[:cut], text[cut:])) == "ab"


def test_a_sequence_without_end_does_not_swallow_everything() -> None:
    assert len("".join(part for part, _ in read("\x1b]0;" + "x" * 10_000, "y" * 10_000, "z"))) > 10_000


def test_the_256_colours_are_those_of_terminals() -> None:
    assert rgb_of(16) == (0, 0, 0)
    assert rgb_of(208) == (255, 135, 0)
    assert rgb_of(231) == (255, 255, 255)
    assert rgb_of(244) == (128, 128, 128)
