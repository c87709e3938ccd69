"""Asks what the last run is to be called as a cassette."""

from collections.abc import Callable, Iterable
from pathlib import Path, PurePath

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from ptc_studio.storage.cassettes import FOLDER, cassettes_in
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog, will_be_saved_to
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel

LONGEST = 80
_FORBIDDEN = '/\\:*?"<>|'


def suggested(script: str, taken: Iterable[str]) -> str:
    """A name that is free, after the script."""
    base = "".join("-" if letter in _FORBIDDEN else letter for letter in PurePath(script).stem).strip(". ")
    base = base[:LONGEST] or "run"
    names = {name.casefold() for name in taken}
    free = (name for number in range(1, len(names) + 2) if (name := _numbered(base, number)).casefold() not in names)
    return next(free)


def name_error(name: str) -> str:
    """Why a cassette cannot be called that; empty if it can."""
    if not name.strip():
        return "Give it a name."
    if any(letter in _FORBIDDEN or not letter.isprintable() for letter in name):
        return f"The name is that of a file: leave out {' '.join(_FORBIDDEN)}"
    if name.startswith((".", " ")) or name.endswith((".", " ")):
        return "The name must not begin or end with a dot or a space."
    return f"The name is too long: at most {LONGEST} characters." if len(name) > LONGEST else ""


def _numbered(base: str, number: int) -> str:
    return base if number == 1 else f"{base}-{number}"


ABOUT = (
    "Keeps the calls with their arguments and what they gave, without what was redacted. "
    "A run can then be answered from it, without the tools."
)


class SaveDialog(FramedDialog):
    """`save` gets the file that was named."""

    def __init__(self, parent: QWidget, folder: Path, script: str, save: Callable[[Path], object]) -> None:
        super().__init__(parent, "Save last run as a cassette", 520, 240)
        self.setObjectName("saveCassetteDialog")
        self._folder, self._save = folder / FOLDER, save
        self._taken = {path.stem.casefold() for path in cassettes_in(folder)}
        self.name = QLineEdit(suggested(script, self._taken), maxLength=LONGEST + 20)
        self.name.setAccessibleName("Name of the cassette")
        self.name.textChanged.connect(self._check)
        self._location = PlainLabel()
        self._location.setProperty("role", "muted")
        about = PlainLabel(ABOUT, wordWrap=True)
        about.setProperty("role", "muted")
        body = QVBoxLayout()
        edge = theme().pixels(4 * SPACE)
        body.setContentsMargins(edge, edge, edge, edge)
        body.setSpacing(theme().pixels(2 * SPACE))
        for widget in (about, self.name, self._location):
            body.addWidget(widget)
        body.addStretch(1)
        self.set_body(body)
        self.add_button("Cancel", self.reject)
        self.button = self.add_button("Save", self._on_saved, default=True)
        self.name.selectAll()
        self.name.setFocus()
        self._check()

    def _check(self) -> None:
        name = self.name.text()
        fault = name_error(name)
        taken = name.casefold() in self._taken
        self.button.setEnabled(not fault)
        self.button.setText("Replace" if taken and not fault else "Save")
        self._location.setText("" if fault else f"{FOLDER}/{name}.json")
        if fault:
            self.say_failed(fault)
        else:
            self.say("It replaces the one of this name." if taken else will_be_saved_to(self._folder / f"{name}.json"))

    def _on_saved(self) -> None:
        self.accept()
        self._save(self._folder / f"{self.name.text()}.json")
