"""What a script uses and is not granted: told live, and granted in one click that can be undone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from ptc_studio.ui.editor.problems_view import MENDING

SCRIPT = "add(1, 2)\nprice('MUG-01')\nlist_skus()\n"


def messages(page):
    return [problem.message for problem in page.finder.known]


async def test_a_tool_that_is_not_granted_is_a_problem_with_a_squiggle(grants):
    grants.pick("sums")
    page = await grants.script(SCRIPT)
    assert messages(page) == ["uses `price`, not granted", "uses `list_skus`, not granted"]
    assert page.editor.decorations.problem_at(12).ungranted == "price"
    assert grants.window.panels.problems.count == 2


async def test_with_everything_granted_nothing_is_said(grants):
    page = await grants.script(SCRIPT)
    assert messages(page) == []
    assert not grants.line.isVisible()


async def test_the_difference_is_shown_before_the_run_and_follows_the_text(grants, studio):
    grants.pick("sums")
    page = await grants.script(SCRIPT)
    assert grants.line.isVisible()
    assert grants.line.text.text() == "Uses 3 tools; not granted: price, list_skus"
    page.editor.selectAll()
    page.editor.insertPlainText("add(1, 2)\n")
    await studio.until(lambda: not grants.line.isVisible())
    page.editor.insertPlainText("price('MUG-01')\n")
    await studio.until(grants.line.isVisible)
    assert grants.line.text.text() == "Uses 2 tools; not granted: price"


async def test_a_text_that_is_half_written_says_what_was_said_before(grants, studio):
    grants.pick("sums")
    page = await grants.script(SCRIPT)
    page.editor.insertPlainText("price(")
    await studio.until(lambda: any("never closed" in message for message in messages(page)))
    assert grants.line.isVisible()


async def test_the_line_that_was_closed_comes_back_at_a_run_which_goes_on(grants, studio):
    grants.pick("sums")
    await grants.script(SCRIPT)
    grants.line.dismiss.click()
    assert not grants.line.isVisible()
    record = await studio.press_run()
    assert record["error"]["type"] in ("NameError", "PermissionError")
    assert grants.line.isVisible()


async def test_grant_them_adds_all_to_the_chosen_set_and_undo_takes_them_away(grants, studio):
    before = grants.file
    grants.pick("sums")
    page = await grants.script(SCRIPT)
    QTest.mouseClick(grants.line.button, Qt.MouseButton.LeftButton)
    await studio.until(lambda: grants.ticked == {"add", "mul", "price", "list_skus"})
    assert "sums: [add, mul, price, list_skus]  # no more than that\n" in grants.file
    assert len(set(grants.file.splitlines()) ^ set(before.splitlines())) == 2
    await studio.until(lambda: not page.finder.known)
    assert not grants.line.isVisible()
    assert (await studio.press_run())["status"] == "ok"
    assert grants.window.context.messages.button.text() == "Undo"
    grants.window.context.messages.button.click()
    await studio.until(lambda: grants.ticked == {"add", "mul"})
    assert grants.file == before
    assert grants.selector.currentText() == "sums"


async def test_a_click_on_grant_it_in_the_list_grants_that_one(grants, studio):
    grants.pick("sums")
    await grants.script(SCRIPT)
    window, view = grants.window, grants.window.panels.problems
    window.panels.bottom.setCurrentWidget(view)
    assert view.model().index(0, MENDING).data() == "Grant it"
    place = view.visualRect(view.model().index(0, MENDING)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    await studio.until(lambda: grants.ticked == {"add", "mul", "price"})
    await studio.until(lambda: view.count == 1)


async def test_alt_enter_in_the_editor_grants_what_the_line_uses(grants, studio):
    grants.pick("sums")
    page = await grants.script(SCRIPT)
    page.editor.go_to(3, 1)
    QTest.keyClick(page.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    await studio.until(lambda: grants.ticked == {"add", "mul", "list_skus"})
    assert page.text == SCRIPT


async def test_alt_enter_where_nothing_can_be_mended_does_nothing(grants):
    grants.pick("sums")
    page = await grants.script(SCRIPT)
    page.editor.go_to(1, 1)
    assert not page.editor.mend()
    assert page.text == SCRIPT


# Said by the offscreen platform itself at each popup.
@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
async def test_the_menu_of_the_editor_offers_to_grant_what_is_pointed_at(grants, studio):
    grants.pick("sums")
    page = await grants.script(SCRIPT)
    page.editor.go_to(2, 3)
    place = page.editor.cursorRect().center()
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(
        page.editor.viewport(), QContextMenuEvent(reason, place, page.editor.viewport().mapToGlobal(place))
    )
    menu = next(menu for menu in page.editor.findChildren(QMenu) if menu.isVisible())
    first = menu.actions()[0]
    assert first.text() == "Grant price"
    first.trigger()
    menu.close()
    await studio.until(lambda: "price" in grants.ticked)


async def test_the_menu_of_the_list_offers_all_that_is_missing(grants, studio):
    grants.pick("sums")
    await grants.script(SCRIPT)
    view = grants.window.panels.problems
    menu = view.menu_for(view.model().index(1, 0))
    assert [action.text() for action in menu.actions()] == [
        "Go to the place",
        "Grant list_skus",
        "Grant all 2 that are missing",
    ]
    menu.actions()[2].trigger()
    await studio.until(lambda: grants.ticked == {"add", "mul", "price", "list_skus"})


async def test_without_a_set_it_is_ticked_and_undo_unticks_it(grants, studio):
    grants.tick("price", False)
    page = await grants.script(SCRIPT)
    assert messages(page) == ["uses `price`, not granted"]
    before = grants.file
    grants.line.button.click()
    assert "price" in grants.ticked
    assert grants.selector.currentText() == "Everything"
    grants.window.context.messages.button.click()
    assert "price" not in grants.ticked
    assert grants.selector.currentText() == "As ticked"
    assert grants.file == before


async def test_a_file_that_changed_meanwhile_is_not_overwritten_by_undo(grants, studio):
    grants.pick("sums")
    await grants.script(SCRIPT)
    grants.line.button.click()
    await studio.until(lambda: "price" in grants.ticked)
    changed = grants.file + "# mine\n"
    (studio.workspace / "studio.yaml").write_text(changed)
    grants.window.context.messages.button.click()
    await studio.until(lambda: "changed outside" in grants.window.context.messages.message)
    assert grants.file == changed


async def test_what_is_not_granted_is_not_offered_by_the_completion(grants):
    grants.pick("sums")
    page = await grants.script("pri")
    assert {hint.name for hint in page.completion.hints} >= {"add", "mul", "calc.add"}
    assert "price" not in {hint.name for hint in page.completion.hints}
