"""What a script in Deno may do: nothing but compute, print and call its tools."""

import pytest

from tests.runtimes.javascript.conftest import Run

FORBIDDEN = {
    "read": "Deno.readTextFileSync('/etc/passwd')",
    "read by node:fs": "(await import('node:fs')).readFileSync('/etc/passwd')",
    "its own descriptors": "Deno.openSync('/dev/fd/0')",
    "import a file": "await import('file:///etc/hostname')",
    "import from the network": "await import('https://example.com/x.js')",
    "write": "Deno.writeTextFileSync('/tmp/x', '')",
    "net": "await fetch('http://127.0.0.1:8080/')",
    "listen": "Deno.listen({ port: 0 })",
    "env": "Deno.env.toObject()",
    "env by process": "process.env.HOME",
    "run": "new Deno.Command('ls').outputSync()",
    "ffi": "Deno.dlopen('/lib/x86_64-linux-gnu/libc.so.6', {})",
    "sys": "Deno.hostname()",
}


@pytest.mark.parametrize("attempt", FORBIDDEN.values(), ids=FORBIDDEN)
async def test_a_script_has_no_permission(run: Run, attempt: str):
    code = f"try {{ {attempt}; console.log('allowed'); }} catch (error) {{ console.log(error.message); }}\nconsole.log(await tools.add(1));"
    record = await run(code, "deno")
    assert record["stdout"].startswith("Requires ")
    assert record["stdout"].endswith("\n3\n")


async def test_a_script_is_not_given_a_permission_that_it_asks_for(run: Run):
    code = "for (const name of ['read', 'write', 'net', 'env', 'run', 'ffi', 'sys'])\n  console.log((await Deno.permissions.request({ name })).state);"
    record = await run(code, "deno")
    assert record["stdout"] == "denied\n" * 7


async def test_a_worker_has_no_more_than_the_script(run: Run):
    code = (
        "const text = \"try { Deno.readTextFileSync('/etc/passwd'); postMessage('read'); } catch { postMessage('refused'); }\";\n"
        "const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), { type: 'module' });\n"
        "console.log(await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); }));\n"
        "worker.terminate();"
    )
    record = await run(code, "deno")
    assert record["stdout"] == "refused\n"


async def test_leaving_through_deno_has_its_line(run: Run):
    record = await run("console.log('x');\nDeno.exit(3);", "deno")
    assert (record["stdout"], record["return_code"], record["error"]["line"]) == ("x\n", 3, 2)


async def test_deno_runs_typescript_that_has_no_file_name(run: Run):
    record = await run(
        "interface Sum {\n  total: number;\n}\nconst sum: Sum = { total: await tools.add(1) };\nsum.total",
        "deno",
        "<stdin>",
    )
    assert (record["error"], record["value"], record["calls"][0]["line"]) == (None, 3, 4)


async def test_deno_runs_typescript_too(run: Run):
    record = await run(
        "interface Sum {\n  total: number;\n}\n\nconst sum: Sum = { total: await tools.add(1) };\nconsole.log(sum.total);\nthrow new Error('seven');",
        "deno",
        "script.ts",
    )
    assert (record["stdout"], record["calls"][0]["line"], record["error"]["line"]) == ("3\n", 5, 7)
