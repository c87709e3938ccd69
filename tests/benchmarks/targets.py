"""A run under each target against the same run in `plain`, in the same runtime, in turns."""

import asyncio
import time
from pathlib import Path

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.targets import Destination, find_target
from tests.benchmarks.measure import loaded_studio, median, tell

ROUNDS = 15
PAUSE = 0.25
"""Between two runs, in which a process for the next is made ready."""
TOOLS = Path(__file__).parents[1] / "targets" / "tools"
CALLS = 100
GOAL = 1.1
AWAITED = f"for i in range({CALLS}):\n    await add({{given}})\n"
PLAIN, PLAIN_AWAITED = f"for i in range({CALLS}):\n    add(a=i, b=1)\n", AWAITED.format(given="a=i, b=1")
BY_NAME = f"for i in range({CALLS}):\n    call_tool('add', {{'a': i, 'b': 1}})\n"
PAIRS = {
    "anthropic": (AWAITED.format(given="{'a': i, 'b': 1}"), PLAIN_AWAITED),
    "ironclaw": (BY_NAME, BY_NAME),
    "toolregistry": (PLAIN, PLAIN),
    "smolagents": (PLAIN, PLAIN),
    "utcp-python": (PLAIN, PLAIN),
    "ms-codeact": (f"for i in range({CALLS}):\n    call_tool('add', a=i, b=1)\n", BY_NAME),
    "monty": (PLAIN, PLAIN),
    "pydantic-ai": (PLAIN_AWAITED, PLAIN_AWAITED),
    "fastmcp": (
        "for i in range(50):\n    await call_tool('add', {'a': i, 'b': 1})\n",
        "for i in range(50):\n    await call_tool('add', {'a': i, 'b': 1})\n",
    ),
}
"""The script in the target's manner, and the same in plain."""
GIVEN = "{ a: i, b: 1 }"
LOOP = f"for (let i = 0; i < {CALLS}; i++) {{call}};\n"
PLAIN_LOOP = LOOP.format(call=f"await tools.add({GIVEN})")
JAVASCRIPT_CALLS = {
    "openai": f"await tools.add({GIVEN})",
    "openai-codex": f"await tools.add({GIVEN})",
    "cloudflare": f"await codemode.add({GIVEN})",
    "utcp": f"add({GIVEN})",
    "vercel": f"await tools.add({GIVEN})",
    "tanstack": f"await external_add({GIVEN})",
    "deepagents": f"await tools.add({GIVEN})",
}
PAIRS |= {target: (LOOP.format(call=call), PLAIN_LOOP) for target, call in JAVASCRIPT_CALLS.items()}
# Those that need more than a loop: a function that is called, modules that are imported.
PAIRS["pctx"] = (f"async function run() {{\n{LOOP.format(call=f'await Shop.add({GIVEN})')}}}\n", PLAIN_LOOP)
PAIRS["goose"] = (f'import {{ add }} from "shop";\n{LOOP.format(call=f"add({GIVEN})")}', PLAIN_LOOP)
PAIRS["mcp-files"] = (
    f'import * as shop from "./servers/shop";\n{LOOP.format(call=f"await shop.add({GIVEN})")}',
    PLAIN_LOOP,
)
ENDINGS = {"python": "py", "javascript": "mjs", "typescript": "ts"}


async def main() -> None:
    """Tells the ratio of each target."""
    studio = await loaded_studio(Setup(functions=TOOLS))
    for target_id, (code, plain) in PAIRS.items():
        there: list[float] = []
        here: list[float] = []
        for number in range(ROUNDS + 1):
            first, second = await _run(studio, target_id, code), await _run(studio, target_id, plain, "plain")
            # The first run of each makes things ready that are kept.
            if number:
                there.append(first)
                here.append(second)
        ratio = median([one / other for one, other in zip(there, here, strict=True)])
        shown = f"{median(there) * 1000:.1f} ms, {ratio:.2f}"
        tell(f"{target_id}: {CALLS} calls, against plain", shown, f"≤ {GOAL}", ratio <= GOAL)
    await studio.close()


async def _run(studio: Studio, target_id: str, code: str, under: str | None = None) -> float:
    await asyncio.sleep(PAUSE)
    target, own = find_target(under or target_id), find_target(target_id)
    name = f"script.{ENDINGS[own.language]}"
    info = await studio.choose_runtime(own.runtime, name)
    session = studio.session(target=target)
    began = time.perf_counter()
    record = await studio.run(session, Script(code, name), info, Destination(target))
    took = time.perf_counter() - began
    assert record["status"] == "ok", record["error"]
    return took


if __name__ == "__main__":
    asyncio.run(main())
