"""Compares our JavaScript targets with the real packages, program by program: `python -m tests.targets.peers.javascript`.

The packages are installed into `.venv/peers/node` the first time. Programs are those of `tests/targets/programs`, and the
shorter ones below. What is known to differ is told with its reason; the exit status is 1 if anything else does.
"""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.targets import Destination, find_target

TARGETS = Path(__file__).resolve().parents[2]
PACKAGES = (
    "@cloudflare/codemode@0.5.6",
    "@cfworker/json-schema@4.1.1",
    "@modelcontextprotocol/sdk@1.25.2",
    "acorn@8.19.0",
    "@utcp/code-mode@1.2.12",
    "@utcp/sdk@1.1.2",
    "isolated-vm@6.2.0",
    "@ai-sdk/code-mode@1.0.42",
    "ai@7.0.170",
    "zod@4.6.7",
    "@tanstack/ai@0.58.0",
    "@tanstack/ai-code-mode@0.3.4",
    "@tanstack/ai-isolate-node@0.1.8",
)
SEMICOLON = "published examples end with one, so that it runs here, with a warning"
KNOWN = {
    "vercel/warned_console_warn.ts": "QuickJS has words of its own for what is no function",
    "cloudflare/warned_semicolon.mjs": SEMICOLON,
    "cloudflare: 'async () => 1;'": SEMICOLON,
}
MORE: dict[str, tuple[str, ...]] = {
    "cloudflare": (
        "async () => 1;",
        "export default async () => 42;",
        "export default function f() { return 1; }",
        "export default async function () { return 2; }",
        "export default class { }",
        "export default 40 + 2",
        "function f() { return 7; }",
        "function f() {}\nfunction g() { return 1; }",
        "```js\nasync () => 'fenced'\n```",
        "```\nconst a = 1;\na + 1\n```",
        "",
        "if (0) return 1;\n42;",
        "const a = 1;\n({ a });",
        "{ const b = 1; }",
        "throw new Error('no');",
        "throw 'text';",
        "console.log('on');\nawait codemode.fail({ reason: 'closed' });",
        "await codemode.nope({})",
        "const x: number = 1;",
        "// only a comment",
        "async () => {\n  return await codemode.add({ a: 1, b: 2 });\n} // so",
        "(async () => 5)",
        "(async () => 5)()",
    ),
    "cloudflare-mcp": (
        "[1, { a: null }]",
        "'as it is'",
        "undefined",
        "console.log('on'); await codemode.fail({ reason: 'closed' })",
        "'x'.repeat(24001)",
        "['x'.repeat(30000)]",
        "({ a: 'x'.repeat(30000), b: 1, c: ['\\n'.repeat(9000)] })",
        "Array.from({ length: 20000 }, (_, i) => i)",
        "Object.fromEntries(Array.from({ length: 300 }, (_, i) => ['k' + i, 'v'.repeat(200)]))",
        "Array.from({ length: 900 }, (_, i) => ({ i, text: 'é'.repeat(i) }))",
        "'𝄞'.repeat(12001)",
    ),
    "utcp": (
        "throw new Error('bad')",
        "\n\nfunction f() { return fail({ reason: 'x' }); }\nreturn f()",
        "await null; throw new Error('x')",
        "await null;\nawait null;\nfail({ reason: 'x' })",
        "const f = async () => { await null; null.x };\nawait f()",
        "retur 1",
        "import x from 'y'; return 1",
        "throw 'text'",
        "throw {a:1}",
        "return undefined",
        "return () => 1",
        "return 10n",
        "console.log({ a: 1 }, [1], null, undefined, 'x'); console.info(1); return [1, { b: null }]",
        "return [typeof setTimeout, typeof fetch, typeof process, typeof URL, typeof console]",
        "return __getToolInterface('nope')",
        "return [await add({ a: 1, b: 2 }), add({ a: 2, b: 2 })]",
    ),
    "vercel": (
        "await tools.fail({ reason: 'x' })",
        "await tools.nope({})",
        "tools.add({ a: 1, b: 2 }); return 1",
        "for (let i = 0; i < 300; i++) await tools.add({ a: i, b: 1 }); return 1",
        "return undefined",
        "return new Date(0)",
        "return NaN",
        "throw new RangeError('r')",
        "throw 'text'",
        "1 + 1",
        "const p = tools.add({ a: 1, b: 2 }); await null; return await p",
        "return [typeof setTimeout, typeof fetch, typeof process, typeof URL, Object.keys(console).join()]",
    ),
    "tanstack": (
        "await external_fail({ reason: 'x' })",
        "console.log('a', { b: 1 }, null); console.error('e'); console.warn('w'); console.info('i')",
        "throw new RangeError('no')",
        "throw 'text'",
        "return undefined",
        "return [typeof setTimeout, typeof fetch, typeof process, global === globalThis]",
        "enum Size { Small, Large = 5 }\nreturn Size.Large",
        "await null;\nnull.x",
    ),
}
"""Beyond the programs: what each makes of unusual texts."""


def programs() -> list[tuple[str, str, str]]:
    """Targets, names and texts."""
    found = [(target, f"{target}: {code!r}", code) for target, codes in MORE.items() for code in codes]
    for target in MORE:
        for path in sorted((TARGETS / "programs" / target).iterdir()):
            found.append((target, f"{target}/{path.name}", path.read_text()))
    return found


def peers_replies(folder: Path, asked: list[tuple[str, str, str]]) -> list[Any]:
    command = ["node", str(Path(__file__).with_name("run.mjs")), str(folder)]
    given = json.dumps([{"target": target, "code": code} for target, _, code in asked])
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True, env=environment())
    return json.loads(done.stdout)


def environment() -> dict[str, str]:
    """With the Node.js of the tests first: the packages want a new one."""
    own = str(Path(sys.executable).parent)
    certificates = {"NODE_EXTRA_CA_CERTS": "/etc/ssl/certs/ca-certificates.crt"}
    return {**certificates, **os.environ, "PATH": os.pathsep.join((own, os.environ["PATH"]))}


async def our_replies(asked: list[tuple[str, str, str]]) -> list[Any]:
    studio = Studio(Setup(functions=TARGETS / "tools", spare_processes=1))
    await studio.load()
    try:
        return [await _our_reply(studio, target, code) for target, _, code in asked]
    finally:
        await studio.close()


async def _our_reply(studio: Studio, target_id: str, code: str) -> Any:
    target = find_target(target_id)
    name = f"script.{'mjs' if target.language == 'javascript' else 'ts'}"
    info = await studio.choose_runtime(target.runtime, name)
    session = studio.session(target=target)
    return (await studio.run(session, Script(code, name), info, Destination(target)))["model_sees"]


def main() -> int:
    folder = TARGETS.parents[1] / ".venv" / "peers" / "node"
    if not (folder / "ready").exists():
        folder.mkdir(parents=True, exist_ok=True)
        options = ["--no-save", "--no-audit", "--no-fund", "--legacy-peer-deps", "--prefix", str(folder)]
        subprocess.run(["npm", "install", *options, *PACKAGES], env=environment(), check=True)
        (folder / "ready").touch()
    asked = programs()
    pairs = zip(asked, asyncio.run(our_replies(asked)), peers_replies(folder, asked), strict=True)
    differing = [(name, ours, theirs) for (_, name, _), ours, theirs in pairs if ours != theirs]
    for name, ours, theirs in differing:
        why = f" ({KNOWN[name]})" if name in KNOWN else ""
        print(f"{name}{why}\n  ours:   {json.dumps(ours)}\n  theirs: {json.dumps(theirs)}")
    unknown = [name for name, _, _ in differing if name not in KNOWN]
    print(f"{len(asked)} programs, {len(differing)} replies differ, {len(unknown)} of them without a known reason")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
