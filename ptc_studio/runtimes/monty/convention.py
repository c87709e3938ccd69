"""How a script in Monty sees its tools: the studio's own way here, a deployment target's in a class derived from it."""

from collections.abc import Mapping
from typing import Any

from pydantic_monty import FunctionSnapshot, OSPolicy

from ptc_studio.core.scripts import Job
from ptc_studio.runtimes.monty import names
from ptc_studio.runtimes.monty.calls import WantedCall, plain, wanted_call
from ptc_studio.runtimes.monty.names import Names


class Convention:
    """The studio's own: functions, namespaces and `call_tool`; what Monty has not is refused with advice."""

    filename: str | None = None
    """What the script is called in the type checker's words; None: as it is called here."""
    memory: int | None = None
    """Bytes that the script may use; None: what the runtime gives."""
    seconds: float | None = None
    """For computing; the time that tools take does not count. None: what the run may take."""
    sleep_seconds: float | None = None
    """For sleeping, in all; None: no limit of its own."""
    printed: int | None = None
    """Characters that it may print; None: no limit of its own."""
    policy: OSPolicy | None = None
    """Which operations of the system are asked for; None: Monty's own way."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.names = Names(job.tools)

    def stubs(self) -> str | None:
        """What the script is type-checked against before it runs; None: it is not."""
        return None

    def type_checked(self) -> None:
        """Told once the script has passed that."""

    def given_ahead(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        """The variables of the script."""
        return self.names.given_ahead(variables)

    def value(self, name: str) -> Any:
        """What a bare name stands for; raises KeyError if it stands for nothing."""
        return self.names.value(name)

    def wanted(self, snapshot: FunctionSnapshot, *, awaited: bool) -> WantedCall | None:
        """The call of a tool; None if it is none. Raises what the script is to be told."""
        return wanted_call(snapshot, self.names, awaited=awaited)

    def answer_other(self, snapshot: FunctionSnapshot) -> dict[str, Any]:
        """The answer to a call that is none of a tool."""
        name = self.names.called(snapshot.function_name, snapshot.object_id)
        return names.answer_studio_function(name, snapshot.args, self.names, self.job)

    def answer_system(self, name: str, args: tuple[Any, ...]) -> dict[str, Any] | None:
        """The answer to an operation of the system; None: Monty's own."""
        if name == "os.environ":
            return {"return_value": dict(self.job.environment)}
        if name == "os.getenv" and args[0] in self.job.environment:
            return {"return_value": self.job.environment[args[0]]}
        return names.answer_system_call(name, args, self.names)

    def given(self, wanted: WantedCall, value: Any) -> Any:  # noqa: ARG002 - targets look at it
        """What the script gets for the tool's value."""
        return value

    def failed(self, wanted: WantedCall, error: BaseException) -> BaseException:  # noqa: ARG002
        """What the script catches where the tool failed."""
        return error

    def report(self, kind: str, text: str, display: str) -> Any:
        """What the target's reply is made of where the script failed: the class of Monty's error, its text, and the
        text with a traceback."""
        return {"kind": kind, "text": text, "display": display}


class TargetConvention(Convention):
    """What targets have in common: nothing of the studio's own, and nothing of the system but what Monty has."""

    filename = "main.py"

    def given_ahead(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        return dict(variables)

    def value(self, name: str) -> Any:
        raise KeyError(name)

    def answer_other(self, snapshot: FunctionSnapshot) -> dict[str, Any]:
        return {"exc_type": "NameError", "message": f"name {snapshot.function_name!r} is not defined"}

    def answer_system(self, name: str, args: tuple[Any, ...]) -> dict[str, Any] | None:
        if name == "os.getenv" and args[0] in self.job.environment:
            return {"return_value": self.job.environment[args[0]]}
        if name == "os.environ" and self.job.environment:
            return {"return_value": dict(self.job.environment)}
        return None

    def arguments(self, snapshot: FunctionSnapshot) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The positional and the named arguments, without Monty's stand-ins."""
        return tuple(map(plain, snapshot.args)), {key: plain(value) for key, value in snapshot.kwargs.items()}

    def tool(self, name: str) -> str | None:
        """The tool that a name of the target leads to."""
        assert self.job.frame is not None
        return self.job.frame.names.get(name)
