"""Bounds for the processes of scripts and compilers: what they see, what they may use, and how that is kept."""

from ptc_studio.runtimes.sandbox.bounds import MEBIBYTE, Bounds, toolchain_places
from ptc_studio.runtimes.sandbox.choice import Confiner, PlainProcess, best_confiner
from ptc_studio.runtimes.sandbox.launch import SandboxLaunch
from ptc_studio.runtimes.sandbox.usage_watch import Watcher

__all__ = [
    "MEBIBYTE",
    "Bounds",
    "Confiner",
    "PlainProcess",
    "SandboxLaunch",
    "Watcher",
    "best_confiner",
    "toolchain_places",
]
