"""What docstrings give."""

from ptc_studio.sources.functions.schema import documentation_of, first_paragraph


def test_the_first_paragraphs_lines_are_joined():
    assert first_paragraph("One\n  two.\n\nThree.") == "One two."


def test_a_blank_line_of_spaces_ends_the_paragraph():
    assert first_paragraph("One.\n   \nTwo.") == "One."


def test_six_hundred_characters_stay_and_more_are_cut():
    assert first_paragraph("x" * 600) == "x" * 600
    assert first_paragraph("x" * 601) == "x" * 599 + "…"


def test_the_documentation_is_the_whole_docstring_without_indentation():
    def function():
        """First.

        Second.
        """

    assert documentation_of(function) == "First.\n\nSecond."
    assert documentation_of(lambda: None) == ""
