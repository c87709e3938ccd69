"""Calls as they are written for each target: what is put into the editor passes the target's own checks."""

import pytest

from ptc_studio.core.scripts import Script, Visible
from ptc_studio.core.session import Session
from ptc_studio.targets import check, find_target, target_ids
from ptc_studio.ui.language.hints import ParameterHint, ToolHint
from ptc_studio.ui.language.suggestions import context_before, js_context_before
from ptc_studio.ui.language.target_calls import TargetCalls, calls_for, target_suggestions
from ptc_studio.ui.language.tool_mentions import uses_there
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
    found = calls_for(find_target(target), find_target(target).names(tools()))
    assert found is not None
    return found


def test_every_target_has_its_convention():
    assert [name for name in TARGETS if find_target(name).call is None] == []


@pytest.mark.parametrize("target", TARGETS)
def test_an_inserted_call_passes_the_targets_own_checks(target: str):
    text = calls(target).call("shop.get-price", ["sku"])
    code = text.replace('"sku": ', '"sku": "A"').replace("sku: }", 'sku: "A" }').replace("sku=", 'sku="A"')
    assert '"A"' in code
    if target == "pctx":
        code = f"async function run() {{ return {code} }}\nexport default await run();"
    if target == "mcp-files":
        code = f"import * as shop from './servers/shop';\n{code}"
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
        ("pydantic-ai", "await shop_get_price(sku: str, qty: int = 1)"),
        ("smolagents", "shop_get_price(sku: str, qty: int = 1)"),
        ("openai", "await tools.shop_get_price({ sku: string, qty?: number })"),
    ],
)
def test_a_signature_shows_the_call_with_its_types(target: str, signature: str):
    assert calls(target).signature(HINT, calls(target).name_of("shop.get-price")) == signature


@pytest.mark.parametrize(
    ("target", "code", "columns"),
    [
        ("anthropic", "await shop_get_price({})", [(1, 7)]),
        ("fastmcp", 'await call_tool("shop.get-price", {})', [(1, 17)]),
        ("openai", "await tools.shop_get_price({})", [(1, 7)]),
        ("vercel", "await tools['shop.get-price']({}); tools.shop_get_price({})", [(1, 7), (1, 36)]),
        ("cloudflare", "// shop.get_price()\nawait shop.get_price({}); codemode.shop_get_price()", [(2, 7), (2, 27)]),
        ("pctx", "await Shop.getPrice({})", [(1, 7)]),
        ("mcp-files", "import * as s from './servers/shop'\nawait s.getPrice({})", [(2, 7)]),
        ("mcp-files", "import { getPrice as p } from './servers/shop/index.ts'\nawait p({})", [(2, 7)]),
        ("goose", "import { get_price } from 'shop'\nget_price({})", [(2, 1)]),
        ("tanstack", "await external_shop_get_price({})", [(1, 7)]),
    ],
)
def test_a_tool_is_found_in_the_text_by_its_name_there(target: str, code: str, columns: list[tuple[int, int]]):
    there = calls(target)
    language = find_target(target).language
    known = dict.fromkeys(there.names, HINT)
    found = uses_there(code, language, known, there.convention.root)
    assert [(use.line, use.column) for use in found] == columns
    assert {use.tool for use in found} == {"shop.get-price"}


def test_what_looks_like_a_namespace_of_tools_is_told_where_there_is_none():
    for target in ("openai", "openai-codex", "vercel", "deepagents"):
        script = Script("await tools.shop.get_price({})", f"script{ENDINGS[find_target(target).language]}")
        told = [finding.text for finding in check(find_target(target), script, tools()) if finding.fails]
        there = "shopGetPrice" if target == "deepagents" else "shop_get_price"
        assert told == [f"The tool `shop.get_price` is called `{there}` there"]
