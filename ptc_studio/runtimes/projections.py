"""Makes every runtime a `CodeRuntime`: plain projections become tools of a registry of their own."""

import inspect
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from ptc_studio.core.codec import displayable, encode
from ptc_studio.core.errors import UnserialisableValue
from ptc_studio.core.executor import Executor
from ptc_studio.core.registry import Registry
from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import ImportedObject, Job, Script, ScriptResult
from ptc_studio.core.session import Session
from ptc_studio.core.tools import Parameter, Ticket, ToolSpec
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.protocol import CodeResult, DirectProjection, ToolProjection, validate_namespace

NO_LIMIT = 10 * 365 * 24 * 3600.0
TIMED_OUT = "TimeoutError: execution timed out"


class ExecutesProjections:
    """A runtime's `execute`, made of its `run`: these calls, too, go through an executor."""

    id: str
    isolation: str
    shares_objects = False
    """Whether scripts run in this very interpreter, and can be given anything."""
    imports_modules = False
    """Whether a script can be given what it could import."""

    async def run(self, job: Job) -> ScriptResult:
        raise NotImplementedError

    def warm(self, memory_mb: int | None = None) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    async def execute(
        self,
        code: str,
        namespace: Mapping[str, ToolProjection],
        *,
        timeout: float | None = None,
        extra_globals: Mapping[str, Any] | None = None,
    ) -> CodeResult:
        """Runs the code with the projections as its tools, and nothing else."""
        validate_namespace(namespace)
        values = {name: value for name, value in (extra_globals or {}).items() if name not in namespace}
        try:
            sent = values if self.shares_objects else {name: self._given(name, each) for name, each in values.items()}
        except UnserialisableValue as error:
            return CodeResult("", "", 1, f"ValueError: {error}")
        functions = {name: value for name, value in sent.items() if isinstance(value, DirectProjection)}
        registry = Registry()
        for projection in (*namespace.values(), *functions.values()):
            registry.register(ProjectedTool(projection))
        limits = Limits(timeout=timeout or NO_LIMIT, call_timeout=timeout or NO_LIMIT, call_timeout_cap=NO_LIMIT)
        session = Session(Executor(registry), limits=limits)
        others = {name: value for name, value in sent.items() if name not in functions}
        return _code_result(await session.execute(Script(code), self, others))

    def _given(self, name: str, value: Any) -> Any:
        """What a script elsewhere has of it: the value, the same import, or a function that is called here."""
        try:
            encode(value)
        except UnserialisableValue as error:
            reason = error
        else:
            return value
        where = importable(value) if self.imports_modules else None
        if where is not None:
            return where
        if callable(value) and not isinstance(value, type):
            return DirectProjection(name, value, inspect.getdoc(value))
        raise UnserialisableValue(f"A script of {self.id!r} cannot be given {name!r}: {reason}.")


def importable(value: Any) -> ImportedObject | None:
    """Where any Python imports the very same from: a module, or a part of the standard library."""
    if isinstance(value, ModuleType):
        return ImportedObject(value.__name__)
    module, path = getattr(value, "__module__", None) or "", getattr(value, "__qualname__", "")
    if module.partition(".")[0] not in sys.stdlib_module_names or module == "__main__" or "<" in path:
        return None
    found: Any = sys.modules.get(module)
    for step in path.split("."):
        found = getattr(found, step, None)
    return ImportedObject(module, path) if found is value else None


def _code_result(record: RunRecord) -> CodeResult:
    """As the protocol has it: 0 after a clean end, 1 after any other that has no status of the script's own."""
    error, status = record["error"], record["status"]
    if error is None:
        return CodeResult(record["stdout"], record["stderr"], 0 if status == "ok" else record["return_code"] or 1)
    text = error["traceback"] or f"{error['type']}: {error['message']}"
    if status == "timeout":
        where = [line for line in error["traceback"].splitlines() if not line.endswith("ScriptStopped")]
        return CodeResult(record["stdout"], record["stderr"], 1, "\n".join((*where, TIMED_OUT)))
    return CodeResult(record["stdout"], record["stderr"], record["return_code"] or 1, text)


class ProjectedTool:
    """A projection as a tool. Its arguments are its own business: nothing is known of them but their names."""

    def __init__(self, projection: ToolProjection) -> None:
        self._projection = projection
        doc = projection.doc or ""
        self.spec = ToolSpec(
            projection.name,
            doc,
            {"type": "object"},
            "projection",
            signature=_signature(getattr(projection, "fn", None)),
            doc=doc,
        )

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return dict(arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        del ticket
        return self._projection(**arguments)


def _signature(function: Any) -> tuple[Parameter, ...]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    plain = (
        parameter
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    )
    return tuple(
        Parameter(
            parameter.name,
            parameter.default is parameter.empty,
            None if parameter.default is parameter.empty else displayable(parameter.default),
            keyword_only=parameter.kind is parameter.KEYWORD_ONLY,
        )
        for parameter in plain
    )
