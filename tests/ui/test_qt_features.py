"""Imports after Qt's bindings cost no more than others."""

import subprocess
import sys

CODE = """
import linecache
import ptc_studio.ui.main_window
print([name for name in linecache.cache if "ptc_studio/ui/" in name and "qt_features" not in name])
"""


def test_no_source_of_the_windows_modules_is_read_when_they_are_imported():
    shown = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
