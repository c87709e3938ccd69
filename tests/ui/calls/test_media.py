"""Pictures and sounds in the values of calls."""

import base64
import zlib

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QColor, QImage

from ptc_studio.ui.calls.media_view import LARGEST, decoded, found_media, media_of, size_text
from ptc_studio.ui.calls.value_view import ValueView


def picture(width: int = 32, height: int = 20, kind: str = "PNG") -> dict[str, str]:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("teal"))
    store = QByteArray()
    buffer = QBuffer(store)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, kind)
    return {"type": "image", "mimeType": f"image/{kind.lower()}", "data": encoded(store.data())}


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


@pytest.fixture
def view(qtbot) -> ValueView:
    made = ValueView("Result")
    qtbot.addWidget(made)
    made.resize(420, 600)
    made.show()
    return made


def shown(view, qtbot, value) -> None:
    with qtbot.waitSignal(view.media.shown):
        view.set_value(value)


def test_a_picture_is_shown_with_its_size_and_its_json_stays(view, qtbot) -> None:
    shown(view, qtbot, ["a chart", picture()])
    assert view.media.isVisible()
    assert view.media.picture.pixmap.width() == 32
    assert "image/png · 32 × 20 · " in view.media.note.text()
    assert view.model.index_of_path((1, "mimeType")).data() == 'mimeType: "image/png"'


def test_a_value_without_pictures_shows_none(view, qtbot) -> None:
    shown(view, qtbot, picture())
    view.set_value({"type": "image", "data": 3})
    assert not view.media.isVisible()
    assert view.media.current is None


def test_several_pictures_are_gone_through_and_follow_the_selection(view, qtbot) -> None:
    shown(view, qtbot, {"content": [picture(10, 10), picture(30, 30)]})
    assert "1 of 2" in view.media.note.text()
    with qtbot.waitSignal(view.media.shown):
        qtbot.mouseClick(view.media.after, Qt.MouseButton.LeftButton)
    assert "2 of 2 · image/png · 30 × 30" in view.media.note.text()
    with qtbot.waitSignal(view.media.shown):
        view.go_to(("content", 0))
    assert "1 of 2 · image/png · 10 × 10" in view.media.note.text()


@pytest.mark.parametrize("data", ["not base64!", encoded(b"no picture at all"), encoded(b"\x89PNG\r\n\x1a\n")])
def test_a_picture_that_is_none_says_so(view, qtbot, data) -> None:
    shown(view, qtbot, {"type": "image", "mimeType": "image/png", "data": data})
    assert "cannot be shown" in view.media.note.text()
    assert not view.media.picture.isVisible()


def test_what_calls_itself_a_picture_but_is_a_drawing_of_another_kind_is_not_decoded() -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'
    media = media_of({"type": "image", "mimeType": "image/png", "data": encoded(svg)})
    assert media is not None
    assert decoded(media).image is None


def test_a_huge_picture_is_not_decoded(view, qtbot) -> None:
    bomb = picture(1, 1)
    content = bytearray(base64.b64decode(bomb["data"]))
    content[16:24] = (100_000).to_bytes(4, "big") * 2
    content[29:33] = zlib.crc32(bytes(content[12:29])).to_bytes(4, "big")
    shown(view, qtbot, {**bomb, "data": encoded(bytes(content))})
    assert "too large" in view.media.note.text()
    view.set_value({**bomb, "data": "A" * (LARGEST + 4)})
    assert "too large" in view.media.note.text()
    assert not view.media.picture.isVisible()


def test_a_sound_can_be_saved(view, qtbot, tmp_path) -> None:
    sound = {"type": "audio", "mimeType": "audio/wav", "data": encoded(b"RIFF1234WAVE")}
    view.set_value([sound])
    assert "audio/wav · 12 bytes" in view.media.note.text()
    view.media.save_to(tmp_path / "sound.wav")
    qtbot.waitUntil(lambda: "Saved as sound.wav" in view.media.note.text())
    assert (tmp_path / "sound.wav").read_bytes() == b"RIFF1234WAVE"
    view.media.save_to(tmp_path / "nowhere" / "sound.wav")
    qtbot.waitUntil(lambda: "could not be saved" in view.media.note.text())


def test_only_so_much_of_a_value_is_looked_through() -> None:
    assert len(found_media([picture()] * 500)) == 50
    assert found_media([[] for _ in range(1_000_000)]) == []
    assert found_media({"a": [{"b": [picture()]}]}) != []


def test_sizes_are_told_as_people_read_them() -> None:
    assert [size_text(count) for count in (12, 105_900, 3_200_000)] == ["12 bytes", "105.9 KB", "3.2 MB"]
