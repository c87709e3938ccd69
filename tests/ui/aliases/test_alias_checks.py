"""Names of aliases are judged while they are typed."""

import pytest

from ptc_studio.core.registry import Alias
from ptc_studio.ui.aliases.alias_checks import FREE, KEYWORDS, Neighbours, check_name, check_target, free_name
from tests.support import Engine


@pytest.fixture
def neighbours(engine: Engine) -> Neighbours:
    engine.add(lambda: None, name="add", also=("calc.add",), source="calc")
    engine.add(lambda: None, name="get-sum", source="server")
    engine.registry.register_alias(Alias("plus", "add"))
    return Neighbours(engine.registry, {"plus": "add", "lost": "gone", "round": "about"})


@pytest.mark.parametrize("name", ["q3_expenses", "Sum2", "_private", "shop.price", "type_of"])
def test_a_name_that_is_free_is_said_to_be(neighbours: Neighbours, name: str):
    verdict = check_name(name, neighbours)
    assert (verdict.line, verdict.fits) == (f"✓ {FREE}", True)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("two words", "✕ A name cannot have a blank in it: write 'two_words'."),
        ("größe", "✕ A name cannot have 'ö' in it: write 'gr_e'."),
        ("a-b", "✕ A name cannot have '-' in it: write 'a_b'."),
        ("3rd", "✕ A name cannot begin with a digit: write '_3rd'."),
        ("shop..price", "✕ A dot stands between two names: write it as in 'shop.price'."),
        ("class", "✕ 'class' is a keyword of Python: choose another name."),
        ("shop.class", "✕ 'class' is a keyword of Python: choose another name."),
        ("fi", "✕ 'fi' is a keyword of bash: choose another name."),
        ("delete", "✕ 'delete' is a keyword of JavaScript: choose another name."),
        ("func", "✕ 'func' is a keyword of Go: choose another name."),
        ("impl", "✕ 'impl' is a keyword of Rust: choose another name."),
        ("foreach", "✕ 'foreach' is a keyword of C#: choose another name."),
        ("aio", "✕ 'aio' is reserved in scripts: choose another name."),
        ("call_tool", "✕ 'call_tool' is reserved in scripts: choose another name."),
        ("add", "✕ There is already a tool 'add' of the source 'calc': choose another name."),
        ("calc.add", "✕ 'calc.add' is a name of 'add', a tool of the source 'calc': choose another name."),
        ("get_sum", "✕ 'get_sum' is a name of 'get-sum', a tool of the source 'server': choose another name."),
        ("plus", "✕ There is already an alias 'plus': choose another name."),
        ("lost", "✕ There is already an alias 'lost': choose another name."),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_a_sentence(neighbours: Neighbours, name: str, said: str):
    verdict = check_name(name, neighbours)
    assert (verdict.line, verdict.fits) == (said, False)


def test_no_name_at_all_is_no_reproach(neighbours: Neighbours):
    verdict = check_name("", neighbours)
    assert (verdict.tone, verdict.fits) == ("muted", False)


def test_keywords_of_every_language_are_refused(neighbours: Neighbours):
    assert len(KEYWORDS) == 6
    for words in KEYWORDS.values():
        assert not any(check_name(word, neighbours).fits for word in words)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("date", "▲ In bash 'date' stays the shell's own: call it there with call_tool date."),
        ("list", "▲ In Python scripts it takes the place of the built-in 'list'."),
    ],
)
def test_a_name_that_means_something_already_is_warned_of(neighbours: Neighbours, name: str, said: str):
    verdict = check_name(name, neighbours)
    assert (verdict.line, verdict.fits) == (said, True)


def test_a_name_that_the_file_has_already_may_stay(neighbours: Neighbours):
    kept = check_name("get-it", neighbours, former="get-it")
    assert kept.fits
    assert kept.line == "▲ A name cannot have '-' in it. Scripts can write 'get_it', too."
    assert not check_name("get-it", neighbours, former="got-it").fits
    assert check_name("fine", neighbours, former="fine").text == "a valid name in every runtime"


def test_an_alias_of_itself_is_a_loop(neighbours: Neighbours):
    assert "call itself" in check_name("mine", neighbours, target="mine").text


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("add", ""),
        ("calc.add", ""),
        ("get_sum", ""),
        ("ad", "There is no tool 'ad': did you mean 'add'?"),
        ("zzzzzz", "There is no tool 'zzzzzz'."),
        ("plus", "'plus' is an alias itself: choose the tool it calls, 'add'."),
        ("round", "These aliases would call each other in a circle, about → round → about: choose a tool."),
    ],
)
def test_what_it_calls_is_judged_too(neighbours: Neighbours, target: str, said: str):
    verdict = check_target(target, neighbours, "about")
    assert (verdict.text, verdict.fits) == (said, not said)


def test_others_that_lead_round_in_a_circle_end_the_search(engine: Engine):
    neighbours = Neighbours(engine.registry, {"a": "b", "b": "a"})
    assert "is an alias itself" in check_target("a", neighbours, "mine").text


def test_a_copy_gets_a_name_that_nobody_has():
    assert free_name("team_copy", []) == "team_copy"
    assert free_name("team_copy", ["team_copy", "team_copy_2"]) == "team_copy_3"
