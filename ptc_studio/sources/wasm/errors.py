"""What goes wrong with a module that is a tool."""


class ModuleFailed(RuntimeError):
    """The module trapped, used up what it may use, or did not keep to what was agreed; the message says which."""
