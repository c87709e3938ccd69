"""Calls as they are written for each target: what is put into the editor passes the target's own checks."""

import pytest

from ptc_studio.core.scripts import Script, Visible
from ptc_studio.core.session import Session
from ptc_studio.targets import check, find_target, target_ids
from ptc_studio.ui.language.context import context_before, js_context_before
from ptc_studio.ui.language.hints import ParameterHint, ToolHint
from ptc_studio.ui.language.target_calls import CONVENTIONS, TargetCalls, calls_for, target_suggestions
from tests.support import Engine

ENDINGS = {"python": ".py", "javascript": ".js", "typescript": ".ts"}
TARGETS = [name for name in target_ids() if name != "plain"]
HINT = ToolHint(
    "shop.get-price",
    description="The price.",
    parameters=(ParameterHint("sku", "str"), ParameterHint("qty", "int", False, "1")),
    schema={
        "type": "object",
        "properties": {"sku": {"type": "string"}, "qty": {"type": "integer"}},
        "required": ["sku"],
    },
)


def tools() -> tuple[Visible, ...]:
    def get_price(sku, qty=1):
        """The price."""

    engine = Engine()
    engine.add(get_price, name="shop.get-price", source="shop")
    return Session(engine.executor).visible_tools()


def calls(target: str) -> TargetCalls:
    found = calls_for(target, find_target(target).names(tools()))
    assert found is not None
    return found


def test_every_target_has_its_convention():
    assert set(CONVENTIONS) == set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_an_inserted_call_passes_the_targets_own_checks(target: str):
    text = calls(target).call("shop.get-price", ["sku"])
    code = text.replace('"sku": ', '"sku": "A"').replace("sku: }", 'sku: "A" }').replace("sku=", 'sku="A"')
    assert '"A"' in code
    if target == "pctx":
        code = f"async function run() {{ return {code} }}\nexport default await run();"
    script = Script(code, f"script{ENDINGS[find_target(target).language]}")
    assert [finding.text for finding in check(find_target(target), script, tools()) if finding.fails] == []


@pytest.mark.parametrize(
    ("target", "before", "offered"),
    [
        ("anthropic", "x = await shop_get_price(", ['{"sku": ', '{"qty": ']),
        ("anthropic", "x = await shop_get_price({", ['"sku": ', '"qty": ']),
        ("anthropic", 'x = await shop_get_price({"sku": 1, ', ['"qty": ']),
        ("anthropic", "other({", []),
        ("anthropic", "x = shop", ["shop_get_price"]),
        ("fastmcp", "x = get", ['call_tool("shop.get-price", {})']),
        ("openai", "await tools.", ["shop_get_price"]),
        ("openai", "await tools.shop_get_price({ ", ["sku: ", "qty: "]),
        ("cloudflare", "await codemode.", ["shop_get_price"]),
        ("cloudflare", "await codemode.shop_get_price({ sku: 1, ", ["qty: "]),
        ("tanstack", "exter", ["external_shop_get_price"]),
    ],
)
def test_completion_offers_what_may_stand_there(target: str, before: str, offered: list[str]):
    there = calls(target)
    javascript = find_target(target).language != "python"
    context = js_context_before(before, there.convention.root) if javascript else context_before(before)
    found = target_suggestions(context, there.hints([HINT]), there)
    assert [row.text for row in found if "budget" not in row.text] == offered


@pytest.mark.parametrize(
    ("target", "signature"),
    [
        ("anthropic", 'await shop_get_price({"sku": str, "qty": int}) -> str'),
        ("pydantic-ai", "await shop_get_price(sku: str, qty: int)"),
        ("openai", "await tools.shop_get_price({ sku: string, qty?: number })"),
    ],
)
def test_a_signature_shows_the_call_with_its_types(target: str, signature: str):
    assert calls(target).signature(HINT, calls(target).name_of("shop.get-price")) == signature
