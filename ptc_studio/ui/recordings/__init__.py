"""Cassettes in the window: recording a run, keeping the last one, and having a run answered from one."""

from ptc_studio.ui.recordings.actions import Cassettes

__all__ = ["Cassettes"]
