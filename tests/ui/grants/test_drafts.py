"""The changes between what grant sets were and what they are to be."""

from ptc_studio.ui.grants.patterns import GrantSetDrafts, summed_up

SETS = {"a": ("x",), "b": ("y",), "c": ("z",)}


def texts(drafts):
    return [change.text for change in drafts.changes]


def test_what_was_not_touched_is_no_change():
    assert texts(GrantSetDrafts(SETS)) == []


def test_names_are_left_before_they_are_taken():
    drafts = GrantSetDrafts(SETS)
    drafts.remove(drafts.all[2])
    drafts.all[0].name, drafts.all[1].name = "b", "c"
    assert texts(drafts) == ["'c' was deleted", "'b' is now 'c'", "'a' is now 'b'"]


def test_sets_that_swap_names_step_aside():
    drafts = GrantSetDrafts(SETS)
    drafts.all[0].name, drafts.all[1].name = "b", "a"
    assert texts(drafts) == ["'a' is now 'b-'", "'b' is now 'a'", "'b-' is now 'b'"]


def test_a_renamed_set_is_changed_under_its_new_name():
    drafts = GrantSetDrafts(SETS)
    drafts.all[0].name, drafts.all[0].patterns = "d", ("x", "y")
    assert texts(drafts) == ["'a' is now 'd'", "'d' was changed"]


def test_a_new_set_has_a_name_of_its_own():
    drafts = GrantSetDrafts(SETS)
    assert [drafts.add(("x",), "a").name, drafts.add(()).name, drafts.add(()).name] == ["a-2", "new-set", "new-set-2"]
    assert texts(drafts) == ["'a-2' was saved", "'new-set' was saved", "'new-set-2' was saved"]


def test_what_was_done_is_told_in_one_sentence():
    drafts = GrantSetDrafts(SETS)
    drafts.add((), "d")
    assert summed_up(drafts.changes) == "The grant set 'd' was saved."
    for draft in drafts.all[:3]:
        draft.patterns = ()
    assert summed_up(drafts.changes).endswith("; and 1 more.")
