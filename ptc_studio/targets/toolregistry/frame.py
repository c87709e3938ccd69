"""ToolRegistry's convention in the guest: functions of keyword arguments, in code that was looked through before."""

import ast

from ptc_kit import framed


def run(guest):
    for name, tool in guest.names.items():
        guest.define(name, _function(guest, name, tool))
    try:
        _look_through(ast.parse(guest.code, guest.filename), guest.options)
    except (SyntaxError, ValueError) as error:
        return framed.failed(guest, error, {"refused": True})
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
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            modules = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        for module in modules:
            if module.split(".")[0] not in options["imports"]:
                found.append((node.lineno, f"Import not allowed: {module.split('.')[0]!r} (line {node.lineno})"))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in options["blocked"]:
            found.append((node.lineno, f"Blocked built-in call: {node.func.id}() (line {node.lineno})"))
    if found:
        raise ValueError("Dangerous code blocked:\n" + "\n".join(f"  - {text}" for _, text in sorted(found)))
