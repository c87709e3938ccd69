"""`make guide-pictures`: what the guide shows, dark and light, small and large, from the real window.

usage: FOLDER, or FOLDER WIDTH HEIGHT for those of another size, to be looked at.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.screenshots import Photographer, Size, main, make_small

SMALL: list[Size] = [(1280, 800), (1280, 800)]
"""Of the window on the path of a newcomer, and with past runs: what the pages show."""
LARGE: list[Size] = [(1920, 1080), (2560, 1440)]
"""The same for those who click on a picture."""
FUNCTION = '''\
"""Prices of the shop."""

UNITS = {"A-1": 12.5, "B-7": 3.25}


def price(sku: str, qty: int = 1) -> float:
    """Price of some units of an article, in euros."""
    return UNITS[sku] * qty
'''
SCRIPT = """\
# What do three of each cost?
total = 0
for sku in ["A-1", "B-7"]:
    cost = price(sku, qty=3)
    print(f"{sku}: {cost:.2f} euros")
    total += cost

total
"""
ALIAS = {
    "name": "price_of_three",
    "tool": "price",
    "description": "Price of three units of an article.",
    "preset": {"qty": 3},
}


async def take_path(folder: Path, size: Size, size_then: Size) -> None:
    """Start, understand, own function, script, alias, rerun: in two windows, one after the other."""
    from ptc_studio.storage.settings import Settings
    from ptc_studio.storage.workspace_folder import make_workspace_folder

    data = Path(os.environ["XDG_DATA_HOME"])
    first = Photographer(folder, size=size)
    await asyncio.sleep(1.5)
    await _both(first, "start")
    await first.run(first.window.run.run_demo)
    first.window.panels.calls.select_call("c2")
    await asyncio.sleep(0.3)
    await _both(first, "demo")
    await first.close()
    workspace = data / "shop"
    script = make_workspace_folder(workspace)
    Settings(data / "settings.json").set_trust(workspace, True)
    second = Photographer(folder, workspace, size)
    await asyncio.sleep(1.5)
    second.window.editors.open_file(script)
    await second.run(second.window.run.run_script)
    await _both(second, "workspace")
    await _work(second, workspace)
    second.window.resize(*size_then)
    await second.run(second.window.run.run_demo)
    await _past_runs(second)
    await second.close()


async def _work(photographer: Photographer, workspace: Path) -> None:
    from ptc_studio.ui.aliases.actions import open_new_alias

    window = photographer.window
    function = workspace / "tools" / "prices.py"
    function.write_text(FUNCTION)
    window.editors.open_file(function)
    window.workbench.load()
    await asyncio.sleep(2.5)
    window.panels.tools.select("price")
    await _both(photographer, "function")
    script = workspace / "scripts" / "offer.py"
    script.write_text(SCRIPT)
    page: Any = window.editors.open_file(script)
    await photographer.run(window.run.run_script)
    await _both(photographer, "script")
    dialog: Any = open_new_alias(window.context, "price")
    dialog.form.set_values(ALIAS)
    dialog.show_previews()
    dialog.previews.trial.set_arguments({"sku": "A-1"})
    dialog.previews.trial.call()
    while dialog.previews.trial.is_busy:
        await asyncio.sleep(0.1)
    await _both(photographer, "alias", dialog, over=True)
    dialog.save()
    await asyncio.sleep(1.5)
    page.editor.replace_text(SCRIPT.replace("price(sku, qty=3)", "price_of_three(sku)"))
    window.editors.save(page)
    await photographer.run(window.run.run_script)
    window.panels.calls.select_call("c1")
    await _both(photographer, "rerun")


async def _past_runs(photographer: Photographer) -> None:
    """The keyboard in the calls, the history, two runs side by side, slides, a report and the settings."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from ptc_studio.reports import report
    from ptc_studio.storage.history import History
    from ptc_studio.ui.present.slides import deck_of
    from ptc_studio.ui.present.stage import Stage
    from ptc_studio.ui.settings.dialog import SettingsDialog
    from ptc_studio.ui.theme import theme

    window, panel = photographer.window, photographer.window.panels.history
    window.activateWindow()
    window.commands["callsAction"].trigger()
    await _both(photographer, "keyboard")
    window.commands["historyAction"].trigger()
    await asyncio.sleep(0.8)
    demo, *others = panel.model.rows
    panel.select({demo.run_id})
    await _both(photographer, "history")
    panel.asked.emit("compare", [run for run in others if run.title == "offer.py"][:2])
    await asyncio.sleep(0.8)
    await _both(photographer, "difference")
    recorder = window.workbench.studio.history.recorder
    assert recorder is not None
    past = History(recorder.path).open(demo.run_id, with_calls=True)
    stage = Stage(deck_of(past), window)
    stage.resize(window.width(), window.width() * 9 // 16)
    stage.show()
    for _ in range(5):
        stage.next()
    await _both(photographer, "present", stage)
    QTest.keyClick(stage, Qt.Key.Key_End)
    await _both(photographer, "cost", stage)
    stage.close()
    window.commands["settingsAction"].trigger()
    await asyncio.sleep(0.5)
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    # It tells the appearance, too.
    theme().changed.connect(lambda: dialog.fields["theme"].set_value(theme().mode))
    await _both(photographer, "settings", dialog, over=True)
    dialog.close()
    _photograph_report(report(past, "html").decode(), photographer.folder, (window.width(), window.height()))


def _photograph_report(page: str, folder: Path, size: Size) -> None:
    """In the browser, whose look is told to be dark or light."""
    with tempfile.TemporaryDirectory() as place:
        for mode in ("dark", "light"):
            file, picture = Path(place) / f"{mode}.html", folder / f"report-{mode}.png"
            file.write_text(page.replace("<html", f'<html data-theme="{mode}"', 1), encoding="utf-8")
            command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            wide = "--window-size={},{}".format(*size)
            subprocess.run([*command, wide, f"--screenshot={picture}", file.as_uri()], check=True, capture_output=True)
            make_small(picture)


async def _both(photographer: Photographer, name: str, widget: Any = None, *, over: bool = False) -> None:
    """In dark and light; of a widget alone, or in a large picture `over` the window."""
    from ptc_studio.ui.theme import theme

    for mode in ("dark", "light"):
        theme().set_mode(mode)
        if over and photographer.window.width() > SMALL[0][0]:
            await photographer.shoot_screen(f"{name}-{mode}")
        else:
            await photographer.shoot(f"{name}-{mode}", widget)


def inside(folder: Path, *sizes: Size) -> None:
    """In the X server."""
    from PySide6.QtWidgets import QApplication

    from ptc_studio.ui.qt_loop import WindowLoop

    # A path that is shown begins there, and not in a folder of this machine.
    os.environ["HOME"] = os.environ["XDG_DATA_HOME"]
    application = QApplication(["guide"])
    application.setStyle("Fusion")
    application.setQuitOnLastWindowClosed(False)
    with asyncio.Runner(loop_factory=lambda: WindowLoop(application)) as runner:
        runner.run(take_path(folder, *sizes))


if __name__ == "__main__":
    place, *rest = sys.argv[1:]
    numbers = [int(word) for word in rest if word != "inside"]
    sizes = list(zip(numbers[::2], numbers[1::2], strict=True))
    if rest[:1] == ["inside"]:
        inside(Path(place), *sizes)
    elif sizes:
        main(Path(place), "tests.guide_pictures", 2 * sizes)
    else:
        main(Path(place), "tests.guide_pictures", SMALL)
        main(Path(place) / "large", "tests.guide_pictures", LARGE)
