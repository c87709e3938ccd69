"""`make screenshots`: the README's pictures, from the real window in a real X server. usage: python -m tests.screenshots FOLDER"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SIZE = (1440, 900)
NESTED = """\
# Tools that call tools, three levels deep.
for order_id in (1004, 1007):
    done = fulfil_order(order_id)
    print(f"Order {order_id} is {done['status']}: {len(done['reserved'])} lines reserved")

expenses = get_expenses("Ada")
print(len(expenses), "expense lines, the key among them is hidden")
notify_manager("Ken", over=318.37)
"""
FAILING = """\
# An error that nobody catches: its line, its traceback, and all that was written before.
print("looking at the stock")

def share(sku):
    wanted = sum(order["items"].count(sku) for order in list_orders("open"))
    return stock_level(sku) / wanted

for sku in ["LMP-01", "MUG-01", "TWL-01"]:
    print(sku, stock_level(sku))
    print(f"{share(sku):.0%} of what is wanted is there")
"""
STOPPED = """\
# A breakpoint: the call waits, with its arguments to edit and an answer to choose.
over = {}
for person in team_members("engineering"):
    lines = get_expenses(person, quarter="Q3")
    over[person] = sum(line["amount"] for line in lines)
print(over)
"""
ALIAS = {
    "name": "q3_expenses",
    "tool": "get_expenses",
    "description": "Expense lines of one person in the third quarter.",
    "preset": {"quarter": "Q3"},
    "timeout": 10,
    "permission": "allow",
    "redact": ["iban", "card"],
}


Size = tuple[int, int]


def main(folder: Path, module: str = "tests.screenshots", sizes: Sequence[Size] = (SIZE,)) -> None:
    """Starts an X server with room for these sizes of a window, and has the module take its pictures in it."""
    folder.mkdir(parents=True, exist_ok=True)
    read, write = os.pipe()
    screen = "{}x{}x24".format(*map(max, zip(*sizes, strict=True)))
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    try:
        display = os.read(read, 20).decode().strip()
        with tempfile.TemporaryDirectory() as home:
            environment = {**os.environ, "DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb", "XDG_DATA_HOME": home}
            numbers = [str(number) for size in sizes for number in size]
            subprocess.run([sys.executable, "-m", module, str(folder), "inside", *numbers], env=environment, check=True)
    finally:
        server.terminate()
        server.wait()


class Photographer:
    """One window, and what is done to it between the pictures."""

    def __init__(self, folder: Path, workspace: Path | None = None, size: Size = SIZE) -> None:
        from ptc_studio.storage.settings import Settings
        from ptc_studio.ui.event_loop import open_studio
        from ptc_studio.ui.main_window import MainWindow
        from ptc_studio.ui.startup import Opening
        from ptc_studio.ui.workbench import Workbench

        data = Path(os.environ["XDG_DATA_HOME"])
        settings = Settings(data / "settings.json")
        self.folder = folder
        self.window = MainWindow(settings, data / f"buffers-{workspace.name if workspace else ''}", workspace)
        self.window.add_panels(Workbench(open_studio(Opening(workspace), settings)))
        self.window.setGeometry(0, 0, *size)
        self.window.show()
        self.window.start(None)

    def write(self, text: str) -> Any:
        """Puts the text into a new editor, which is given."""
        self.window.commands["newAction"].trigger()
        page = self.window.editors.current()
        assert page is not None
        page.editor.insertPlainText(text)
        return page.editor

    async def run(self, start: Callable[[], Any]) -> None:
        """Has a run started, and waits until it is over and shown."""
        ended = asyncio.get_running_loop().create_future()
        self.window.workbench.run_ended.connect(lambda record: ended.done() or ended.set_result(record))
        start()
        await ended
        await asyncio.sleep(0.6)

    async def shoot(self, name: str, widget: Any = None) -> None:
        """Takes a picture once all has come to rest."""
        await asyncio.sleep(0.5)
        self._save(name, (widget or self.window).grab())

    async def shoot_screen(self, name: str) -> None:
        """The same of all that stands where the window is, dialogs among it."""
        await asyncio.sleep(0.5)
        area = self.window.geometry()
        self._save(name, self.window.screen().grabWindow(0, area.x(), area.y(), area.width(), area.height()))

    def _save(self, name: str, picture: Any) -> None:
        path = self.folder / f"{name}.png"
        picture.save(str(path))
        make_small(path)

    async def close(self) -> None:
        closed = asyncio.Event()
        self.window.closed.connect(closed.set)
        self.window.close()
        await closed.wait()


async def take_all(folder: Path) -> None:
    """The pictures, one after the other, in one window."""
    from ptc_studio.ui.theme import theme

    photographer = Photographer(folder)
    await asyncio.sleep(1.0)
    theme().set_mode("dark")
    await photographer.shoot("welcome-dark")
    await _take_demo(photographer)
    await _take_scripts(photographer)
    await _take_alias(photographer)
    await photographer.close()


async def _take_demo(photographer: Photographer) -> None:
    from ptc_studio.ui.theme import theme

    window = photographer.window
    await photographer.run(window.run.run_demo)
    window.panels.calls.select_call("c2")
    await asyncio.sleep(0.3)
    _open_first_item(window.panels.inspector)
    await photographer.shoot("demo-dark")
    theme().set_mode("light")
    await photographer.shoot("demo-light")
    theme().set_mode("dark")
    window.panels.bottom.setCurrentWidget(window.panels.timeline)
    await photographer.shoot("concurrency-dark")
    window.panels.bottom.setCurrentWidget(window.panels.output)


async def _take_scripts(photographer: Photographer) -> None:
    window = photographer.window
    photographer.write(NESTED)
    await photographer.run(window.run.run_script)
    window.panels.calls.tree.expandAll()
    window.panels.calls.select_call("c1")
    await photographer.shoot("nested-dark")
    photographer.write(FAILING)
    await photographer.run(window.run.run_script)
    await photographer.shoot("error-dark")
    photographer.write(STOPPED).go_to(4)
    window.commands["breakpointAction"].trigger()
    window.run.run_script()
    await asyncio.sleep(2.0)
    await photographer.shoot("breakpoint-dark")
    window.workbench.stop()
    await asyncio.sleep(1.0)


async def _take_alias(photographer: Photographer) -> None:
    from ptc_studio.ui.aliases.actions import open_new_alias

    dialog: Any = open_new_alias(photographer.window.context, "get_expenses")
    dialog.form.set_values(ALIAS)
    dialog.show_previews()
    dialog.previews.trial.set_arguments({"person": "Ada"})
    dialog.previews.trial.call()
    while dialog.previews.trial.is_busy:
        await asyncio.sleep(0.1)
    await photographer.shoot("alias-dark", dialog)
    dialog.form.set_values({})
    dialog.reject()


EXACT = 64
"""So many of the commonest colours stay as they are: grounds that differ by little are told apart by them."""
SHADE = 0xF0F0F0
"""What colours of one shade have in common; the window has about two hundred."""


def make_small(path: Path) -> None:
    """Leaves it 256 colours: the commonest, then one of each shade, so that a word of a rare colour keeps it."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    picture = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    counts = Counter(memoryview(picture.constBits()).cast("B").cast("I"))
    common = [colour for colour, _ in counts.most_common()]
    chosen = common[:EXACT]
    seen = {colour & SHADE for colour in chosen}
    for colour in common:
        if colour & SHADE not in seen:
            seen.add(colour & SHADE)
            chosen.append(colour)
    flags = Qt.ImageConversionFlag.ThresholdDither | Qt.ImageConversionFlag.AvoidDither
    colours = [colour | 0xFF000000 for colour in chosen[:256]]
    picture.convertToFormat(QImage.Format.Format_Indexed8, colours, flags).save(str(path), None, 0)


def _open_first_item(inspector: Any) -> None:
    """Opens the first item of the value, where the hidden fields are."""
    from PySide6.QtWidgets import QTreeView

    for view in inspector.findChildren(QTreeView):
        model = view.model()
        root = model.index(0, 0)
        if view.isVisible() and root.isValid():
            view.expand(root)
            view.expand(model.index(0, 0, root))


def inside(folder: Path) -> None:
    """In the X server."""
    from PySide6.QtWidgets import QApplication

    from ptc_studio.ui.qt_loop import WindowLoop

    application = QApplication(["screenshots"])
    application.setStyle("Fusion")
    application.setQuitOnLastWindowClosed(False)
    with asyncio.Runner(loop_factory=lambda: WindowLoop(application)) as runner:
        runner.run(take_all(folder))


if __name__ == "__main__":
    (inside if sys.argv[2:3] == ["inside"] else main)(Path(sys.argv[1]))
