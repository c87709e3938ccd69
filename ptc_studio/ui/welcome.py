"""What the window shows before anything is open."""

import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from ptc_studio.locations import EXAMPLES
from ptc_studio.ui.theme import app_icon, set_icon, theme
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import FlowLayout

DESCRIPTION = "Run a script, watch every tool call it makes: what it was given, what it gave back, what it cost."
MOST_RECENT = 6
WIDTH, TWO_COLUMNS = 760, 420


class Welcome(QScrollArea):
    """The demo first, then the examples and what was open lately.

    Signals: demo_requested, example_requested(path), same_task_requested(runtime id), workspace_requested(path),
    open_script_requested, open_workspace_requested.
    """

    demo_requested = Signal()
    example_requested = Signal(Path)
    same_task_requested = Signal(str)
    workspace_requested = Signal(Path)
    open_script_requested = Signal()
    open_workspace_requested = Signal()

    def __init__(self, recent: Sequence[Path] = (), examples: Sequence[Path] | None = None) -> None:
        super().__init__()
        self.setObjectName("welcome")
        self.setAccessibleName("Welcome")
        self.setWidgetResizable(True)
        self._examples = _Links("Examples", "file")
        self._recent = _Links("Recent workspaces", "folder", "What you open is listed here.")
        self._examples.chosen.connect(self.example_requested)
        self._recent.chosen.connect(self.workspace_requested)
        self._build()
        self._examples.set_links(
            [(path, readable_name(path)) for path in _shipped() if examples is None or path in examples]
        )
        self.set_recent(recent)

    def set_recent(self, folders: Sequence[Path]) -> None:
        """The workspaces that were open lately, newest first."""
        self._recent.set_links([(path, path.name) for path in folders[:MOST_RECENT]])

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
            location = (2, 1) if beside else (3, 0)
            self._grid.addWidget(self._recent, *location, Qt.AlignmentFlag.AlignTop)
            self._grid.setColumnStretch(1, 1 if beside else 0)
            self._grid.setHorizontalSpacing(40 if beside else 0)

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
        grid.setContentsMargins(32, 32, 32, 32)
        grid.setHorizontalSpacing(40)
        grid.setVerticalSpacing(24)
        self._picture, self._beside = PlainLabel(), True
        grid.addLayout(_title(self._picture), 0, 0, 1, 2)
        grid.addLayout(self._buttons(), 1, 0, 1, 2)
        grid.addWidget(self._examples, 2, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._recent, 2, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._same_task, 4, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.addStretch(1)
        row.addWidget(page, 6, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        # One of our own: to ask for Qt's has every class of widgets prepared, which takes longer than this page.
        self.setViewport(QWidget())
        self.setWidget(middle)
        middle.setAutoFillBackground(False)

    def _buttons(self) -> FlowLayout:
        demo = QPushButton("Run the demo")
        demo.setObjectName("demoButton")
        demo.setProperty("primary", True)
        set_icon(demo, "run", "on_accent")
        script = QPushButton("Open a script…")
        workspace = QPushButton("Open a workspace…")
        demo.clicked.connect(lambda: self.demo_requested.emit())
        script.clicked.connect(lambda: self.open_script_requested.emit())
        workspace.clicked.connect(lambda: self.open_workspace_requested.emit())
        row = FlowLayout(spacing=10)
        for button in (demo, script, workspace):
            row.addWidget(button)
        return row


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

    def set_links(self, links: Sequence[tuple[Path, str]]) -> None:
        for row in self._rows:
            row.deleteLater()
        self._rows = [self._link(path, name) for path, name in links] or [self._nothing()]
        for row in self._rows:
            self._column.addWidget(row)

    def _link(self, path: Path, name: str) -> QPushButton:
        link = QPushButton(name)
        link.setToolTip(plain_tip(str(path)))
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


def _shipped() -> list[Path]:
    return sorted(EXAMPLES.glob("[0-9]*.*"))


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
