"""Scripts are checked against the tools that they may call, by real compilers."""

import time
from pathlib import Path

import pytest

from ptc_studio.runtimes import type_check as checking
from ptc_studio.runtimes.sandbox import PlainProcess
from ptc_studio.runtimes.type_check import Compilers, Deno, Tsc, TypeChecker, TypeCheckRequest, how_to_install
from tests.runtimes.type_check.conftest import Check, FakePrograms, declared

MISTAKES = {
    "a wrong type": ("await tools.calc.mul({ a: 'x', b: 2 });", 24, "'string' is not assignable to type 'number'"),
    "a missing argument": ("await tools.calc.mul({ a: 1 });", 22, "Property 'b' is missing"),
    "an unknown argument": ("await tools.calc.mul({ a: 1, b: 2, c: 3 });", 36, "'c' does not exist in type"),
    "a misspelt tool": ("await tools.calc.mull({ a: 1, b: 2 });", 18, "Did you mean 'mul'?"),
    "a misspelt namespace": ("await tools.cal.mul({ a: 1, b: 2 });", 13, "'cal' does not exist on type 'Tools'"),
    "a result taken for something else": (
        "(await tools.calc.mul({ a: 1, b: 2 })).trim();",
        40,
        "'trim' does not exist on type 'number'",
    ),
    "a forgotten await": (
        "const n: number = tools.calc.mul({ a: 1, b: 2 });",
        7,
        "'Promise<number>' is not assignable",
    ),
}


def test_a_mistake_is_told_in_its_place_in_the_words_of_the_compiler(check: Check) -> None:
    lines = [f"/* 😀 */ {line}" for line, _, _ in MISTAKES.values()]
    found = check("\n".join(["// é 😀", *lines, "export default 1;"]))
    assert [(each.line, each.column) for each in found] == [
        (number, column + 8) for number, (_, column, _) in enumerate(MISTAKES.values(), 2)
    ]
    for each, (_, _, said) in zip(found, MISTAKES.values(), strict=True):
        assert said in each.message
        assert "\n" not in each.message
        assert each.end_column > each.column
        assert each.code.startswith("TS")


def test_a_good_script_has_no_mistakes(check: Check) -> None:
    code = """\
const product: number = await tools.calc.mul({ a: 1, b: 2 });
try {
  console.log(product, await call_tool("calc.mul", { a: 1 }, { timeout: 5 }), await fetch("x"));
} catch (error) {
  if (error instanceof ToolError) console.log(error.type, error.line);
}
export default product;
"""
    assert check(code) == []


def test_only_the_declared_tools_are_known(check: Check) -> None:
    code = "await tools.calc.mul({ a: 1, b: 2 });\nawait tools.secret.mul({ a: 1, b: 2 });"
    assert [found.line for found in check(code)] == [2]
    assert check(code, tools=("calc.mul", "secret.mul")) == []


def test_what_is_no_typescript_is_told_in_its_place(check: Check) -> None:
    (found,) = check("const fine = 1;\n/* 😀 */ const broken: = 2;\n")
    assert (found.line, found.column) == (2, 23)


def test_an_open_brace_is_told_once(check: Check) -> None:
    (found,) = check("if (true) {\n\n")
    assert (found.line, found.message) == (3, "'}' expected.")


def test_neighbours_of_the_file_are_found_and_nothing_is_written_beside_it(check: Check, tmp_path: Path) -> None:
    folder = tmp_path / "pröject (1)" / "it's [mine]"
    (folder / "lib").mkdir(parents=True)
    (folder / "prices.ts").write_text('import { two } from "./lib/two.ts";\nexport const price: string = two;\n')
    (folder / "lib" / "two.ts").write_text("export const two = 2;\nexport interface Box { size: number }\n")
    before = {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))}
    code = (
        'import { price } from "./prices.ts";\nimport type { Box } from "./lib/two.ts";\n'
        'import { gone } from "./gone.ts";\nconst box: Box = { size: price };\nconsole.log(box, gone);\n'
    )
    missing, wrong = check(code, folder)
    assert (missing.line, missing.column, missing.end_column) == (3, 22, 33)
    assert missing.message.startswith("Cannot find module './gone.ts'")
    assert (wrong.line, wrong.column) == (4, 20)
    assert before == {
        path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*")) if "cache" not in path.parts
    }


def test_a_neighbour_that_changed_is_read_again(check: Check, tmp_path: Path) -> None:
    code = 'import { price } from "./prices.ts";\nconst doubled: number = price;\n'
    (tmp_path / "prices.ts").write_text("export const price = 1;\n")
    assert check(code, tmp_path) == []
    (tmp_path / "prices.ts").write_text("export const price = 'one';\n")
    assert [found.line for found in check(code, tmp_path)] == [2]


def test_declarations_that_a_script_refers_to_hold_but_those_of_its_tools_are_of_now(
    check: Check, tmp_path: Path
) -> None:
    (tmp_path / "tools.d.ts").write_text(declared("old.tool"))
    (tmp_path / "shop.d.ts").write_text("declare const currency: 'EUR';\n")
    code = (
        '/// <reference path="tools.d.ts" />\n/// <reference path="./shop.d.ts" />\n'
        "const text: string = currency;\nawait tools.calc.mul({ a: 1, b: currency });\n"
    )
    assert [(found.line, found.column) for found in check(code, tmp_path)] == [(4, 30)]


def test_packages_are_the_runtimes_to_find(check: Check) -> None:
    code = 'import chalk from "chalk";\nimport { readFileSync } from "node:fs";\nconsole.log(chalk, readFileSync, process.argv);'
    assert check(code) == []


def test_what_was_asked_before_is_answered_at_once(checker: TypeChecker, monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = checking.confined_process, []
    monkeypatch.setattr(checking, "confined_process", lambda *a, **o: (started.append(a), start(*a, **o))[1])
    question = TypeCheckRequest("await tools.calc.mull();", declared())
    found = checker.check(question)
    assert found
    assert checker.check(TypeCheckRequest(question.code, declared())) == found
    assert len(started) == 1
    assert checker.check(TypeCheckRequest(question.code, declared("calc.mull"))) != found
    assert len(started) == 2


def test_a_check_that_is_not_wanted_any_longer_is_given_up(tmp_path: Path) -> None:
    slow = tmp_path / "deno"
    slow.write_text('#!/bin/sh\n[ "$1" = --version ] && { echo "deno 2.9.9"; exit; }\nexec sleep 60\n')
    slow.chmod(0o755)
    compilers = Compilers(FakePrograms(deno=str(slow)))
    began, looks = time.monotonic(), iter([False, False, True])
    assert TypeChecker(compilers, cache=tmp_path).check(TypeCheckRequest("1", ""), lambda: next(looks)) is None
    bounded = TypeChecker(compilers, PlainProcess, tmp_path, seconds=0.2)
    assert bounded.check(TypeCheckRequest("1", "")) is None
    assert time.monotonic() - began < 30


def test_deno_comes_first_then_the_compiler_of_the_path_then_that_of_the_folder(
    tsc: FakePrograms, tmp_path: Path
) -> None:
    assert isinstance(Compilers().find(), Deno)
    assert Compilers(tsc).find() == Tsc(tsc.places["tsc"], tsc.places["node"])
    bare = FakePrograms(node=tsc.places["node"])
    assert Compilers(bare).find() is None
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "node_modules").symlink_to(Path(tsc.places["tsc"]).parents[2])
    own = Compilers(bare).find(inner)
    assert own == Tsc(str(tmp_path / "node_modules/typescript/bin/tsc"), tsc.places["node"])
    sandboxed = TypeChecker(Compilers(bare), cache=tmp_path / "cache", trusts=lambda folder: folder == inner)
    assert [found.line for found in sandboxed.check(TypeCheckRequest("\ntools.x;", declared(), inner)) or ()] == [2]
    # Without a sandbox a program that somebody put into the folder is not started, nor in a folder of a stranger's.
    assert TypeChecker(Compilers(bare), PlainProcess, trusts=lambda _: True).compiler(inner) is None
    assert TypeChecker(Compilers(bare)).compiler(inner) is None


def test_without_a_compiler_nothing_is_told(tmp_path: Path) -> None:
    old = tmp_path / "deno"
    old.write_text('#!/bin/sh\necho "deno 1.46.3"\n')
    old.chmod(0o755)
    for programs in (FakePrograms(), FakePrograms(deno=str(old)), FakePrograms(deno=str(tmp_path / "gone"))):
        assert TypeChecker(Compilers(programs), cache=tmp_path).check(TypeCheckRequest("let x: string = 1", "")) is None
    assert how_to_install().endswith(" install deno")
