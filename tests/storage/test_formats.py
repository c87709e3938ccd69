"""Older files of the program's own are brought up to date with a copy kept; newer ones are refused and left alone."""

import json
import sqlite3
from pathlib import Path

import pytest

from ptc_studio.storage.history import database
from ptc_studio.storage.text_files import NewerFormat, keep_backup, up_to_date

UPGRADES = {1: lambda old: {"names": list(old)}, 2: lambda old: {"names": dict.fromkeys(old["names"], 0)}}


def test_each_step_makes_the_next_version():
    path = Path("x.json")
    assert up_to_date({"a": 1}, 3, UPGRADES, path, "It") == {"names": {"a": 0}, "version": 3}
    assert up_to_date({"names": {"b": 1}, "version": 3}, 3, UPGRADES, path, "It")["names"] == {"b": 1}
    for newer in (4, "2", None):
        with pytest.raises(NewerFormat, match=r"It x\.json is of a newer PTC Studio; use that one, or move"):
            up_to_date({"version": newer}, 3, UPGRADES, path, "It")


def test_the_first_copy_stays(tmp_path: Path):
    path = tmp_path / "x.json"
    path.write_text("first")
    assert keep_backup(path, 1) == tmp_path / "x.v1.json"
    path.write_text("second")
    keep_backup(path, 1)
    assert (tmp_path / "x.v1.json").read_text() == "first"


def test_an_older_history_is_brought_up_to_date_and_kept_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "history.db"
    insert = "INSERT INTO runs (run_id, kind, started, owner) VALUES ('r1', 'run', 1.0, '')"
    with database.opened(path) as connection:
        connection.execute(insert)
    monkeypatch.setattr(database, "VERSION", 2)
    monkeypatch.setattr(database, "UPGRADES", {1: ("ALTER TABLE runs ADD COLUMN mood TEXT",)})
    with database.opened(path) as connection:
        assert connection.execute("SELECT run_id, mood FROM runs").fetchall() == [("r1", None)]
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    backup = sqlite3.connect(tmp_path / "history.v1.db")
    assert backup.execute("SELECT run_id FROM runs").fetchall() == [("r1",)]
    assert backup.execute("PRAGMA user_version").fetchone() == (1,)
    backup.close()
    assert (tmp_path / "history.v1.db").stat().st_mode & 0o077 == 0


def test_an_upgrade_that_fails_leaves_the_history_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "history.db"
    with database.opened(path):
        pass
    monkeypatch.setattr(database, "VERSION", 2)
    monkeypatch.setattr(database, "UPGRADES", {1: ("ALTER TABLE runs ADD COLUMN mood TEXT", "NONSENSE")})
    with pytest.raises(database.HistoryError, match="cannot be used"), database.opened(path):
        pass
    monkeypatch.undo()
    with database.opened(path) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(runs)")]
    assert "mood" not in columns


def test_a_kept_tab_of_a_newer_studio_opens_with_what_is_known_of_it(tmp_path: Path):
    from ptc_studio.storage.buffers import BufferStore

    kept = {"id": "1", "title": "one", "language": "python", "text": "typed", "fold": [3]}
    (tmp_path / "1.json").write_text(json.dumps(kept))
    found = BufferStore(tmp_path).load()
    assert (found.buffers[0].text, found.faults) == ("typed", ())
