"""Types are checked against what the editor knows of the tools."""

from pathlib import Path

import pytest

from ptc_studio.runtimes.programs import Programs
from ptc_studio.runtimes.type_check import Compilers, Diagnostic, TypeChecker, TypeCheckRequest
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.target_problems import ScriptTypes, TypeCheckInput, declarations

PAIR = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}
HINTS = (
    ToolHint("mul", description="Multiplies.", schema=PAIR, output={"type": "number"}),
    ToolHint("calc.mul", description="Multiplies.", schema=PAIR, output={"type": "number"}),
    ToolHint("other.tool", schema={**PAIR}),
    ToolHint("bare"),
)


class NoPrograms(Programs):
    """Nothing is installed."""

    def find(self, name: str) -> list[str]:
        return []


class FakeChecker(TypeChecker):
    """Answers what it is told."""

    def __init__(self, *answer: Diagnostic) -> None:
        super().__init__()
        self.answer, self.asked = list(answer), list[TypeCheckRequest]()

    def check(self, question: TypeCheckRequest, unwanted: object = None) -> list[Diagnostic]:
        self.asked.append(question)
        return self.answer


def test_tools_are_declared_by_all_their_names_and_whole_where_the_script_speaks_of_them() -> None:
    text = declarations("await tools.calc.mul({ a: 1 })", HINTS)
    assert text.count("interface MulArguments") == 1
    assert text.count("mul(args: ToolTypes.MulArguments): Promise<number>;") == 2
    assert "tool(args?: { [name: string]: any }): Promise<any>;" in text
    assert "ToolArguments" in declarations("tools.other['tool']", HINTS)


def test_problems_stand_in_the_order_of_the_text(tmp_path: Path) -> None:
    checker = FakeChecker(Diagnostic(2, 1, 4, "second"), Diagnostic(1, 3, 5, "first", "TS1"))
    findings = ScriptTypes(lambda: checker).findings(TypeCheckInput("a\nb", "typescript", HINTS, tmp_path))
    assert [(each.line, each.column, each.end_column, each.severity, each.message) for each in findings.problems] == [
        (1, 3, 5, "error", "first"),
        (2, 1, 4, "error", "second"),
    ]
    assert (findings.note, checker.asked[0].folder) == ("", tmp_path)


def test_without_a_compiler_it_is_told_what_to_install() -> None:
    types = ScriptTypes(lambda: TypeChecker(Compilers(NoPrograms())))
    findings = types.findings(TypeCheckInput("const x: string = 1;", "typescript", HINTS))
    assert findings.problems == []
    assert findings.note.startswith("Types are not checked, for neither Deno nor tsc is installed: ")


@pytest.mark.slow
def test_a_compiler_finds_the_misuse_of_a_tool() -> None:
    code = 'await tools.calc.mul({ a: "x" });\nawait tools.mull({ a: 1 });\nawait tools.bare();\n'
    found = ScriptTypes().findings(TypeCheckInput(code, "typescript", HINTS)).problems
    assert [(each.line, each.column) for each in found] == [(1, 24), (2, 13)]
    assert "Did you mean 'mul'?" in found[1].message
