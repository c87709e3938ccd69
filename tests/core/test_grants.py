"""What a script may call."""

import pytest

from ptc_studio.core.registry import EVERYTHING, Grant


def test_everything_is_granted_where_nothing_is_said_and_nothing_where_nothing_is_named():
    assert EVERYTHING.allows(["anything"])
    assert not Grant(()).allows(["anything"])


@pytest.mark.parametrize(
    ("pattern", "name", "allowed"),
    [
        ("shop.price", "shop.price", True),
        ("shop.*", "shop.price", True),
        ("shop.*", "shop.deep.price", True),
        ("shop.*", "shop", False),
        ("shop.*", "shopping.price", False),
        ("shop.?rice", "shop.price", True),
        ("SHOP.*", "shop.price", False),
        ("odd[name]", "odd[name]", True),
        ("*", "anything", True),
    ],
)
def test_a_pattern_means_just_these_names(pattern: str, name: str, allowed: bool):
    assert Grant((pattern,)).allows([name]) is allowed


def test_any_of_its_names_and_any_of_the_patterns_will_do():
    grant = Grant(("cheap", "server.*"))
    assert grant.allows(["price", "cheap"])
    assert grant.allows(["get", "server.get"])
    assert not grant.allows(["price", "shop.price"])


@pytest.mark.parametrize(
    ("pattern", "allowed"),
    [("functions.*", True), ("functions.add", True), ("functions.a?d", True), ("f*", False), ("functions", False)],
)
def test_a_pattern_with_a_dot_means_tools_of_a_source_and_one_without_does_not(pattern: str, allowed: bool):
    assert Grant((pattern,)).allows(["add"], "functions.add") is allowed


def test_grants_of_the_same_patterns_are_the_same():
    assert Grant(("a", "b.*")) == Grant(("a", "b.*"))
    assert repr(Grant(("a",))) == "Grant(patterns=('a',))"
    assert hash(Grant(("a",))) == hash(Grant(("a",)))
