"""One story on the real program: an alias is made, tried, edited, switched off and deleted without touching a file."""

import difflib
import os
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from ptc_studio.ui.tokens import DARK, LIGHT
from tests.e2e.window.conftest import Desk, Started, until

SIZE = "1440x900x24"
FILE = """\
# The shop.
version: 1
sources:
  - kind: functions   # prices and the like
    path: tools
aliases:
  # Mugs are what people ask for.
  - name: mugs
    tool: price
    preset: {sku: MUG-01}   # the blue one
limits: {timeout: 60}   # enough
"""
TOOLS = '''\
from pathlib import Path


def price(sku: str, qty: int = 1) -> float:
    """What so many of an article cost."""
    with (Path(__file__).parents[1] / "called.txt").open("a") as file:
        file.write(f"{sku} {qty}\\\\n")
    return 14.0 * qty
'''.replace("\\\\n", "\\n")


class Screen:
    """An X server whose picture lies in a file."""

    def __init__(self, display: str, picture: Path, folder: Path) -> None:
        self.display = display
        self._picture = picture
        self._folder = folder

    def shoot(self, name: str) -> Path:
        """Saves what is on the screen."""
        path = self._folder / f"{name}.png"
        assert _image(self._settled()).save(str(path))
        return path

    def shows_tools(self) -> bool:
        """Whether there are boxes to tick in the tool panel: nothing else there has their colour."""
        return self._shows("accent", range(10, 60), range(150, 260))

    def shows_selection(self) -> bool:
        """Whether a line of the tool panel is selected."""
        return self._shows("selection", range(10, 20), range(150, 600))

    def _shows(self, colour: str, columns: range, rows: range) -> bool:
        image = _image(self._picture.read_bytes())
        wanted = {QColor(getattr(colours, colour)).rgb() for colours in (LIGHT, DARK)}
        return any(image.pixel(x, y) in wanted for x in columns for y in rows)

    def _settled(self) -> bytes:
        """The picture once nothing moves in it any more; a cursor may blink for ever, so not for long."""
        end, before = time.monotonic() + 2, b""
        while (data := self._picture.read_bytes()) != before and time.monotonic() < end:
            before = data
            time.sleep(0.2)
        return data


def _image(data: bytes) -> QImage:
    """The picture in an X server's own format: a header, a table of colours, pixels."""
    fields = struct.unpack(">25I", data[:100])
    header, width, height, per_line, colours = fields[0], fields[4], fields[5], fields[12], fields[19]
    pixels = data[header + 12 * colours :]
    return QImage(pixels, width, height, per_line, QImage.Format.Format_RGB32).copy()


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    reader, writer = os.pipe()
    with tempfile.TemporaryDirectory() as pictures:
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", SIZE, "-fbdir", pictures, "-nolisten", "tcp"]
        with subprocess.Popen([*command, "-noreset", "-r"], pass_fds=[writer], stderr=subprocess.DEVNULL) as server:
            os.close(writer)
            try:
                with open(reader, "rb") as pipe:
                    number = pipe.readline().decode().strip()
                assert number, "Xvfb did not start"
                yield Screen(f":{number}", Path(pictures) / "Xvfb_screen0", tmp_path)
            finally:
                server.terminate()


class Story:
    """The program over the workspace, and what its file says after each step."""

    def __init__(self, program: Started, workspace: Path, screen: Screen) -> None:
        self.program = program
        self.workspace = workspace
        self.screen = screen
        self.pictures: list[Path] = []
        self._known = self.file

    @property
    def file(self) -> str:
        return (self.workspace / "studio.yaml").read_text()

    def changed(self) -> list[str]:
        """What the file says otherwise since the last time, once it does."""
        until(lambda: self.file != self._known, "another text of studio.yaml")
        lines = difflib.ndiff(self._known.splitlines(), self.file.splitlines())
        self._known = self.file
        return [line for line in lines if line[0] in "+-"]

    def dialog(self, title: str) -> None:
        """Waits for the dialog, which then has the keyboard."""
        self.program.wait_for_window(f"^{title}$")

    def back(self, title: str) -> None:
        """Waits until the dialog is gone; the window has the keyboard again."""
        until(lambda: not self.program.has_window(f"^{title}$"), f"the end of {title!r}")
        self.program.wait_for_window("PTC Studio")

    def command(self, text: str) -> None:
        """Has a command done by its name."""
        self.program.press("ctrl+shift+p")
        self.program.type(text)
        self.program.press("Return")

    def shoot(self, name: str) -> None:
        self.pictures.append(self.screen.shoot(f"{len(self.pictures) + 1}-{name}"))


@pytest.fixture
def story(screen: Screen, tmp_path: Path) -> Iterator[Story]:
    workspace = tmp_path / "shop"
    (workspace / "tools").mkdir(parents=True)
    (workspace / "tools" / "shop.py").write_text(TOOLS)
    (workspace / "studio.yaml").write_text(FILE)
    with tempfile.TemporaryDirectory(prefix="desk", ignore_cleanup_errors=True) as home:
        desk = Desk(Path(home), screen.display)
        try:
            program = desk.start(desk.trust(workspace))
            program.wait_for_window("PTC Studio")
            yield Story(program, workspace, screen)
        finally:
            desk.clear()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_an_alias_is_made_tried_edited_switched_off_and_deleted_without_touching_a_file(story: Story):
    program, called = story.program, story.workspace / "called.txt"

    until(story.screen.shows_tools, "the tools in their panel")
    program.press("ctrl+shift+a")
    story.dialog("New alias")
    program.type("two_lamps")
    program.press("Tab")
    windows = program.count_windows()
    program.type("pri")
    until(lambda: program.count_windows() > windows, "the list of tools")
    # The list has to be gone before more is typed: until then its keys are those of the field.
    program.press("Down", "Return")
    until(lambda: program.count_windows() == windows, "the end of the list")
    story.shoot("typed")
    program.press("Tab")
    program.type("Two lamps.")
    program.press("Tab")
    program.type("p")
    program.press("Tab")
    program.type("LMP-01")
    program.press("Tab")
    program.type("d")
    program.press("Tab", "ctrl+a")
    program.type("2")
    story.shoot("filled")

    program.press("ctrl+Return")
    until(lambda: called.exists() and called.read_text().endswith("\n"), "the call that was tried")
    assert called.read_text() == "LMP-01 2\n"
    assert story.file == FILE
    story.shoot("tried")

    program.press("Return")
    assert story.changed() == [
        "+   - name: two_lamps",
        "+     tool: price",
        "+     description: Two lamps.",
        "+     preset: {sku: LMP-01}",
        "+     defaults: {qty: 2}",
    ]
    story.back("New alias")
    until(story.screen.shows_selection, "the alias in its panel")
    story.shoot("made")

    story.command("edit alias")
    story.dialog("Edit alias")
    program.press("Tab", "Tab", "ctrl+a")
    program.type("Two lamps of oak.")
    story.shoot("edited")
    program.press("shift+Tab", "shift+Tab", "Return")
    assert story.changed() == ["-     description: Two lamps.", "+     description: Two lamps of oak."]
    story.back("Edit alias")

    story.command("enable or disable alias")
    assert story.changed() == ["+     enabled: false"]
    story.shoot("off")

    story.command("delete alias")
    gone = story.changed()
    assert [line[0] for line in gone] == ["-"] * 6
    assert story.file == FILE
    story.shoot("deleted")
    assert all(picture.is_file() and picture.stat().st_size > 10_000 for picture in story.pictures)
    assert len(story.pictures) == 7
    assert program.is_running
