"""The studio is killed at random moments; `python -m tests.e2e.kills 200` does so for longer."""

from pathlib import Path

import pytest

from tests.e2e.kills import Killer


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_after_a_kill_at_any_moment_nothing_is_left_behind_and_every_file_is_whole(tmp_path: Path):
    killer = Killer(tmp_path, seed=20)
    for _ in range(6):
        killer.kill_one()
