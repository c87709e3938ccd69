"""Bounds for the processes of scripts and compilers: what they see, what they may use, and how that is kept."""

from ptc_studio.runtimes.confinement.bounds import MEBIBYTE, Bounds
from ptc_studio.runtimes.confinement.choice import best_confiner
from ptc_studio.runtimes.confinement.confiner import Confiner
from ptc_studio.runtimes.confinement.launch import Launch
from ptc_studio.runtimes.confinement.plain import PlainProcess
from ptc_studio.runtimes.confinement.toolchain import toolchain_places
from ptc_studio.runtimes.confinement.watcher import Watcher

__all__ = [
    "MEBIBYTE",
    "Bounds",
    "Confiner",
    "Launch",
    "PlainProcess",
    "Watcher",
    "best_confiner",
    "toolchain_places",
]
