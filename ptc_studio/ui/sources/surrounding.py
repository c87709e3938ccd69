"""What fields of a source's form ask for from those around them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QWidget


class Surrounding(Protocol):
    """The form that a field is in."""

    @property
    def folder(self) -> Path:
        """The workspace's folder, from which paths are seen."""
        ...

    def choose_functions(self, chosen: Sequence[str], done: Callable[[Sequence[str]], None]) -> None:
        """Has the user choose from the functions of the folder."""
        ...

    def choose_secret(self, beside: QWidget, value: str, done: Callable[[str], None]) -> None:
        """Has the user choose a secret, or make one, with the value as a beginning; `done` gets its name."""
        ...


def surrounding(field: QWidget) -> Surrounding:
    """The form around a field."""
    widget: QWidget | None = field
    while widget is not None and not hasattr(widget, "choose_functions"):
        widget = widget.parentWidget()
    assert widget is not None
    return widget  # type: ignore[return-value]


def seen_from(folder: Path, path: Path) -> str:
    """The path as the workspace file has it: relative where it is inside the folder."""
    try:
        inside = path.resolve().relative_to(folder.resolve())
    except (ValueError, OSError):
        return str(path)
    return inside.as_posix()
