"""Tools that are commands: programs with their arguments, started without a shell."""

from ptc_studio.sources.command.entry import CommandEntry, OneCommand
from ptc_studio.sources.command.process import CommandFailed, CommandMissing, CommandRefused, CommandUnusable
from ptc_studio.sources.command.source import CommandSource

__all__ = [
    "CommandEntry",
    "CommandFailed",
    "CommandMissing",
    "CommandRefused",
    "CommandSource",
    "CommandUnusable",
    "OneCommand",
]
