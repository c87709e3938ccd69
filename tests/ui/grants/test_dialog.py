"""Grant sets edited by check boxes: made, changed, renamed, deleted, and all of it undone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.grants.conftest import tick


@pytest.fixture
def edit(grants):
    """Opens the dialog from the selector."""

    def opened():
        grants.pick("Edit grant sets…")
        return grants.window.findChild(object, "grantDialog")

    return opened


def choose(dialog, name):
    items = [dialog.list.item(row) for row in range(dialog.list.count())]
    dialog.list.setCurrentItem(next(item for item in items if item.text() == name))


async def test_the_dialog_shows_what_each_set_grants_in_words(grants, edit):
    dialog = edit()
    assert grants.selector.currentText() == "Everything"
    choose(dialog, "people")
    assert dialog.form.words.text() == "Grants 3 of 15 tools, 1 of 1 alias"
    assert dialog.form.written.toPlainText() == "people.*\nteam"
    choose(dialog, "idle")
    assert "nobody_has_this" in dialog.form.idle.text()
    assert not dialog.save_button.isEnabled()
    dialog.reject()


async def test_a_tick_changes_the_set_and_the_rest_of_the_file_stays(grants, studio, edit):
    before = grants.file
    dialog = edit()
    choose(dialog, "sums")
    tick(dialog.form.model, "price", True)
    assert dialog.note.text() == f"1 change · Will be saved to {studio.workspace / 'studio.yaml'}"
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    await studio.until(lambda: "sums: [add, mul, price]  # no more than that" in grants.file)
    assert grants.file.replace(", price]", "]") == before
    await studio.until(lambda: grants.rows["sums"].startswith("3 of"))
    assert "'sums' was changed" in grants.window.context.messages.message
    grants.window.context.messages.button.click()
    await studio.until(lambda: grants.rows["sums"].startswith("2 of"))
    assert grants.file == before


async def test_a_source_is_ticked_by_its_pattern_and_unticking_one_leaves_the_others(grants, edit):
    dialog = edit()
    choose(dialog, "sums")
    tick(dialog.form.model, "functions", True, "source")
    assert dialog.form.patterns == ("functions.*",)
    tick(dialog.form.model, "price", False)
    assert "functions.*" not in dialog.form.patterns
    assert {"add", "mul", "list_skus"} <= set(dialog.form.patterns)
    assert "price" not in dialog.form.patterns
    tick(dialog.form.model, "functions", True, "source")
    tick(dialog.form.model, "functions", False, "source")
    assert dialog.form.patterns == ()
    dialog.reject()


async def test_with_a_filter_only_what_is_seen_is_ticked(grants, edit):
    dialog = edit()
    choose(dialog, "idle")
    dialog.form.filter.setText("skus")
    tick(dialog.form.model, "functions", True, "source")
    assert dialog.form.patterns == ("nobody_has_this", "list_skus")
    dialog.reject()


async def test_patterns_written_by_hand_are_ticked_and_kept(grants, studio, edit):
    dialog = edit()
    choose(dialog, "idle")
    dialog.form.written.setPlainText("get_*\n\nget_*\n  list_*  ")
    assert dialog.form.patterns == ("get_*", "list_*")
    ticked = {leaf.label for leaf in dialog.form.model.root.leaves() if leaf.ticked}
    assert ticked == {"get_budget", "get_expenses", "get_order", "list_orders", "list_skus"}
    tick(dialog.form.model, "add", True)
    assert dialog.form.patterns == ("get_*", "list_*", "add")
    dialog.save()
    await studio.until(lambda: grants.rows["idle"].startswith("6 of"))


async def test_a_set_is_renamed_and_the_choice_goes_with_it(grants, studio, edit):
    grants.pick("sums")
    dialog = edit()
    assert dialog.current().name == "sums"
    dialog.form.name.clear()
    assert "needs a name" in dialog.note.text()
    assert not dialog.save_button.isEnabled()
    QTest.keyClicks(dialog.form.name, "people")
    assert "already a grant set 'people'" in dialog.note.text()
    QTest.keyClicks(dialog.form.name, "-sums")
    QTest.keyClick(dialog.form.name, Qt.Key.Key_Return)
    await studio.until(lambda: "people-sums: [add, mul]  # no more than that" in grants.file)
    await studio.until(lambda: grants.selector.currentText() == "people-sums")
    assert grants.ticked == {"add", "mul"}
    assert not grants.selector.chosen.faulty
    grants.window.context.messages.button.click()
    await studio.until(lambda: grants.selector.currentText() == "sums")


async def test_two_sets_swap_their_names(grants, studio, edit):
    dialog = edit()
    for name, to in (("sums", "aside"), ("people", "sums"), ("aside  ●", "people")):
        choose(dialog, name)
        dialog.form.name.clear()
        QTest.keyClicks(dialog.form.name, to)
    dialog.save()
    await studio.until(lambda: grants.rows.get("people", "").startswith("2 of"))
    assert grants.rows["sums"].startswith("4 of")


async def test_a_deleted_set_that_was_chosen_leaves_its_ticks_and_undo_brings_it_back(grants, studio, edit):
    before = grants.file
    grants.pick("sums")
    dialog = edit()
    dialog.list.setFocus()
    QTest.keyClick(dialog.list, Qt.Key.Key_Delete)
    dialog.save()
    await studio.until(lambda: "sums" not in grants.rows)
    assert grants.selector.currentText() == "As ticked"
    assert grants.ticked == {"add", "mul"}
    assert grants.window.context.messages.message == "The grant set 'sums' was deleted."
    grants.window.context.messages.button.click()
    await studio.until(lambda: grants.selector.currentText() == "sums")
    assert grants.file == before


async def test_what_is_ticked_is_saved_as_a_set_which_is_chosen_then(grants, studio):
    grants.tick("price", False)
    wanted = grants.ticked
    grants.pick("Save as a grant set…")
    dialog = grants.window.findChild(object, "grantDialog")
    assert dialog.form.name.hasSelectedText()
    QTest.keyClicks(dialog.form.name, "no prices")
    QTest.keyClick(dialog.form.name, Qt.Key.Key_Return)
    await studio.until(lambda: grants.selector.currentText() == "no prices")
    assert grants.ticked == wanted
    assert "no prices:" in grants.file


async def test_update_writes_what_is_ticked_into_the_set(grants, studio):
    grants.pick("people")
    grants.tick("lookup_manager", False)
    grants.tick("add", True)
    grants.pick("Update people")
    await studio.until(lambda: grants.selector.currentText() == "people")
    sets = grants.window.workbench.studio.file.grants
    assert sets["people"] == ("notify_manager", "team_members", "team", "add")
    assert grants.ticked == {"notify_manager", "team_members", "team", "add"}
    grants.window.context.messages.button.click()
    await studio.until(lambda: grants.selector.currentText() == "As ticked")
    assert 'people: ["people.*", team]' in grants.file


async def test_duplicate_and_new_have_names_that_are_free(grants, edit):
    dialog = edit()
    choose(dialog, "sums")
    dialog.duplicate()
    assert (dialog.form.name.text(), dialog.form.patterns) == ("sums-copy", ("add", "mul"))
    dialog.add()
    dialog.add()
    assert dialog.form.name.text() == "new-set-2"
    before = grants.file
    dialog.reject()
    assert grants.file == before


async def test_what_was_changed_outside_meanwhile_is_not_overwritten(grants, studio, edit):
    dialog = edit()
    choose(dialog, "sums")
    await studio.until(lambda: dialog.has_read)
    changed = grants.file.replace("[add, mul]", "[add]")
    (studio.workspace / "studio.yaml").write_text(changed)
    tick(dialog.form.model, "price", True)
    dialog.save()
    await studio.until(lambda: "changed outside" in dialog.note.text())
    assert grants.file == changed
    dialog.reject()


async def test_what_the_script_uses_is_told_beside_what_is_granted(grants, edit):
    await grants.script("add(1, 2)\nprice('MUG-01')\n")
    dialog = edit()
    choose(dialog, "sums")
    assert dialog.form.unused.text() == "untitled-1 uses 1 of these · not used: mul · ▲ used, not granted: price"
    dialog.reject()


async def test_without_sets_the_dialog_says_what_they_are_for(studio):
    studio.window.commands["grantsAction"].trigger()
    dialog = studio.window.findChild(object, "grantDialog")
    assert dialog.empty.isVisible()
    assert not dialog.form.isVisible()
    QTest.mouseClick(dialog.first, Qt.MouseButton.LeftButton)
    assert dialog.form.isVisible()
    tick(dialog.form.model, "add", True)
    dialog.save()
    await studio.until(lambda: "new-set: [add]" in (studio.workspace / "studio.yaml").read_text())


async def test_without_a_workspace_there_is_nowhere_to_keep_sets(studio, monkeypatch):
    monkeypatch.setattr(studio.window.workbench.studio, "has_workspace", False)
    studio.window.commands["saveGrantAction"].trigger()
    assert studio.window.findChild(object, "grantDialog") is None
    assert "none is open" in studio.window.context.messages.message
