"""The names of a script in JavaScript or TypeScript that nobody in it declares."""

from pathlib import Path

import pytest

from ptc_studio.runtimes.javascript_scopes import is_global, undeclared
from ptc_studio.runtimes.javascript_syntax import Dialect, Syntax
from tests.runtimes.javascript.conftest import Run

ROOT = Path(__file__).parents[3]
SCRIPTS = [
    path
    for folder in ("resources", "runtimes", "tests/runtimes/scripts", "ptc_studio/targets")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".js", ".mjs", ".ts", ".mts")
]


def unknown(code: str, dialect: Dialect = "typescript", runtime: str = "", *, sloppy: bool = False) -> list[str]:
    syntax = Syntax(code, dialect)
    names = [syntax.text(node) for node in undeclared(syntax, sloppy=sloppy)]
    return [name for name in names if not is_global(name, runtime)]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("consol.log(1)", ["consol"]),
        ("const a = b + c.d + e[f];", ["b", "c", "e", "f"]),
        ("{ let inner = 1; const other = 2; }\nconsole.log(inner, other)", ["inner", "other"]),
        ("for (const x of []) {} console.log(x)", ["x"]),
        ("for (let i = 0; i < 2; i++) {} console.log(i)", ["i"]),
        ("try {} catch (error) {} console.log(error)", ["error"]),
        ("const f = function named() {}; named()", ["named"]),
        ("const c = class Inner {}; new Inner()", ["Inner"]),
        ("const {a: b} = {a: 1}; console.log(a)", ["a"]),
        ("const {a = d1, [k]: v, ...rest} = {}; [a, v, rest]", ["d1", "k"]),
        ("x = 1", ["x"]),
        ("({y, z: w} = {})", ["y", "w"]),
        ("`${t}`; ({short})", ["t", "short"]),
        ("export { gone }", ["gone"]),
        ("class A extends Base { field = value; [key]() {} }", ["Base", "value", "key"]),
        ("outer: for (;;) { break outer; }\nconsole.log(outer)", ["outer"]),
        ("const x: Unknown = missing as Other;", ["missing"]),
        ("function f(a: string = fallback): asserts a is string {}", ["fallback"]),
    ],
)
def test_a_name_that_nobody_declares_is_found(code: str, names: list[str]):
    assert unknown(code) == names


@pytest.mark.parametrize(
    "code",
    [
        "late(); function late() { return here; var here; }",
        "if (1) { var seen = 1; function also() {} } console.log(seen, also)",
        "const [a, {b, c: [d], ...e}, f = a] = []; console.log(a, b, d, e, f)",
        "import x, { y as z, w } from 'm'; import * as all from 'm'; console.log(x, z, w, all)",
        "export { there as here } from 'm'; export * as names from 'm'",
        "outer: for (const k in {}) { continue outer; }",
        "try { } catch ({ message }) { console.log(message) }",
        "const f = async (a, [b], {c}, ...d) => [a, b, c, d, arguments]; const g = x => x",
        "switch (1) { case 1: let y = 1; console.log(y) }",
        "class A { #p = 1; static { var q = 1; q } get p() { return this.#p } m() { return A } }",
        "if (typeof Browser !== 'undefined') Browser.open()",
        "globalThis.shared = 1; shared",
        "import.meta.url; new.target; label: 1; ({ key: 1, method() {} }).key",
        "interface I { m(a: string): void } type T = keyof typeof import('m'); const i = {} as I; export type { T }",
        "enum E { A = 1, B = A << 1 } namespace N { export const n = 1 } console.log(E.A, N.n)",
        "declare const given: number; declare function ask(q: string): void; ask(`${given}`)",
        "function is(x: unknown): x is string { return typeof x === 'string' } let t: [first: string]; is(t!)",
        "function f(this: Window, x?: number): void; function f(x) { return <any>x satisfies typeof f }",
        "abstract class B<T> { constructor(private readonly p: T) {} abstract m(x: T): void }",
        "for (const [k, v] of Object.entries({})) console.log(k, v)",
    ],
)
def test_what_is_declared_in_whatever_way_is_not(code: str):
    assert unknown(code) == []


@pytest.mark.parametrize(
    "code",
    [
        "const a = (b",
        "eval('var a = 1'); a",
        "Object.assign(globalThis, {a: 1}); a",
        "globalThis['a'] = 1; a",
        "import './defines.mjs'; a",
    ],
)
def test_where_any_name_may_be_defined_nothing_is_said(code: str):
    assert unknown(code) == []


def test_an_assignment_declares_a_name_only_outside_of_modules():
    assert unknown("x = 1; x") == ["x", "x"]
    assert unknown("x = 1; [y] = [2]; x + y", sloppy=True) == []


def test_each_runtime_has_names_of_its_own():
    code = "Deno.exit; prompt; GPUDevice"
    assert unknown(code, runtime="deno") == unknown(code) == []
    assert unknown(code, runtime="node") == ["Deno", "prompt", "GPUDevice"]


@pytest.mark.asyncio
@pytest.mark.parametrize("runtime", ["node", "deno", "typescript"])
async def test_whatever_the_installed_engine_has_is_known(runtime: str, run: Run):
    record = await run("export default Object.getOwnPropertyNames(globalThis)", runtime)
    assert len(record["value"]) > 100
    assert [name for name in record["value"] if not is_global(name, runtime)] == []


def test_no_script_of_this_repository_is_accused():
    assert len(SCRIPTS) > 100
    found = {
        str(path.relative_to(ROOT)): unknown(
            path.read_text(), "typescript" if path.suffix[1:] in ("ts", "mts") else "javascript"
        )
        for path in SCRIPTS
    }
    assert {path: names for path, names in found.items() if names} == {}
