"""Scripts of every language try to get out in their own words; the second table of SECURITY.md says what happens."""

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes import catalog as catalog_module
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.sandbox import PlainProcess
from ptc_studio.runtimes.sandbox.confiners import Bubblewrap, Landlock
from ptc_studio.runtimes.stdio import StdioRouter
from tests.support import Engine

CONFINERS = {"bubblewrap": Bubblewrap(), "Landlock": Landlock(), "neither": PlainProcess()}
PYTHON = """
import os, pathlib, socket
def attempt(name, action):
    try:
        action()
        print(name + ": possible")
    except Exception:
        print(name + ": refused")
attempt("read", lambda: pathlib.Path("@beside@/canary.txt").read_text())
attempt("write", lambda: pathlib.Path("@beside@/new.txt").write_text(""))
attempt("connect", lambda: socket.create_connection(("127.0.0.1", @port@), 5).close())
attempt("look", lambda: os.readlink("/proc/@studio@/cwd"))
"""
JAVASCRIPT = """
import fs from "node:fs"; import net from "node:net";
async function attempt(name, action) {
  try { await action(); console.log(name + ": possible"); } catch { console.log(name + ": refused"); }
}
await attempt("read", () => fs.readFileSync("@beside@/canary.txt"));
await attempt("write", () => fs.writeFileSync("@beside@/new.txt", ""));
await attempt("connect", () => new Promise((done, failed) => {
  const s = net.connect(@port@, "127.0.0.1", () => { s.destroy(); done(); }); s.on("error", failed);
}));
await attempt("look", () => fs.readlinkSync("/proc/@studio@/cwd"));
"""
SCRIPTS = {
    "python": PYTHON,
    "python-inprocess": PYTHON,
    "monty": """
def tried(name, action):
    try:
        action()
        print(name + ": possible")
    except BaseException:
        print(name + ": refused")
from pathlib import Path
tried("read", lambda: Path("@beside@/canary.txt").read_text())
tried("write", lambda: Path("@beside@/new.txt").write_text("x"))
tried("connect", lambda: __import__("socket"))
tried("look", lambda: Path("/proc/@studio@/cwd").resolve(strict=True))
""",
    "node": JAVASCRIPT,
    "typescript": JAVASCRIPT.replace("(name, action)", "(name: string, action: () => unknown)"),
    "deno": JAVASCRIPT,
    "bash": """
try() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo "$name: possible"; else echo "$name: refused"; fi; }
try read cat @beside@/canary.txt
try write ls @beside@
try connect curl -s http://127.0.0.1:@port@/
try look readlink /proc/@studio@/cwd
""",
    "go": """
package main
import ("fmt"; "net"; "os")
func attempt(name string, err error) {
	if err == nil { fmt.Println(name + ": possible") } else { fmt.Println(name + ": refused") }
}
func main() {
	_, err := os.ReadFile("@beside@/canary.txt")
	attempt("read", err)
	attempt("write", os.WriteFile("@beside@/new.txt", nil, 0o600))
	_, err = net.Dial("tcp", "127.0.0.1:@port@")
	attempt("connect", err)
	_, err = os.Readlink("/proc/@studio@/cwd")
	attempt("look", err)
}
""",
    "rust": """
fn attempt(name: &str, fine: bool) { println!("{}: {}", name, if fine { "possible" } else { "refused" }); }
fn main() {
    attempt("read", std::fs::read("@beside@/canary.txt").is_ok());
    attempt("write", std::fs::write("@beside@/new.txt", "").is_ok());
    attempt("connect", std::net::TcpStream::connect("127.0.0.1:@port@").is_ok());
    attempt("look", std::fs::read_link("/proc/@studio@/cwd").is_ok());
}
""",
    "csharp": """
void Attempt(string name, Action action) {
    try { action(); Console.WriteLine(name + ": possible"); } catch (Exception) { Console.WriteLine(name + ": refused"); }
}
Attempt("read", () => System.IO.File.ReadAllText("@beside@/canary.txt"));
Attempt("write", () => System.IO.File.WriteAllText("@beside@/new.txt", ""));
Attempt("connect", () => new System.Net.Sockets.TcpClient("127.0.0.1", @port@).GetStream().WriteByte(65));
Attempt("look", () => System.IO.Directory.GetFiles("/proc/@studio@/cwd"));
""",
    "wasm": '(module (import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) '
    '(result i32))) (import "ptc" "print" (func $print (param i32 i32))) (memory (export "memory") 1) '
    '(data (i32.const 0) "@beside@/canary.txt") (data (i32.const 500) "read: possible\\n") (func (export "_start") '
    "(if (i32.eqz (call $open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 60) (i32.const 0) (i64.const 2) "
    "(i64.const 0) (i32.const 0) (i32.const 400))) (then (call $print (i32.const 500) (i32.const 15))))))",
}
ENDINGS = {"python-inprocess": "py", "python": "py", "monty": "py", "node": "mjs", "typescript": "ts", "deno": "ts"}
ENDINGS |= {"bash": "sh", "go": "go", "rust": "rs", "csharp": "cs", "wasm": "wat"}
INSIDE = ("python-inprocess", "monty", "bash", "wasm")
"""These are no processes: no confiner is about them."""


@pytest.fixture(scope="module")
def beside() -> Iterator[Path]:
    # Not in /tmp, in whose place a confined process has a folder of its own.
    with tempfile.TemporaryDirectory(prefix="ptc-y-", dir="/var/tmp") as folder:
        (Path(folder) / "canary.txt").write_text("canary")
        (Path(folder) / "workspace").mkdir()
        yield Path(folder)


def written_table() -> dict[str, dict[str, str]]:
    text = (Path(__file__).resolve().parents[2] / "SECURITY.md").read_text()
    lines = text.partition("<!-- the table of languages -->\n")[2].partition("\n\n")[0].splitlines()
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): dict(zip(head[1:], row[1:], strict=True)) for row in rows}


def test_every_runtime_has_its_row():
    assert sorted(written_table()) == sorted(SCRIPTS)


CASES = [(name, column) for name in SCRIPTS for column in CONFINERS if name not in INSIDE or column == "bubblewrap"]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "column"), CASES)
async def test_a_script_does_what_the_table_says(
    name: str, column: str, beside: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(catalog_module, "best_confiner", lambda: CONFINERS[column])
    catalog = RuntimeCatalog(StdioRouter(), spare=0, workspace=beside / "workspace")
    with socket.create_server(("127.0.0.1", 0)) as server:
        facts = {"beside": str(beside), "port": str(server.getsockname()[1]), "studio": str(os.getpid())}
        code = SCRIPTS[name]
        for word, value in facts.items():
            code = code.replace(f"@{word}@", value)
        try:
            catalog.choose(name, "")
            script = Script(code, f"script.{ENDINGS[name]}", str(beside / "workspace"))
            record = await Session(engine.executor).execute(script, catalog.get(name))
        finally:
            catalog.close()
    possible = "possible" in record["stdout"]
    row = written_table()[name]
    assert ("possible" if possible else "refused") == row[column], record
    if name != "wasm":
        # All four, and none of them by accident.
        assert record["stdout"].count(row[column]) == 4, record
    for left in beside.glob("new.txt"):
        left.unlink()
