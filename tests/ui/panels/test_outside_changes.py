"""Changes that others make to the workspace file, as the window tells of them."""

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest

from ptc_studio.storage.settings import Settings
from ptc_studio.ui.application import Opening
from ptc_studio.ui.life import _open_studio
from ptc_studio.ui.outside_changes import OutsideChanges, place_of, summed_up
from ptc_studio.ui.window import MainWindow
from ptc_studio.ui.workbench import Workbench


def outside(studio) -> OutsideChanges:
    found = studio.window.findChild(OutsideChanges)
    assert found is not None
    return found


async def change(studio, text: str) -> None:
    await studio.notice(lambda: (studio.workspace / "studio.yaml").write_text(text))


async def test_a_change_is_taken_over_and_told_in_short_sentences(studio) -> None:
    before = (studio.workspace / "studio.yaml").read_text()
    await change(studio, before + "limits: {timeout: 7}\n")
    await studio.until(lambda: studio.window.workbench.studio.limits.timeout == 7)
    await studio.until(studio.window.notice.isVisible)
    assert "limits: timeout" in studio.window.notice._text.text()


async def test_a_broken_file_is_told_until_it_is_mended_and_the_last_good_state_stays(studio) -> None:
    before = (studio.workspace / "studio.yaml").read_text()
    fault = outside(studio).fault
    names = {leaf.label for leaf in studio.window.tools.model.root.leaves()}
    await change(studio, before + "limts: 1\n")
    await studio.until(fault.isVisible)
    line = before.count("\n") + 1
    assert fault.text.text().startswith(f"studio.yaml:{line}: ")
    assert "read-only until this is mended" in fault.text.text()
    assert {leaf.label for leaf in studio.window.tools.model.root.leaves()} == names
    QTest.mouseClick(fault.button, Qt.MouseButton.LeftButton)
    page = studio.window.editors.current()
    assert (page.title, page.editor.cursor_place[0]) == ("studio.yaml", line)
    await change(studio, before)
    await studio.until(fault.isHidden)


async def test_a_workspace_that_is_broken_at_the_start_opens_all_the_same(studio) -> None:
    good = (studio.workspace / "studio.yaml").read_text()
    await studio.close()
    (studio.workspace / "studio.yaml").write_text("version: 1\nsourcs: []\n")
    window = MainWindow(Settings(studio.data / "settings.json"), studio.data / "buffers", studio.workspace)
    window.furnish(Workbench())
    studio.window = window
    studio._open.append(window)
    window.show()
    window.begin(None)
    window.workbench.adopt(_open_studio(Opening(studio.workspace)))
    fault = outside(studio).fault
    assert fault.isVisible()
    assert fault.text.text().startswith("studio.yaml:2: ")
    await change(studio, good)
    await studio.until(lambda: fault.isHidden() and studio.window.tools.model.root.count > 3)


async def test_nothing_is_told_of_a_file_that_says_the_same(studio) -> None:
    before = (studio.workspace / "studio.yaml").read_text()
    await change(studio, before + "\n# a remark\n")
    assert not studio.window.notice.isVisible()


async def test_a_window_that_is_not_in_front_does_not_look(studio) -> None:
    QCoreApplication.sendEvent(studio.window, QEvent(QEvent.Type.WindowDeactivate))
    assert not outside(studio)._timer.isActive()
    QCoreApplication.sendEvent(studio.window, QEvent(QEvent.Type.WindowActivate))
    assert outside(studio)._timer.isActive()


def test_a_fault_names_its_place() -> None:
    file, line, text = place_of("/a b/studio.yaml:12: aliases: must be a list")
    assert (str(file), line, text) == ("/a b/studio.yaml", 12, "aliases: must be a list")
    file, line, text = place_of("/w/studio.yaml cannot be read: Permission denied.")
    assert (str(file), line, text) == ("/w/studio.yaml", None, "cannot be read: Permission denied.")


def test_many_changes_are_counted() -> None:
    assert summed_up(["a", "b"]) == "a; b"
    assert summed_up(list("abcdefg")) == "a; b; c; d; and 3 more"
