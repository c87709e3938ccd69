"""The window: its start against a bare one, a run of a hundred thousand calls with it and without, a long script.

Every measurement is a process of its own, so that none inherits another's heap; those that are compared take turns.
"""

import asyncio
import gc
import json
import os
import resource
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.benchmarks.measure import median, tell

STARTS, RUNS, CALLS, PARTS, KEYS, LINES = 5, 3, 100_000, 10, 200, 5_000
FEW, MORE = 2_000, 12_000
"""The runs whose difference is the memory of a call: what a run needs in any case is in both."""
BEAT, LAST_BEATS = 0.005, 8
TIMES_BARE, THROUGHPUT, STALL_MS, EVEN, BYTES = 1.7, 0.6, 50.0, 1.2, 1_024
PAINT_MS, TIMES_BARE_KEY, FRAME_MS = 150.0, 3.0, 16.7
SIZE = (1440, 900)
TYPED = "total = total + value_12 # so\bme more\r"
"""What a person types, over and over: words, a name that completion knows, a slip, the end of a line."""
FUNCTIONS = '''
def add(a: int, b: int) -> int:
    """Adds."""
    return a + b
'''
LOOP = """
import time
marks = [time.perf_counter()]
for i in range({calls}):
    add(i, 1)
    if i % {part} == {part} - 1:
        marks.append(time.perf_counter())
[b - a for a, b in zip(marks, marks[1:])]
"""
LEAVE = """
import os
def leave(*_):
    os.write(1, b"painted")
    os._exit(0)
"""
BARE = f"""{LEAVE}
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit
application = QApplication([])
application.setStyle("Fusion")
class Window(QMainWindow):
    def paintEvent(self, event):
        QMainWindow.paintEvent(self, event)
        QTimer.singleShot(0, leave)
window = Window()
window.setCentralWidget(QPlainTextEdit())
window.resize(1440, 900)
window.show()
application.exec()
"""
OURS = f"""{LEAVE}
import sys, types
# What takes over right after the first paint; all before it is as the command does it.
after = sys.modules["ptc_studio.ui.event_loop"] = types.ModuleType("ptc_studio.ui.event_loop")
after.run_window = leave
from ptc_studio.cli.main import main
main([])
"""


def main() -> None:
    """Runs all and tells the ratios."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "tools").mkdir()
        (place / "tools" / "sums.py").write_text(FUNCTIONS)
        tell("these share two cores with whatever else runs: medians", f"load {os.getloadavg()[0]:.1f}")
        start_of_the_program(place)
        many_calls(place)
        memory(place)
        long_script(place)


def start_of_the_program(place: Path) -> None:
    bare: list[tuple[float, float]] = []
    ours: list[tuple[float, float]] = []
    for _ in range(STARTS + 1):
        bare.append(_until_painted(BARE, place))
        ours.append(_until_painted(OURS, place))
    # The first start of each writes the bytecode, as an installation would.
    pairs = list(zip(ours[1:], bare[1:], strict=True))
    ratio, computing = (median([a[kind] / b[kind] for a, b in pairs]) for kind in (0, 1))
    tell("a bare window, start to first paint", f"{median([each for each, _ in bare[1:]]) * 1e3:.0f} ms")
    told = f"{median([each for each, _ in ours[1:]]) * 1e3:.0f} ms = {ratio:.2f} x"
    tell("the program, start to first paint", told, "at most 1.7 times the bare one", ratio <= TIMES_BARE)
    tell("the same in time of the processor", f"{computing:.2f} x")


def many_calls(place: Path) -> None:
    without: list[dict[str, Any]] = []
    within: list[dict[str, Any]] = []
    for _ in range(RUNS):
        without.append(_measured("headless", place))
        within.append(_measured("windowed", place))
    pairs = list(zip(without, within, strict=True))
    ratio = median([sum(a["parts"]) / sum(b["parts"]) for a, b in pairs])
    tell("100,000 calls without a window", f"{CALLS / median([sum(a['parts']) for a in without]):,.0f} calls/s")
    told = f"{CALLS / median([sum(b['parts']) for b in within]):,.0f} calls/s = {ratio:.2f} x"
    tell("100,000 calls, the window following", told, "at least 0.6 times those", ratio >= THROUGHPUT)
    tell("the loop's longest gap without a window", f"{median([a['gap'] for a in without]) * 1e3:.0f} ms")
    gaps = [b["gap"] * 1e3 for b in within]
    told = f"{median(gaps):.0f} ms, worst {max(gaps):.0f}"
    tell("the loop's longest gap with it", told, "at most 50", max(gaps) <= STALL_MS)
    ends = [b["end"] * 1e3 for b in within]
    told = f"{median(ends):.0f} ms, worst {max(ends):.0f}"
    tell("the same at the end, as the record is made", told, "at most 50", max(ends) <= STALL_MS)
    even = median([b["parts"][-1] / b["parts"][0] for b in within])
    tell("the last ten thousand against the first", f"{even:.2f} x", "within 1.2", even <= EVEN)


def memory(place: Path) -> None:
    found = _measured("memory", place)
    told = f"{found['python']:.0f} bytes"
    tell("memory for each call beside its values, Python's", told, "at most 1 KB", found["python"] <= BYTES)


def long_script(place: Path) -> None:
    rounds: list[dict[str, Any]] = []
    bare: list[dict[str, Any]] = []
    for _ in range(RUNS):
        bare.append(_measured("bare", place))
        rounds.append(_measured("editor", place))
    paint, usual, worst = (median([found[name] for found in rounds]) * 1e3 for name in ("paint", "usual", "worst"))
    ratio = median([ours["usual"] / own["usual"] for ours, own in zip(rounds, bare, strict=True)])
    tell("5,000 lines: opened and painted", f"{paint:.0f} ms", "under 150", paint < PAINT_MS)
    tell("a key in Qt's own bare editor, the usual", f"{median([found['usual'] for found in bare]) * 1e3:.2f} ms")
    told = f"{usual:.2f} ms = {ratio:.2f} x"
    tell("5,000 lines: a key, handled and painted, the usual", told, "under 3 times that", ratio < TIMES_BARE_KEY)
    tell("5,000 lines: the worst of 200 keys", f"{worst:.2f} ms", "within a frame", worst < FRAME_MS)


# What the processes do


async def headless(place: Path) -> dict[str, Any]:
    from ptc_studio.app import Setup, Studio
    from ptc_studio.core.scripts import Script

    studio = Studio(Setup(functions=place / "tools"))
    await studio.load()
    heart = Heart()
    session = studio.session(timeout=600)
    record = await studio.run(session, Script(_loop(CALLS)), studio.runtimes.choose("python", "x.py"))
    found = {"parts": record["value"], **await heart.stop()}
    await studio.close()
    return found


async def windowed(place: Path) -> dict[str, Any]:
    from ptc_studio.ui.event_loop import MainThreadGc

    window = await _open(place)
    collector = MainThreadGc(window.workbench)
    # A window that is open, and not one that still looks for runtimes and loads what completes Python.
    await asyncio.sleep(AT_REST)
    heart = Heart()
    record = await _run(window, CALLS)
    found = {"parts": record["value"], **await heart.stop()}
    assert window.panels.calls.model.total == CALLS, window.panels.calls.model.total
    assert window.panels.calls.follower.on
    collector.stop()
    await _close(window)
    return found


async def serving(place: Path) -> dict[str, Any]:
    """Serves the tools as the switch in the window does, tells the address, and ends with its standard input."""
    from ptc_studio.storage.history import HistoryRecorder
    from ptc_studio.ui.event_loop import MainThreadGc

    window = await _open(place, HistoryRecorder(place / "history.db"))
    collector = MainThreadGc(window.workbench)
    await asyncio.sleep(AT_REST)
    window.commands["serveAction"].trigger()
    panel = window.panels.serving
    while not panel.is_served:
        await asyncio.sleep(0.05)
    address = {"url": panel.address.text(), "job_id": panel.job.text(), "token": panel.token.text()}
    print(json.dumps(address), flush=True)
    heart = Heart()
    await asyncio.to_thread(sys.stdin.read)
    found = await heart.stop()
    model = window.panels.calls.model
    collector.stop()
    found |= {"total": model.total, "shown": len(model.all_calls)}
    await _close(window)
    return found


async def measured_memory(place: Path) -> dict[str, Any]:
    window = await _open(place)
    await _run(window, FEW)
    tracemalloc.start()
    sizes: list[int] = []
    for calls in (FEW, MORE):
        record = await _run(window, calls)
        del record
        await asyncio.sleep(0.5)
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    values = [call.record() for call in window.panels.calls.model.calls()[-1_000:]]
    payload = sum(_size(record["arguments"]) + _size(record["result"]) for record in values) / len(values)
    await _close(window)
    # Of Python's memory only: what Qt's tree keeps for its open rows, a thousand at most, is not seen.
    return {"python": (sizes[1] - sizes[0]) / (MORE - FEW) - payload}


async def editor(place: Path) -> dict[str, Any]:

    window = await _open(place)
    script = place / "long.py"
    script.write_text(_long_text())
    paint = await _until_seen(lambda: window.editors.open_file(script))
    await asyncio.sleep(2)
    page = window.editors.current()
    while not page.editor.highlighter.is_settled:
        await asyncio.sleep(0.1)
    await _until_seen(lambda: page.editor.go_to(LINES // 2))
    keys = await _typed(page.editor)
    page.editor.document().setModified(False)
    await _close(window)
    return {"paint": paint, "usual": median(keys), "worst": max(keys)}


async def bare_editor(_place: Path) -> dict[str, Any]:
    """Qt's own, with nothing to help: what no editor in Python can be quicker than."""
    from PySide6.QtGui import QTextCursor
    from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit

    window, editor = QMainWindow(), QPlainTextEdit(_long_text())
    editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    window.setCentralWidget(editor)
    window.resize(*SIZE)
    window.show()
    editor.setTextCursor(QTextCursor(editor.document().findBlockByNumber(LINES // 2)))
    QApplication.processEvents()
    keys = await _typed(editor)
    return {"usual": median(keys), "worst": max(keys)}


async def _typed(editor: Any) -> list[float]:
    """How long each key took until it was seen."""
    from PySide6.QtTest import QTest

    keys: list[float] = []
    for number in range(KEYS):
        letter = TYPED[number % len(TYPED)]
        keys.append(await _until_seen(lambda letter=letter: QTest.keyClicks(editor, letter)))
        # As fast as a fast typist, so that what waits for a pause gets one now and then.
        await asyncio.sleep(0.02)
    return keys


async def _until_seen(do: Callable[[], Any]) -> float:
    """How long it takes until all that it leads to has been painted.

    Not in a task: what Qt does meanwhile may be the turn of another task, which asyncio refuses inside of one.
    """
    from PySide6.QtWidgets import QApplication

    took = asyncio.get_running_loop().create_future()

    def measure() -> None:
        began = time.perf_counter()
        do()
        QApplication.processEvents()
        took.set_result(time.perf_counter() - began)

    asyncio.get_running_loop().call_soon(measure)
    return await took


def _long_text() -> str:
    return "".join(f"value_{n} = compute({n}, 'text {n}')  # line {n}\n" for n in range(LINES))


AT_REST = 6.0


class Heart:
    """Beats on the loop and knows how much too late each beat came."""

    def __init__(self) -> None:
        self._gaps: list[float] = []
        self._task = asyncio.ensure_future(self._beat())

    async def stop(self) -> dict[str, float]:
        """The longest gap while calls came, and that at the end, when the record is made."""
        await asyncio.sleep(4 * BEAT)
        self._task.cancel()
        await asyncio.wait([self._task])
        return {"gap": max(self._gaps[:-LAST_BEATS]), "end": max(self._gaps[-LAST_BEATS:])}

    async def _beat(self) -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(BEAT)
            now = time.perf_counter()
            self._gaps.append(now - last - BEAT)
            last = now


async def _open(place: Path, history: Any = None) -> Any:
    from ptc_studio.app import Setup, Studio
    from ptc_studio.storage.settings import Settings
    from ptc_studio.ui.main_window import MainWindow
    from ptc_studio.ui.workbench import Workbench

    studio = Studio(Setup(functions=place / "tools", history=history))
    with TemporaryDirectory() as data:
        window = MainWindow(Settings(Path(data) / "settings.json"), Path(data) / "buffers", None)
    window.add_panels(Workbench(studio))
    loaded = _next(window.workbench.tools_loaded)
    window.resize(*SIZE)
    window.show()
    window.start(None)
    await asyncio.wait_for(loaded, 30)
    await asyncio.sleep(0.5)
    return window


async def _run(window: Any, calls: int) -> dict[str, Any]:
    if window.editors.current() is None:
        window.commands["newAction"].trigger()
    window.editors.current().editor.setPlainText(_loop(calls))
    await asyncio.sleep(1)
    window.run_bar.set_runtime("python")
    window.run_bar.set_timeout(600)
    ended = _next(window.workbench.run_ended)
    window.run.run_script()
    record = await ended
    assert record["status"] == "ok", record["error"]
    return record


async def _close(window: Any) -> None:
    closed = _next(window.closed)
    window.close()
    await asyncio.wait_for(closed, 30)


def _next(signal: Any) -> "asyncio.Future[Any]":
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def on_emitted(*values: Any) -> None:
        # Else the signal would keep the future, and with it the record of every call.
        signal.disconnect(on_emitted)
        future.set_result(values[0] if values else None)

    signal.connect(on_emitted)
    return future


def _loop(calls: int) -> str:
    return LOOP.format(calls=calls, part=calls // PARTS)


def _size(value: Any) -> int:
    size = sys.getsizeof(value)
    if isinstance(value, dict):
        return size + sum(_size(part) for part in value.values())
    return size + sum(_size(part) for part in value) if isinstance(value, list | tuple) else size


def environment(place: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if not kept.get("DISPLAY"):
        kept["QT_QPA_PLATFORM"] = "offscreen"
    # Nothing of the user's own is read or written, nor is another window of his found.
    home = str(place)
    return kept | {"PYTHONPYCACHEPREFIX": f"{home}/bytecode", "XDG_DATA_HOME": home, "TMPDIR": home}


def _until_painted(code: str, place: Path) -> tuple[float, float]:
    """The seconds until then, and those of the processor."""
    began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment(place)) as child:
        assert child.stdout is not None
        assert child.stdout.read(7) == b"painted"
        took = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime


def _measured(what: str, place: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.benchmarks.window", what, str(place)]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment(place), check=True)
    return json.loads(done.stdout.splitlines()[-1])


def _child(what: str, place: Path) -> None:
    if what == "headless":
        found = asyncio.run(headless(place))
    else:
        from PySide6.QtWidgets import QApplication

        from ptc_studio.ui.qt_loop import WindowLoop

        application = QApplication([])
        application.setStyle("Fusion")
        application.setQuitOnLastWindowClosed(False)
        work: dict[str, Callable[[Path], Any]] = {
            "windowed": windowed,
            "memory": measured_memory,
            "editor": editor,
            "bare": bare_editor,
            "serving": serving,
        }
        with asyncio.Runner(loop_factory=lambda: WindowLoop(application)) as runner:
            found = runner.run(work[what](place))
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        _child(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
