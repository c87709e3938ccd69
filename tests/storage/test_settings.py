"""The settings that several windows share, each a process of its own."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ptc_studio.storage.settings import MOST_RECENT, Settings
from ptc_studio.storage.text_files import locked

ROOT = Path(__file__).parents[2]
SECONDS = 60.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "settings.json"


def said(path: Path) -> dict[str, object]:
    return json.loads(path.read_text())


def another_window(code: str, path: Path) -> "subprocess.Popen[str]":
    """A process that has the settings open and does that with them; `go()` waits until it is told to go on."""
    begin = """
    import sys
    from pathlib import Path
    from ptc_studio.storage.settings import Settings
    settings = Settings(Path(sys.argv[1]))
    def go():
        print("ready", flush=True)
        sys.stdin.readline()
    """
    command = [sys.executable, "-c", textwrap.dedent(begin) + textwrap.dedent(code), str(path)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def let_go(*windows: "subprocess.Popen[str]") -> None:
    """Waits until all are ready, and has them go on at the same time."""
    for window in windows:
        assert window.stdout is not None
        assert window.stdout.readline() == "ready\n"
    for window in windows:
        assert window.stdin is not None
        window.stdin.write("\n")
        window.stdin.flush()


def ended(window: "subprocess.Popen[str]") -> str:
    """What it complained of in the end."""
    with window:
        _, errors = window.communicate(timeout=SECONDS)
    assert window.returncode == 0, errors
    return errors


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


# One window


def test_what_was_set_is_there_at_the_next_start(path: Path):
    settings = Settings(path)
    settings.set("theme", "dark")
    settings.set_entry("runtimes", "python", "monty")
    again = Settings(path)
    assert (again.get("theme"), again.get("runtimes"), again.fault) == ("dark", {"python": "monty"}, None)


def test_nobody_else_may_read_it(path: Path):
    Settings(path).set("zoom", 1.2)
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_one_that_lies_elsewhere_behind_a_link_stays_there(path: Path, tmp_path: Path):
    path.parent.mkdir()
    real = tmp_path / "real.json"
    real.write_text('{"zoom": 1.5}')
    path.symlink_to(real)
    Settings(path).set("theme", "light")
    assert path.is_symlink()
    assert said(real) == {"zoom": 1.5, "theme": "light"}


def test_recent_workspaces_come_latest_first_each_once_and_not_too_many(path: Path, tmp_path: Path):
    settings = Settings(path)
    folders = [tmp_path / f"w{number}" for number in range(MOST_RECENT + 2)]
    for folder in (*folders, folders[-3]):
        folder.mkdir(exist_ok=True)
        settings.add_recent(folder)
    expected = [folders[-3], folders[-1], folders[-2], *reversed(folders[2:-3])]
    assert settings.recent() == Settings(path).recent() == expected
    assert len(expected) == MOST_RECENT
    expected[1].rmdir()
    assert expected[1] not in Settings(path).recent()


# Several windows


def test_changes_of_two_windows_are_both_kept(path: Path):
    one, other = Settings(path), Settings(path)
    one.set("theme", "dark")
    other.set("zoom", 1.3)
    one.set("timeout", 60)
    assert said(path) == {"theme": "dark", "zoom": 1.3, "timeout": 60}


def test_a_window_does_not_take_back_what_it_has_not_changed(path: Path):
    Settings(path).set("theme", "light")
    one, other = Settings(path), Settings(path)
    other.set("theme", "dark")
    one.set("theme", "light")
    assert said(path)["theme"] == "dark"


def test_the_usual_is_no_change_where_nothing_was_changed(path: Path):
    one, other = Settings(path), Settings(path)
    other.set("theme", "dark")
    one.set("theme", "system", usual="system")
    assert said(path) == {"theme": "dark"}
    one.set("theme", "light", usual="system")
    one.set("theme", "system", usual="system")
    assert said(path) == {"theme": "system"}


def test_each_window_has_its_own_entries_of_a_mapping(path: Path):
    one, other = Settings(path), Settings(path)
    one.set_entry("grants", "/one", {"name": "a"})
    other.set_entry("grants", "/other", {"name": "b"})
    assert said(path)["grants"] == {"/one": {"name": "a"}, "/other": {"name": "b"}}
    one.set_entry("grants", "/one", None)
    assert said(path)["grants"] == {"/other": {"name": "b"}}


def test_two_processes_that_write_all_the_time_lose_nothing(path: Path):
    work = """
    name = {name!r}
    go()
    for number in range(100):
        settings.set_entry("grants", f"{{name}}-{{number}}", {{"name": str(number)}})
        if number % 10 == 0:
            settings.add_recent(Path(f"/{{name}}-{{number}}"))
    settings.set(name, "done")
    settings.finish()
    """
    windows = [another_window(work.format(name=name), path) for name in ("one", "two")]
    let_go(*windows)
    while any(window.poll() is None for window in windows):
        # Whoever looks meanwhile sees a whole file.
        assert not path.exists() or said(path)
    # A window that waited too long for the other says so, and makes up for it with its next change.
    for window in windows:
        ended(window)
    kept = said(path)
    assert kept["grants"] == {f"{name}-{n}": {"name": str(n)} for name in ("one", "two") for n in range(100)}
    assert (kept["one"], kept["two"]) == ("done", "done")
    recent = kept["recent"]
    assert isinstance(recent, list)
    assert len(recent) == len(set(recent)) == MOST_RECENT
    for name in ("one", "two"):
        numbers = [int(each.rpartition("-")[2]) for each in recent if each.startswith(f"/{name}-")]
        assert numbers == sorted(numbers, reverse=True)
    assert list(path.parent.glob(".*.part")) == []


def test_a_window_that_is_killed_as_it_writes_leaves_a_whole_file_and_stands_in_nobodys_way(path: Path):
    window = another_window("go()\nn = 0\nwhile True:\n    n += 1\n    settings.set('zoom', n)\n", path)
    with window:
        let_go(window)
        until(lambda: path.exists() and said(path).get("zoom", 0) > 20)
        os.kill(window.pid, signal.SIGKILL)
    before = said(path)
    settings = Settings(path)
    settings.set("theme", "dark")
    assert said(path) == {**before, "theme": "dark"}


def test_the_draft_of_one_that_was_killed_is_cleared_away(path: Path):
    path.parent.mkdir()
    old, new = (path.with_name(f".{path.name}.{name}.part") for name in ("old", "new"))
    for draft in (old, new):
        draft.write_text("{")
    os.utime(old, (1, 1))
    Settings(path).set("zoom", 1.1)
    assert (old.exists(), new.exists()) == (False, True)


def test_while_another_holds_the_file_nobody_waits_long_and_nothing_is_lost(path: Path, caplog):
    Settings(path).set("zoom", 1.0)
    window = another_window(
        "from ptc_studio.storage.text_files import locked\nwith locked(settings.folder): go()", path
    )
    with window:
        assert window.stdout is not None
        assert window.stdout.readline() == "ready\n"
        settings = Settings(path)
        began = time.monotonic()
        settings.set("theme", "dark")
        settings.set("timeout", 5)
        assert time.monotonic() - began < 3
        assert said(path) == {"zoom": 1.0}
        assert [record.getMessage() for record in caplog.records] == [
            f"The settings cannot be written to {path}: another program is still writing in {path.parent}"
        ]
        assert settings.get("theme") == "dark"
        window.communicate("\n", timeout=SECONDS)
    settings.finish()
    assert said(path) == {"zoom": 1.0, "theme": "dark", "timeout": 5}


def test_finish_writes_nothing_where_nothing_is_left(path: Path):
    settings = Settings(path)
    settings.set("zoom", 1.5)
    with locked(path.parent):
        began = time.monotonic()
        settings.finish()
    assert time.monotonic() - began < 1


# A disk that is full, a file that makes no sense


def test_on_a_full_disk_the_old_file_stays_and_the_change_follows_later(path: Path):
    Settings(path).set("zoom", 1.5)
    work = """
    import resource
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, unlimited[1]))
    settings.set("theme", "dark")
    assert Path(sys.argv[1]).read_text() == '{\\n "zoom": 1.5\\n}'
    assert list(settings.folder.glob(".*.part")) == []
    resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    settings.set("timeout", 60)
    """
    assert ended(another_window(work, path)) == f"The settings cannot be written to {path}: File too large\n"
    assert said(path) == {"zoom": 1.5, "theme": "dark", "timeout": 60}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "Expecting value"),
        (b'{"zoom": 1.5', "Expecting ',' delimiter"),
        (b"[1]", "it is not a mapping"),
        (b"\xff\xfe\xfa", "can't decode"),
        (b"[" * 100_000, "it is nested too deeply"),
    ],
)
def test_a_file_that_makes_no_sense_is_set_aside_and_told(path: Path, content: bytes, reason: str):
    path.parent.mkdir()
    path.write_bytes(content)
    settings = Settings(path)
    aside = path.with_name("settings.broken.json")
    assert aside.read_bytes() == content
    assert settings.fault is not None
    assert reason in settings.fault
    assert settings.fault.startswith(f"{path} makes no sense (")
    assert settings.fault.endswith("is set aside as settings.broken.json; the usual settings are used.")
    settings.set("zoom", 1.2)
    assert said(path) == {"zoom": 1.2}
    assert Settings(path).fault is None


def test_one_that_is_set_aside_does_not_take_the_place_of_another(path: Path):
    path.parent.mkdir()
    for content in ("first", "second"):
        path.write_text(content)
        Settings(path)
    kept = [path.with_name(name).read_text() for name in ("settings.broken.json", "settings.broken-2.json")]
    assert kept == ["first", "second"]


def test_a_file_that_is_broken_after_the_start_is_set_aside_by_the_next_change(path: Path, caplog):
    settings = Settings(path)
    settings.set("zoom", 1.5)
    path.write_text("oh")
    settings.set("theme", "dark")
    assert said(path) == {"theme": "dark"}
    assert path.with_name("settings.broken.json").read_text() == "oh"
    assert "is set aside as settings.broken.json" in caplog.text


def test_a_place_that_cannot_be_read_or_written_stops_nobody(path: Path, caplog):
    path.mkdir(parents=True)
    settings = Settings(path)
    assert settings.fault == f"{path} cannot be read: Is a directory; the usual settings are used."
    settings.set("zoom", 1.5)
    assert settings.get("zoom") == 1.5
    assert "cannot be written" in caplog.text


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("breakpoints", []),
        ("docks", 3),
        ("geometry", "\ud800"),
        ("grants", "x"),
        ("recent", {"a": 1}),
        ("recent", [1]),
        ("runtime", None),
        ("runtime_shown", ["one"]),
        ("runtimes", {"python": 1}),
        ("theme", "purple"),
        ("theme", ["dark"]),
        ("timeout", 1e300),
        ("timeout", True),
        ("zoom", float("nan")),
        ("zoom", "large"),
    ],
)
def test_a_setting_of_the_wrong_kind_is_told_and_left_out_and_the_others_stay(path: Path, key: str, value: object):
    path.parent.mkdir()
    others = {"timeout": 7} if key != "timeout" else {"zoom": 1.5}
    path.write_text(json.dumps({key: value, "of a newer version": 1, **others}))
    settings = Settings(path)
    assert settings.fault is not None
    assert f"{key!r} must be " in settings.fault
    assert settings.get(key) is None
    assert {name: settings.get(name) for name in others} == others
    settings.set("runtime" if key != "runtime" else "theme", "dark")
    assert said(path)["of a newer version"] == 1
    assert settings.recent() == []
    settings.add_recent(path.parent)
    assert Settings(path).recent() == [path.parent]


def test_what_is_chosen_in_a_workspace_is_its_own(tmp_path: Path):
    settings = Settings(tmp_path / "settings.json")
    one, other, none = (settings.of_workspace(folder) for folder in (tmp_path / "one", tmp_path / "other", None))
    one.set("timeout", 7)
    none.set("timeout", 8)
    one.set("runtime", "node")
    other.set("timeout", 30, usual=30)
    again = Settings(tmp_path / "settings.json")
    assert again.of_workspace(tmp_path / "one").get("timeout") == 7
    assert again.of_workspace(tmp_path / "one").get("runtime") == "node"
    assert again.of_workspace(tmp_path / "other").get("timeout", 30) == 30
    assert again.of_workspace(None).get("timeout") == 8
    assert set(again.get("workspaces")) == {str(tmp_path / "one"), ""}


def test_a_choice_that_is_not_as_it_must_be_is_the_usual(tmp_path: Path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"workspaces": {str(tmp_path): {"timeout": "soon", "runtime": "node"}, "": 3}}))
    settings = Settings(path)
    assert settings.of_workspace(tmp_path).get("timeout", 30) == 30
    assert settings.of_workspace(tmp_path).get("runtime") == "node"
    assert settings.of_workspace(None).get("timeout", 30) == 30


@pytest.mark.parametrize("left", ["", '{"theme": "da', "\0\0\0"])
def test_what_a_power_cut_left_is_set_aside_and_the_settings_before_the_last_change_are_used(path: Path, left: str):
    settings = Settings(path)
    settings.set("theme", "dark")
    settings.set("zoom", 1.5)
    path.write_text(left)
    again = Settings(path)
    assert again.get("theme") == "dark"
    assert again.fault is not None
    assert again.fault.endswith("those from before its last change are used.")
    # For the next window, too, and without a word.
    assert (Settings(path).get("theme"), Settings(path).fault) == ("dark", None)
