"""How a module ends other than by returning."""


class ModuleRefused(Exception):
    """No valid module, or one that wants what is not offered; `function` is the number of the faulty one."""

    def __init__(self, message: str, function: int | None = None) -> None:
        super().__init__(message)
        self.function = function


class GuestFault(Exception):
    """The module handed over something impossible, such as a place outside of its memory."""


class Trapped(Exception):
    """The module did what it must not; `stack` names its functions, innermost first."""

    def __init__(self, message: str, stack: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.stack = stack


class Interrupted(Trapped):
    """It was stopped from outside."""


class Exited(Exception):
    """It asked to end, with a status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the module ended with status {status}")
        self.status = status
