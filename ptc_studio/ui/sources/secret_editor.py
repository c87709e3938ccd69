"""A name and a value that is not shown: makes a secret, or gives one another value."""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from ptc_studio.core.errors import PtcError
from ptc_studio.ui.sources.background import in_thread
from ptc_studio.ui.sources.framed_dialog import FramedDialog
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

if TYPE_CHECKING:
    from ptc_studio.ui.window import MainWindow

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


class SecretEditor(FramedDialog):
    """Closes when the secret is kept.

    Signals: kept(str): its name.
    """

    kept = Signal(str)

    def __init__(
        self, window: "MainWindow", parent: QWidget, *, name: str = "", value: str = "", taken: Collection[str] = ()
    ) -> None:
        """With a name its value is replaced; `taken` are names that another secret has."""
        super().__init__(parent, f"Replace {name}" if name else "New secret", 480, 190)
        self.setObjectName("secretEditor")
        self._window = window
        self._taken = taken
        self.name = QLineEdit(name)
        self.name.setPlaceholderText("such as GITHUB_TOKEN")
        self.name.setAccessibleName("Name of the secret")
        self.name.setProperty("code", True)
        self.name.setReadOnly(bool(name))
        self.value = QLineEdit(value)
        self.value.setEchoMode(QLineEdit.EchoMode.Password)
        self.value.setAccessibleName("Value of the secret")
        self.value.setPlaceholderText("not shown, not written to studio.yaml")
        show = QPushButton("Show")
        show.setCheckable(True)
        show.setAutoDefault(False)
        show.toggled.connect(self._on_shown)
        both = QHBoxLayout()
        both.addWidget(self.value, 1)
        both.addWidget(show)
        rows = QFormLayout()
        edge = theme().pixels(4 * SPACE)
        rows.setContentsMargins(edge, edge, edge, edge)
        rows.setSpacing(theme().pixels(3 * SPACE))
        rows.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        rows.addRow("Name", self.name)
        rows.addRow("Value", both)
        self.set_body(rows)
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Replace" if name else "Keep", self.keep, default=True)
        self.name.textChanged.connect(self._check)
        self.value.textChanged.connect(self._check)
        self._check()
        (self.value if name else self.name).setFocus()

    def keep(self) -> None:
        """Puts the secret where secrets lie."""
        if self.save_button.isEnabled():
            self._window.workbench.start(self._keep())

    async def _keep(self) -> None:
        name, value = self.name.text(), self.value.text()
        studio = self._window.workbench.studio
        self.save_button.setEnabled(False)
        try:
            await in_thread(studio, lambda: studio.secrets.set(name, value))
        except PtcError as error:
            self.say_failed(str(error))
            self.save_button.setEnabled(True)
            return
        self.kept.emit(name)
        self.accept()

    def _check(self) -> None:
        name = self.name.text()
        fault = ""
        if name and not _NAME.fullmatch(name):
            fault = "A name has letters, digits and underscores, such as GITHUB_TOKEN."
        elif name in self._taken:
            fault = f"There is already a secret {name!r}: replace that one."
        self.say(f"✕ {fault}" if fault else f"Used as ${{secret:{name or 'NAME'}}}", "error" if fault else "muted")
        self.save_button.setEnabled(bool(name and not fault and self.value.text()))

    def _on_shown(self, shown: bool) -> None:
        self.value.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
