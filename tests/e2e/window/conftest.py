"""The real program in a real X server of its own, with a keyboard and a home that are nobody else's."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.storage.settings import Settings
from tests.support import PROGRAM

ROOT = Path(__file__).parents[3]
NEEDED = ("Xvfb", "xdotool")
WINDOW_SECONDS = 60
END_SECONDS = 60
"""What must happen may take that long on a busy machine, and takes a second on an idle one."""
POLL_SECONDS = 0.02
DISPLAY_NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XAUTHORITY")


def until(condition: Callable[[], Any], what: str, seconds: float = END_SECONDS) -> Any:
    """Waits for the condition, with a bound, and gives what it gave."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            pytest.fail(f"after {seconds} s there was still not: {what}")
        time.sleep(POLL_SECONDS)
    return found


def is_alive(pid: int) -> bool:
    """Whether the process runs; one that is dead and only not yet collected does not."""
    return (_stat(pid) or (0, "Z"))[1] not in "ZX"


def family_of(pid: int) -> set[int]:
    """The process and all that descend from it."""
    parents = {int(each.name): stat[0] for each in Path("/proc").glob("[0-9]*") if (stat := _stat(int(each.name)))}
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return family


def _stat(pid: int) -> tuple[int, str] | None:
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return int(parent), state


class Started:
    """One start of the program."""

    def __init__(self, process: "subprocess.Popen[bytes]", said: Path, environment: dict[str, str]) -> None:
        self._process = process
        self._said = said
        self._environment = environment
        self.pid = process.pid

    def wait_for_window(self, title: str = ".") -> str:
        """The number of the program's window with such a title, once it can be seen; it then has the keyboard."""

        def found() -> str | None:
            assert self.is_running, f"the program ended with {self._process.returncode}: {self.said}"
            search = ("search", "--all", "--onlyvisible", "--pid", str(self.pid), "--name", title)
            return next(iter(self._xdotool(*search, check=False).split()), None)

        window = until(found, f"a window {title!r}", WINDOW_SECONDS)
        # There is no window manager here to do it.
        self._xdotool("windowfocus", "--sync", window)
        return window

    def has_window(self, title: str) -> bool:
        """Whether a window with such a title can be seen."""
        return bool(
            self._xdotool("search", "--all", "--onlyvisible", "--pid", str(self.pid), "--name", title, check=False)
        )

    def count_windows(self) -> int:
        """How many windows can be seen, lists that drop down among them."""
        return len(self._xdotool("search", "--onlyvisible", "--pid", str(self.pid), check=False).split())

    def press(self, *keys: str) -> None:
        """Presses keys, one after the other."""
        self._xdotool("key", *keys)

    def type(self, text: str) -> None:
        """Types the text where the cursor is."""
        self._xdotool("type", "--delay", "4", text)

    @contextlib.contextmanager
    def typing(self, text: str) -> "Iterator[subprocess.Popen[bytes]]":
        """Types as fast as a person does, while the test goes on."""
        command = ["xdotool", "type", "--delay", "25", text]
        with subprocess.Popen(command, env=self._environment, stderr=subprocess.DEVNULL) as typist:
            try:
                yield typist
            finally:
                typist.kill()
                typist.wait(END_SECONDS)
                # The key that was just down would stay down, and repeat itself.
                self._xdotool("keyup", "shift", "space", *sorted({key for key in text if key.isalnum()}))

    def top_window(self) -> str:
        """The number of the window that lies above all others."""
        answer = self._xdotool("mousemove", "400", "400", "getmouselocation", "--shell")
        return dict(line.split("=") for line in answer.split())["WINDOW"]

    def raise_window(self, window: str) -> None:
        """Puts the window above all others."""
        self._xdotool("windowraise", window)

    def kill(self) -> None:
        """As the system does when memory is short."""
        self._process.kill()
        self._process.wait(END_SECONDS)

    def wait(self, seconds: float = END_SECONDS) -> int:
        """The exit status, once there is one."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            pytest.fail(f"the program still ran after {seconds} s: {self.said}")

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def said(self) -> str:
        """All it wrote to the terminal."""
        return self._said.read_text(errors="replace")

    def _xdotool(self, *arguments: str, check: bool = True) -> str:
        command = ["xdotool", *arguments]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, timeout=60, check=False)
        assert not check or done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout


class Desk:
    """A display, a home, and what was started there."""

    def __init__(self, folder: Path, display: str) -> None:
        self._folder = folder
        self._started: list[Started] = []
        self._seen: set[int] = set()
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in DISPLAY_NAMES},
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            # The socket that keeps windows single lies there.
            "TMPDIR": str(folder),
            "PYTHONPATH": str(ROOT),
        }

    def start(self, *arguments: Any) -> Started:
        """Starts the program."""
        said = self._folder / f"said-{len(self._started)}.txt"
        command = [*PROGRAM, *map(str, arguments)]
        with said.open("wb") as output:
            process = subprocess.Popen(
                command, env=self.environment, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        self._started.append(Started(process, said, self.environment))
        return self._started[-1]

    def trust(self, folder: Path) -> Path:
        """As if the user had said before that he trusts the folder; gives it."""
        Settings(self.settings).set_trust(folder, True)
        return folder

    @property
    def settings(self) -> Path:
        """What is remembered between two starts."""
        return self._folder / "data" / "ptc-studio" / "settings.json"

    def note_family(self, started: Started) -> set[int]:
        """The processes that the program has now, which will be ended with the test if they are left over."""
        family = family_of(started.pid)
        self._seen |= family
        return family

    def keeps(self, name: str) -> bool:
        """Whether a tab with that in its name or path would be there after a kill."""
        files = (self._folder / "data" / "ptc-studio" / "buffers").rglob("*.json")
        return any(name in path.read_text(errors="replace") for path in files)

    def kept_texts(self) -> list[str]:
        """The unsaved texts that would be there after a kill."""
        found = []
        for path in (self._folder / "data" / "ptc-studio" / "buffers").rglob("*.json"):
            with contextlib.suppress(OSError, ValueError):
                found.append(json.loads(path.read_bytes()).get("text") or "")
        return found

    def clear(self) -> None:
        """Ends all that was started."""
        for started in self._started:
            if started.is_running:
                self.note_family(started)
                started.kill()
        for pid in self._seen:
            if is_alive(pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


@pytest.fixture
def display() -> Iterator[str]:
    """A display of its own, whose number the server chooses."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if sys.platform != "linux" or missing:
        pytest.skip(f"the real window needs Linux with {' and '.join(missing or NEEDED)} (apt install xvfb xdotool)")
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset", "-r"]
    with subprocess.Popen(command, pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        os.close(writer)
        try:
            with open(reader, "rb") as pipe:
                number = pipe.readline().decode().strip()
            assert number, "Xvfb did not start"
            yield f":{number}"
        finally:
            server.terminate()


@pytest.fixture
def desk(display: str) -> Iterator[Desk]:
    """Where the program is started."""
    # Not pytest's own folder: the path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="desk", ignore_cleanup_errors=True) as folder:
        opened = Desk(Path(folder), display)
        try:
            yield opened
        finally:
            opened.clear()
