"""Makes every runtime a `CodeRuntime`: plain projections become tools of a registry of their own."""

import inspect
from collections.abc import Mapping
from typing import Any

from ptc_studio.core.codec import displayable
from ptc_studio.core.executor import Executor
from ptc_studio.core.registry import Registry
from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Job, Script, ScriptResult
from ptc_studio.core.session import Session
from ptc_studio.core.tools import Parameter, Ticket, ToolSpec
from ptc_studio.runtimes.protocol import CodeResult, ToolProjection, validate_namespace

NO_LIMIT = 10 * 365 * 24 * 3600.0


class ExecutesProjections:
    """A runtime's `execute`, made of its `run`: these calls, too, go through an executor."""

    id: str
    isolation: str

    async def run(self, job: Job) -> ScriptResult:
        raise NotImplementedError

    def warm(self) -> None:
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
        registry = Registry()
        for projection in namespace.values():
            registry.register(ProjectedTool(projection))
        limits = Limits(timeout=timeout or NO_LIMIT, call_timeout=timeout or NO_LIMIT, call_timeout_cap=NO_LIMIT)
        session = Session(Executor(registry), limits=limits)
        record = await session.execute(Script(code), self, extra_globals)
        error = record["error"]
        code_ok = record["status"] == "ok"
        return CodeResult(
            stdout=record["stdout"],
            stderr=record["stderr"],
            return_code=0 if code_ok else record["return_code"] or 1,
            error=None if error is None else error["traceback"] or f"{error['type']}: {error['message']}",
        )


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
