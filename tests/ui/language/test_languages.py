"""What the editor knows of each language: names, comments, brackets, indents, colours."""

from pathlib import Path

import pytest

from ptc_studio.ui.language import names
from ptc_studio.ui.language.brackets import indent_after, matching, toggled_comments, unit_of, without_texts
from ptc_studio.ui.language.line_lexer import LineLexer
from ptc_studio.ui.language.names import comment_mark, language_of, learn, script_name

LANGUAGES = ("python", "javascript", "typescript", "go", "rust", "csharp", "bash", "wat")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_an_ending_that_leads_back_to_it(language: str) -> None:
    assert language_of(Path(script_name("untitled-1", language))) == language


@pytest.mark.parametrize(
    ("language", "line", "found"),
    [
        ("javascript", "const x = 'a' // b", {"const": "keyword", "'a'": "string", "// b": "comment"}),
        ("typescript", "let n: number = 1", {"let": "keyword", "number": "keyword", "1": "number"}),
        ("go", 'x := "a" // b', {'"a"': "string", "// b": "comment"}),
        ("rust", 'let x = "a"; // b', {"let": "keyword", "a": "string", "// b": "comment"}),
        ("csharp", 'var x = "a"; // b', {"var": "keyword", '"a"': "string", "// b": "comment"}),
        ("bash", 'if x; then echo "a"; fi # b', {"if": "keyword", '"a"': "string", "# b": "comment"}),
        ("wat", '(data (i32.const 1) "a") ;; b', {"1": "number", ";; b": "comment"}),
    ],
)
def test_each_language_has_its_colours(language: str, line: str, found: dict[str, str]) -> None:
    pieces = {line[at : at + length].strip(): kind for at, length, kind in LineLexer(language).lex(line)[0]}
    assert found.items() <= pieces.items(), pieces


@pytest.mark.parametrize(
    ("language", "mark"),
    [
        ("python", "# "),
        ("bash", "# "),
        ("wat", ";; "),
        *((name, "// ") for name in ("go", "rust", "csharp", "javascript")),
    ],
)
def test_a_line_is_commented_out_and_in_again(language: str, mark: str) -> None:
    (commented,) = toggled_comments(["  x"], comment_mark(language))
    assert commented == f"  {mark}x"
    assert toggled_comments([commented], comment_mark(language)) == ["  x"]


@pytest.mark.parametrize(
    ("language", "line", "code"),
    [
        ("python", "a // b[0] # (", "a // b[0]    "),
        ("javascript", "x = `(` + '[' // {", "x =     +         "),
        ("javascript", "#count = (1)", "#count = (1)"),
        ("go", "x := `(` + '{' /* [ */ + 1", "x :=     +             + 1"),
        ("rust", "fn f<'a>(x: &'a str) -> char { '(' }", "fn f<'a>(x: &'a str) -> char {     }"),
        ("csharp", 'x = @"\\(" + "("; // (', "x =       +    ;     "),
        ("wat", '(data "(") ;; (', "(data    )     "),
        ("bash", "echo ${#x} # (", "echo ${#x}    "),
    ],
)
def test_brackets_in_texts_and_comments_are_none(language: str, line: str, code: str) -> None:
    assert without_texts(line, language) == code


def test_the_partner_of_a_bracket_is_found_past_a_division_and_past_lifetimes() -> None:
    assert matching(lambda number: "(a // (b))" if number == 0 else None, (0, 0), "python") == (0, 9)
    assert matching(lambda number: "{ f::<'a>() }" if number == 0 else None, (0, 0), "rust") == (0, 12)


@pytest.mark.parametrize(
    ("language", "line", "indent"),
    [
        ("python", "if x:", "    "),
        ("javascript", "f(() => { // why", "  "),
        ("javascript", 'x = "{"', ""),
        ("go", "if x {", "\t"),
        ("go", "\tcase 1:", "\t\t"),
        ("csharp", "default:", "    "),
        ("rust", "match x {", "    "),
        ("bash", "if x; then", "  "),
        ("wat", "(func $f (param i32)", "  "),
        ("wat", "(func $f)", ""),
    ],
)
def test_the_next_line_is_indented_as_the_language_asks(language: str, line: str, indent: str) -> None:
    assert indent_after(line, unit_of("", language), language) == indent


def test_the_step_of_the_file_itself_counts_more_than_that_of_its_language() -> None:
    assert unit_of("func f() {\n    x\n}\n", "go") == "    "
    assert unit_of("if (x) {\n\ty\n}\n", "javascript") == "\t"


def test_a_language_of_the_users_own_is_learnt_but_changes_none_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "EXTENSIONS", dict(names.EXTENSIONS))
    learn(".lua", "lua")
    learn(".py", "lua")
    assert (language_of(Path("x.lua")), language_of(Path("x.py"))) == ("lua", "python")
    assert script_name("x", "lua") == "x.lua"


@pytest.mark.parametrize("language", ["nothing of the kind", "ruby"])
def test_what_has_no_rules_that_can_be_followed_by_lines_stays_plain(language: str) -> None:
    assert LineLexer(language).lex("if x then")[0] == []
