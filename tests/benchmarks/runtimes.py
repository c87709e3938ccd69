"""Start plus a hundred calls in every runtime, against the language's bare "hello" in the same confinement."""

import asyncio
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.sandbox import Bounds, best_confiner, toolchain_places
from ptc_studio.runtimes.sandbox.launch import confined_process, program_environment
from ptc_studio.runtimes.stdio import StdioRouter
from tests.benchmarks.floor import echo
from tests.benchmarks.measure import median, tell
from tests.support import Engine

ROUNDS, CALLS = 7, 100
PAUSE = 0.6
"""Between two runs, as a person makes one."""
COMPILED = ("go", "rust", "csharp")
HUNDRED = {
    "python": "for i in range(100):\n    add(a=i, b=1)\n",
    "javascript": "for (let i = 0; i < 100; i++) await tools.add({ a: i, b: 1 });\n",
    "bash": "for i in $(seq 100); do add --a $i --b 1 >/dev/null; done\n",
    "go": 'for i := 0; i < 100; i++ {\n\tMustCallTool[int]("add", Args{"a": i, "b": 1})\n}\n',
    "rust": 'for i in 0..100 {\n    let _: i64 = call_tool("add", args! {"a" => i, "b" => 1})?;\n}\n',
    "csharp": 'for (var i = 0; i < 100; i++) CallTool<int>("add", new { a = i, b = 1 });\n',
}
HUNDRED["typescript"] = HUNDRED["javascript"]
SAYS_HELLO = {
    "go": 'fmt.Println("hello")\n',
    "rust": 'println!("hello");\n',
    "csharp": 'Console.WriteLine("hello");\n',
}
HELLO = {
    "python": ("hello.py", "print('hello')\n"),
    "node": ("hello.mjs", "console.log('hello')\n"),
    "typescript": ("hello.ts", "const text: string = 'hello'\nconsole.log(text)\n"),
    "deno": ("hello.mjs", "console.log('hello')\n"),
    "go": ("hello.go", 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello") }\n'),
    "rust": ("hello.rs", 'fn main() { println!("hello"); }\n'),
    "csharp": ("hello.cs", 'class P { static void Main() { System.Console.WriteLine("hello"); } }\n'),
}


async def main() -> None:
    """Tells the ratios of all runtimes that are here."""
    engine = Engine()
    engine.add(lambda a, b: a + b, name="add")
    # As in the window: a runtime that can keeps a process ready for the next run.
    catalog = RuntimeCatalog(StdioRouter(), spare=1)
    available = [info for info in catalog.discover() if info.available]
    with TemporaryDirectory() as name, echo(request=60, answer=40, rounds=CALLS) as child:
        for info in available:
            language = next(manifest.language for manifest in catalog.manifests if manifest.id == info.id)
            if language not in HUNDRED:
                continue
            bare = _bare(info.id, info.executable or "", Path(name))
            await _compare(info.id, HUNDRED[language], bare, catalog, engine, child)
            if bare and info.id in COMPILED:
                await _second_run(info.id, bare, catalog, engine)
    catalog.close()


async def _compare(
    runtime_id: str, code: str, bare: Callable[[], float] | None, catalog: RuntimeCatalog, engine: Engine, child: Any
) -> None:
    runtime = catalog.get(runtime_id)
    ours: list[float] = []
    hello: list[float] = []
    floor: list[float] = []
    await _run(runtime, code, engine)
    for _ in range(ROUNDS):
        floor.append(child.measure() * CALLS)
        if bare:
            hello.append(bare())
        await asyncio.sleep(PAUSE)
        ours.append(await _run(runtime, code, engine))
    if not bare:
        tell(f"{runtime_id}: start and {CALLS} calls", f"{median(ours) * 1e3:.0f} ms")
        return
    ratio = median([(a - b) / c for a, b, c in zip(ours, floor, hello, strict=True)])
    told = f"{median(ours) * 1e3:.0f} ms; hello {median(hello) * 1e3:.0f} ms, calls' floor {median(floor) * 1e3:.0f} ms"
    tell(f"{runtime_id}: start and {CALLS} calls", f"{told} = {ratio:.2f} x", "at most 1.5", ratio <= 1.5)


async def _second_run(runtime_id: str, bare: Callable[[], float], catalog: RuntimeCatalog, engine: Engine) -> None:
    """A run of unchanged code, from its start to its record, against the bare program."""
    runtime = catalog.get(runtime_id)
    await _run(runtime, SAYS_HELLO[runtime_id], engine, 0)
    pairs = [(await _run(runtime, SAYS_HELLO[runtime_id], engine, 0), bare()) for _ in range(2 * ROUNDS)]
    ratio = median([ours / hello for ours, hello in pairs])
    told = f"{median([ours for ours, _ in pairs]) * 1e3:.0f} ms = {ratio:.2f} x"
    tell(f"{runtime_id}: a second run of unchanged code", told, "at most 1.3 times the bare program", ratio <= 1.3)


async def _run(runtime: Any, code: str, engine: Engine, calls: int = CALLS) -> float:
    began = time.perf_counter()
    record = await Session(engine.executor).execute(Script(code, "script"), runtime)
    took = time.perf_counter() - began
    assert record["status"] == "ok", record["error"]
    assert len(record["calls"]) == calls
    return took


def _bare(runtime_id: str, program: str, folder: Path) -> Callable[[], float] | None:
    """What runs the language's own hello, with nothing of ours in it but the confinement."""
    if runtime_id not in HELLO:
        return None
    name, text = HELLO[runtime_id]
    source = folder / name
    source.write_text(text)
    binary = str(folder / f"hello-{runtime_id}")
    if runtime_id == "go":
        subprocess.run([program, "build", "-o", binary, str(source)], check=True)
    elif runtime_id == "rust":
        subprocess.run([program, "-o", binary, str(source)], check=True)
    elif runtime_id == "csharp":
        subprocess.run(["mcs", f"-out:{binary}", str(source)], check=True)
    commands = {"go": [binary], "rust": [binary], "csharp": ["mono", binary], "deno": [program, "run", str(source)]}
    command = commands.get(runtime_id, [program, str(source)])
    places = toolchain_places(Path(program)) if program else ()
    bounds = Bounds(readable=(folder, *places))

    def once() -> float:
        began = time.perf_counter()
        process, launch = confined_process(best_confiner(), command, bounds, program_environment({}))
        out, _ = process.communicate()
        took = time.perf_counter() - began
        launch.close()
        assert out.strip() == b"hello", out
        return took

    return once
