"""The grant that is chosen in the run bar: it ticks the panel, holds for the run, and is remembered."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from ptc_studio.core.registry import EVERYTHING
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.grants.selector import SavedChoice, save_choice, saved_choice
from ptc_studio.ui.main_window import MainWindow

TRY = """\
print(add(1, 2))
try:
    print(call_tool("price", {"sku": "MUG-01"}))
except PermissionError:
    print("denied")
"""


async def test_the_selector_offers_everything_and_every_set(grants):
    assert grants.window.findChild(QComboBox, "grantSelector") is grants.selector
    assert grants.selector.accessibleName()
    total = len(grants.ticked)
    assert grants.rows["Everything"] == f"all {total}"
    assert grants.rows["sums"] == f"2 of {total}"
    assert grants.rows["people"] == f"4 of {total}"
    assert grants.selector.currentText() == "Everything"
    assert "As ticked" not in grants.rows


async def test_a_chosen_set_ticks_the_panel_and_holds_for_the_run(grants, studio):
    grants.pick("sums")
    assert grants.ticked == {"add", "mul"}
    assert (await studio.run(TRY))["stdout"] == "3\ndenied\n"
    grants.pick("Everything")
    assert "denied" not in (await studio.run(TRY))["stdout"]
    assert grants.window.workbench.grant == EVERYTHING


async def test_another_tick_is_as_ticked_and_the_way_back_is_the_set(grants, studio):
    grants.pick("sums")
    grants.tick("price", True)
    assert grants.selector.currentText() == "As ticked"
    assert grants.rows["Update sums"]
    assert "denied" not in (await studio.run(TRY))["stdout"]
    assert grants.selector.currentText() == "As ticked"
    grants.tick("price", False)
    assert grants.selector.currentText() == "sums"
    assert "As ticked" not in grants.rows


async def test_ticking_all_by_hand_is_everything(grants):
    total = grants.ticked
    grants.tick("add", False)
    assert grants.selector.currentText() == "As ticked"
    assert "Update" not in str(grants.rows)
    grants.tick("add", True)
    assert grants.selector.currentText() == "Everything"
    assert grants.ticked == total


async def test_a_tool_that_comes_to_a_granted_module_is_granted(grants, studio):
    grants.pick("people")
    file = studio.workspace / "tools" / "people.py"
    file.write_text(file.read_text() + "\n\ndef brand_new() -> int:\n    return 1\n")
    grants.window.workbench.load()
    await studio.until(lambda: "brand_new" in grants.ticked)
    assert grants.selector.currentText() == "people"
    assert (await studio.run("brand_new()"))["value"] == 1


async def test_a_tool_that_comes_is_not_ticked_while_a_set_holds_that_does_not_mean_it(grants, studio):
    grants.pick("sums")
    (studio.workspace / "tools" / "fresh.py").write_text("def brand_new() -> int:\n    return 1\n")
    grants.window.workbench.load()
    await studio.until(
        lambda: any(leaf.label == "brand_new" for leaf in grants.window.panels.tools.model.root.leaves())
    )
    assert grants.ticked == {"add", "mul"}
    assert grants.selector.currentText() == "sums"


async def test_what_was_unticked_by_hand_stays_so_while_its_tool_comes_and_goes(grants, studio):
    file = studio.workspace / "tools" / "calc.py"
    text = file.read_text()
    grants.tick("mul", False)
    file.write_text(text[: text.index("def mul")])
    grants.window.workbench.load()
    await studio.until(lambda: not any(leaf.label == "mul" for leaf in grants.window.panels.tools.model.root.leaves()))
    assert not grants.window.workbench.grant.allows(("mul",))
    file.write_text(text)
    grants.window.workbench.load()
    await studio.until(lambda: any(leaf.label == "mul" for leaf in grants.window.panels.tools.model.root.leaves()))
    assert "mul" not in grants.ticked
    assert not grants.window.workbench.grant.allows(("mul",))


async def test_the_choice_is_remembered_for_the_workspace(grants, studio):
    grants.pick("sums")
    await studio.close()
    kept = Settings(studio.data / "settings.json")
    assert saved_choice(kept, studio.workspace) == SavedChoice("sums", ("add", "mul"))
    assert saved_choice(kept, studio.workspace.parent) is None
    await studio.open()
    assert grants.selector.currentText() == "sums"
    await studio.until(lambda: grants.ticked == {"add", "mul"})
    assert not grants.window.workbench.grant.allows(("price",))


async def test_a_set_whose_patterns_match_nothing_says_so(grants):
    assert grants.rows["idle"] == "matches nothing"
    grants.pick("idle")
    assert grants.selector.chosen.faulty
    assert "match no tool" in grants.selector.toolTip()
    assert grants.ticked == set()


async def test_a_set_that_is_gone_says_so_and_what_it_granted_still_holds(grants, studio):
    grants.pick("sums")
    await grants.rewrite(grants.file.replace("  sums: [add, mul]  # no more than that\n", ""))
    await studio.until(lambda: grants.selector.chosen.faulty)
    assert grants.rows["sums"] == "no longer in studio.yaml"
    assert "'sums' is no longer in studio.yaml" in grants.window.context.messages.message
    assert grants.ticked == {"add", "mul"}
    assert (await studio.run(TRY))["stdout"] == "3\ndenied\n"
    grants.window.context.messages.button.click()
    dialog = grants.window.findChild(object, "grantDialog")
    assert (dialog.form.name.text(), dialog.form.patterns) == ("sums", ("add", "mul"))
    dialog.save()
    await studio.until(lambda: not grants.selector.chosen.faulty)
    assert grants.selector.currentText() == "sums"


async def test_a_set_that_is_gone_at_the_start_grants_no_more_than_it_did(grants, studio):
    grants.pick("sums")
    await studio.close()
    (studio.workspace / "studio.yaml").write_text(grants.file.replace("sums:", "sums_of_old:"))
    await studio.open()
    await studio.until(lambda: grants.ticked == {"add", "mul"})
    assert grants.selector.chosen.faulty


async def test_keys_go_from_set_to_set_and_never_to_an_action(grants):
    selector = grants.selector
    for _ in range(10):
        QTest.keyClick(selector, Qt.Key.Key_Down)
    assert selector.currentText() == "idle"
    QTest.keyClick(selector, Qt.Key.Key_E)
    assert selector.currentText() == "idle"
    QTest.keyClick(selector, Qt.Key.Key_Up)
    assert selector.currentText() == "people"
    assert grants.window.findChild(object, "grantDialog") is None


async def test_what_is_granted_and_not_used_is_told_quietly(grants):
    grants.pick("sums")
    await grants.script("add(1, 2)\n")
    assert "not used by this script: mul" in grants.selector.toolTip()


async def test_during_a_run_the_grant_cannot_be_changed(grants):
    grants.window.run_bar.set_running(True)
    assert not grants.selector.isEnabled()
    grants.window.run_bar.set_running(False)
    assert grants.selector.isEnabled()


@pytest.mark.parametrize("text", ["[]", '{"grants": 3}', '{"grants": {"": 3}}', '{"grants": {"": {"name": 3}}}'])
def test_settings_that_were_written_by_something_else_choose_nothing(tmp_path, text):
    (tmp_path / "settings.json").write_text(text)
    settings = Settings(tmp_path / "settings.json")
    assert saved_choice(settings, None) is None
    save_choice(settings, None, SavedChoice("a", ("b",)))
    assert saved_choice(Settings(tmp_path / "settings.json"), None) == SavedChoice("a", ("b",))
    save_choice(settings, None, None)
    assert saved_choice(settings, None) is None


async def test_the_run_bar_stays_where_it_is_when_the_kept_set_is_known(grants, studio):
    grants.pick("people")
    await studio.close()
    window = MainWindow(Settings(studio.data / "settings.json"), studio.data / "buffers", studio.workspace)
    window.resize(1440, 900)
    window.show()
    await studio.until(window.run_bar.run_button.isVisible)
    before = window.run_bar.run_button.geometry()
    await studio.open()
    studio.window.resize(1440, 900)
    await studio.until(lambda: grants.rows.get("people", "").startswith("4 of"))
    assert studio.window.run_bar.run_button.geometry() == before
    window.deleteLater()
