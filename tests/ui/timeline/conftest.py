"""The timeline shows the calls of the tree beside it, so its tests have that tree and its events."""

from tests.ui.calls.conftest import application, panel, run

__all__ = ["application", "panel", "run"]
