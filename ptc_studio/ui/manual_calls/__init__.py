"""Calling one tool or alias by hand, through the same executor as everything else: a form, the call, its record.

Imported when it is first asked for: the window opens without it.
"""

from ptc_studio.ui.manual_calls.call_dialog import CallDialog
from ptc_studio.ui.manual_calls.try_pane import TryPane

__all__ = ["CallDialog", "TryPane"]
