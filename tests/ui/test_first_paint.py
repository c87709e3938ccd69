"""What the first paint of the window does not wait for: its start is measured in `tests/benchmarks`."""

import json
import os
import subprocess
import sys
from pathlib import Path

LOOK = """
import enum, json, os, sys
made = []
create = enum.EnumType._create_
def remembered(cls, class_name, *values, **options):
    made.append(class_name)
    return create(cls, class_name, *values, **options)
enum.EnumType._create_ = remembered
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMainWindow
import ptc_studio.ui.main_window
def leave():
    os.write(1, json.dumps({"modules": list(sys.modules), "enums": made}).encode())
    os._exit(0)
def painted(self, event):
    QMainWindow.paintEvent(self, event)
    QTimer.singleShot(0, leave)
ptc_studio.ui.main_window.MainWindow.paintEvent = painted
from ptc_studio.cli.main import main
main([])
"""
HEAVY = {"asyncio", "jedi", "mcp", "pydantic", "pygments", "qasync", "ruamel.yaml"}
OURS = {"ptc_studio.cli.arguments", "ptc_studio.core"}


def test_it_waits_for_nothing_that_it_does_not_show(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    environment = os.environ | home | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", LOOK], stdout=subprocess.PIPE, env=environment, check=True, timeout=60)
    found = json.loads(done.stdout)
    assert (HEAVY | OURS) & set(found["modules"]) == set()
    assert "WidgetAttribute" in found["enums"], "Qt's own namespace is needed: the look for enums works"
    # One of QStyle's: a tenth of the whole start, if anything touches that class.
    assert "PrimitiveElement" not in found["enums"]


SPEAK = """
import locale, os
from ptc_studio.ui.startup import make_application
application = make_application(lambda: os._exit(3))
print([locale.setlocale(kind) for kind in (locale.LC_MESSAGES, locale.LC_TIME, locale.LC_NUMERIC, locale.LC_CTYPE)])
"""


def test_with_a_window_the_system_and_tools_speak_as_in_the_terminal(tmp_path: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", SPEAK], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout == "['C', 'C', 'C', 'C.UTF-8']\n"
