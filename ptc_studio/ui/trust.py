"""Asks once whether the tools of a folder may be loaded, in a bar below the work; the menu changes it later."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ptc_studio.locations import bundles_folder
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip

if TYPE_CHECKING:
    from pathlib import Path

    from ptc_studio.ui.context import Context
    from ptc_studio.ui.status_line import StatusLine

QUESTION = (
    "Its tools are programs that run on this machine with your rights. Until you trust it, none of them is loaded or "
    "started; scripts can be read, and run confined."
)
RESTRICTED = "Restricted: no tool of this folder is loaded.\n\nFile, Trust this folder loads them."
BUNDLE = "A run that somebody sent: its calls are answered from its recording, no tool is needed."
TEXT_WIDTH = 420
"""Words that would have less than this stand above the buttons."""


class TrustBar(QFrame):
    """The question and its two answers. Not modal: whoever only wants to read goes on reading.

    Signals: answered(trusted).
    """

    answered = Signal(bool)

    def __init__(self, folder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trustBar")
        self.setAccessibleName(f"Trust this folder? {folder}. {QUESTION}")
        self._mark = PlainLabel("▲")
        self._title = PlainLabel("Trust this folder?")
        self.text = PlainLabel(QUESTION)
        self.text.setWordWrap(True)
        self.text.setToolTip(plain_tip(folder))
        self.restrict = self._button("restrictFolderAction", "Keep restricted", trusted=False)
        self.trust = self._button("trustFolderAction", "Trust and load tools", trusted=True)
        # Whoever presses Enter without reading has chosen the safe one.
        self.restrict.setDefault(True)
        self.setFocusProxy(self.restrict)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(2 * SPACE)
        self._buttons.addStretch(1)
        self._buttons.addWidget(self.restrict)
        self._buttons.addWidget(self.trust)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._parts.setSpacing(2 * SPACE)
        words = QVBoxLayout()
        words.setSpacing(SPACE // 2)
        words.addWidget(self._title)
        words.addWidget(self.text)
        self._parts.addLayout(words, 1)
        self._parts.addLayout(self._buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        row.setSpacing(2 * SPACE)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(self._parts, 1)
        theme().changed.connect(self._apply_style)
        self._apply_style()
        self.hide()

    def _button(self, name: str, text: str, *, trusted: bool) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.setAutoDefault(True)
        button.clicked.connect(lambda: self.answered.emit(trusted))
        return button

    def _apply_style(self) -> None:
        colours = theme().colours
        # The window's one primary action is Run: the safe answer is marked by its frame alone.
        self.setStyleSheet(
            f"#trustBar {{ background: {colours.raised}; border: 1px solid {colours.warning}; border-radius: 6px; }}"
            f"#trustBar QPushButton:default {{ background: {colours.panel}; color: {colours.text};"
            f" border: 1px solid {colours.accent}; font-weight: normal; }}"
        )
        self._mark.setStyleSheet(f"color: {colours.warning};")
        self._title.setFont(theme().text_font(bold=True))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = theme().pixels(TEXT_WIDTH) + self._buttons.sizeHint().width()
        beside = wanted <= self.width()
        self._parts.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)


class FolderTrust(QObject):
    """Keeps the bar, the menu and the status line of one window up with whether its folder is trusted."""

    def __init__(self, context: "Context", status_line: "StatusLine", workspace: "Path | None") -> None:
        super().__init__(context.window)
        self._context, self._status_line, self._workspace = context, status_line, workspace
        self._trust = context.commands["trustFolderAction"]
        self._restrict = context.commands["restrictFolderAction"]
        self._trust.triggered.connect(lambda: self._decide(True))
        self._restrict.triggered.connect(lambda: self._decide(False))
        self.bar: TrustBar | None = None
        context.workbench.attached.connect(self._show)
        context.editors.use_compilers_of(self._is_trusted)
        known = context.workbench.is_open and context.workbench.studio.trusted
        self._is_bundle = workspace is not None and workspace.is_relative_to(bundles_folder().resolve())
        if workspace is not None and context.settings.trusts(workspace) is None and not known and not self._is_bundle:
            self._ask(str(workspace))
        self._show()

    def _is_trusted(self, folder: "Path") -> bool:
        """Whether a folder belongs to the workspace, and that is trusted; from any thread."""
        bench = self._context.workbench
        return bench.is_open and bench.studio.trusted and folder.resolve().is_relative_to(bench.studio.folder)

    def _ask(self, folder: str) -> None:
        self.bar = TrustBar(folder)
        self.bar.answered.connect(self._decide)
        self._context.messages.add_bar(self.bar)
        self.bar.show()
        # A text that is opened takes the keyboard from it.
        self.bar.setFocus()

    def _decide(self, trusted: bool) -> None:
        folder, bench = self._workspace, self._context.workbench
        if folder is None:
            return
        # A studio that is yet to come is opened by what the settings say then.
        self._context.settings.set_trust(folder, trusted)
        if bench.is_open and bench.studio.trusted != trusted:
            bench.studio.set_trusted(trusted)
            bench.load()
        if self.bar is not None:
            self.bar.hide()
        self._show()

    def _show(self) -> None:
        bench, folder = self._context.workbench, self._workspace
        known = folder is not None and bench.is_open
        trusted = not known or bench.studio.trusted
        asking = self.bar is not None and not self.bar.isHidden()
        self._trust.setEnabled(known and not trusted)
        self._restrict.setEnabled(asking or (known and trusted))
        self._status_line.set_restricted(not trusted)
        if trusted:
            self._context.tools.say_none()
        else:
            self._context.tools.say_none(BUNDLE if self._is_bundle else RESTRICTED)
