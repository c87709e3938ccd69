"""Type errors of a script in TypeScript, in the window, from a real compiler."""

import pytest

from ptc_studio.runtimes.programs import Programs
from ptc_studio.runtimes.type_check import Compilers, TypeChecker
from ptc_studio.ui.editor.background import TypeWorker
from ptc_studio.ui.language.target_problems import ScriptTypes
from ptc_studio.ui.widgets.labels import EmptyOverlay
from tests.ui.conftest import WindowStudio
from tests.ui.seen import child

SCRIPT = 'const skus = await tools.list_skus();\nawait tools.calc.mul({ a: "x", b: 2 });\n'


class NoPrograms(Programs):
    """Nothing is installed."""

    def find(self, name: str) -> list[str]:
        return []


def write(studio: WindowStudio, text: str) -> None:
    """Types the text into a page in TypeScript."""
    studio.window.editors.new_untitled("", "typescript").editor.insertPlainText(text)


@pytest.mark.slow
async def test_a_wrong_argument_is_a_row_and_underlined_and_gone_when_mended(studio: WindowStudio) -> None:
    problems = studio.window.panels.problems
    write(studio, SCRIPT)
    await studio.until(lambda: problems.count == 1, 40)
    model = problems.model()
    assert "'string' is not assignable to type 'number'" in model.index(0, 0).data()
    assert model.index(0, 1).data() == "2"
    page = studio.window.editors.current()
    assert page is not None
    place = page.text.index('a: "x"')
    assert page.editor.decorations.problem_at(place) is not None
    assert studio.window.panels.tab_text("problems") == "Problems 1"
    page.editor.replace_text(SCRIPT.replace('"x"', "1"))
    await studio.until(lambda: problems.count == 0, 40)


async def test_a_tool_that_is_not_granted_is_told_once(studio: WindowStudio) -> None:
    problems = studio.window.panels.problems
    write(studio, "await tools.list_skus();\nawait tools.reserve({ sku: 'x', qty: 1 });\n")
    studio.window.panels.tools.model.grant_changed.emit(("list_skus",))
    await studio.until(lambda: problems.count == 1, 40)
    assert problems.model().index(0, 0).data() == "▲  uses `reserve`, not granted"


async def test_without_a_compiler_the_empty_list_says_what_to_install(studio: WindowStudio) -> None:
    child(studio.window.editors, TypeWorker).types = ScriptTypes(lambda: TypeChecker(Compilers(NoPrograms())))
    write(studio, SCRIPT)
    empty = child(studio.window.panels.problems, EmptyOverlay)
    await studio.until(lambda: "install deno" in empty.text())
    assert empty.text().startswith("No problems\nTypes are not checked")
    studio.type("x = 1\n")
    assert empty.text() == "No problems"
