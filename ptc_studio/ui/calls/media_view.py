"""The pictures and sounds in a value, found and unpacked; pictures are shown, and all are offered as files."""

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ptc_studio.ui.dialogs.questions import choose_file
from ptc_studio.ui.editor.background import BackgroundWorker
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel

LARGEST = 24 * 1024 * 1024
"""Characters of base64: what is longer is not unpacked."""
MOST = 50
"""So many are found in one value."""
MOST_LOOKED_AT = 2_000
DEEPEST = 4
ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/bmp": "bmp",
    "image/svg+xml": "svg",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "audio/mp4": "m4a",
}
DRAWN = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"})
"""What is decoded; a drawing in SVG may name other files, so it is only saved."""


@dataclass(frozen=True, slots=True)
class Media:
    """One picture or sound."""

    kind: str
    """`image` or `audio`."""
    mime: str
    data: str = field(repr=False)
    """In base64."""

    @property
    def ending(self) -> str:
        """Of a file with it."""
        return ENDINGS.get(self.mime, "bin")

    @property
    def is_drawn(self) -> bool:
        return self.kind == "image" and self.mime in DRAWN

    @property
    def is_too_large(self) -> bool:
        return len(self.data) > LARGEST

    @property
    def size(self) -> int:
        """Bytes, about."""
        return len(self.data) * 3 // 4

    def content(self) -> bytes:
        """The bytes; raises ValueError if it is no base64."""
        try:
            return base64.b64decode(self.data, validate=True)
        except binascii.Error as error:
            raise ValueError(f"its data is no base64: {error}") from None


def media_of(value: Any) -> Media | None:
    """The picture or sound that the value is, if it is one."""
    if not isinstance(value, dict):
        return None
    kind, mime, data = value.get("type"), value.get("mimeType"), value.get("data")
    if kind not in ("image", "audio") or not isinstance(mime, str) or not isinstance(data, str) or not data:
        return None
    return Media(kind, mime.lower().partition(";")[0].strip(), data)


def found_media(value: Any) -> list[Media]:
    """What there is of it in a value, from the top, as far as one looks for it."""
    found: list[Media] = []
    for looked, item in enumerate(_values(value, DEEPEST)):
        media = media_of(item)
        if media is not None:
            found.append(media)
        if len(found) >= MOST or looked >= MOST_LOOKED_AT:
            break
    return found


def size_text(count: int) -> str:
    """Bytes as people read them."""
    if count < 1_000:
        return f"{count} bytes"
    return f"{count / 1_000:.1f} KB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def _values(value: Any, depth: int) -> Iterator[Any]:
    yield value
    if depth and isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, dict | list):
                yield from _values(item, depth - 1)


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


DECODING = "Decoding the picture…"
TOO_LARGE = "The picture is too large to be shown: save it to look at it."
NOT_DRAWN = "Pictures of this kind are not shown: save it to look at it."


class PictureLabel(QWidget):
    """A picture, as large as there is room for, but never larger than it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pixmap = QPixmap()
        self.setMinimumHeight(theme().pixels(60))

    @property
    def pixmap(self) -> QPixmap:
        return self._pixmap

    def set_pixmap(self, pixmap: QPixmap) -> None:
        self._pixmap = pixmap
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return self._pixmap.size().boundedTo(QSize(theme().pixels(400), theme().pixels(300)))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        if self._pixmap.isNull():
            return
        room = self.rect().size()
        size = self._pixmap.size()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        left, top = (room.width() - size.width()) // 2, (room.height() - size.height()) // 2
        painter.drawPixmap(left, top, size.width(), size.height(), self._pixmap)


class MediaView(QWidget):
    """One picture or sound at a time, of those that a value has.

    Signals: shown: what there is to see of the present one is to be seen.
    """

    shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mediaView")
        self._all: list[Media] = []
        self._at = 0
        self._worker: BackgroundWorker | None = None
        self.picture, self.note = PictureLabel(), PlainLabel()
        self.note.setWordWrap(True)
        self.note.setProperty("role", "muted")
        self.save = QPushButton("Save as…")
        self.before, self.after = QPushButton("‹"), QPushButton("›")
        self.before.setAccessibleName("Previous")
        self.after.setAccessibleName("The next one")
        self.save.clicked.connect(self._on_save)
        self.before.clicked.connect(lambda: self.go_to(self._at - 1))
        self.after.clicked.connect(lambda: self.go_to(self._at + 1))
        self._lay_out()
        self.hide()

    @property
    def current(self) -> Media | None:
        return self._all[self._at] if self._all else None

    def set_media(self, found: list[Media]) -> None:
        """Shows the first of these; hidden if there are none."""
        self._all = found
        self.setVisible(bool(found))
        self.before.setVisible(len(found) > 1)
        self.after.setVisible(len(found) > 1)
        if found:
            self.go_to(0)
        else:
            self.picture.set_pixmap(QPixmap())

    def show_same(self, media: Media) -> None:
        """Goes to this one, if it is one of those that are there."""
        if media in self._all and media != self.current:
            self.go_to(self._all.index(media))

    def go_to(self, number: int) -> None:
        """Shows the one of that number."""
        self._at = number % len(self._all)
        media = self._all[self._at]
        self.picture.set_pixmap(QPixmap())
        self.picture.setVisible(media.is_drawn and not media.is_too_large)
        if media.is_drawn and not media.is_too_large:
            self._tell(DECODING)
            self._decode(media)
            return
        self._tell("" if media.kind == "audio" else TOO_LARGE if media.is_too_large else NOT_DRAWN)
        self.shown.emit()

    def save_to(self, path: Path) -> None:
        """Writes the present one into a file, in a thread."""
        media = self.current
        if media is not None:
            self._thread().run(self, lambda: _written(media, path), self._tell, key="save")

    def _decode(self, media: Media) -> None:
        load_decoders()
        self._thread().run(self, lambda: (media, decoded(media)), self._on_decoded, key="decode")

    def _thread(self) -> BackgroundWorker:
        # Most values have neither pictures nor sounds.
        if self._worker is None:
            self._worker = BackgroundWorker("pictures", self)
        return self._worker

    def _on_decoded(self, answer: tuple[Media, Picture]) -> None:
        media, picture = answer
        if media is not self.current:
            return
        if picture.image is not None:
            self.picture.set_pixmap(QPixmap.fromImage(picture.image))
        self.picture.setVisible(picture.image is not None)
        size = f"{picture.width:,} × {picture.height:,}" if picture.width else ""
        self.picture.setAccessibleName(f"Picture, {size}")
        self._tell(picture.fault, size)
        self.shown.emit()

    def _tell(self, remark: str, size: str = "") -> None:
        media = self.current
        if media is None:
            return
        number = f"{self._at + 1} of {len(self._all)}" if len(self._all) > 1 else ""
        about = (number, media.mime, size, size_text(media.size))
        self.note.setText("\n".join(filter(None, (" · ".join(filter(None, about)), remark))))

    def _on_save(self) -> None:
        media = self.current
        if media is not None:
            name = "picture" if media.kind == "image" else "sound"
            choose_file(self, Path(f"{name}.{media.ending}"), self.save_to)

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, 2 * SPACE)
        foot.setSpacing(SPACE)
        foot.addWidget(self.note, 1)
        for button in (self.before, self.after, self.save):
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 0)
        column.addWidget(self.picture, 1)
        column.addLayout(foot)


def _written(media: Media, path: Path) -> str:
    try:
        path.write_bytes(media.content())
    except (OSError, ValueError) as error:
        return f"{path.name} could not be saved: {getattr(error, 'strerror', None) or error}."
    return f"Saved as {path.name}."
