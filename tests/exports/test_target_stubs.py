"""Stubs as a target's scripts see the tools, judged by the compilers of both languages."""

from typing import Any

from ptc_studio.core.registry import EVERYTHING
from ptc_studio.core.scripts import Visible
from ptc_studio.exports.target_stubs import target_stubs
from ptc_studio.targets import all_targets, find_target
from tests.exports.conftest import Shelf
from tests.exports.test_pyi import ORDER, TOTAL

CALLS = {
    "anthropic": "text: str = await shop_order({'items': [{'sku': 'A'}]})\nawait hello({})",
    "ironclaw": "text: str = call_tool('shop.order', {'items': [{'sku': 'A'}]})\ncall_tool('hello')",
    "toolregistry": "total: float = shop_order(items=[{'sku': 'A'}])['total']\nhello()",
    "smolagents": "total: float = shop_order([{'sku': 'A'}])['total']\nhello()",
    "pydantic-ai": "total: float = (await shop_order(items=[{'sku': 'A'}]))['total']\nawait hello()",
    "monty": "total: float = shop_order([{'sku': 'A'}])['total']\nhello()",
    "fastmcp": "total: float = (await call_tool('shop.order', {'items': [{'sku': 'A'}]}))['total']\nawait call_tool('hello', {})",
    "utcp-python": "total: float = shop.order(items=[{'sku': 'A'}])['total']\nhello()",
    "ms-codeact": "total: float = call_tool('shop.order', items=[{'sku': 'A'}])['total']\ncall_tool('hello')",
    "openai": "const n: number = (await tools.shop_order({ items: [{ sku: 'A' }] })).total; await tools.hello();",
    "openai-codex": "const n: number = (await tools.shop_order({ items: [{ sku: 'A' }] })).total; await tools.hello();",
    "vercel": "const n: number = (await tools['shop.order']({ items: [{ sku: 'A' }] })).total; await tools.hello();",
    "deepagents": "const n: string = await tools.shopOrder({ items: [{ sku: 'A' }] }); await tools.hello();",
    "cloudflare": "const n: number = (await codemode.shop_order({ items: [{ sku: 'A' }] })).total; await shop.order({ items: [] });",
    "cloudflare-mcp": "const n: number = (await codemode.shop_order({ items: [{ sku: 'A' }] })).total; await shop.order({ items: [] });",
    "utcp": "const n: number = shop.order({ items: [{ sku: 'A' }] }).total; hello();",
    "tanstack": "const n: number = (await external_shop_order({ items: [{ sku: 'A' }] })).total; await external_hello();",
    "mcp-files": "import * as shop from './servers/shop';\nconst n: number = (await shop.order({ items: [{ sku: 'A' }] })).total;",
    "pctx": "const n: number = (await Shop.order({ items: [{ sku: 'A' }] })).total; await Tools.hello();",
    "goose": "import { order } from 'shop';\nconst n: string = order({ items: [{ sku: 'A' }] });",
}
PYTHON = [name for name in CALLS if find_target(name).language == "python"]
SCRIPTS = [name for name in CALLS if name not in PYTHON]


def visible(shelf: Shelf) -> list[Visible]:
    shelf.add("shop.order", ORDER, description="Orders.", output=TOTAL).add("hello")
    return [Visible((target.spec.name,), target) for target in shelf.registry.targets(EVERYTHING)]


def test_every_target_is_tried():
    assert {target.id for target in all_targets() if target.call is not None} == set(CALLS)


def test_calls_fit_the_stubs_of_their_target_in_python_and_wrong_ones_do_not(shelf: Shelf, check_python: Any):
    """All in one go: the checker takes longer to start than to read."""
    tools = visible(shelf)
    files: dict[str, str] = {}
    for name in PYTHON:
        module = name.replace("-", "_")
        files[f"stub_{module}"] = target_stubs(find_target(name), tools)
        body = "\n    ".join(CALLS[name].splitlines())
        wrong = body.replace("'sku'", "'skew'")
        files[module] = f"from stub_{module} import *\n\nasync def right() -> None:\n    {body}\n"
        files[f"wrong_{module}"] = f"from stub_{module} import *\n\nasync def wrong() -> None:\n    {wrong}\n"
    found = check_python(**files)
    assert [each for each in found if not each.startswith("wrong_")] == []
    failed = {each.partition(".")[0] for each in found}
    assert failed == {f"wrong_{name.replace('-', '_')}" for name in PYTHON}


def test_calls_fit_the_declarations_of_their_target_and_wrong_ones_do_not(shelf: Shelf, check_typescript: Any):
    tools = visible(shelf)
    files: dict[str, str] = {"tools": ""}
    for name in SCRIPTS:
        target = find_target(name)
        assert target.call is not None
        declared = target_stubs(target, tools)
        if target.call.module:
            files["tools"], declared = files["tools"] + declared, ""
        for mark, calls in (("right", CALLS[name]), ("wrong", CALLS[name].replace("sku", "skew"))):
            files[f"{mark}_{name}"] = f"{calls}\n{declared}\nexport {{}};"
    failed = {line.partition(".mts")[0] for line in check_typescript(**files).splitlines() if "error TS" in line}
    assert failed == {f"wrong_{name}" for name in SCRIPTS}


def test_the_stub_of_anthropics_tools_to_the_letter(shelf: Shelf):
    text = target_stubs(find_target("anthropic"), visible(shelf))
    assert "async def shop_order(input: _ShopOrderInput) -> str:\n" in text
    assert "class _ShopOrderInput(TypedDict):\n    items: list[_ShopOrderItem]\n" in text
    assert "async def hello(input: dict = ...) -> str: ..." in text
