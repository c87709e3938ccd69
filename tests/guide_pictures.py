"""`make guide-pictures`: the path of a newcomer in pictures, dark and light, from the real window. usage: FOLDER [WIDTH HEIGHT]"""

import asyncio
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.screenshots import Photographer, main

SIZE = (1280, 800)
"""That of the guide's pictures; those of others are only looked at."""
FUNCTION = '''\
"""Prices of the shop."""

UNITS = {"A-1": 12.5, "B-7": 3.2}


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


async def take_path(folder: Path, size: tuple[int, int]) -> None:
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
    await asyncio.sleep(0.5)
    await _both(photographer, "alias", dialog)
    dialog.save()
    await asyncio.sleep(1.5)
    page.editor.replace_text(SCRIPT.replace("price(sku, qty=3)", "price_of_three(sku)"))
    window.editors.save(page)
    await photographer.run(window.run.run_script)
    window.panels.calls.select_call("c1")
    await _both(photographer, "rerun")


async def _both(photographer: Photographer, name: str, widget: Any = None) -> None:
    """In dark and light; of few colours, so that they are small."""
    from ptc_studio.ui.theme import theme

    for mode in ("dark", "light"):
        theme().set_mode(mode)
        await photographer.shoot(f"{name}-{mode}", widget)
        _make_small(photographer.folder / f"{name}-{mode}.png")


def _make_small(path: Path) -> None:
    """Leaves it the colours that it has most of: the window has few, and the edges of letters are between them."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    picture = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    common = Counter(memoryview(picture.constBits()).cast("B").cast("I")).most_common(256)
    flags = Qt.ImageConversionFlag.ThresholdDither | Qt.ImageConversionFlag.AvoidDither
    colours = [colour | 0xFF000000 for colour, _ in common]
    picture.convertToFormat(QImage.Format.Format_Indexed8, colours, flags).save(str(path), None, 0)


def inside(folder: Path, size: tuple[int, int]) -> None:
    """In the X server."""
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    application = QApplication(["guide"])
    application.setStyle("Fusion")
    application.setQuitOnLastWindowClosed(False)
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        runner.run(take_path(folder, size))


if __name__ == "__main__":
    place, *rest = sys.argv[1:]
    if rest[:1] == ["inside"]:
        inside(Path(place), (int(rest[1]), int(rest[2])))
    else:
        main(Path(place), "tests.guide_pictures", (int(rest[0]), int(rest[1])) if rest else SIZE)
