"""What patterns mean, and how they change when something is ticked or unticked."""

import pytest

from ptc_studio.core.registry import EVERYTHING, Alias, Registry, Target
from ptc_studio.ui.grants.patterns import fitted, granted, name_error, reach, with_names, with_source, without_names
from tests.support import FakeTool

TOOLS = {"add": "calc", "mul": "calc", "web.get": "web", "web.post": "web", "price": "shop"}


@pytest.fixture
def targets() -> list[Target]:
    registry = Registry()
    for name, source in TOOLS.items():
        registry.register(FakeTool(lambda: None, name=name, source=source))
    registry.register_alias(Alias("cheap", "price"))
    return registry.targets(EVERYTHING)


def test_the_reach_of_a_set_is_told_in_words(targets):
    found = reach(("add", "web.*", "cheap", "gone.*"), targets)
    assert str(found) == "3 of 5 tools, 1 of 1 alias"
    assert found.idle == ("gone.*",)
    assert not found.grants_nothing
    assert reach(("gone.*",), targets).grants_nothing


def test_a_tool_is_granted_by_its_name_and_once(targets):
    assert with_names(("web.*",), targets, ["web.get", "add", "add"]) == ("web.*", "add")


def test_a_source_is_granted_by_its_pattern_in_place_of_its_tools_names(targets):
    patterns = with_source(("price", "web.get", "x.*", "web.post", "add"), targets, "web")
    assert patterns == ("price", "web.*", "x.*", "add")
    assert with_source(patterns, targets, "web") is patterns


def test_without_a_tool_the_pattern_that_means_it_makes_way_for_the_names_of_the_others(targets):
    assert without_names(("add", "web.*", "gone.*"), targets, ["web.get"]) == ("add", "web.post", "gone.*")


def test_patterns_that_do_not_mean_the_tool_stay_as_they_are_written(targets):
    assert without_names(("a*", "web.p*", "*.get", "calc.*"), targets, ["mul"]) == ("a*", "web.p*", "*.get")


def test_what_another_pattern_grants_needs_no_name_of_its_own(targets):
    assert without_names(("*", "web.*"), targets, ["add"]) == ("cheap", "mul", "price", "web.*")


@pytest.mark.parametrize("wanted", [set(), {"add"}, {"add", "web.post"}, {"mul", "web.get", "price", "cheap"}])
@pytest.mark.parametrize("patterns", [(), ("*",), ("web.*", "add", "gone"), ("calc.*", "pr*", "cheap")])
def test_fitted_patterns_grant_exactly_what_is_ticked(targets, patterns, wanted):
    made = fitted(patterns, targets, wanted)
    assert granted(made, targets) == wanted
    assert all(pattern in made for pattern in patterns if not granted((pattern,), targets))


def test_a_set_that_means_what_is_ticked_is_left_alone(targets):
    assert fitted(("web.*", "add"), targets, {"web.get", "web.post", "add"}) == ("web.*", "add")


@pytest.mark.parametrize(
    ("name", "word"), [("", "needs"), (" a", "space"), ("a\n", "space"), ("a\tb", "seen"), ("b", "already")]
)
def test_a_name_that_will_not_do_is_told(name, word):
    assert word in name_error(name, ["b"])


def test_any_other_name_will_do():
    assert name_error("finance: Q3 – read only", ["b"]) == ""


def test_a_name_in_its_source_is_no_idle_pattern(targets):
    assert reach(("calc.add", "web.web.get", "nobody"), targets).idle == ("nobody",)
    assert without_names(("calc.add", "mul"), targets, ["add"]) == ("mul",)
