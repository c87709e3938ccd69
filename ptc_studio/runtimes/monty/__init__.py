"""The `monty` runtime: a sandboxed subset of Python that starts in a millisecond."""

from ptc_studio.runtimes.monty.runtime import MontyRuntime

__all__ = ["MontyRuntime"]
