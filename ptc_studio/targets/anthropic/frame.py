"""Anthropic's convention in the guest: async functions of one dict that give text, failures among it."""

import builtins
import json
import os

UNANSWERED = "Calling tool [{name!r}] timed out (no response after 270s)."


def run(guest):
    _bind_to_one_processor()
    # Published examples do without the import, so that they run here, and are warned of.
    for module in ("json", "asyncio"):
        if module in guest.code and module not in guest.namespace:
            guest.namespace[module] = builtins.__import__(module)
    for name, tool in guest.names.items():
        guest.define(name, _function(guest, name, tool))
    return guest.execute()


def _bind_to_one_processor():
    """A container has one, for the script and whatever it starts; only Linux can bind a process."""
    if hasattr(os, "sched_setaffinity"):
        usable = sorted(os.sched_getaffinity(0))
        # Any of them: else all runs would share the first.
        os.sched_setaffinity(0, {usable[os.urandom(1)[0] % len(usable)]})


def _function(guest, name, tool):
    async def answer(given, line):
        try:
            value = await guest.call_async(tool, (), given, line)
        except TimeoutError as error:
            if str(error).startswith("Tool execution timed out: "):
                raise TimeoutError(UNANSWERED.format(name=name)) from None
            return f"Error: {error}"
        except Exception as error:
            return f"Error: {error}"
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    answer.__name__ = answer.__qualname__ = name

    def function(*args, **kwargs):
        if kwargs or len(args) != 1 or not isinstance(args[0], dict):
            raise TypeError(_refusal(name, args, kwargs))
        return answer(args[0], guest.line())

    return function


def _refusal(name, args, kwargs):
    if kwargs:
        given = "keyword arguments"
    elif len(args) == 1:
        given = f"{type(args[0]).__name__!r}"
    else:
        given = f"{len(args)} positional arguments" if args else "nothing"
    return f"{name}() takes one dict, the whole input of the tool, and was given {given}: await {name}({{...}})"
