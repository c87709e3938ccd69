"""A run is presented: slides in step with the script, moved by the keys of a presenter, on any screen."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ptc_studio.ui.present.slides import Player
from ptc_studio.ui.present.stage import Stage
from tests.ui.conftest import WindowStudio

SCRIPT = "# How much is left?\nfor sku in ('LMP-01', 'MUG-01'):\n    print(stock_level(sku))\nfulfil_order(1004)\n"


async def presented(studio: WindowStudio) -> Any:
    """F11 after a run."""
    await studio.run(SCRIPT)
    studio.window.commands["presentAction"].trigger()
    await studio.until(lambda: studio.window.findChildren(Stage))
    return studio.window.findChildren(Stage)[0]


async def test_a_run_is_presented_from_the_question_to_the_figures(studio: WindowStudio):
    stage = await presented(studio)
    assert stage.isVisible()
    slides = stage.player.deck.slides
    assert [slide.kind for slide in slides][:3] == ["start", "call", "call"]
    assert slides[-1].kind == "end"
    assert "How much is left?" in stage.accessibleDescription()
    QTest.keyClick(stage, Qt.Key.Key_Space)
    assert "line 3: stock_level" in stage.accessibleDescription()
    assert slides[2].kept_out > slides[1].kept_out > 0
    QTest.keyClick(stage, Qt.Key.Key_PageDown)
    QTest.keyClick(stage, Qt.Key.Key_Left)
    assert stage.player.index == 1
    QTest.keyClick(stage, Qt.Key.Key_End)
    assert "turns saved" in stage.accessibleDescription()
    QTest.keyClick(stage, Qt.Key.Key_Home)
    assert stage.player.index == 0
    QTest.keyClick(stage, Qt.Key.Key_Escape)
    await studio.until(lambda: not studio.window.findChildren(Stage))


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_F11])
async def test_its_keys_are_the_presenters_whichever_window_is_the_active_one(studio: WindowStudio, key: Qt.Key):
    stage = await presented(studio)
    studio.window.activateWindow()
    await studio.until(studio.window.isActiveWindow)
    QTest.keyClick(stage, Qt.Key.Key_F5)
    assert (stage.player.playing, studio.window.workbench.is_running) == (True, False)
    QTest.keyClick(stage, key)
    await studio.until(lambda: not studio.window.findChildren(Stage))


async def test_it_plays_by_itself_at_a_speed_and_stops_at_the_end(
    studio: WindowStudio, monkeypatch: pytest.MonkeyPatch
):
    stage = await presented(studio)
    player: Player = stage.player
    usual = player.pause_ms()
    QTest.keyClick(stage, Qt.Key.Key_Plus)
    assert (player.speed, player.pause_ms()) == (2.0, usual // 2)
    for _ in range(9):
        QTest.keyClick(stage, Qt.Key.Key_Minus)
    assert player.speed == 0.25
    monkeypatch.setattr(Player, "pause_ms", lambda _self: 1)
    QTest.keyClick(stage, Qt.Key.Key_P)
    assert player.playing
    await studio.until(lambda: player.slide.kind == "end")
    await studio.until(lambda: not player.playing)
    stage.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (3840, 2160), (800, 600)])
@pytest.mark.parametrize("mode", ["dark", "light"])
async def test_every_slide_is_drawn_on_any_screen(studio: WindowStudio, width: int, height: int, mode: Any):
    from ptc_studio.ui.theme import theme

    stage = await presented(studio)
    theme().set_mode(mode)
    stage.showNormal()
    stage.resize(width, height)
    for kind in ("start", "call", "end"):
        while stage.player.slide.kind != kind:
            stage.next()
        picture = stage.grab().toImage()
        colours = {picture.pixelColor(x, y).name() for x in range(0, width, 5) for y in range(0, height, 5)}
        assert len(colours) > 10
    stage.close()


async def test_without_a_run_there_is_a_word_about_it(studio: WindowStudio):
    studio.window.commands["presentAction"].trigger()
    await studio.until(lambda: studio.window.context.messages.isVisible())
    assert not studio.window.findChildren(Stage)
