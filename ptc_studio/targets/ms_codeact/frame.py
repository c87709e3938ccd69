"""Microsoft's CodeAct in the guest: `call_tool("x", **kw)`, which a script of its Monty variant awaits."""

from ptc_kit import script, tools


def run(guest):
    awaits = "await" in guest.code

    def call_tool(*args, **kwargs):
        """Calls a tool by its name, with keyword arguments."""
        return guest.call(_named(guest, args), (), kwargs)

    def call_awaited(*args, **kwargs):
        return guest.call_async(_named(guest, args), (), kwargs, guest.line())

    setattr(call_tool, tools.TWIN, call_awaited)
    guest.namespace["call_tool"] = call_tool
    if awaits:
        import asyncio

        guest.namespace["asyncio"] = asyncio
        for name, tool in guest.names.items():
            if name.isidentifier():
                guest.define(name, _function(guest, tool))
    ending = script.execute(guest.code, guest.filename, guest.namespace)
    ending.report = {"awaits": awaits}
    return ending


def _function(guest, tool):
    def function(**kwargs):
        return guest.call_async(tool, (), kwargs, guest.line())

    return function


def _named(guest, args):
    if not args:
        raise ValueError("call_tool requires a tool name as the first argument.")
    name = args[0]
    if not isinstance(name, str) or not name:
        raise ValueError("Tool name must be a non-empty string.")
    if len(args) > 1:
        raise ValueError(
            "call_tool accepts only the tool name as a positional argument. Use keyword arguments for parameters."
        )
    if name not in guest.names:
        known = ", ".join(sorted(set(guest.names.values()))) or "<none>"
        raise ValueError(f"Tool {name!r} is not registered. Available tools: {known}")
    return guest.names[name]
