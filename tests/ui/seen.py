"""What can be seen of a widget, and ways to its parts that need to know nothing of how it is made."""

from typing import Any, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QWidget

from ptc_studio.ui.run_bar.bar import RunBar
from ptc_studio.ui.run_bar.figures import Figure

T = TypeVar("T", bound=QObject)


def child(parent: QObject, kind: type[T], name: str = "") -> T:
    """The one part of that kind."""
    found = parent.findChild(kind, name) if name else parent.findChild(kind)
    assert found is not None, f"{parent} has no {kind.__name__} {name}"
    return found


def seen_texts(widget: QWidget) -> list[str]:
    """The texts of the labels that are there to be seen, also where the widget itself is not shown yet."""
    return [label.text() for label in widget.findChildren(QLabel) if label.text() and label.isVisibleTo(widget)]


def figure(bar: RunBar, caption: str) -> Any:
    """The figure of the run bar that has one of the captions, such as `Compiled`, or will have it."""
    [found] = [each for each in bar.findChildren(Figure) if each.caption.text() == caption]
    return found
