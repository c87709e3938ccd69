"""Ticks that belong to no grant set are there again after a restart."""

import json

import pytest

from ptc_studio.storage.settings import Settings
from ptc_studio.ui.grants.selector import SavedChoice, save_choice, saved_choice, saved_ticks, saved_title

LATE = """\
  - kind: functions
    name: late
    path: late
"""


async def reopen(grants, studio) -> None:
    await studio.close()
    await studio.open()


async def test_what_was_unticked_is_so_after_a_restart(grants, studio):
    everything = grants.ticked
    before = grants.file
    grants.tick("price", False)
    await reopen(grants, studio)
    assert grants.selector.currentText() == "As ticked"
    await studio.until(lambda: grants.ticked == everything - {"price"})
    assert not grants.window.workbench.grant.allows(("price",))
    assert grants.file == before
    record = await studio.run('print(add(1, 2))\ncall_tool("price", {"sku": "MUG-01"})')
    assert [call["status"] for call in record["calls"]] == ["ok", "denied"]


async def test_ticks_beside_a_set_keep_the_set_to_go_back_to(grants, studio):
    grants.pick("sums")
    grants.tick("price", True)
    await reopen(grants, studio)
    await studio.until(lambda: grants.ticked == {"add", "mul", "price"})
    assert grants.selector.currentText() == "As ticked"
    assert "Update sums" in grants.rows
    grants.tick("price", False)
    assert grants.selector.currentText() == "sums"
    await reopen(grants, studio)
    await studio.until(lambda: grants.ticked == {"add", "mul"})
    assert grants.selector.currentText() == "sums"


async def test_a_window_in_which_nothing_is_ticked_opens_so(grants, studio):
    grants.tick("functions", False)
    grants.tick("Aliases", False)
    await reopen(grants, studio)
    await studio.until(lambda: grants.rows.get("sums", "").startswith("2 of"))
    assert grants.ticked == set()
    assert grants.selector.currentText() == "As ticked"


async def test_everything_again_is_remembered_as_well(grants, studio):
    everything = grants.ticked
    grants.tick("price", False)
    grants.pick("Everything")
    await reopen(grants, studio)
    await studio.until(lambda: grants.ticked == everything)
    assert grants.selector.currentText() == "Everything"


async def test_a_source_that_is_away_for_one_start_has_its_ticks_at_the_next(grants, studio):
    folder = studio.workspace / "late"
    folder.mkdir()
    (folder / "more.py").write_text("def one() -> int:\n    return 1\n\n\ndef two() -> int:\n    return 2\n")
    text = grants.file
    await grants.rewrite(text.replace("aliases:", f"{LATE}aliases:", 1))
    await studio.until(lambda: any("two" in name for name in grants.ticked))
    one, two = sorted(name for name in grants.ticked if name.endswith(("one", "two")))
    grants.tick(two, False)
    with_late = grants.file
    await studio.close()
    (studio.workspace / "studio.yaml").write_text(text)
    await studio.open()
    await studio.until(lambda: "add" in grants.ticked)
    assert one not in grants.ticked
    grants.tick("price", False)
    await studio.close()
    (studio.workspace / "studio.yaml").write_text(with_late)
    await studio.open()
    await studio.until(lambda: one in grants.ticked)
    assert two not in grants.ticked
    assert "price" not in grants.ticked


async def test_a_tool_that_came_while_the_window_was_closed_is_not_granted_unasked(grants, studio):
    grants.tick("price", False)
    await studio.close()
    (studio.workspace / "tools" / "fresh.py").write_text("def brand_new() -> int:\n    return 1\n")
    await studio.open()
    await studio.until(
        lambda: any(leaf.label == "brand_new" for leaf in grants.window.panels.tools.model.root.leaves())
    )
    assert "brand_new" not in grants.ticked
    assert not grants.window.workbench.grant.allows(("brand_new",))


async def test_the_tooltip_says_that_the_ticks_are_no_grant_set(grants):
    grants.tick("price", False)
    assert "save them as a grant set" in grants.selector.toolTip()


def test_ticks_and_sets_are_kept_side_by_side(tmp_path):
    settings = Settings(tmp_path / "settings.json")
    for choice, ticked, title in [
        (None, ("a", "b"), "As ticked"),
        (SavedChoice("s", ("x",)), None, "s"),
        (SavedChoice("s", ("x",)), (), "As ticked"),
        (None, None, ""),
    ]:
        save_choice(settings, tmp_path, choice, ticked)
        again = Settings(tmp_path / "settings.json")
        assert (saved_choice(again, tmp_path), saved_ticks(again, tmp_path)) == (choice, ticked)
        assert saved_title(again, tmp_path) == title
    assert json.loads((tmp_path / "settings.json").read_text()) == {"grants": {}}


@pytest.mark.parametrize("ticked", ['"all"', "3", "{}", "null"])
def test_ticks_that_were_written_by_something_else_are_none(tmp_path, ticked):
    (tmp_path / "settings.json").write_text(f'{{"grants": {{"": {{"ticked": {ticked}}}}}}}')
    assert saved_ticks(Settings(tmp_path / "settings.json"), None) is None
