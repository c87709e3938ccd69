"""UTCP's Python code mode in the guest: the body of a plain function, looked through as RestrictedPython does."""

import ast
import builtins

from ptc_kit import framed, script

STATEMENTS = {
    "AnnAssign": "AnnAssign statements are not allowed.",
    "AsyncFor": "AsyncFor statements are not allowed.",
    "AsyncFunctionDef": "AsyncFunctionDef statements are not allowed.",
    "AsyncWith": "AsyncWith statements are not allowed.",
    "Await": "Await statements are not allowed.",
    "Match": "Match statements are not allowed.",
    "TryStar": "TryStar statements are not allowed.",
}
MODULES = ("json", "asyncio", "math", "datetime", "time", "re")
WRAPPED = 1
"""The lines of the text are counted from 2 there: it is the body of a function."""


def run(guest):
    script.remember(guest.code, guest.filename)
    space = guest.namespace
    for name, tool in guest.names.items():
        guest.define(name, _function(guest, name, tool))
    # Imported for the script, but not where it does not name them: that would take longer than a short run.
    space.update({name: builtins.__import__(name) for name in MODULES if name in guest.code})
    interfaces = guest.options["interfaces"]
    space.update(interfaces=guest.options["all"], get_tool_interface=interfaces.get)
    refused = frozenset(guest.options["refused"])
    allowed = {name: value for name, value in vars(builtins).items() if name not in refused}
    space["__builtins__"] = {**allowed, "__import__": _importer(frozenset(guest.options["imports"]))}
    try:
        found = _look_through(ast.parse(guest.code, guest.filename))
    except SyntaxError as error:
        line = (error.lineno or 1) + WRAPPED
        text = f"Line {line}: SyntaxError: {error.msg} at statement: {(error.text or '').strip()!r}"
        return framed.failed(guest, error, {"refused": (text,)})
    if found:
        line, text = found[0]
        error = SyntaxError(text, (guest.filename, line, 1, guest.code.splitlines()[line - 1]))
        return framed.failed(guest, error, {"refused": tuple(f"Line {line + WRAPPED}: {text}" for line, text in found)})
    return guest.execute(framed.function_body)


def _function(guest, name, tool):
    def function(args=None, **kwargs):
        given = kwargs if args is None else args
        try:
            if not isinstance(given, dict):
                raise AttributeError(f"{type(given).__name__!r} object has no attribute 'keys'")
            return guest.call(tool, (), given)
        except Exception as error:
            raise RuntimeError(f"Error calling tool '{name}': {error}") from None

    return function


def _importer(allowed):
    def restricted(name, *args, **kwargs):
        if name not in allowed:
            raise ImportError(f"Import of '{name}' is not allowed in code execution context")
        return builtins.__import__(name, *args, **kwargs)

    return restricted


def _look_through(tree):
    """The lines and the words of everything that is refused."""
    found = []
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 1)
        text = STATEMENTS.get(type(node).__name__)
        if text:
            found.append((line, text))
        hidden = [name for name in _names(node) if name.startswith("_") and name != "_"]
        found += [(line, f'"{name}" is an invalid variable name because it starts with "_"') for name in hidden]
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            found.append((line, f'"{node.attr}" is an invalid attribute name because it starts with "_".'))
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
            found.append((line, "Augmented assignment of object items and slices is not allowed."))
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
            found.append((line, "Augmented assignment of attributes is not allowed."))
    return sorted(found)


def _names(node):
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.alias):
        return [node.asname or node.name]
    return []
