"""What the tests of sources' dialogs share: the real window, and short ways to fill in a form."""

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from ptc_studio.ui.sources.actions import open_add_source
from ptc_studio.ui.sources.source_dialog import SourceDialog


@pytest.fixture(autouse=True)
def _unlocked_secrets(own_secrets: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTC_SECRETS_PASSPHRASE", "correct horse battery")


class Forms:
    """Fills in forms as a user would."""

    def __init__(self, studio: Any) -> None:
        self.studio = studio
        self.opened: list[SourceDialog] = []

    @property
    def file(self) -> str:
        return (self.studio.workspace / "studio.yaml").read_text()

    @property
    def names(self) -> set[str]:
        return {tool.spec.name for tool in self.studio.window.workbench.studio.registry.tools}

    def add(self, kind: str, way: int = 0, **texts: str) -> SourceDialog:
        """Opens the form of a new source, and types into its fields."""
        dialog = open_add_source(self.studio.window.context)
        assert dialog is not None
        self.opened.append(dialog)
        dialog.cards.search.clear()
        QTest.keyClicks(dialog.cards.search, kind)
        assert dialog.cards.kinds()[0] == kind
        QTest.keyClick(dialog.cards.search, Qt.Key.Key_Return)
        assert dialog.form is not None
        dialog.form.choose_way(way)
        for field, text in texts.items():
            self.type(dialog, field, text)
        return dialog

    def type(self, dialog: SourceDialog, field: str, text: str) -> None:
        assert dialog.form is not None
        target = dialog.form.main.field(field).target()
        clear = getattr(target, "clear", None)
        if clear is not None:
            clear()
        QTest.keyClicks(target, text)

    def faults(self, dialog: SourceDialog) -> dict[str, str]:
        assert dialog.form is not None
        faults = [*dialog.form.main.faults(), *dialog.form.rare.faults()]
        return {fault.location: fault.message for fault in faults}

    async def test(self, dialog: SourceDialog) -> str:
        """Presses Test, and gives all that is said then."""
        self.press(dialog.trial.button)
        await self.studio.until(lambda: not dialog.trial.is_busy, 30)
        return f"{dialog.trial.said.text()}\n{dialog.trial.text.toPlainText()}"

    async def save(self, dialog: SourceDialog) -> None:
        """Presses Save, and waits until it is saved and tools have been read; a source may take longer."""
        assert dialog.save_button.isEnabled(), self.faults(dialog)
        saved = self.studio.signal(dialog.saved)
        loaded = self.studio.signal(self.studio.window.workbench.tools_loaded)
        self.press(dialog.save_button)
        await asyncio.wait_for(asyncio.gather(saved, loaded), 30)

    def press(self, button: QWidget) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    async def close(self) -> None:
        """Closes what is open still, and waits until it is gone: nothing of it is left to the end of the process."""
        while self.opened:
            dialog = self.opened.pop()
            if isValid(dialog):
                dialog.reject()
                await self.studio.until(lambda gone=dialog: not isValid(gone))


@pytest.fixture
def forms(studio: Any) -> Forms:
    return Forms(studio)


async def with_source(studio: Any, forms: Any, kind: str, **texts: str) -> str:
    dialog = forms.add(kind, **texts)
    await forms.save(dialog)
    return forms.file
