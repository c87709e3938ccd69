"""Words that change often, such as running figures: a label that has the window laid out anew only when it must."""

from PySide6.QtWidgets import QLabel

SLACK = 12
"""So many pixels may stay empty beside a text that has become shorter."""
UNBOUNDED = 16_777_215


def set_still_text(label: QLabel, text: str) -> None:
    """Changes the text. A label of a fixed size asks for no layout, which would paint half of the window anew."""
    if text == label.text():
        return
    label.setText(text)
    if not label.isVisible():
        release(label)
        return
    wanted, size = label.sizeHint(), label.size()
    fits = size.width() - SLACK <= wanted.width() <= size.width() and wanted.height() <= size.height()
    if not fits or label.minimumSize() != label.maximumSize():
        label.setFixedSize(wanted)


def release(label: QLabel) -> None:
    """Lets the label have the size that it asks for, as when its font has changed."""
    label.setMinimumSize(0, 0)
    label.setMaximumSize(UNBOUNDED, UNBOUNDED)
