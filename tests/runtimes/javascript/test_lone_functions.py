"""A script that only defines functions is told from one that does something."""

import pytest

from ptc_studio.runtimes.javascript_syntax import Dialect, lone_function


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("// a comment\nasync () => {\n  await tools.add(1);\n}", 2),
        ("(async () => { return 1; });", 1),
        ("async function () {}", 1),
        ("\nexport default async () => tools.add(1);", 2),
        ("const a = 1;\nfunction helper() {}\nasync function main() { await helper(); }", 3),
        ("export const main = async () => tools.add(1);", 1),
        ("import x from 'y';\nconst f = function () { return x; }, g = () => 2;", 2),
        ("(a: number): number => a;", 1),
        ("console.log('on');\n() => tools.add(1);", 2),
    ],
)
def test_a_function_that_nobody_calls_is_found(code: str, line: int):
    dialect: Dialect = "typescript" if ": number" in code else "javascript"
    found = lone_function(code, dialect)
    assert found is not None
    assert found[0] == line
    assert "nobody calls" in found[1]


@pytest.mark.parametrize(
    "code",
    [
        "",
        "const a = 1;",
        "(async () => { await tools.add(1); })();",
        "const main = async () => 1;\nawait main();",
        "function main() {}\nmain();",
        "function helper() {}\nexport default helper(1);",
        "class A { m() {} }\nnew A();",
        "tools.list().map((x) => x);",
        "const f = () => 1;\nreturn f();",
        "function (",
    ],
)
def test_a_script_that_does_something_is_left_alone(code: str):
    assert lone_function(code) is None
