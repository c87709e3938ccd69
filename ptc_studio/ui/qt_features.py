"""Keeps Qt's bindings from reading the source of every module that is imported after them; imported before the rest.

They look for their own name in it, to know which modules could switch the bindings' optional features. Nobody here
does, and the look costs a seventh of all imports, and twenty megabytes in which the sources stay.
"""

import sys

import PySide6.QtCore  # noqa: F401 - it brings the module that is changed here

_feature = sys.modules.get("shibokensupport.feature")
if _feature is not None and hasattr(_feature, "_mod_uses_pyside"):
    # To be taken for one that uses Qt means: without optional features.
    vars(_feature)["_mod_uses_pyside"] = lambda _module: True
