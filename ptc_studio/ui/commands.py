"""Every action of the window: its words, its key and where it stands in the menus. What it does is wired elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow


@dataclass(frozen=True, slots=True)
class Command:
    """One action."""

    name: str
    """The action's object name."""
    menu: str
    text: str
    keys: tuple[str, ...] = ()
    checkable: bool = False
    separated: bool = False
    """Whether a line stands above it."""
    short: str = ""
    """What a small button with it says; the text if empty."""
    known: bool = False
    """Whether whatever has the keyboard knows the key itself: then it is only shown."""


# The commands up to those that bring panels to the front, and the rest of them.
TO_PANELS = (
    Command("newAction", "File", "New script", ("Ctrl+N", "Ctrl+T"), short="+ Script"),
    Command("openAction", "File", "Open script…", ("Ctrl+O",)),
    Command("newWorkspaceAction", "File", "New workspace…", separated=True),
    Command("openWorkspaceAction", "File", "Open workspace…", ("Ctrl+Shift+O",)),
    Command("trustFolderAction", "File", "Trust this folder"),
    Command("restrictFolderAction", "File", "Stop trusting this folder"),
    Command("importConversationAction", "File", "Import conversation…"),
    Command("goToAction", "File", "Go to file, tool or example…", ("Ctrl+P",), separated=True),
    Command("saveAction", "File", "Save", ("Ctrl+S",), separated=True),
    Command("saveAsAction", "File", "Save as…", ("Ctrl+Shift+S",)),
    Command("closeTabAction", "File", "Close tab", ("Ctrl+W",), separated=True),
    Command("reopenAction", "File", "Reopen closed tab", ("Ctrl+Shift+T",)),
    Command("exportAction", "File", "Share run: report, export, bundle…", ("Ctrl+Shift+X",), separated=True),
    Command("settingsAction", "File", "Settings…", ("Ctrl+,",)),
    Command("quitAction", "File", "Quit", ("Ctrl+Q",), separated=True),
    Command("undoAction", "Edit", "Undo", ("Ctrl+Z",)),
    Command("redoAction", "Edit", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
    Command("cutAction", "Edit", "Cut", ("Ctrl+X",), separated=True, known=True),
    Command("copyAction", "Edit", "Copy", ("Ctrl+C",), known=True),
    Command("pasteAction", "Edit", "Paste", ("Ctrl+V",), known=True),
    Command("selectAllAction", "Edit", "Select all", ("Ctrl+A",), known=True),
    Command("findAction", "Edit", "Find", ("Ctrl+F",), separated=True),
    Command("goToLineAction", "Edit", "Go to line…", ("Ctrl+G",)),
    Command("definitionAction", "Edit", "Go to the tool's definition", ("F12",)),
    Command("commentAction", "Edit", "Toggle comment", ("Ctrl+K",)),
    Command("nextTabAction", "View", "Next tab", ("Ctrl+Tab", "Ctrl+PgDown")),
    Command("previousTabAction", "View", "Previous tab", ("Ctrl+Shift+Tab", "Ctrl+PgUp")),
    Command("redactedAction", "View", "What was redacted…"),
    Command("editorAction", "View", "Back to the editor", ("Escape",)),
)
FROM_PANELS = (
    Command("arrangeAction", "View", "Rearrange panels", checkable=True, separated=True),
    Command("resetAction", "View", "Put panels back"),
    Command("presentAction", "View", "Present run", ("F11",)),
    Command("zoomInAction", "View", "Larger", ("Ctrl++", "Ctrl+="), separated=True),
    Command("zoomOutAction", "View", "Smaller", ("Ctrl+-",)),
    Command("zoomResetAction", "View", "Usual size", ("Ctrl+0",)),
    Command("systemThemeAction", "View", "Appearance: as the desktop", checkable=True, separated=True),
    Command("lightThemeAction", "View", "Appearance: light", checkable=True),
    Command("darkThemeAction", "View", "Appearance: dark", checkable=True),
    Command("runAction", "Run", "Run", ("F5", "Ctrl+Return", "Ctrl+Enter")),
    Command("runAllAction", "Run", "Run in all", ("Ctrl+F5",)),
    Command("stopAction", "Run", "Stop", ("Shift+F5",)),
    Command("sameContainerAction", "Run", "Run in the same container", ("Ctrl+Shift+F5",), separated=True),
    Command("resetContainerAction", "Run", "Reset container"),
    Command("inputsAction", "Run", "Inputs and environment…"),
    Command("everywhereAction", "Run", "Will it run there?"),
    Command("answerAction", "Run", "Answer waiting call", ("F7",), separated=True),
    Command("continueAction", "Run", "Continue", ("F8",)),
    Command("stepAction", "Run", "Step to the next call", ("F10",)),
    Command("breakpointAction", "Run", "Toggle breakpoint on the line", ("F9",), separated=True),
    Command("nextCallAction", "Run", "Stop at the next call", ("Ctrl+F9",), checkable=True),
    Command("compareAction", "Run", "Compare with the run before"),
    Command("recordAction", "Run", "Record the next run", checkable=True, separated=True),
    Command("saveCassetteAction", "Run", "Save last run as a cassette…"),
    Command("demoAction", "Run", "Run the demo", separated=True),
    Command("addSourceAction", "Tools", "Add source…", ("Ctrl+Shift+N",), short="+ Source"),
    Command("addAliasAction", "Tools", "Add alias…", ("Ctrl+Shift+A",), short="+ Alias"),
    Command("importAction", "Tools", "Import tools…"),
    Command("editSourceAction", "Tools", "Edit source…", separated=True),
    Command("reloadSourceAction", "Tools", "Reload source"),
    Command("removeSourceAction", "Tools", "Remove source"),
    Command("editAliasAction", "Tools", "Edit alias…", separated=True),
    Command("duplicateAliasAction", "Tools", "Duplicate alias"),
    Command("toggleAliasAction", "Tools", "Enable or disable alias"),
    Command("deleteAliasAction", "Tools", "Delete alias"),
    Command("callToolAction", "Tools", "Call tool…", ("Ctrl+Shift+Return", "Ctrl+Shift+Enter"), separated=True),
    Command("grantsAction", "Tools", "Grant sets…", separated=True),
    Command("saveGrantAction", "Tools", "Save ticks as a grant set…"),
    Command("serveAction", "Tools", "Serve tools", separated=True),
    Command("reloadAction", "Tools", "Read the tools again", ("Ctrl+R",), separated=True),
    Command("definitionsAction", "Tools", "Copy definitions…"),
    Command("secretsAction", "Tools", "Secrets…"),
    Command("guideAction", "Help", "Guide", ("F1",)),
    Command("sheetAction", "Help", "How tools are called in this language"),
    Command("paletteAction", "Help", "Commands…", ("Ctrl+Shift+P",)),
    Command("keysAction", "Help", "Keyboard shortcuts", ("Ctrl+/",)),
    Command("aboutAction", "Help", "About PTC Studio"),
)
MENUS = ("File", "Edit", "View", "Run", "Tools", "Help")


class Actions:
    """The window's actions by name, in its menus; with the entries of the View menu for its panels."""

    def __init__(self, window: QMainWindow, panels: Sequence[Command] = ()) -> None:
        self.all = (*TO_PANELS, *panels, *FROM_PANELS)
        self._actions: dict[str, QAction] = {}
        self.menus = menus = {name: window.menuBar().addMenu(name) for name in MENUS}
        for command in self.all:
            if command.separated:
                menus[command.menu].addSeparator()
            self._actions[command.name] = action = _made(command, window)
            menus[command.menu].addAction(action)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self):
        return iter(self._actions.values())


def _made(command: Command, window: QMainWindow) -> QAction:
    action = QAction(command.text, window)
    action.setObjectName(command.name)
    action.setShortcuts([QKeySequence(key) for key in command.keys])
    if command.known:
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.setCheckable(command.checkable)
    action.setIconText(command.short or command.text)
    return action
