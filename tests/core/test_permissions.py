"""Who decides whether a tool may be called, and what is said of it."""

from itertools import product

import pytest

from ptc_studio.core.permissions import Rule, decided
from ptc_studio.core.registry import Registry
from ptc_studio.core.tools import Permission
from ptc_studio.sources.registry_sync import OfferedTools, RegisteredTools, SourceRules
from tests.support import Engine, FakeTool

SAYS: tuple[Permission | None, ...] = (None, "allow", "ask", "deny")


@pytest.mark.parametrize(("alias", "tool", "pattern", "source"), list(product(SAYS, repeat=4)))
def test_the_most_specific_place_that_says_anything_decides(
    alias: Permission | None, tool: Permission | None, pattern: Permission | None, source: Permission | None
):
    engine = Engine()
    permissions: dict[str, Permission] = {}
    if pattern:
        permissions["*.create_*"] = pattern
    if tool:
        permissions["github.create_issue"] = tool
    rules = SourceRules(source, permissions, source="github")
    engine.registry.register(rules.applied(FakeTool(lambda: 1, name="github.create_issue", source="github")))
    engine.alias("report", "github.create_issue", permission=alias)
    places = [
        (alias, "alias 'report'"),
        (tool, "tool 'github.create_issue'"),
        (pattern, "'*.create_*' of source 'github'"),
        (source, "source 'github'"),
    ]
    for name, begin in (("report", 0), ("github.create_issue", 1)):
        says, by = next(((says, by) for says, by in places[begin:] if says), ("allow", ""))
        spec = engine.registry.resolve(name).spec
        assert (spec.permission, spec.permission_by) == (says, by)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (SourceRules("deny", source="github"), "Tool 'github.create_issue' is denied by source 'github'."),
        (
            SourceRules("allow", {"create_issue": "deny"}, source="github"),
            "Tool 'github.create_issue' is denied by tool 'github.create_issue'.",
        ),
        (
            SourceRules("allow", {"create_*": "deny"}, source="github"),
            "Tool 'github.create_issue' is denied by 'create_*' of source 'github'.",
        ),
    ],
)
def test_a_denied_call_says_who_denied_it(rules: SourceRules, message: str):
    engine = Engine()
    engine.registry.register(rules.applied(FakeTool(lambda: 1, name="github.create_issue")))
    with pytest.raises(PermissionError) as raised:
        engine.call("github.create_issue")
    assert str(raised.value) == message


def test_a_name_counts_before_a_pattern_that_stands_above_it():
    rules = SourceRules(None, {"*": "deny", "price": "ask"}, source="shop")
    assert rules.applied(FakeTool(lambda: 1, name="price")).spec.permission == "ask"
    assert rules.applied(FakeTool(lambda: 1, name="other")).spec.permission == "deny"


def test_a_named_folder_of_functions_is_spoken_of_with_its_name_or_without():
    for key in ("price", "shop.price", "till.price", "shop.till.price"):
        rules = SourceRules(None, {key: "deny"}, namespace="shop", source="shop")
        assert rules.applied(FakeTool(lambda: 1, name="price", also=("till.price",))).spec.permission == "deny", key


def test_what_a_tool_says_of_itself_counts_where_the_workspace_says_nothing():
    tool = FakeTool(lambda: 1, name="write_file", permission="ask")
    own = SourceRules(source="std").applied(tool).spec
    assert (own.permission, own.permission_by) == ("ask", "the tool itself")
    ruled = SourceRules("allow", source="std").applied(tool).spec
    assert (ruled.permission, ruled.permission_by) == ("allow", "source 'std'")


def test_nobody_says_anything_and_the_call_is_allowed():
    assert decided() == ("allow", "")
    assert decided(Rule("source 'a'", None)) == ("allow", "")


def test_other_rules_hold_for_tools_that_stay():
    registry = Registry()
    registered, tool = RegisteredTools(registry), FakeTool(lambda: 1, name="price")
    assert registered.update([OfferedTools("shop", [tool], SourceRules("deny", source="shop"))]) == []
    assert registry.resolve("price").spec.permission == "deny"
    assert registered.update([OfferedTools("shop", [tool], SourceRules("ask", source="shop"))]) == []
    spec = registry.resolve("price").spec
    assert (spec.permission, spec.permission_by) == ("ask", "source 'shop'")
