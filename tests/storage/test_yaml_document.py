"""Any data comes back exactly from the text, and the rest of the text stays."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptc_studio.storage.yaml_changes import same
from ptc_studio.storage.yaml_document import YamlDocument
from ptc_studio.storage.yaml_with_lines import YamlWithLines

MISREAD = [
    "yes", "No", "on", "true", "null", "~", "", " ", "1.0", "1", "0x1F", "0o7", "1e3", ".5", ".inf", "-.INF", ".NaN", "2024-01-01",
    "2024-01-01 10:00:00", "12:30:45", "1_000", "- x", "-", "? a", ": b", "a: b", "a:", "# c", "a #b", "a#b", " lead", "trail ",
    "tab\t", "\ttab", "two\nlines", "two\n\n", "\nlead", "one\n", "  indented\nsecond", "a\n  b\n", "x \ny", "a\r\nb", "a\rb",
    "${secret:X}", "$x", "{a}", "[a]", "a, b", "&a", "*a", "!t", "!!int", "| x", "> y", "%d", "@a", "`a`", "'q'", '"q"', "it's", 'say "hi"',
    "back\\slash", "\\n", "---", "...", "--- a", "a\n---\nb", "a\n...\nb", "<<", "=", "\x00", "\x07", "\x1b[0m", "\x7f", "\x85", "\xa0",
    "\u2028", "\u2029", "\ufeff", "\ufffe", "é", "日本語", "🙂", "e\u0301", "x" * 3000, "https://a.b/c?d=e#f", "C:\\dir", "../up", "~/home",
    "TCK-[0-9]{6}", "key: |", "a\n# b\n", "#\n#",
]  # fmt: skip
PAGES = {
    "block": "version: 1\naliases:\n  - name: a  # first\n    preset:\n      v: old  # beside\n      w: 1\n    tool: t\n# end\n",
    "flow": "aliases: [{name: a, preset: {v: old, w: 1}, tool: t}]\n",
    "json": '{"aliases": [{"name": "a", "preset": {"v": "old", "w": 1}, "tool": "t"}]}',
    "literal": "aliases:\n  - name: a\n    preset:\n      v: |\n        old\n      w: 1\n    tool: t\n",
    "collection": "aliases:\n  - name: a\n    preset:\n      v:\n        # in\n        - 1\n        - x: y\n      w: 1\n    tool: t\n",
    "crlf": "aliases:\r\n- name: a\r\n  preset:\r\n    v: 'old'\r\n    w: 1\r\n  tool: t\r\n",
}

texts = st.text(max_size=30) | st.sampled_from(MISREAD)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=8
)


def set_to(page: str, value: Any) -> YamlDocument:
    document = YamlDocument(PAGES[page].encode())
    new = YamlWithLines(document.content).plain
    new["aliases"][0]["preset"]["v"] = value
    changed = document.with_data(new)
    assert same(YamlWithLines(changed.content).plain, new)
    return changed


@pytest.mark.parametrize("page", PAGES)
def test_text_that_yaml_would_misread_comes_back_exactly(page: str):
    for text in MISREAD:
        assert set_to(page, text).plain["aliases"][0]["preset"]["v"] == text
    document = YamlDocument(PAGES[page].encode())
    keys = [text for text in MISREAD if len(text) < 100]
    new = {**document.plain, "aliases": [{**document.plain["aliases"][0], "preset": dict.fromkeys(keys, "v")}]}
    assert list(document.with_data(new).plain["aliases"][0]["preset"]) == keys


@settings(max_examples=60, deadline=None, derandomize=True)
@given(page=st.sampled_from(sorted(PAGES)), value=values)
def test_any_value_can_be_put_in_any_place(page: str, value: Any):
    changed = set_to(page, value)
    if page == "block":
        assert b"  # first\n" in changed.content
        assert changed.content.endswith(b"w: 1\n    tool: t\n# end\n")


@settings(max_examples=40, deadline=None, derandomize=True)
@given(page=st.sampled_from(sorted(PAGES)), first=values, second=values)
def test_a_value_can_be_changed_again_and_again(page: str, first: Any, second: Any):
    changed = set_to(page, first)
    new = YamlWithLines(changed.content).plain
    new["aliases"][0]["preset"]["v"] = second
    assert same(changed.with_data(new).plain, new)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    page=st.sampled_from(sorted(PAGES)),
    entries=st.lists(st.dictionaries(st.sampled_from(["name", "tool", "a", "b c"]), scalars, min_size=1), max_size=4),
)
def test_a_list_can_become_any_other(page: str, entries: list[Any]):
    document = YamlDocument(PAGES[page].encode())
    new = {**document.plain, "aliases": entries}
    assert same(document.with_data(new).plain, new)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.permutations(range(4)), st.booleans(), st.booleans())
def test_moving_keeps_every_line(order: list[int], spaced: bool, first_spaced: bool):
    gap = "\n" if spaced else ""
    parts = [f"  # about {i}\n  - name: {i}  # beside {i}\n    # below {i}\n" for i in order]
    text = "l:\n" + ("\n" if first_spaced else "") + gap.join(parts) + "# end\nx: 1\n"
    document = YamlDocument(text.encode())
    for at in range(4):
        now = [entry["name"] for entry in document.plain["l"]]
        document = document.with_moved(("l",), now.index(at), at)
    assert [entry["name"] for entry in document.plain["l"]] == [0, 1, 2, 3]
    said = document.content.decode()
    assert sorted(line for line in said.split("\n") if line) == sorted(line for line in text.split("\n") if line)
    assert all(f"  - name: {i}  # beside {i}\n    # below {i}\n" in said for i in range(4))


def test_what_is_the_same_leaves_the_text_alone():
    text = b"a:   1   # x\nb: {  c:  [1 , 2 ] }\nd: 0x10\ne: 1e3\nf: >\n  folded\n  text\n\n\n"
    document = YamlDocument(text)
    assert document.with_data(YamlWithLines(text).plain).content == text


def test_one_is_not_true():
    document = YamlDocument(b"a: true\n")
    assert document.with_data({"a": 1}).content == b"a: 1\n"
