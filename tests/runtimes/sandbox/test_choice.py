"""The best confiner that works is chosen, and what keeps a better one away is told with its remedy."""

import subprocess
import threading
from pathlib import Path

import pytest

from ptc_studio.runtimes.sandbox import Bounds, Confiner, best_confiner, choice
from ptc_studio.runtimes.sandbox.choice import PlainProcess
from ptc_studio.runtimes.sandbox.confiners import Landlock


def broken(tmp_path: Path, script: str) -> str:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(program)


def test_the_sandbox_is_the_first_choice_and_is_tried_once():
    found: list[Confiner] = []
    threads = [threading.Thread(target=lambda: found.append(best_confiner())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {id(confiner) for confiner in found} == {id(best_confiner())}
    assert (best_confiner().id, best_confiner().reason) == ("bubblewrap", None)


def test_without_bubblewrap_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(choice, "install_command", lambda: "sudo apt install bubblewrap")
    chosen = choice.choose("no-such-bwrap")
    assert chosen.id == "landlock"
    assert chosen.reason == "bubblewrap is not installed. Install it: sudo apt install bubblewrap"


def test_a_bubblewrap_that_is_forbidden_its_work_is_not_used(tmp_path: Path):
    said = "bwrap: setting up uid map: Permission denied"
    chosen = choice.choose(broken(tmp_path, f"echo '{said}' >&2; exit 1"))
    assert chosen.id == "landlock"
    assert chosen.reason is not None
    assert chosen.reason.startswith(f"bubblewrap does not work here ({said}). ")


def test_a_bubblewrap_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(choice, "TRIAL_SECONDS", 0.2)
    program = broken(tmp_path, 'case "$1" in --help) ;; *) exec sleep 60 ;; esac')
    complaint = choice.trial(choice.Bubblewrap(program))
    assert complaint == "no answer within 0.2 s"


def test_with_nothing_at_all_a_process_is_called_a_process(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(choice, "landlock_version", lambda: 0)
    chosen = choice.choose("no-such-bwrap")
    assert chosen.id == "process"
    assert "bubblewrap is not installed" in (chosen.reason or "")
    monkeypatch.setattr(choice.sys, "platform", "darwin")
    assert choice.choose().id == "process"


@pytest.mark.parametrize(
    ("setting", "value", "command"),
    [
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"),
        ("kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "user.max_user_namespaces=10000"),
    ],
)
def test_the_setting_that_forbids_namespaces_is_named(setting: str, value: str, command: str, tmp_path: Path):
    path = tmp_path / setting
    path.parent.mkdir()
    path.write_text(f"{value}\n")
    assert choice.remedy(tmp_path) == f"Allow user namespaces: sudo sysctl -w {command}"
    path.write_text("7\n")
    assert "container" in choice.remedy(tmp_path)


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6])
def test_an_older_landlock_is_used_for_what_it_has(version: int):
    older = Landlock(version=version)
    assert choice.trial(older) is None
    launch = older.launch(["/bin/cat", "/etc/shadow"], Bounds())
    told = subprocess.run(launch.argv, pass_fds=launch.fds, capture_output=True, check=False)
    launch.close()
    assert (told.returncode, told.stdout) == (1, b"")
    assert ("It can signal other processes of yours." in older.gaps) == (version < 6)


def test_what_holds_and_what_does_not_is_said(any_confiner: Confiner):
    for sentence in (*any_confiner.protections, *any_confiner.gaps):
        assert sentence.endswith(".")
        assert "sandbox" not in sentence
    assert any_confiner.gaps
    assert PlainProcess("because").reason == "because"


def test_bounds_that_cannot_be_set_keep_the_program_from_starting(landlock: Confiner):
    launch = landlock.launch(["/bin/echo", "ran"], Bounds())
    argv = ["files=1000000000000000000" if item.startswith("files=") else item for item in launch.argv]
    told = subprocess.run(argv, capture_output=True, text=True, check=False)
    launch.close()
    assert (told.returncode, told.stdout) == (126, "")
    assert told.stderr == "ptc: The process cannot be started within its bounds: Invalid argument\n"
