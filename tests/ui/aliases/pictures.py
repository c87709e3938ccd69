"""Pictures of the alias form, light and dark. usage: python -m tests.ui.aliases.pictures FOLDER"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

FINANCE = '''\
"""Expenses, as the finance department has them."""

from typing import Annotated, Literal, TypedDict

from pydantic import Field


class Expense(TypedDict):
    amount: float
    category: str
    card: str


def get_expenses(
    person: str,
    quarter: Literal["Q1", "Q2", "Q3", "Q4"] = "Q1",
    currency: str = "EUR",
    limit: Annotated[int, Field(ge=1, le=500)] = 100,
) -> list[Expense]:
    """Expense lines of one person in a quarter."""
    return [{"amount": 184.2, "category": "travel", "card": "4929 1234 5678 9012"}] * 41
'''
FILE = """\
version: 1
sources:
  - kind: functions
    name: finance
    path: tools
aliases:
  - name: team_lunch
    tool: finance.get_expenses
    description: What the team spent on lunch.
    preset: {person: Ada}
    redact: [card]
  - name: old_expenses
    tool: finance.get_expenses
    enabled: false
  - name: broken
    tool: finance.gone
"""
FILLED: dict[str, Any] = {
    "name": "q3_expenses",
    "tool": "finance.get_expenses",
    "description": "Expense lines of one person in the third quarter.",
    "preset": {"quarter": "Q3"},
    "defaults": {"currency": "EUR"},
    "timeout": 10,
    "permission": "allow",
    "redact": ["iban", "card"],
}


async def take_all(folder: Path, data: Path, size: tuple[int, int]) -> None:
    """The form in every state, and the panel, in both appearances."""
    from ptc_studio.app import Setup, Studio
    from ptc_studio.storage.settings import Settings
    from ptc_studio.ui.aliases.actions import open_edit_alias, open_new_alias
    from ptc_studio.ui.main_window import MainWindow
    from ptc_studio.ui.theme import theme
    from ptc_studio.ui.workbench import Workbench

    workspace = data / "workspace"
    (workspace / "tools").mkdir(parents=True)
    (workspace / "tools" / "finance.py").write_text(FINANCE)
    (workspace / "studio.yaml").write_text(FILE)
    window = MainWindow(Settings(data / "settings.json"), data / "buffers", workspace)
    window.add_panels(Workbench(Studio(Setup(workspace=workspace))))
    window.resize(*size)
    window.show()
    window.start(None)
    await asyncio.sleep(2.0)
    for mode in ("dark", "light"):
        theme().set_mode(mode)

        def shoot(name: str, widget: Any, mode: str = mode) -> None:
            widget.grab().save(str(folder / f"{name}-{mode}.png"))

        async def pause() -> None:
            await asyncio.sleep(0.4)

        window.panels.tools.select("broken")
        await pause()
        shoot("panel", window)
        dialog = open_new_alias(window.context)
        await pause()
        shoot("empty", dialog)
        dialog.form.set_values(FILLED)
        dialog.show_previews()
        dialog.previews.trial.set_arguments({"person": "Ada"})
        dialog.previews.trial.call()
        while dialog.previews.trial.is_busy:
            await asyncio.sleep(0.02)
        await pause()
        shoot("filled", dialog)
        for tab, name in ((1, "model"), (2, "try")):
            dialog.previews.tabs.setCurrentIndex(tab)
            await pause()
            shoot(name, dialog)
        dialog.previews.tabs.setCurrentIndex(0)
        dialog.form.name.setText("class")
        dialog.form.calls.line.setText("finance.get_expense")
        dialog.form.time.line.setText("soon")
        await pause()
        shoot("faults", dialog)
        dialog.form.set_values({})
        dialog.reject()
        dialog = open_edit_alias(window.context, "team_lunch")
        await pause()
        shoot("edit", dialog)
        dialog.reject()
    closed = asyncio.Event()
    window.closed.connect(closed.set)
    window.close()
    await closed.wait()


def main(folder: Path, size: tuple[int, int]) -> None:
    from PySide6.QtWidgets import QApplication

    from ptc_studio.ui.qt_loop import WindowLoop

    folder.mkdir(parents=True, exist_ok=True)
    application = QApplication(["pictures"])
    application.setStyle("Fusion")
    application.setQuitOnLastWindowClosed(False)
    with (
        tempfile.TemporaryDirectory() as data,
        asyncio.Runner(loop_factory=lambda: WindowLoop(application)) as runner,
    ):
        runner.run(take_all(folder, Path(data), size))


if __name__ == "__main__":
    main(Path(sys.argv[1]), (int(sys.argv[2]), int(sys.argv[3])) if sys.argv[3:] else (1280, 800))
