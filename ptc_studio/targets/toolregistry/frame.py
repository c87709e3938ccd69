"""ToolRegistry's convention in the guest: functions of keyword arguments, in code that was looked through before."""

import ast

from ptc_kit import framed


def run(guest):
    for name, tool in guest.names.items():
        guest.define(name, _function(guest, name, tool))
    try:
        _look_through(ast.parse(guest.code, guest.filename), guest.options)
    except SyntaxError as error:
        return framed.failed(guest, error, {"refused": f"{error.msg} (<unknown>, line {error.lineno})"})
    except ValueError as error:
        return framed.failed(guest, error, {"refused": str(error)})
    return guest.execute(framed.plain_module)


def _function(guest, name, tool):
    def function(**kwargs):
        try:
            return guest.call(tool, (), kwargs)
        except Exception as error:
            raise RuntimeError(f"Tool {name} failed: {type(error).__name__}: {error}") from None

    return function


def _look_through(tree, options):
    """Raises for what is refused before anything runs, all of it in one message."""
    found = []
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        unknown = [module for module in _imported(node) if module not in options["imports"]]
        found += [(line, f"Import not allowed: {module!r} (line {line})") for module in unknown]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in options["blocked"]:
            found.append((line, f"Blocked built-in call: {node.func.id}() (line {line})"))
    if found:
        raise ValueError("Dangerous code blocked:\n" + "\n".join(f"  - {text}" for _, text in sorted(found)))


def _imported(node):
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    return [node.module.split(".")[0]] if isinstance(node, ast.ImportFrom) and node.module else []
