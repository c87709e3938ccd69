"""The file of mocks: read, written and read again."""

from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.responders.mocks import Mock, Mocks
from ptc_studio.storage import mock_store
from ptc_studio.storage.edited_file import ChangedOutside
from ptc_studio.storage.mock_store import MOCKS_FILE, MockEditor, MocksFile, MockStore, read_mocks
from ptc_studio.storage.workspace import WorkspaceError
from tests.support import Engine

TEXT = """\
# Prices without the shop.
mocks:
  - name: shop.price   # cheap
    value: {eur: 3}

  # Fails at times.
  - name: "shop.*"
    expression: '{"total": qty * 2}'
    delay: 0.5
    failure_rate: 0.1
    seed: 7
    error: {type: TimeoutError, message: slow}
  - name: login
    error: {type: PermissionError}
    enabled: false
  - {name: rows, from_schema: true, notes: made up}
  - {name: slow, delay: 2}
  - {name: nothing, value: null}
  - {name: flaky, failure_rate: 0.5, error: {type: OSError}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / MOCKS_FILE).write_text(TEXT)
    return tmp_path


def test_every_kind_of_mock_is_read(folder: Path):
    mocks = [entry.mock() for entry in read_mocks(folder).mocks]
    assert mocks == [
        Mock("shop.price", "value", {"eur": 3}),
        Mock("shop.*", "expression", None, '{"total": qty * 2}', "TimeoutError", "slow", 0.5, 0.1, 7),
        Mock("login", "error", error="PermissionError", enabled=False),
        Mock("rows", "schema"),
        Mock("slow", "tool", delay=2.0),
        Mock("nothing", "value", None),
        Mock("flaky", "tool", error="OSError", failure_rate=0.5),
    ]
    assert read_mocks(folder).line_of("mocks", 1) == 7


def test_without_a_file_there_are_no_mocks(tmp_path: Path):
    assert read_mocks(tmp_path).mocks == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "mocks:\n  - name: a\n    valu: 1\n",
            ":3: mocks.0.valu: unknown key 'valu'; remove it or correct its spelling",
        ),
        ("mocks:\n  - name: a\n    value: 1\n    delay: soon\n", ":4: mocks.0.delay: must be a number, not 'soon'"),
        (
            "mocks:\n  - name: a\n    value: 1\n    delay: -1\n",
            ":4: mocks.0.delay: input should be greater than or equal to 0",
        ),
        (
            "mocks:\n  - name: a\n    value: 1\n    failure_rate: 2\n",
            ":4: mocks.0.failure_rate: input should be less than or equal to 1",
        ),
        ("mocks:\n  - value: 1\n", ":2: mocks.0.name: the key 'name' is missing"),
        ("mocks:\n  - name: a\n", ":2: mocks.0: says nothing; give it one of 'value'"),
        (
            "mocks:\n  - {name: a, value: 1, expression: b}\n",
            ":2: mocks.0: has both 'value' and 'expression'; remove one",
        ),
        (
            "mocks:\n  - name: a\n    expression: b +\n",
            ":3: mocks.0.expression: The expression 'b +' has no value: invalid syntax",
        ),
        ("mocks:\n  - name: a\n    value: 1\n    enabled: 'yes'\n", ":4: mocks.0.enabled: must be true or false"),
        ("mock: []\n", ":1: mock: unknown key 'mock'"),
        ("mocks: 3\n", ":1: mocks: must be a list, not 3"),
        ("- a\n", ":1: must be a mapping of the key 'mocks'"),
        ("mocks: [\n", "not YAML"),
        ("version: 2\n", ":1: version: "),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, said: str):
    (tmp_path / MOCKS_FILE).write_text(text)
    with pytest.raises(WorkspaceError) as caught:
        read_mocks(tmp_path)
    assert said in str(caught.value)
    assert str(tmp_path / MOCKS_FILE) in str(caught.value)


def test_a_change_leaves_comments_and_everything_else_as_it_was(folder: Path):
    editor = MockEditor(folder)
    editor.replace(0, {"name": "shop.price", "value": {"eur": 4}})
    editor.set_enabled(2, True)
    editor.set_enabled(1, False)
    editor.add({"name": "new", "value": [1, None]})
    text = (folder / MOCKS_FILE).read_text()
    expected = TEXT.replace("eur: 3", "eur: 4").replace("    enabled: false\n", "")
    expected = expected.replace("message: slow}\n", "message: slow}\n    enabled: false\n")
    assert text.startswith(expected)
    assert read_mocks(folder).mocks[-1].mock() == Mock("new", value=[1, None])


def test_what_was_removed_comes_back_where_it_was(folder: Path):
    editor = MockEditor(folder)
    undo = editor.remove(1)
    text = (folder / MOCKS_FILE).read_text()
    assert "shop.*" not in text
    assert "Fails at times" not in text
    undo.undo()
    assert (folder / MOCKS_FILE).read_text() == TEXT


def test_the_first_mock_makes_the_file(tmp_path: Path):
    undo = MockEditor(tmp_path).add({"name": "a", "value": {"x": 1}})
    assert [entry.mock() for entry in read_mocks(tmp_path).mocks] == [Mock("a", value={"x": 1})]
    assert (tmp_path / MOCKS_FILE).read_text().startswith("#")
    undo.undo()
    assert not (tmp_path / MOCKS_FILE).exists()


@pytest.mark.parametrize("values", [{"name": ""}, {"name": "a"}, {"name": "a", "expression": "("}])
def test_what_would_not_do_is_not_written(folder: Path, values: dict[str, Any]):
    with pytest.raises(WorkspaceError, match="left as it was"):
        MockEditor(folder).add(values)
    assert (folder / MOCKS_FILE).read_text() == TEXT


def test_a_mock_that_somebody_else_changed_is_not_overwritten(folder: Path):
    editor = MockEditor(folder)
    (folder / MOCKS_FILE).write_text(TEXT.replace("eur: 3", "eur: 9"))
    with pytest.raises(ChangedOutside):
        editor.replace(0, {"name": "shop.price", "value": 1})
    editor.remove(2)
    assert "eur: 9" in (folder / MOCKS_FILE).read_text()
    with pytest.raises(WorkspaceError, match="none with the number 10"):
        editor.remove(9)


def test_mocks_follow_their_file(folder: Path, engine: Engine):
    mocks = Mocks(engine.executor)
    kept = MockStore(mocks, folder)
    assert len(mocks.all) == 7
    assert not kept.refresh()
    (folder / MOCKS_FILE).write_text("mocks: [{name: a, value: 1}]")
    assert kept.refresh()
    assert mocks.all == (Mock("a", value=1),)
    (folder / MOCKS_FILE).write_text("mocks: [{name: a, valu: 1}]")
    assert kept.refresh()
    assert kept.fault is not None
    assert "unknown key" in kept.fault
    assert mocks.all == (Mock("a", value=1),)
    (folder / MOCKS_FILE).unlink()
    assert kept.refresh()
    assert kept.fault is None
    assert mocks.all == ()


def test_a_broken_file_is_raised_where_nobody_could_see_its_fault(folder: Path, engine: Engine):
    (folder / MOCKS_FILE).write_text("nonsense: 1")
    with pytest.raises(WorkspaceError, match="unknown key 'nonsense'"):
        MockStore(Mocks(engine.executor), folder)
    assert MockStore(Mocks(engine.executor), folder, tolerant=True).fault
    assert MockStore(Mocks(engine.executor), None).entries == ()


def test_a_file_that_is_changed_while_it_is_read_and_put_back_is_held_as_it_is(
    folder: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    kept = MockStore(Mocks(engine.executor), folder)
    path, before = folder / MOCKS_FILE, kept.entries

    def read_amid_a_change(*given: Any) -> MocksFile:
        path.write_text("mocks: [{name: other, value: 1}]\n")
        try:
            return read_mocks(*given)
        finally:
            path.write_text(TEXT)

    with monkeypatch.context() as patched:
        patched.setattr(mock_store, "read_mocks", read_amid_a_change)
        kept.read()
    kept.refresh()
    assert kept.entries == before
