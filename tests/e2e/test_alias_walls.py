"""What an alias presets or hides can neither be seen nor overridden, and one that is off cannot be called: whatever way
a call comes in. The tool itself keeps a list of what reached it."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.app import Setup, Studio
from ptc_studio.core.registry import EVERYTHING
from ptc_studio.core.scripts import Script
from ptc_studio.exports import FORMATS, definitions
from tests.wasm.modules import calling

FILE = """\
version: 1
sources:
  - {kind: functions, path: tools}
  - {kind: script, name: by_script, path: by_script.py, parameters: {arguments_: {}, name_: {type: string}}}
  - {kind: wasm, name: by_wasm, path: by_wasm.wat, parameters: {sku: {}}, aliases: [cheap_price]}
  - {kind: wasm, name: by_wasm_qty, path: by_wasm.wat, parameters: {sku: {}, qty: {}}, aliases: [cheap_price]}
  - {kind: wasm, name: by_wasm_currency, path: by_wasm.wat, parameters: {sku: {}, currency: {}}, aliases: [cheap_price]}
  - {kind: wasm, name: by_wasm_off, path: by_wasm_off.wat, parameters: {sku: {}}, aliases: [off_price]}
aliases:
  - {name: cheap-price, tool: price, preset: {qty: 3}, hidden: [currency]}
  - {name: usual_price, tool: price, defaults: {qty: 3}}
  - {name: off-price, tool: price, enabled: false}
"""
TOOLS = '''\
import json
from pathlib import Path


def price(sku: str, qty: int = 1, currency: str = "EUR") -> dict:
    """What something costs.

    Args:
        sku: The article.
        qty: How many.
        currency: In which one.
    """
    line = {"sku": sku, "qty": qty, "currency": currency}
    with (Path(__file__).parents[1] / "reached.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\\n")
    return line


def by_tool(name: str, arguments: dict, *, _context: dict) -> dict:
    """Calls another tool."""
    return _context["call_tool"](name, arguments)
'''
PYTHON = """\
def attempt(work):
    try:
        work()
    except Exception as error:
        print("refused")

for name in ("cheap-price", "cheap_price"):
    attempt(lambda: call_tool(name, {"sku": "a"}))
    attempt(lambda: call_tool(name, {"sku": "a", "qty": 9}))
    attempt(lambda: call_tool(name, {"sku": "a", "currency": "USD"}))
attempt(lambda: cheap_price("a"))
attempt(lambda: cheap_price("a", 9))
attempt(lambda: cheap_price(sku="a", qty=9))
attempt(lambda: cheap_price("a", currency="USD"))
attempt(lambda: off_price("a"))
for name in ("off-price", "off_price"):
    attempt(lambda: call_tool(name, {"sku": "a"}))
"""
NODE = """\
async function attempt(work) {
  try { await work(); } catch (error) { console.log("refused"); }
}
for (const name of ["cheap-price", "cheap_price"]) {
  await attempt(() => call_tool(name, {sku: "a"}));
  await attempt(() => tools[name]({sku: "a"}));
  for (const more of [{qty: 9}, {currency: "USD"}]) {
    await attempt(() => call_tool(name, {sku: "a", ...more}));
    await attempt(() => tools[name]({sku: "a", ...more}));
  }
}
await attempt(() => tools.off_price({sku: "a"}));
for (const name of ["off-price", "off_price"]) await attempt(() => call_tool(name, {sku: "a"}));
"""
BASH = """\
for name in cheap-price cheap_price; do
  call_tool $name --sku a || echo refused
  call_tool $name --sku a --qty 9 || echo refused
  call_tool $name --sku a --currency USD || echo refused
done
cheap_price --sku a || echo refused
cheap_price --sku a --qty 9 || echo refused
cheap_price a 9 || echo refused
echo '{"sku": "a", "qty": 9}' | cheap_price || echo refused
off_price --sku a || echo refused
call_tool off-price --sku a || echo refused
call_tool off_price --sku a || echo refused
"""
LOOKS = {
    "python": """
import inspect
help(cheap_price)
print(inspect.signature(cheap_price), cheap_price.__doc__, vars(cheap_price))
try:
    cheap_price("a", bogus=1)
except Exception as error:
    print(error)
""",
    "monty": """
help(cheap_price)
try:
    cheap_price("a", bogus=1)
except Exception as error:
    print(error)
""",
    "node": """
console.log(String(tools.cheap_price), JSON.stringify(Object.getOwnPropertyDescriptors(tools.cheap_price)));
try { await tools.cheap_price({sku: "a", bogus: 1}); } catch (error) { console.log(String(error)); }
""",
    "bash": "cheap_price --help\ncheap_price --sku a --bogus 1 2>&1 || true\ncheap_price a b c d 2>&1 || true\n",
}
LOOKS["python-inprocess"] = LOOKS["python"]
SCRIPTS = {
    "python": ("script.py", PYTHON),
    "python-inprocess": ("script.py", PYTHON),
    "monty": ("script.py", PYTHON),
    "node": ("script.mjs", NODE),
    "bash": ("script.sh", BASH),
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    files = {
        "studio.yaml": FILE,
        "tools/shop.py": TOOLS,
        "by_script.py": "call_tool(name_, arguments_)\n",
        "by_wasm.wat": calling("cheap_price"),
        "by_wasm_off.wat": calling("off_price"),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
async def studio(workspace: Path) -> AsyncIterator[Studio]:
    made = Studio(Setup(workspace=workspace, spare_processes=0))
    errors = await made.load()
    assert not errors, errors
    yield made
    await made.close()


def reached(workspace: Path) -> list[dict[str, Any]]:
    """What the tool was truly called with."""
    path = workspace / "reached.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


ONLY = {"sku": "a", "qty": 3, "currency": "EUR"}


@pytest.mark.parametrize("runtime", SCRIPTS)
async def test_no_script_gets_past_an_alias(studio: Studio, workspace: Path, runtime: str):
    filename, code = SCRIPTS[runtime]
    info = await studio.choose_runtime(runtime, filename)
    assert info.available, info.reason
    record = await studio.run(studio.session(timeout=60), Script(code, filename), info)
    assert record["status"] == "ok", record["error"] or record["stderr"]
    calls = reached(workspace)
    assert len(calls) >= 3
    assert all(call == ONLY for call in calls)
    assert {call["status"] for call in record["calls"] if call["status"] != "ok"} <= {"invalid", "not_found"}
    assert not [call for call in record["calls"] if call["alias"] == "off-price" and call["status"] == "ok"]
    assert record["stdout"].count("refused") >= 6


@pytest.mark.parametrize("runtime", LOOKS)
async def test_no_script_sees_what_an_alias_presets_or_hides(studio: Studio, runtime: str):
    filename = SCRIPTS[runtime][0]
    info = await studio.choose_runtime(runtime, filename)
    record = await studio.run(studio.session(timeout=60), Script(LOOKS[runtime], filename), info)
    assert record["status"] == "ok", record["error"] or record["stderr"]
    seen = record["stdout"] + record["stderr"]
    assert "cheap_price" in seen
    assert "bogus" in seen
    assert "qty" not in seen
    assert "currency" not in seen


@pytest.mark.parametrize("name", ["cheap-price", "cheap_price"])
@pytest.mark.parametrize("more", [{"qty": 9}, {"currency": "USD"}, {"qty": 3}, {"qty": None}])
async def test_no_tool_gets_past_it_either(studio: Studio, workspace: Path, name: str, more: dict[str, Any]):
    arguments = {"sku": "a", **more}
    for tool, given in (
        (name, arguments),
        ("by_tool", {"name": name, "arguments": arguments}),
        ("by_script", {"name_": name, "arguments_": arguments}),
        (f"by_wasm_{next(iter(more))}", arguments),
    ):
        record = await studio.call(studio.session(timeout=60), tool, given)
        assert record["status"] in ("invalid", "error"), (tool, record)
        assert "unexpected" in record["error"]["message"]
    assert reached(workspace) == []


async def test_a_nested_call_gets_what_is_preset(studio: Studio, workspace: Path):
    for tool, given in (
        ("by_tool", {"name": "cheap-price", "arguments": {"sku": "a"}}),
        ("by_script", {"name_": "cheap_price", "arguments_": {"sku": "a"}}),
        ("by_wasm", {"sku": "a"}),
    ):
        record = await studio.call(studio.session(timeout=60), tool, given)
        assert (record["status"], record["result"]) == ("ok", ONLY)
    assert reached(workspace) == [ONLY] * 3


@pytest.mark.parametrize("name", ["off-price", "off_price"])
async def test_one_that_is_off_is_found_by_nobody(studio: Studio, workspace: Path, name: str):
    record = await studio.call(studio.session(), name, {"sku": "a"})
    assert record["status"] == "not_found"
    for tool, given in (
        ("by_tool", {"name": name, "arguments": {"sku": "a"}}),
        ("by_script", {"name_": name, "arguments_": {"sku": "a"}}),
        ("by_wasm_off", {"sku": "a"}),
    ):
        record = await studio.call(studio.session(timeout=60), tool, given)
        assert record["status"] == "error", (tool, record)
        assert "not found" in record["error"]["message"]
    assert reached(workspace) == []


async def test_a_grant_does_not_bring_one_that_is_off_back(studio: Studio, workspace: Path):
    session = studio.session(grant=studio.grant(["off-price", "off_price", "*"]))
    record = await studio.call(session, "off-price", {"sku": "a"})
    assert record["status"] == "not_found"
    assert reached(workspace) == []


async def test_a_default_is_what_the_script_may_override(studio: Studio, workspace: Path):
    for given in ({"sku": "a"}, {"sku": "a", "qty": 9}):
        await studio.call(studio.session(), "usual_price", given)
    assert [call["qty"] for call in reached(workspace)] == [3, 9]


async def test_no_description_for_elsewhere_tells_of_it(studio: Studio):
    targets = [target for target in studio.registry.targets(EVERYTHING) if target.spec.name == "cheap-price"]
    assert len(targets) == 1
    for form in FORMATS:
        told = json.dumps(definitions(targets, form))
        assert "cheap" in told
        assert "qty" not in told
        assert "currency" not in told
    names = [target.spec.name for target in studio.registry.targets(EVERYTHING)]
    assert "off-price" not in names


@pytest.mark.parametrize(
    ("name", "arguments", "status"),
    [
        ("cheap-price", {"sku": "a"}, "ok"),
        ("cheap_price", {"sku": "a", "qty": 9}, "invalid"),
        ("cheap-price", {"sku": "a", "currency": "USD"}, "invalid"),
        ("off-price", {"sku": "a"}, "not_found"),
        ("off_price", {"sku": "a"}, "not_found"),
    ],
)
def test_the_command_line_is_no_way_round(
    studio_command: Any, workspace: Path, name: str, arguments: dict[str, Any], status: str
):
    done = studio_command("call", name, "--args", json.dumps(arguments), "--workspace", workspace, "--json")
    assert json.loads(done.stdout)["status"] == status
    assert reached(workspace) == ([ONLY] if status == "ok" else [])


def test_the_list_of_tools_has_neither(studio_command: Any, workspace: Path):
    listed = json.loads(studio_command("tools", "--workspace", workspace, "--json").stdout)
    assert listed["errors"] == []
    price = next(tool for tool in listed["tools"] if tool["name"] == "price")
    assert price["aliases"] == ["cheap-price", "usual_price"]
