"""Changes that others make to the workspace file, as the window tells of them."""

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtTest import QTest

from ptc_studio.storage.edited_file import WorkspaceDisk
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.aliases.actions import enable_aliases
from ptc_studio.ui.event_loop import open_studio
from ptc_studio.ui.grants.display import GrantActions
from ptc_studio.ui.grants.patterns import setting
from ptc_studio.ui.main_window import MainWindow
from ptc_studio.ui.sources.actions import remove_source
from ptc_studio.ui.startup import Opening
from ptc_studio.ui.workbench import Workbench
from ptc_studio.ui.workspace_edits import PermissionEdits
from ptc_studio.ui.workspace_watcher import WorkspaceWatcher, place_of, summed_up
from tests.ui.conftest import PATIENCE
from tests.ui.seen import child


def outside(studio) -> WorkspaceWatcher:
    found = studio.window.findChild(WorkspaceWatcher)
    assert found is not None
    return found


async def change(studio, text: str) -> None:
    await studio.notice(lambda: (studio.workspace / "studio.yaml").write_text(text))


async def test_a_change_is_taken_over_and_told_in_short_sentences(studio) -> None:
    before = (studio.workspace / "studio.yaml").read_text()
    await change(studio, before + "limits: {timeout: 7}\n")
    await studio.until(lambda: studio.window.workbench.studio.limits.timeout == 7)
    await studio.until(studio.window.context.messages.isVisible)
    assert "limits: timeout" in studio.window.context.messages.message


async def test_a_broken_file_is_told_until_it_is_mended_and_the_last_good_state_stays(studio) -> None:
    before = (studio.workspace / "studio.yaml").read_text()
    fault = outside(studio).fault
    names = {leaf.label for leaf in studio.window.panels.tools.model.root.leaves()}
    await change(studio, before + "limts: 1\n")
    await studio.until(fault.isVisible)
    line = before.count("\n") + 1
    assert fault.text.text().startswith(f"studio.yaml:{line}: ")
    assert "until this is corrected" in fault.text.text()
    assert {leaf.label for leaf in studio.window.panels.tools.model.root.leaves()} == names
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
    window.add_panels(Workbench())
    studio.window = window
    studio.opened.append(window)
    window.show()
    window.start(None)
    window.settings.set_trust(studio.workspace, True)
    window.workbench.attach(open_studio(Opening(studio.workspace), window.settings))
    fault = outside(studio).fault
    assert fault.isVisible()
    assert fault.text.text().startswith("studio.yaml:2: ")
    await change(studio, good)
    await studio.until(lambda: fault.isHidden() and studio.window.panels.tools.model.root.count > 3)


async def test_nothing_is_told_of_a_file_that_says_the_same(studio) -> None:
    before = (studio.workspace / "studio.yaml").read_text()
    await change(studio, before + "\n# a remark\n")
    assert not studio.window.context.messages.isVisible()


async def test_a_window_that_is_not_in_front_does_not_look(studio) -> None:
    QCoreApplication.sendEvent(studio.window, QEvent(QEvent.Type.WindowDeactivate))
    assert not child(outside(studio), QTimer).isActive()
    QCoreApplication.sendEvent(studio.window, QEvent(QEvent.Type.WindowActivate))
    assert child(outside(studio), QTimer).isActive()


def test_a_fault_names_its_place() -> None:
    file, line, text = place_of("/a b/studio.yaml:12: aliases: must be a list")
    assert (str(file), line, text) == ("/a b/studio.yaml", 12, "aliases: must be a list")
    file, line, text = place_of("/w/studio.yaml cannot be read: Permission denied.")
    assert (str(file), line, text) == ("/w/studio.yaml", None, "cannot be read: Permission denied.")


def test_many_changes_are_counted() -> None:
    assert summed_up(["a", "b"]) == "a; b"
    assert summed_up(list("abcdefg")) == "a; b; c; d; and 3 more"


SAVES: dict[str, Callable[[MainWindow], object]] = {
    "an alias": lambda window: enable_aliases(window.context, ["team"], enabled=False),
    "a source": lambda window: remove_source(window.context, window.workbench.studio.source_set.loaded_sources[0]),
    "a grant set": lambda window: window.workbench.start(
        GrantActions(window.context, window.grants).save([setting("sums", ("add",), fresh=True)])
    ),
    "a permission": lambda window: PermissionEdits(window.context).allow("team"),
}


@pytest.mark.parametrize("what", SAVES)
async def test_a_look_in_the_midst_of_a_save_of_the_windows_own_tells_nothing(
    studio, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    written, may_go_on = threading.Event(), threading.Event()
    write = WorkspaceDisk.write

    def write_and_wait(disk: WorkspaceDisk, content: bytes) -> None:
        write(disk, content)
        written.set()
        assert may_go_on.wait(PATIENCE)

    told = list[str]()
    monkeypatch.setattr(WorkspaceDisk, "write", write_and_wait)
    messages = studio.window.context.messages
    show = messages.show_message
    monkeypatch.setattr(messages, "show_message", lambda text, *kind: (told.append(text), show(text, *kind)))
    changes = outside(studio)
    SAVES[what](studio.window)
    try:
        await studio.until(written.is_set)
        changes.refresh()
        # It would be over by then; but it waits, however long the save takes.
        with pytest.raises(TimeoutError):
            await studio.until(lambda: not changes.is_looking, 0.2)
    finally:
        may_go_on.set()
    await studio.until(lambda: not changes.is_looking and studio.window.context.messages.isVisible())
    assert told == [messages.message], "the offer to undo, and nothing else"
    assert messages.button.text() == "Undo"
    await studio.notice(lambda: None)
    assert len(told) == 1


async def test_a_file_that_was_changed_and_put_back_is_held_as_it_is_though_its_other_state_was_read(studio) -> None:
    core, file = studio.window.workbench.studio, studio.workspace / "studio.yaml"
    before = file.read_text()
    file.write_text(before + "limits: {timeout: 7}\n")
    await core.reread()
    assert core.limits.timeout == 7
    await change(studio, before)
    assert core.limits.timeout != 7
    assert "limits: timeout" in studio.window.context.messages.message


async def test_a_fault_that_somebody_else_found_is_told_and_one_that_he_saw_mended_is_not(studio) -> None:
    core, file, fault = studio.window.workbench.studio, studio.workspace / "studio.yaml", outside(studio).fault
    before = file.read_text()
    file.write_text(before + "limts: 1\n")
    await core.reread()
    await studio.notice(lambda: None)
    assert fault.isVisible()
    file.write_text(before)
    await core.reread()
    await studio.notice(lambda: None)
    assert not fault.isVisible()
