"""The `bash` runtime: a virtual shell, without host files or network, in which each tool is a command."""

from ptc_studio.runtimes.bash.runtime import BashRuntime

__all__ = ["BashRuntime"]
