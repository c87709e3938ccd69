"""IronClaw's convention in the guest: the text inside a `try`, tools by name that give text, outputs by key."""

import ast
import sys

from ptc_kit import framed, script

LONGEST_SECONDS = 300


def run(guest):
    import json
    import os

    outputs = {}
    functions = _functions(guest)
    module = type(sys)("ironclaw_tools")
    module.__dict__.update(functions)
    sys.modules["ironclaw_tools"] = module
    guest.namespace.update(functions, json=json, sys=sys, os=os, ptc_output=outputs.__setitem__)
    script.remember(guest.code, guest.filename)
    try:
        (code,), _, _ = _compiled(guest.code, guest.filename)
    except SyntaxError as error:
        return framed.failed(guest, error)
    try:
        exec(code, guest.namespace)
    except SystemExit as error:
        return script.exit_of(error, guest.filename)
    except Exception as error:
        print(f"SCRIPT_ERROR: {type(error).__name__}: {error}", file=sys.stderr)
        return framed.failed(guest, error, {"told": True})
    if outputs:
        print("\n__PTC_OUTPUTS__")
        print(json.dumps(outputs))
    return script.Ending(value=guest.namespace.pop(script.VALUE, None))


def _compiled(source, filename):
    """The text as what stands inside a `try`: that must not be empty, and is not the beginning of a file."""
    tree = ast.parse(source, filename)
    if not tree.body:
        raise IndentationError("expected an indented block after 'try' statement", (filename, 1, 1, ""))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            place = (filename, node.lineno, node.col_offset + 1, source.splitlines()[node.lineno - 1])
            raise SyntaxError("from __future__ imports must occur at the beginning of the file", place)
    return framed.module_of(tree, filename, 0)


def _functions(guest):
    def call_tool(name, params=None, timeout_secs=60):
        """Calls a tool by its name and gives its output as text."""
        seconds = min(int(timeout_secs), LONGEST_SECONDS) if timeout_secs is not None else None
        try:
            value = guest.call(guest.names.get(name, name), (), params or {}, seconds)
        except Exception as error:
            raise RuntimeError(f"Tool '{name}' failed: {error}") from None
        return framed.text_of(value)

    def shell(command, timeout_secs=60):
        return call_tool("shell", {"command": command}, timeout_secs=timeout_secs)

    def read_file(path):
        return call_tool("read_file", {"path": path})

    def write_file(path, content):
        return call_tool("write_file", {"path": path, "content": content})

    def http_get(url, headers=None, timeout_secs=30):
        if "http" not in guest.names and "http_get" in guest.names:
            given, name = {"url": url}, "http_get"
        else:
            given, name = {"url": url, "method": "GET"}, "http"
        if headers:
            given["headers"] = headers
        return call_tool(name, given, timeout_secs=timeout_secs)

    made = (call_tool, shell, read_file, write_file, http_get)
    return {function.__name__: function for function in made}
