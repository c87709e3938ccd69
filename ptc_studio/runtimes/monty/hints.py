"""What to write instead of what Monty does not know."""

import re

ELSEWHERE = "or choose the runtime python"

_MODULES = {
    "statistics": "sum(values) / len(values) is the mean, sorted(values)[len(values) // 2] the median",
    "enum": "plain constants do here",
    "uuid": "a text made with random does here",
    "secrets": "random does here",
    "string": "write the letters as a text",
    "operator": "a lambda does here",
    "heapq": "sorted() does here",
    "contextlib": "try and finally do here",
    "abc": "a plain class does here",
    "types": "a dict or a dataclass does here",
    "io": "collect the parts in a list and join them",
    "textwrap": "split and join the text yourself",
    "pprint": "print(json.dumps(value, indent=2)) does here",
    "logging": "print() does here",
    "traceback": "print(repr(error)) does here",
    "inspect": "help(tool) shows a tool",
    "fractions": "decimal does here",
    "calendar": "datetime does here",
    "zoneinfo": "datetime.timezone does here",
    "threading": "await asyncio.gather(aio.tool(...), ...) makes calls at once",
    "concurrent": "await asyncio.gather(aio.tool(...), ...) makes calls at once",
    "multiprocessing": "await asyncio.gather(aio.tool(...), ...) makes calls at once",
    "subprocess": "a script here starts no programs; have a tool do it",
    "socket": "a script here has no network; have a tool do it",
    "urllib": "a script here has no network; have a tool do it",
    "http": "a script here has no network; have a tool do it",
    "requests": "a script here has no network; have a tool do it",
    "httpx": "a script here has no network; have a tool do it",
    "aiohttp": "a script here has no network; have a tool do it",
    "shutil": "a script here has no files; have a tool read or write them",
    "tempfile": "a script here has no files; have a tool read or write them",
    "glob": "a script here has no files; have a tool read or write them",
    "sqlite3": "a script here has no files; have a tool read or write them",
    "numpy": "lists and sum() do here",
    "pandas": "lists of dicts do here",
}

_ERRORS = (
    (r"support yield", "Collect the values in a list and return it"),
    (r"support class inheritance", "Write one class without bases, and raise a built-in exception"),
    (r"support async context managers", "Await the calls themselves, with try and finally around them"),
    (r"support async for", "Await each value in a plain for loop"),
    (r"support the 'del' statement", "Use list.pop or dict.pop, or assign None"),
    (r"support type aliases", "Assign the type to a name"),
    (r"cannot suspend in this synchronous", "Call the tool in a loop or a comprehension: [tool(x) for x in items]"),
    (r"exceptions can only be called with", "Give the exception one text: ValueError(f'...')"),
    (r"module 'sys' has no attribute 'exit'", "exit(status) ends the script"),
    (r"module 'sys' has no attribute 'stdin'", "A script here has no input; write the data into it"),
    (r"TextIOWrapper' object has no attribute 'write'", "print(text, end='') writes, with file=sys.stderr if need be"),
    (r"TextIOWrapper' object has no attribute", "print() writes at once; there is nothing to flush"),
    (r"module 'asyncio' has no attribute 'TimeoutError'", "Catch TimeoutError"),
    (
        r"module 'asyncio' has no attribute 'wait_for'",
        "call_tool_async(name, {...}, timeout=seconds) bounds a call in time",
    ),
    (r"module 'asyncio' has no attribute", "asyncio has gather, run and sleep here: await asyncio.gather(...)"),
    (r"module '\w+' has no attribute", ""),
    (r"does not yet support", ""),
    (r"cannot create 'property' instances", "Write a method"),
)


def missing_module(name: str, namespaces: frozenset[str]) -> str:
    """The text of the ModuleNotFoundError for a module that Monty does not have."""
    if name in namespaces:
        return f"No module named {name!r}: its tools need no import, call {name}.tool(...)"
    advice = _MODULES.get(name.partition(".")[0])
    told = f"{advice}, {ELSEWHERE}" if advice else f"Monty has a few modules alone, {ELSEWHERE}"
    return f"No module named {name!r}: {told}"


def explained(message: str) -> str:
    """The message, with what to do about it where that is known."""
    for pattern, advice in _ERRORS:
        if re.search(pattern, message):
            told = (
                f"{advice}, {ELSEWHERE}" if advice else f"{ELSEWHERE[:1].upper()}{ELSEWHERE[1:]}".replace("Or c", "C")
            )
            return f"{message.rstrip('.')}. {told}."
    return message
