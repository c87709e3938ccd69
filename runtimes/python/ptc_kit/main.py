"""The process of the `python` runtime: says hello, waits for a script, executes it, says how it ended."""

import os
import sys
import threading
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from ptc_kit import plain, process, script, tools
from ptc_kit.channel import Channel

sys.path.pop(0)

IDLE_BEFORE_WARMING = 0.05
LONGEST_VALUE = 60_000_000
"""Bytes; somewhat less than a frame holds."""


def main() -> None:
    """One script, then the end."""
    read_fd, write_fd = (int(fd) for fd in os.environ.pop("PTC_CHANNEL").split(","))
    report_fd = int(os.environ.pop("PTC_REPORT", "-1"))
    process.prepare((read_fd, write_fd, report_fd))
    channel = Channel(read_fd, write_fd)
    channel.send(plain.encode({"type": "hello", "protocol": 1, "token": os.environ.pop("PTC_TOKEN")}))
    if not channel.readable(IDLE_BEFORE_WARMING):
        _warm()
    start = channel.receive()
    process.report_sudden_ends(channel, lambda: start["filename"])
    namespace = _main_module()
    while True:
        ending = _execute(start, channel, namespace)
        script.await_threads(_other_threads)
        if not start.get("keep"):
            break
        process.flush_output()
        channel.send(_done(ending, kept=True))
        start = channel.receive()
    process.run_exit_handlers()
    channel.send(_done(ending))
    channel.readable(60)
    process.exit_now(ending.code)


def _main_module() -> "dict[str, Any]":
    module = sys.modules["__main__"] = type(sys)("__main__")
    return module.__dict__


def _execute(start: "dict[str, Any]", channel: Channel, namespace: "dict[str, Any]") -> script.Ending:
    filename = start["filename"]
    namespace.update(plain.with_bytes(start["globals"], start.get("bytes", ())), __file__=filename)
    sys.argv = [filename]
    directory = start["directory"]
    if directory and directory not in sys.path[:1]:
        sys.path.insert(0, directory)
        os.chdir(directory)
    if start.get("frame"):
        from ptc_kit import framed

        return framed.execute(start, channel, namespace)
    try:
        namespace.update({name: _imported(*where) for name, where in start.get("imports", {}).items()})
    except Exception as error:
        return script.Ending(1, error=script.describe(error, filename))
    namespace.update(tools.tool_namespace(start["tools"], channel, filename))
    return script.execute(start["code"], filename, namespace)


def _imported(module: str, path: str) -> Any:
    """A module, or what is at that path in it."""
    __import__(module)
    found: Any = sys.modules[module]
    for step in path.split(".") if path else ():
        found = getattr(found, step)
    return found


def _warm() -> None:
    """Imports what scripts and the frames of targets are likely to need, while nobody waits."""
    import asyncio  # noqa: F401
    import inspect  # noqa: F401
    import json  # noqa: F401
    import traceback  # noqa: F401

    # The kit's folder may be read-only, and has no bytecode then: to import a module is to compile it.
    from ptc_kit import framed  # noqa: F401


def _done(ending: script.Ending, kept: bool = False) -> str:
    value = plain.encode_shown(ending.value)
    if len(value.encode()) > LONGEST_VALUE:
        # The frame would be refused, and the ending with it.
        value = plain.encode_shown(f"<{type(ending.value).__name__} too large to be shown>")
    told = f'"code":{ending.code},"error":{plain.encode_shown(ending.error)},"value":{value}'
    if ending.report is not None:
        told += f',"report":{plain.encode_shown(ending.report)}'
    if kept:
        told += ',"kept":true'
    return f'{{"type":"done",{told}}}'


def _other_threads() -> "list[threading.Thread]":
    return [thread for thread in threading.enumerate() if thread is not threading.main_thread()]


if __name__ == "__main__":
    main()
