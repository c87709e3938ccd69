"""Takes widgets away for good."""

from PySide6.QtWidgets import QLayout, QWidget


def discard(layout: QLayout, widget: QWidget) -> None:
    """Takes it out of the layout and out of sight at once; Qt deletes it when nothing is going on with it."""
    layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()
