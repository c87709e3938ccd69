"""What the window does with cassettes."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QStatusBar, QWidget

from ptc_studio.storage.cassettes import FOLDER, cassettes_in
from ptc_studio.storage.text_files import Stamp, stamp_of
from ptc_studio.transcripts.documents import cassette_of_script, earlier_programs
from ptc_studio.ui.targets.selector import CONTAINER
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import RADIUS, SPACE
from ptc_studio.ui.widgets.labels import plain_tip

if TYPE_CHECKING:
    from ptc_studio.core.responders.cassette import Cassette
    from ptc_studio.core.responders.replay import OnMiss, Replay, ReplayMode
    from ptc_studio.core.scripts import Visible
    from ptc_studio.core.session import Session
    from ptc_studio.core.trace import RunRecord
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.run_presenter import RunPresenter


class Chip(QPushButton):
    """Hidden as long as there is nothing to say."""

    def __init__(self, name: str, colour: str, leave: Callable[[], object]) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAutoDefault(False)
        self._colour = colour
        self.clicked.connect(lambda: leave())
        theme().changed.connect(self._apply_style)
        self._apply_style()
        self.hide()

    def show_text(self, text: str, tip: str) -> None:
        """Says this; nothing if it is empty."""
        self.setText(f"{text}  ✕" if text else "")
        self.setToolTip(plain_tip(tip))
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)
        self.setVisible(bool(text))

    def _apply_style(self) -> None:
        colours, pixels = theme().colours, theme().pixels
        self.setStyleSheet(
            f"QPushButton {{ color: {theme().colour(self._colour).name()}; background: {colours.raised};"
            f" border: 1px solid {colours.line}; border-radius: {RADIUS}px; min-height: 0;"
            f" padding: 1px {pixels(2 * SPACE)}px; }}"
            f"QPushButton:hover {{ border-color: {theme().colour(self._colour).name()}; }}"
            f"QPushButton:focus {{ border-color: {colours.accent}; }}"
        )


MOST = 30
MODES: "dict[ReplayMode, str]" = {
    "match": "By match: any recorded call with equal arguments answers",
    "strict": "Strictly: in the recorded order",
}
EMPTY = "No cassette yet: record a run, and it is offered here"


class ReplayMenu(QMenu):
    """Filled anew each time that it is opened.

    Signals: chosen(path): a run is to be answered from it. file_wanted: from a file elsewhere. left: the tools are to
    answer again. mode_changed(mode).
    """

    chosen = Signal(object)
    file_wanted = Signal()
    left = Signal()
    mode_changed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Replay a cassette", parent)
        self.setObjectName("replayMenu")
        self.folder: Path | None = None
        """Of the workspace; None before one is open."""
        self.current: Path | None = None
        self.mode: ReplayMode = "match"
        self.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """Offers what there is now."""
        self.clear()
        self._offer_cassettes(cassettes_in(self.folder) if self.folder else [])
        other = self.addAction("Other file…")
        other.setEnabled(self.folder is not None)
        other.triggered.connect(lambda: self.file_wanted.emit())
        self.addSeparator()
        self._offer_modes()
        self.addSeparator()
        leave = self.addAction("Let the tools answer again")
        leave.setEnabled(self.current is not None)
        leave.triggered.connect(lambda: self.left.emit())

    def _offer_cassettes(self, paths: list[Path]) -> None:
        if not paths:
            self.addAction(EMPTY).setEnabled(False)
        for path in paths[:MOST]:
            action = self.addAction(f"{_plain(path.stem)}\t{_when(path)}")
            action.setToolTip(plain_tip(str(path)))
            action.setCheckable(True)
            action.setChecked(path == self.current)
            action.triggered.connect(lambda _checked=False, path=path: self.chosen.emit(path))
        if len(paths) > MOST:
            self.addAction(f"and {len(paths) - MOST} more in {FOLDER}").setEnabled(False)

    def _offer_modes(self) -> None:
        group = QActionGroup(self)
        for mode, text in MODES.items():
            action = group.addAction(text)
            action.setCheckable(True)
            action.setChecked(mode == self.mode)
            action.triggered.connect(lambda _checked=False, mode=mode: self._on_mode(mode))
            self.addAction(action)

    def _on_mode(self, mode: str) -> None:
        self.mode = "strict" if mode == "strict" else "match"
        self.mode_changed.emit(mode)


def _plain(name: str) -> str:
    """As a menu shows it: an ampersand would mark a letter."""
    return name.replace("&", "&&")


def _when(path: Path) -> str:
    try:
        # In the time of whoever sits before it.
        return datetime.fromtimestamp(path.stat().st_mtime).astimezone().strftime("%Y-%m-%d %H:%M")
    except OSError:
        return ""


REMEDY = "Record again, or replay with the tool for what is missing."
AS_PUBLISHED = "The replay is as published."
WITH_TOOL = "Replay with the tool for what is missing"


@dataclass(frozen=True, slots=True)
class LoadedCassette:
    """A cassette and its file."""

    path: Path
    cassette: "Cassette"
    stamp: Stamp | None


class Cassettes(QObject):
    """Recording and replaying in one window.

    A cassette that was chosen answers every run until it is left: a script is changed and run again. Running in all
    runtimes is neither recorded nor replayed.

    Signals: target_told: a cassette is to be replayed whose script was going there.
    """

    target_told = Signal(str)

    def __init__(self, context: "Context", status_bar: QStatusBar, run: "RunPresenter") -> None:
        super().__init__(context.window)
        self._context, self._run = context, run
        self._loaded: LoadedCassette | None = None
        self._replay: Replay | None = None
        self._on_miss: OnMiss = "fail"
        self._script = self._told = ""
        self._offered: set[str] = set()
        """Pages whose own cassette was offered: once is enough."""
        self._in_all = False
        self.menu = ReplayMenu(context.window)
        self.recording = Chip("recordChip", "error", lambda: self._record.setChecked(False))
        self.replaying = Chip("replayChip", "accent", self.leave)
        for chip in (self.recording, self.replaying):
            status_bar.addWidget(chip)
        self._connect()

    @property
    def folder(self) -> Path:
        """Where the folder of the cassettes is."""
        studio = self._context.workbench.studio
        return studio.folder if studio.has_workspace else self._context.settings.folder

    def choose(self, path: Path, told: str = "") -> None:
        """Has this run, and those after it, answered from the cassette; `told` is said with how the run ended."""
        self._context.workbench.start(self._choose(path, told))

    def leave(self) -> None:
        """Has the tools answer again."""
        self._loaded = self.menu.current = None
        self._show_replaying()

    def recorded_tools(self) -> "list[Visible]":
        """The tools of the conversation that is replayed: they are not loaded, and yet there."""
        from ptc_studio.core.responders.replay import absent_targets
        from ptc_studio.core.scripts import Visible

        cassette = self._loaded.cassette if self._loaded is not None else None
        if cassette is None or not cassette.of_conversation:
            return []
        return [Visible((name,), target) for name, target in absent_targets(cassette, (), ()).items()]

    def save(self) -> None:
        """Asks for a name for the last run, and keeps it."""
        from ptc_studio.ui.recordings.save_dialog import SaveDialog

        SaveDialog(self._context.window, self.folder, self._script, self._write_later).open()

    def _connect(self) -> None:
        context, bench, menu = self._context, self._context.workbench, self.menu
        self._record = context.commands["recordAction"]
        self._record.setToolTip("Keeps the calls of the next run as a cassette")
        self._record.toggled.connect(self._show_recording)
        self._save = context.commands["saveCassetteAction"]
        self._save.setEnabled(False)
        self._save.triggered.connect(lambda: self.save())
        entries = context.commands.menus["Run"].actions()
        context.commands.menus["Run"].insertMenu(entries[entries.index(self._save) + 1], menu)
        menu.chosen.connect(self.choose)
        menu.left.connect(self.leave)
        menu.file_wanted.connect(self._choose_file)
        menu.mode_changed.connect(lambda _mode: self._show_replaying())
        bench.context = self._answered
        bench.attached.connect(self._on_attached)
        bench.run_started.connect(self._on_run_started)
        bench.run_ended.connect(self._on_run_ended)
        context.editors.current_changed.connect(self._on_page_changed)
        bench.matrix_began.connect(lambda _total: self._set_in_all(True))
        bench.matrix_ended.connect(lambda: self._set_in_all(False))
        if bench.is_open:
            self._on_attached()

    def _on_attached(self) -> None:
        self.menu.folder = self.folder

    def _on_page_changed(self, page: "EditorPage | None") -> None:
        """The cassette of an imported script goes with it: another such script in front has its own."""
        if page is None or page.path is None:
            return
        beside, loaded = cassette_of_script(page.path), self._loaded
        if loaded is not None and loaded.path == beside:
            return
        if loaded is not None and loaded.cassette.of_conversation and beside.is_file():
            self._context.workbench.start(self.use(beside))
        elif loaded is None and page.id not in self._offered and beside.is_file():
            self._offered.add(page.id)
            self._context.messages.offer(
                f"{page.title} has recorded calls beside it.", "Replay them", lambda: self.choose(beside)
            )

    async def use(self, path: Path) -> None:
        """Has the next run, and those after it, answered from the cassette; nothing is run yet."""
        loaded = await self._read(path)
        if loaded is not None:
            self._loaded, self.menu.current = loaded, path
            self._show_replaying()
            self.target_told.emit(loaded.cassette.target)

    def _set_in_all(self, in_all: bool) -> None:
        self._in_all = in_all

    def _choose_file(self) -> None:
        from ptc_studio.ui.dialogs.questions import choose_cassette

        choose_cassette(self._context.window, self.folder, self.choose)

    async def _choose(self, path: Path, told: str = "") -> None:
        self._told = told
        await self.use(path)
        if self.menu.current == path:
            self._run.run_script()

    async def _read(self, path: Path) -> LoadedCassette | None:
        from ptc_studio.storage.cassettes import CassetteError, read_cassette

        stamp = stamp_of(path)
        try:
            cassette = await self._context.workbench.studio.in_thread(lambda: read_cassette(path))
        except CassetteError as error:
            self._context.messages.show_message(str(error), "error")
            return None
        return LoadedCassette(path, cassette, stamp)

    @asynccontextmanager
    async def _answered(self, session: "Session") -> AsyncGenerator[None]:
        """A run is answered from the cassette as its file is now; if it is broken, as it was when it was chosen."""
        loaded = self._loaded
        if loaded is None:
            yield
            return
        if stamp_of(loaded.path) != loaded.stamp:
            loaded = await self._read(loaded.path) or loaded
            self._loaded = self._loaded and loaded
        studio, mode, on_miss = self._context.workbench.studio, self.menu.mode, self._on_miss
        self._on_miss = "fail"
        if loaded.cassette.continues:
            await self._go_on(loaded)
        with studio.replaying(session, loaded.cassette, mode=mode, on_miss=on_miss, remedy=REMEDY) as self._replay:
            yield

    async def _go_on(self, loaded: LoadedCassette) -> None:
        """Replays the scripts whose names this one goes on with, in its container, unseen."""
        from ptc_studio.core.errors import PtcError
        from ptc_studio.targets import Destination, find_target

        studio, target = self._context.workbench.studio, find_target(loaded.cassette.target)
        if not target.keeps_state:
            return
        going = Destination(target, container=studio.containers.of((CONTAINER, target.id)))
        try:
            info = await studio.choose_runtime(target.runtime, loaded.cassette.script)
            earlier = await studio.in_thread(lambda: earlier_programs(loaded.cassette, loaded.path.parent))
            for script, cassette in earlier:
                session = studio.session(target=target)
                with studio.replaying(session, cassette):
                    await studio.run(session, script, info, going)
        except PtcError as error:
            self._context.messages.show_message(str(error))

    def _on_run_started(self) -> None:
        page = self._run.page
        self._script = page.script_name if page is not None else ""
        self._replay = None

    def _on_run_ended(self, record: "RunRecord") -> None:
        self._save.setEnabled(True)
        if self._in_all:
            return
        if self._replay is not None:
            self._show_drift(self._replay, record)
        if self._record.isChecked():
            self._record.setChecked(False)
            self._save_recording()

    def _show_drift(self, replay: "Replay", record: "RunRecord") -> None:
        context, never = self._context, replay.never_made()
        compared = _compared(replay, record)
        told, self._told = self._told, ""
        if replay.misses and replay.on_miss == "fail":
            others = len(replay.misses) - 1
            more = f" And {others:,} more." if others else ""
            context.messages.offer(replay.misses[0] + more, WITH_TOOL, self._replay_with_tool, kind="warning")
        elif never or compared or told:
            message = " ".join(filter(None, (told, compared or never)))
            differs = never or (compared and compared != AS_PUBLISHED)
            context.messages.show_message(message, "warning" if differs else "done")

    def _replay_with_tool(self) -> None:
        self._on_miss = "tool"
        self._run.run_script()

    def _save_recording(self) -> None:
        from ptc_studio.storage.cassettes import FOLDER, cassettes_in
        from ptc_studio.ui.recordings.save_dialog import suggested

        name = suggested(self._script, [path.stem for path in cassettes_in(self.folder)])
        self._write_later(self.folder / FOLDER / f"{name}.json")

    def _write_later(self, path: Path) -> None:
        self._context.workbench.start(self._write(path))

    async def _write(self, path: Path) -> None:
        from ptc_studio.storage.cassettes import CassetteError, write_cassette

        bench = self._context.workbench
        studio, trace, script = bench.studio, bench.trace, self._script
        if trace is None:
            return

        def write() -> "Cassette":
            made = studio.cassette_of(trace, path.stem, Path(script).name, samples=bench.has_samples)
            write_cassette(path, made)
            return made

        try:
            cassette = await studio.in_thread(write)
        except CassetteError as error:
            self._context.messages.show_message(str(error), "error")
        else:
            self._context.messages.offer(_kept(cassette, path), "Replay it", lambda: self.choose(path))

    def _show_recording(self, wanted: bool) -> None:
        tip = "The next run is recorded as a cassette. Click to cancel that."
        self.recording.show_text("● Recording" if wanted else "", tip)

    def _show_replaying(self) -> None:
        loaded = self._loaded
        if loaded is None:
            self.replaying.show_text("", "")
            return
        how = " strictly" if self.menu.mode == "strict" else ""
        tip = f"{loaded.path} answers the calls. Click to let the tools answer again."
        self.replaying.show_text(f"Replaying {loaded.cassette.name}{how}", tip)


def _compared(replay: "Replay", record: "RunRecord") -> str:
    """How the run stands to what was published of it; empty where nothing was."""
    from ptc_studio.core.compare_runs import published_differences

    published = replay.cassette.published
    if published is None:
        return ""
    found = published_differences(record, published)
    if found:
        return f"{found[0]} And {len(found) - 1} more." if len(found) > 1 else found[0]
    told = published.stdout is not None or published.result is not None
    return AS_PUBLISHED if told else ""


def _kept(cassette: "Cassette", path: Path) -> str:
    calls = f"{len(cassette.calls):,} call{'' if len(cassette.calls) == 1 else 's'}"
    cut = len(cassette.too_long)
    lost = f" {cut} of the results were too long to be kept, and cannot be replayed." if cut else ""
    return f"Recorded {calls} as {path.parent.name}/{path.name}.{lost}"
