"""Every error of the product.

::

    PtcError
    ├── RegistrationError          a name is taken, an alias leads nowhere or round in a circle
    ├── UnserialisableValue        a result or an argument that JSON cannot carry
    ├── ExpressionError            a condition or a mock's expression that cannot be read or evaluated
    └── Refusal                    a call that ends before or instead of its tool; has a status
        ├── ToolNotFound           not_found   LookupError
        ├── NotRecorded            not_found   LookupError: the cassette has no such call
        ├── CallDenied             denied      PermissionError
        ├── UnfitArguments         invalid     TypeError: missing or unexpected
        ├── UnfitValues            invalid     ValueError: of the wrong kind
        ├── DepthExceeded          depth       RecursionError
        ├── CallTimedOut           timeout     TimeoutError
        └── CallCancelled          cancelled   RuntimeError

The third column is the built-in type under which a script catches it.
"""

from typing import ClassVar, Literal

CallStatus = Literal["ok", "error", "timeout", "denied", "invalid", "not_found", "depth", "cancelled"]


class PtcError(Exception):
    """The root: whatever the product itself has to complain of."""


class RegistrationError(PtcError):
    """A tool or alias that cannot be registered as it is."""


class UnserialisableValue(PtcError):
    """A value that cannot be turned into JSON; the message names its type."""


class ExpressionError(PtcError):
    """An expression that cannot be read or has no value; the message says why."""

    def __init__(self, text: str, reason: str) -> None:
        shown = text if len(text) <= 60 else f"{text[:57]}…"
        super().__init__(f"The expression {shown!r} has no value: {reason}.")
        self.reason = reason


class Refusal(PtcError):
    """A call that was not answered by its tool."""

    status: ClassVar[CallStatus]
    builtin: ClassVar[type[Exception]]

    def as_builtin(self) -> Exception:
        """The same message as the built-in exception that a script catches."""
        return self.builtin(str(self))


class ToolNotFound(Refusal):
    """No tool or alias has that name."""

    status = "not_found"
    builtin = LookupError

    def __init__(self, name: str, suggestion: str | None = None, reason: str = "") -> None:
        """`reason`: why its source brought no tools, in a sentence."""
        hint = f". Did you mean {suggestion!r}?" if suggestion and not reason else ""
        super().__init__(f"Tool not found: {name}{hint}{reason and '. '}{reason}")


class NotRecorded(Refusal):
    """The cassette that answers the run has no such call."""

    status = "not_found"
    builtin = LookupError


class CallDenied(Refusal):
    """The grant or a permission forbids the call."""

    status = "denied"
    builtin = PermissionError


class UnfitArguments(Refusal):
    """Arguments are missing, unexpected or given twice."""

    status = "invalid"
    builtin = TypeError

    def __init__(self, tool: str, reason: str) -> None:
        super().__init__(f"Invalid parameters for tool {tool!r}: {reason}")


class UnfitValues(UnfitArguments):
    """Arguments are all there, but a value does not fit its parameter."""

    builtin = ValueError


class DepthExceeded(Refusal):
    """A tool called a tool that called a tool, too often."""

    status = "depth"
    builtin = RecursionError

    def __init__(self, limit: int) -> None:
        super().__init__(f"Nesting depth exceeded (max {limit})")


class CallTimedOut(Refusal):
    """The tool did not answer within its time."""

    status = "timeout"
    builtin = TimeoutError

    def __init__(self, tool: str, seconds: float) -> None:
        super().__init__(f"Tool execution timed out: {tool} (after {seconds:g} s)")


class CallCancelled(Refusal):
    """The run was stopped while the call was under way."""

    status = "cancelled"
    builtin = RuntimeError

    def __init__(self, tool: str) -> None:
        super().__init__(f"Tool call cancelled: {tool}")
