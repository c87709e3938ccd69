"""Rules that are left out by their first letter: none that could match, and enough to be worth it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptc_studio.ui.language.line_lexer import ASCII, ROOT, LineLexer, Piece, Stack, first_letters

LANGUAGES = ("python", "javascript", "typescript", "go", "rust", "csharp", "bash")
PATTERNS = (
    "abc",
    "[a-c]x",
    "[^a]",
    r"\d+\.",
    r"\W",
    "(?:if|else)\\b",
    "(a|[bc])d",
    "x?y",
    '([uU]?)(""")',
    "(a?|b)c",
    "^(\\s*)(def)",
    "(?!a)[ab]",
    "(?<=x)a",
    "a*",
    "",
    ".",
    "(?i)rb|br",
    "(?i)ſ",
    "(?i)[k-m]",
    "(?i:a)b",
    "(?s).x",
    "é|a",
    "(a)\\1",
    "a{2,3}b",
    "a{0,3}b",
)

BITS = (
    *("def", "class ", "import ", "return", "x", "_y9", "é", "@a", "0x1F", "1.5e3", " ", "\n", "\\", ";", "=>", "&&"),
    *("'", '"', '"""', "`", "r'", 'f"', "'a", "<<EOF", "$(", "${", "{", "}", "(", "//", "/*", "*/", "#"),
)
"""Of which the texts in all languages are made, most of them wrong."""


@pytest.mark.parametrize(
    ("pattern", "letters"),
    [
        ("abc", "a"),
        ("x?y", "xy"),
        ('([uU]?)(""")', 'uU"'),
        ("(?:if|else)\\b", "ie"),
        ("[a-c]x", "abc"),
        (r"\d+\.", "0123456789"),
        ("é|a", "a"),
        ("(?!a)[ab]", "ab"),
    ],
)
def test_the_first_letters_of_an_expression(pattern: str, letters: str) -> None:
    assert first_letters(re.compile(pattern)) == set(letters)


@pytest.mark.parametrize("pattern", ["a*", "", ".", "(?i:a)b", "x?", "(a|)b?"])
def test_what_cannot_be_told_may_begin_with_anything(pattern: str) -> None:
    assert first_letters(re.compile(pattern)) == ASCII


@pytest.mark.parametrize("pattern", PATTERNS)
@given(st.text(st.sampled_from('abcdefikKsSmrRuUxy09. \t\n""ſé'), max_size=6))
def test_no_match_begins_with_another_letter(pattern: str, text: str) -> None:
    compiled = re.compile(pattern)
    for position, letter in enumerate(text):
        if letter in ASCII and compiled.match(text, position):
            assert letter in first_letters(compiled)


class EveryRule(LineLexer):
    """Tries all rules, as pygments does."""

    def rules_for(self, state: str, letter: str) -> list[object]:
        del letter
        return self.states[state]


def lexed(lexer: LineLexer, text: str) -> list[tuple[list[Piece], Stack]]:
    found, stack = [], ROOT
    for line in text.split("\n"):
        pieces, stack = lexer.lex(line, stack)
        found.append((pieces, stack))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@given(st.lists(st.sampled_from(BITS), max_size=30))
def test_every_language_is_coloured_as_by_all_rules(language: str, pieces: list[str]) -> None:
    text = "".join(pieces)
    assert lexed(LineLexer(language), text) == lexed(EveryRule(language), text)


def test_python_itself_is_coloured_as_by_all_rules_with_far_fewer_tries() -> None:
    text = Path(re.__file__).read_text(encoding="utf-8")
    quick, thorough = LineLexer("python"), EveryRule("python")
    assert lexed(quick, text) == lexed(thorough, text)
    rules = quick.states["root"]
    assert len(quick.rules_for("root", "(")) * 10 < len(rules)
