"""What the window shows before anything is open: what it is about, ways to begin, what was open lately."""

import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.samples import DEMO_FIGURES, TaskFigures, examples, shown_by
from ptc_studio.ui.theme import app_icon, set_icon, theme
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import FlowLayout

DESCRIPTION = "Run a script, watch every tool call it makes: what it was given, what it gave back, what it cost."
TASK = "One task, done in two ways: who in engineering went over budget last quarter?"
COUNTED = "Counted on a run of the demo; tokens are estimated, and the time of the model's own turns comes on top."
MOST_RECENT = 5
WIDTH, TWO_COLUMNS, THREE_COLUMNS = 940, 420, 680


class _Strip(QWidget):
    """A task as a row of boxes: a turn of the model is a wide one, a call of a tool a narrow one."""

    def __init__(self, *, by_script: bool) -> None:
        super().__init__()
        self._by_script, self._calls = by_script, 0
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def set_calls(self, calls: int) -> None:
        self._calls = calls
        self.update()

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(theme().pixels(44))
        self.update()

    def _boxes(self) -> tuple[list[QRect], list[QRect]]:
        """The turns of the model, and the calls."""
        calls, height, room = max(1, self._calls), self.height(), self.width()
        if not self._by_script:
            step = room / calls
            turn, tool = round(step * 0.55), max(1, round(step * 0.25))
            lefts = [round(number * step) for number in range(calls)]
            turns = [QRect(left, 0, max(1, turn), height) for left in lefts]
            return turns, [QRect(left + turn, height // 3, tool, height // 3) for left in lefts]
        # As many at once as there are: the calls lie side by side, from above.
        wide, columns, gap = theme().pixels(14), 2, theme().pixels(4)
        rows = -(-calls // columns)
        each, length = height / rows, min(theme().pixels(26), (room - 2 * wide) // columns - gap)
        places = (divmod(number, rows) for number in range(calls))
        tools = [
            QRect(wide + gap + column * (length + gap), round(row * each), length, max(1, round(each) - 1))
            for column, row in places
        ]
        last = QRect(wide + gap + columns * (length + gap), height // 4, theme().pixels(6), height // 2)
        return [QRect(0, 0, wide, height), last], tools

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        for boxes, colour in zip(self._boxes(), ("accent", "tool"), strict=True):
            # Not by `fillRect`: for that Qt's bindings first make a list of all gradients that have a name.
            painter.setBrush(theme().colour(colour))
            painter.drawRects(boxes)


class TwoWays(QFrame):
    """The same task with one call a turn and by a script, side by side, with the figures of a run."""

    def __init__(self, figures: TaskFigures) -> None:
        super().__init__()
        self.setObjectName("twoWays")
        self.setProperty("panel", True)
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 12, 16, 12)
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(6)
        task = PlainLabel(TASK, wordWrap=True)
        task.setProperty("role", "title")
        self._legend = PlainLabel()
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        self._legend.setProperty("role", "muted")
        head_row = QHBoxLayout()
        head_row.addWidget(task, 1)
        head_row.addWidget(self._legend)
        grid.addLayout(head_row, 0, 0, 1, 2)
        theme().changed.connect(self._show_legend)
        self._show_legend()
        self._strips = (_Strip(by_script=False), _Strip(by_script=True))
        self._words = (PlainLabel(wordWrap=True), PlainLabel(wordWrap=True))
        titles = ("One call a turn", "Programmatic tool calling: a script")
        abouts = (
            "The model asks for each call, and reads each result.",
            "The model writes a script once, and reads what it prints.",
        )
        for column, (title, about, strip, words) in enumerate(
            zip(titles, abouts, self._strips, self._words, strict=True)
        ):
            head, note = PlainLabel(title), PlainLabel(about, wordWrap=True)
            head.setProperty("role", "figure")
            note.setProperty("role", "muted")
            for row, widget in enumerate((head, note, strip, words), 1):
                grid.addWidget(widget, row, column, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(column, 1)
        counted = PlainLabel(COUNTED, wordWrap=True)
        counted.setProperty("role", "muted")
        grid.addWidget(counted, 5, 0, 1, 2)
        self.set_figures(figures)

    def _show_legend(self) -> None:
        """What the boxes are; the colours are held by the text."""
        turn, tool = (
            f'<span style="color:{colour}">■</span>' for colour in (theme().colours.accent, theme().colours.tool)
        )
        self._legend.setText(f"{turn} turn of the model &nbsp; {tool} call of a tool")

    def set_figures(self, figures: TaskFigures) -> None:
        """Shows these, of a run that has been."""
        waiting, elapsed = (f"{time / 1000:.1f} s for tools" for time in (figures.waiting_ms, figures.elapsed_ms))
        turns = f"{figures.calls} turns · about {_round(figures.passed)} tokens read · {waiting}"
        script = f"1 turn · about {_round(figures.read)} tokens read · {elapsed}"
        for strip, words, text in zip(self._strips, self._words, (turns, script), strict=True):
            strip.set_calls(figures.calls)
            words.setText(text)
        self.setAccessibleName(f"{TASK} One call a turn: {turns}. A script: {script}.")


def _round(count: int) -> str:
    """Two figures of it: it is an estimate."""
    return f"{float(f'{count:.2g}'):,.0f}"


class Welcome(QScrollArea):
    """What it is about, three ways to begin, then the examples and what was open lately.

    Signals: demo_requested, example_requested(path), same_task_requested(runtime id), workspace_requested(path),
    open_script_requested, open_workspace_requested, new_workspace_requested; servers_requested: those that other
    programs know are to be taken over, server_requested: one is to be added; guide_requested.
    """

    demo_requested = Signal()
    example_requested = Signal(Path)
    same_task_requested = Signal(str)
    workspace_requested = Signal(Path)
    open_script_requested = Signal()
    open_workspace_requested = Signal()
    new_workspace_requested = Signal()
    servers_requested = Signal()
    server_requested = Signal()
    guide_requested = Signal()

    def __init__(self, recent: Sequence[Path] = ()) -> None:
        super().__init__()
        self.setObjectName("welcome")
        self.setAccessibleName("Welcome")
        self.setWidgetResizable(True)
        self._examples = _Links("Examples", "file")
        self._recent = _Links("Recent workspaces", "folder", "What you open is listed here.")
        self._examples.chosen.connect(self.example_requested)
        self._recent.chosen.connect(self.workspace_requested)
        self._build()
        self._examples.set_links([(path, readable_name(path), shown_by(path)) for path in examples()])
        self.set_recent(recent)

    def set_figures(self, figures: TaskFigures) -> None:
        """The demo has run here: these are its own."""
        self._two_ways.set_figures(figures)

    def set_recent(self, folders: Sequence[Path]) -> None:
        """The workspaces that were open lately, newest first."""
        self._recent.set_links([(path, path.name, str(path)) for path in folders[:MOST_RECENT]])

    def set_same_task(self, runtimes: Sequence[tuple[str, str]]) -> None:
        """The runtimes, id and name, whose example does the same as that of the others."""
        # Imported late: it is large, and the first paint does not need it.
        from html import escape

        colour = theme().colours.accent
        links = ", ".join(
            f'<a href="{key}" style="color:{colour}; text-decoration:none">{escape(name)}</a>' for key, name in runtimes
        )
        self._same_task.setText(f"The same task in: {links}")
        self._same_task.setVisible(bool(runtimes))
        self._runtimes = tuple(runtimes)

    def _on_theme_changed(self) -> None:
        """Links hold their colour, the page its width, and the picture its size."""
        self.set_same_task(self._runtimes)
        self._page.setMaximumWidth(theme().pixels(WIDTH))
        _draw_picture(self._picture)
        self._arrange()

    def _arrange(self) -> None:
        """Puts the two lists below each other where they have no room side by side."""
        beside = self.viewport().width() >= theme().pixels(TWO_COLUMNS)
        if beside != self._beside:
            self._beside = beside
            self._grid.removeWidget(self._recent)
            location = (3, 1) if beside else (4, 0)
            self._grid.addWidget(self._recent, *location, Qt.AlignmentFlag.AlignTop)
            self._grid.setColumnStretch(1, 1 if beside else 0)
            self._grid.setHorizontalSpacing(40 if beside else 0)
        in_a_row = self.viewport().width() >= theme().pixels(THREE_COLUMNS)
        self._ways.setDirection(QBoxLayout.Direction.LeftToRight if in_a_row else QBoxLayout.Direction.TopToBottom)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _build(self) -> None:
        self._runtimes: Sequence[tuple[str, str]] = ()
        self._same_task = PlainLabel(wordWrap=True)
        self._same_task.setTextFormat(Qt.TextFormat.RichText)
        self._same_task.setObjectName("sameTask")
        self._same_task.setProperty("role", "muted")
        self._same_task.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self._same_task.hide()
        self._same_task.linkActivated.connect(self.same_task_requested)
        theme().changed.connect(self._on_theme_changed)
        self._page = page = QWidget()
        page.setMaximumWidth(theme().pixels(WIDTH))
        self._grid = grid = QGridLayout(page)
        grid.setContentsMargins(32, 20, 32, 20)
        grid.setHorizontalSpacing(40)
        grid.setVerticalSpacing(20)
        self._picture, self._beside = PlainLabel(), True
        grid.addLayout(_title(self._picture), 0, 0, 1, 2)
        self._two_ways = TwoWays(DEMO_FIGURES)
        grid.addWidget(self._two_ways, 1, 0, 1, 2)
        self._ways = self._ways_to_begin()
        grid.addLayout(self._ways, 2, 0, 1, 2)
        grid.addWidget(self._examples, 3, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._recent, 3, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._same_task, 5, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.addStretch(1)
        row.addWidget(page, 20, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        # One of our own: to ask for Qt's has every class of widgets prepared, which takes longer than this page.
        self.setViewport(QWidget())
        self.setWidget(middle)
        middle.setAutoFillBackground(False)

    def _ways_to_begin(self) -> QBoxLayout:
        demo = QPushButton("Run the demo")
        demo.setObjectName("demoButton")
        demo.setProperty("primary", True)
        demo.setAutoDefault(True)
        set_icon(demo, "run", "on_accent")
        demo.clicked.connect(lambda: self.demo_requested.emit())
        self.setFocusProxy(demo)
        row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setSpacing(24)
        row.addWidget(
            _Way(
                "See it",
                "An example with sample tools; it touches nothing of yours.",
                demo,
                ("Read the guide", self.guide_requested),
            ),
            1,
        )
        row.addWidget(
            _Way(
                "My functions",
                "Python functions become tools. A folder is all it takes.",
                _button("New workspace…", self.new_workspace_requested),
                ("Open a folder…", self.open_workspace_requested),
                ("Open a script…", self.open_script_requested),
            ),
            1,
        )
        row.addWidget(
            _Way(
                "My MCP servers",
                "Take over those of another program, or add one.",
                _button("Import…", self.servers_requested),
                ("Add a server…", self.server_requested),
            ),
            1,
        )
        return row


def _button(text: str, signal: SignalInstance, *, flat: bool = False) -> QPushButton:
    button = QPushButton(text)
    button.setProperty("flat", flat)
    # Enter presses whichever has the keyboard, as Space does.
    button.setAutoDefault(True)
    button.clicked.connect(lambda: signal.emit())
    return button


class _Way(QFrame):
    """One way to begin: its title, what it is, its button, and others that lead the same way."""

    def __init__(self, title: str, about: str, button: QPushButton, *others: tuple[str, SignalInstance]) -> None:
        super().__init__()
        head, note = PlainLabel(title), PlainLabel(about, wordWrap=True)
        head.setProperty("role", "title")
        note.setProperty("role", "muted")
        buttons = FlowLayout(spacing=6)
        buttons.addWidget(button)
        for text, signal in others:
            buttons.addWidget(_button(text, signal, flat=True))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(head)
        column.addWidget(note)
        column.addLayout(buttons)
        column.addStretch(1)


class _Links(QFrame):
    """A caption and a list of things to open.

    Signals: chosen(path).
    """

    chosen = Signal(Path)

    def __init__(self, caption: str, icon: str, empty: str = "") -> None:
        super().__init__()
        self._icon = icon
        self._empty = empty
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        title = PlainLabel(caption)
        title.setProperty("role", "title")
        self._column.addWidget(title)
        self._column.addSpacing(6)
        self._rows: list[QWidget] = []

    def set_links(self, links: Sequence[tuple[Path, str, str]]) -> None:
        """What each leads to, its name, and what is said of it."""
        for row in self._rows:
            row.deleteLater()
        self._rows = [self._link(*link) for link in links] or [self._nothing()]
        for row in self._rows:
            self._column.addWidget(row)

    def _link(self, path: Path, name: str, about: str) -> QPushButton:
        link = QPushButton(name)
        link.setToolTip(plain_tip(about))
        link.setAccessibleDescription(about)
        link.setProperty("flat", True)
        link.setProperty("link", True)
        link.setCursor(Qt.CursorShape.PointingHandCursor)
        set_icon(link, self._icon, "muted")
        link.clicked.connect(lambda: self.chosen.emit(path))
        return link

    def _nothing(self) -> QLabel:
        label = PlainLabel(self._empty, wordWrap=True)
        label.setProperty("role", "muted")
        return label


def readable_name(script: Path) -> str:
    """`05_error_handled.py` as `Error handled`."""
    return re.sub(r"^\d+_", "", script.stem).replace("_", " ").capitalize()


def _draw_picture(picture: QLabel) -> None:
    size = theme().pixels(48)
    picture.setPixmap(app_icon().pixmap(QSize(size, size), picture.devicePixelRatioF()))


def _title(picture: QLabel) -> QHBoxLayout:
    _draw_picture(picture)
    name = PlainLabel("PTC Studio", wordWrap=True)
    name.setProperty("role", "heading")
    about = PlainLabel(DESCRIPTION, wordWrap=True)
    about.setProperty("role", "muted")
    words = QVBoxLayout()
    words.setSpacing(4)
    words.addWidget(name)
    words.addWidget(about)
    row = QHBoxLayout()
    row.setSpacing(16)
    row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
    row.addLayout(words, 1)
    return row
