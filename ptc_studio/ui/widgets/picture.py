"""Decodes a picture in a thread, within bounds, to the size in which it is shown."""

from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from ptc_studio.ui.models.media import Media

FORMATS = frozenset({"png", "jpeg", "gif", "webp", "bmp"})
MOST_PIXELS = 50_000_000
LONGEST_SIDE = 2_000
"""Nothing is shown larger than that."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What came of a picture: the image and its real size, or why there is none."""

    image: QImage | None = None
    width: int = 0
    height: int = 0
    fault: str = ""


@cache
def load_decoders() -> None:
    """To be called in the window's thread, once, before anything is decoded in another: it takes some milliseconds.

    Qt loads its decoders when it first needs them, and waits for the window's thread meanwhile; that thread may be
    waiting for Python, which the other one has.
    """
    # It asks every decoder before it gives up.
    buffer = _opened(b"no picture")
    QImageReader(buffer).format()


def decoded(media: Media) -> Picture:
    """May be called in any thread, after `load_decoders`."""
    try:
        content = media.content()
    except ValueError as error:
        return Picture(fault=f"The picture cannot be shown: {error}.")
    buffer = _opened(content)
    reader = QImageReader(buffer)
    # The bytes decide what it is, not what is said of them.
    size = reader.size() if bytes(reader.format().data()).decode() in FORMATS else QSize()
    if not size.isValid():
        return Picture(fault="The picture cannot be shown: its data is cut off, or of a kind that is not known here.")
    if size.width() * size.height() > MOST_PIXELS:
        return Picture(
            None, size.width(), size.height(), "The picture is too large to be shown: save it to look at it."
        )
    return _read(reader, size)


def _opened(content: bytes) -> QBuffer:
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    return buffer


def _read(reader: QImageReader, size: QSize) -> Picture:
    if max(size.width(), size.height()) > LONGEST_SIDE:
        reader.setScaledSize(size.scaled(LONGEST_SIDE, LONGEST_SIDE, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        return Picture(None, size.width(), size.height(), f"The picture cannot be shown: {reader.errorString()}.")
    return Picture(image, size.width(), size.height())
