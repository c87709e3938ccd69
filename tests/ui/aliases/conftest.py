"""What the tests of aliases share: the real window over a file with comments, and short ways to fill in the form."""

import asyncio
import difflib
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.aliases.actions import open_edit_alias, open_new_alias
from ptc_studio.ui.aliases.alias_dialog import AliasDialog
from ptc_studio.ui.aliases.parameter_table import WAYS

FILE = """\
# What this workspace is for.
version: 1
sources:
  - kind: functions   # the shop's own
    path: tools
aliases:
  # Everybody who writes code.
  - name: team
    tool: people.team_members
    preset: {team: engineering}   # never another one
  - name: cheap
    tool: price
    description: "The price of one."   # with quotes
    defaults: {qty: 1}
    notes: |
      Two lines,
      of which one is this.
grants:
  readonly: [team, add]   # both are harmless
  all: ["*"]
"""


@pytest.fixture(autouse=True)
def _unlocked_secrets(own_secrets: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTC_SECRETS_PASSPHRASE", "correct horse battery")


class Aliases:
    """Does what a user does with aliases."""

    def __init__(self, studio: Any) -> None:
        self.studio = studio
        self.window = studio.window

    @property
    def file(self) -> str:
        return (self.studio.workspace / "studio.yaml").read_text()

    def changed(self, before: str) -> list[str]:
        """The lines of the file that went and came."""
        lines = difflib.ndiff(before.splitlines(), self.file.splitlines())
        return [line for line in lines if line[0] in "+-"]

    def is_callable(self, name: str) -> bool:
        return self.window.workbench.studio.registry.find(name) is not None

    def new(self, tool: str = "", name: str = "") -> AliasDialog:
        dialog = open_new_alias(self.window.context, tool)
        assert dialog is not None
        if name:
            self.type(dialog.form.name, name)
        return dialog

    def edit(self, name: str) -> AliasDialog:
        dialog = open_edit_alias(self.window.context, name)
        assert dialog is not None
        return dialog

    def type(self, field: Any, text: str) -> None:
        field.selectAll()
        QTest.keyClick(field, Qt.Key.Key_Delete)
        QTest.keyClicks(field, text)

    def press(self, button: QWidget) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    async def save(self, dialog: AliasDialog) -> None:
        """Presses the button, and waits until it is saved and the tools were read again."""
        assert dialog.save_button.isEnabled(), dialog.form.problem()
        saved, loaded = self.studio.signal(dialog.saved), self.studio.signal(self.window.workbench.tools_loaded)
        self.press(dialog.save_button)
        await asyncio.wait_for(asyncio.gather(saved, loaded), 30)

    async def undo(self) -> None:
        """Presses Undo in the notice."""
        assert self.window.context.messages.button.text() == "Undo"
        loaded = self.studio.signal(self.window.workbench.tools_loaded)
        self.press(self.window.context.messages.button)
        await asyncio.wait_for(loaded, 30)

    async def ask(self, verb: str, *names: str) -> None:
        """Has the panel ask for something that needs no dialog."""
        loaded = self.studio.signal(self.window.workbench.tools_loaded)
        self.window.panels.tools.alias_requested.emit(verb, list(names))
        await asyncio.wait_for(loaded, 30)

    def told(self) -> str:
        return self.window.context.messages.message if self.window.context.messages.isVisible() else ""


@pytest.fixture
async def aliases(studio: Any) -> Aliases:
    await studio.notice(lambda: (studio.workspace / "studio.yaml").write_text(FILE))
    studio.window.context.messages.hide()
    made = Aliases(studio)
    nodes = studio.window.panels.tools.model.root.walk
    await studio.until(lambda: made.is_callable("cheap") and any(node.label == "cheap" for node in nodes()))
    return made


def choose(dialog: AliasDialog, parameter: str, how: Any, text: str = "") -> Any:
    """Chooses what is done with a parameter, and types or picks its value."""
    line = dialog.form.parameters.lines[parameter]
    line.way.setCurrentIndex(WAYS.index(how))
    if text:
        assert line.field is not None
        target = line.field.row.field.target()
        if hasattr(target, "findText"):
            target.setCurrentIndex(target.findText(text))
            target.activated.emit(target.currentIndex())
        else:
            target.selectAll()
            QTest.keyClicks(target, text)
    return line
