"""Declarations for TypeScript."""

from textwrap import dedent
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.exports.conftest import Shelf
from tests.exports.schema_strategies import names, schemas
from tests.exports.test_pyi import ORDER, TOTAL, _nasty

GOLDEN = """\
// The tools of PTC Studio as scripts in JavaScript and TypeScript see them.

declare namespace ToolTypes {
  interface ShopOrderResult {
    total: number;
  }
  interface ShopOrderArguments {
    items: ShopItem[];
    /** How. */
    mode?: "fast" | "slow";
    note?: string | null;
  }
  interface ShopItem {
    sku: string;
    qty?: number;
  }
  interface Tools {
    hello(args?: { [name: string]: never }): Promise<any>;
    shop: {
      /** Orders. */
      order(args: ToolTypes.ShopOrderArguments): Promise<ToolTypes.ShopOrderResult>;
    };
    [name: `${string}.${string}`]: (args?: { [name: string]: any }) => Promise<any>;
  }
}

declare const tools: ToolTypes.Tools;
"""


def test_a_small_file_to_the_letter(shelf: Any) -> None:
    shelf.add("shop.order", ORDER, description="Orders.", output=TOTAL).add("hello")
    text = shelf.export("dts")
    assert text.startswith(GOLDEN)
    assert "declare function call_tool(" in text


def test_the_compiler_knows_the_tools_of_a_script(shelf: Any, check_typescript: Any) -> None:
    shelf.add("shop.order", ORDER, description="Orders.", output=TOTAL).add("hello").add("get-sum")
    script = """
        const done = await tools.shop.order({ items: [{ sku: "a" }], mode: "fast" });
        console.log(done.total + 1, await tools.hello(), await tools.get_sum({}), await tools["get-sum"]());
        await call_tool("hello", { a: 1 }, { timeout: 5 }), await call_tool("hello", {}, { timeout_secs: 5 });
        await tools.shop.order({ items: [{ qty: 1 }] });
        await tools.shop.order({ items: [], mode: "middling" });
        done.sum;
        await tools.hello({ a: 1 });
        await tools.shop.order();
        export {};
    """
    found = check_typescript(tools=shelf.export("dts"), script=dedent(script).lstrip("\n"))
    lines = {int(line.split("(")[1].split(",")[0]) for line in found.splitlines() if line.startswith("script.mts(")}
    assert lines == {4, 5, 6, 7, 8}, found
    assert "tools.d.ts" not in found


def test_a_tool_is_known_by_all_its_names(shelf: Any, check_typescript: Any) -> None:
    number = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    shelf.add("mul", number, also=("calc.mul", "deep.get-mul")).add("calc.sum").add("a.x", also=("x",))
    shelf.add("b.x", also=("x",))
    script = """
        await tools.mul({ a: 1 });
        await tools.calc.mul({ a: 1 });
        await tools.deep.get_mul({ a: 1 });
        await tools.calc.sum();
        await tools["deep.get-mul"]({ a: 1 });
        await tools.calc.mul({ a: "1" });
        await tools.x();
        await tools.calc.nope();
        export {};
    """
    found = check_typescript(tools=shelf.export("dts"), script=dedent(script).lstrip("\n"))
    told = [line for line in found.splitlines() if line.startswith("script.mts(")]
    assert [line.split("(")[1].split(",")[0] for line in told] == ["6", "7", "8"], found
    assert "'x' does not exist on type 'Tools'" in told[1]


def test_a_script_may_tell_the_failures_of_tools(shelf: Any, check_typescript: Any) -> None:
    script = """
        try {
          await call_tool("hello");
        } catch (error) {
          if (!(error instanceof ToolError)) throw error;
          const texts: string[] = [error.name, error.type, error.tool, error.message, error.remoteTraceback];
          console.log(texts, error.line ?? 0);
          console.log(error.typo, new ToolError("made up"));
        }
        export {};
    """
    found = check_typescript(tools=shelf.add("hello").export("dts"), script=dedent(script).lstrip("\n"))
    assert [line.split("(")[1].split(",")[0] for line in found.splitlines() if "(" in line] == ["7", "7"], found


def test_nasty_names_and_schemas_pass_the_compiler(check_typescript: Any) -> None:
    script = """
        const walked: number | undefined = (await tools.tree.walk.deep({ more: "x" })).int;
        await tools.tree({ root: { next: { next: null } }, json: ["a", { b: [] }] });
        await tools.get_sum({ o: { "a-b": "\\"\\"\\"" } });
        await tools.import.class();
        console.log(walked);
        export {};
    """
    assert check_typescript(tools=_nasty().export("dts"), script=dedent(script).lstrip("\n")) == ""


def test_tuples_have_places(shelf: Any) -> None:
    def pair(**more: Any) -> Any:
        return {"type": "array", "prefixItems": [{"type": "integer"}, {"type": ["string", "null"]}], **more}

    shelf.add(
        "t",
        {
            "type": "object",
            "properties": {
                "a": pair(minItems=2, maxItems=2),
                "b": pair(minItems=1, items=False),
                "c": pair(items={"enum": [1, 2]}),
                "d": pair(),
            },
        },
    )
    text = shelf.export("dts")
    assert "a?: [number, string | null];" in text
    assert "b?: [number, (string | null)?];" in text
    assert "c?: [number?, (string | null)?, ...(1 | 2)[]];" in text
    assert "d?: [number?, (string | null)?, ...any[]];" in text


def test_a_comment_cannot_end_early(shelf: Any, parse_typescript: Any) -> None:
    shelf.add("t", description="a */ b\n\x00 *\\/ \u2028 c")
    assert parse_typescript(shelf.export("dts")) == ""
    assert parse_typescript("declare const x: {") != ""


# A failure is told as it was found: making it small takes longer than a test may.
SOME = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
)


@SOME
@given(tools=st.dictionaries(names(), st.tuples(schemas(), schemas(), st.text(max_size=30)), min_size=1, max_size=4))
def test_any_schema_makes_declarations_that_parse(parse_typescript: Any, tools: dict[str, Any]) -> None:
    shelf = Shelf()
    for name, (parameters, output, description) in tools.items():
        shelf.add(name, parameters, signature=(), output=output, description=description)
    text = shelf.export("dts")
    text.encode("utf-8")
    assert parse_typescript(text) == ""


@pytest.mark.slow
def test_random_declarations_pass_the_compiler(check_typescript: Any) -> None:
    """Many together: a run of the compiler takes most of a second."""
    shelf = Shelf()

    @settings(max_examples=60, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(schemas(), schemas())
    def gather(parameters: Any, output: Any) -> None:
        shelf.add(f"space{len(shelf.registry.tools)}.tool", parameters, signature=(), output=output)

    gather()
    assert len(shelf.registry.tools) > 40
    assert check_typescript(tools=shelf.export("dts")) == ""
