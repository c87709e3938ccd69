"""What the first paint of the window does not wait for: its start is measured in `tests/benchmarks`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LOOK = """
import enum, gc, json, os, sys, types
made = []
create = enum.EnumType._create_
def remembered(cls, class_name, *values, **options):
    made.append(class_name)
    return create(cls, class_name, *values, **options)
enum.EnumType._create_ = remembered
def leave(application, window, *_):
    from PySide6.QtWidgets import QWidget
    found = {"modules": list(sys.modules), "enums": made, "collects": gc.isenabled()}
    os.write(1, json.dumps(found | {"widgets": len(window.findChildren(QWidget))}).encode())
    os._exit(0)
# What takes over right after the first paint; all before it is as the command does it.
after = sys.modules["ptc_studio.ui.event_loop"] = types.ModuleType("ptc_studio.ui.event_loop")
after.run_window = leave
from ptc_studio.cli.main import main
main([])
"""
HEAVY = {"asyncio", "jedi", "mcp", "pydantic", "pygments", "qasync", "ruamel.yaml"}
UNUSED = {"argparse", "hashlib", "hmac", "logging", "secrets", "socket"}
"""Of the standard library: each a hundredth of the start, or more."""
OURS = {"ptc_studio.cli.arguments", "ptc_studio.core"}


def test_it_waits_for_nothing_that_it_does_not_show(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    environment = os.environ | home | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", LOOK], stdout=subprocess.PIPE, env=environment, check=True, timeout=60)
    found = json.loads(done.stdout)
    assert (HEAVY | UNUSED | OURS) & set(found["modules"]) == set()
    assert not found["collects"], "nothing of what is made by then is garbage"
    assert found["widgets"] < 180, "panels that are not seen have nothing in them"
    assert "WidgetAttribute" in found["enums"], "Qt's own namespace is needed: the look for enums works"
    # One of QStyle's: a tenth of the whole start, if anything touches that class.
    assert "PrimitiveElement" not in found["enums"]
    assert "Preset" not in found["enums"], "of gradients, which nothing here is painted with"


SPEAK = """
import locale, os
from ptc_studio.ui.startup import make_application
application = make_application(lambda: os._exit(3))
print([locale.setlocale(kind) for kind in (locale.LC_MESSAGES, locale.LC_TIME, locale.LC_NUMERIC, locale.LC_CTYPE)])
"""


@pytest.mark.parametrize("language", ["C.UTF-8", "C"])
def test_with_a_window_the_system_and_tools_speak_as_in_the_terminal(tmp_path: Path, language: str) -> None:
    environment = {**os.environ, "LC_ALL": language, "HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", SPEAK], capture_output=True, text=True, env=environment, check=True)
    # Letters as in no language, also where Qt would write of a locale that it does not like.
    assert (done.stdout, done.stderr) == ("['C', 'C', 'C', 'C.UTF-8']\n", "")
