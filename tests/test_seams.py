"""What only Linux or POSIX has is used in few named modules, each with a plain fallback; `tests/elsewhere.py` takes it away."""

import re
from pathlib import Path

import pytest

PRODUCT = Path(__file__).resolve().parents[1] / "ptc_studio"
SEAMS = {
    # Linux alone: processes by /proc and prctl, confinement, what a process uses.
    r'"/proc|f"/proc|prctl\(|landlock_|memfd_create': {
        "processes/process_tree.py",
        "runtimes/sandbox",
        "storage/history/database.py",
        "ui/startup.py",
    },
    # POSIX alone: locks of folders, and the size of a pipe.
    r"import fcntl": {"storage/text_files.py", "runtimes/build.py", "runtimes/guest_process.py"},
    r"import (?:resource|pty|termios|pwd|grp)\b": {"runtimes/sandbox"},
    r"os\.(?:killpg|getpgid|setsid|fork)\(": {"processes/process_tree.py"},
    r'"bwrap"': {"runtimes/sandbox", "cli/doctor.py", "ui/main_window.py"},
    r"os\.O_(?:CLOEXEC|NONBLOCK|NOFOLLOW|PATH|DIRECTORY)": {"runtimes/sandbox", "sources/builtin"},
}


@pytest.mark.parametrize("pattern", SEAMS)
def test_what_only_one_system_has_stands_behind_its_seam(pattern: str):
    found = {
        path.relative_to(PRODUCT).as_posix()
        for path in PRODUCT.rglob("*.py")
        if re.search(pattern, path.read_text(encoding="utf-8"))
    }
    outside = {name for name in found if not any(name.startswith(seam) for seam in SEAMS[pattern])}
    assert outside == set()
