"""A registry as a source: what the studio asks of it, from any thread, and each of its tools."""

import inspect
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.core.tools import JsonSchema, LoadedTools, LoadError, Permission, Ticket, ToolSpec
from ptc_studio.sources.async_thread import AsyncThread
from ptc_studio.sources.functions.definitions import Stdio, unchanged_stdio
from ptc_studio.sources.functions.schema import first_paragraph, name_errors
from ptc_studio.sources.schema_tool import SchemaTool, signature_of, twin_of
from ptc_studio.sources.source import EntrySource, SourceFailed, Status
from ptc_studio.sources.toolregistry.entry import ToolRegistryEntry
from ptc_studio.sources.toolregistry.registry_module import BoundedImport, ImportFailed, RegistryModule, registry_in

if TYPE_CHECKING:
    from toolregistry import Tool as Original
    from toolregistry import ToolRegistry


class RegistryTool:
    """Calls the original itself: its value and its very exception are the script's."""

    def __init__(
        self, registry: "ToolRegistry", original: "Original", source: str, stdio: Stdio, async_thread: AsyncThread
    ) -> None:
        self.original = original
        self._registry = registry
        self._stdio = stdio
        self._async_thread = async_thread
        self.spec = _spec(registry, original, source)
        self._checked = SchemaTool(self.spec, self.invoke)

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if self.original.parameters_model is None:
            return self._checked.bind(arguments)
        schema = self.spec.parameters
        known = schema.get("properties", {})
        given = [name for name in arguments if name in known or not schema.get("additionalProperties")]
        if errors := name_errors(given, schema.get("required", ()), list(known)):
            raise UnfitArguments(self.spec.name, "; ".join(errors))
        try:
            return self.original.validate_parameters(dict(arguments))
        except Exception as error:  # noqa: BLE001 - the library's, and those of a user's own types
            raise UnfitValues(self.spec.name, _reason(error)) from None

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        self._check_access(arguments)
        if self.original.metadata.is_async:
            return self._async_thread.run(self._invoke_async(arguments, ticket), ticket)
        with self._stdio(ticket.run_id):
            value = self.original.callable.call_sync(**arguments)  # type: ignore[attr-defined]
        if inspect.isawaitable(value):
            return self._async_thread.run(self._finish(value, ticket), ticket)
        return value

    async def _invoke_async(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        with self._stdio(ticket.run_id):
            return await self.original.callable.call_async(**arguments)  # type: ignore[attr-defined]

    async def _finish(self, value: Awaitable[Any], ticket: Ticket) -> Any:
        with self._stdio(ticket.run_id):
            return await value

    def _check_access(self, arguments: dict[str, Any]) -> None:
        """What the registry itself forbids stays forbidden."""
        name = self.original.name
        if not self._registry.is_enabled(name):
            raise PermissionError(f"{self.spec.name!r} is disabled: {self._registry.get_disable_reason(name) or name}")
        ruled, reason = _ruled(self._registry, self.original, arguments)
        if ruled == "deny":
            raise PermissionError(f"{self.spec.name!r} is denied by its registry's policy{reason}.")
        if ruled == "ask" and self.spec.permission == "allow":
            raise PermissionError(
                f"The policy of its registry wants a person to be asked before {self.spec.name!r}{reason}: "
                "set its permission to ask."
            )


def tool_name(registry: "ToolRegistry", original: "Original") -> str:
    """The tool's name with a dot after its namespace."""
    space, method = original.namespace, original.method_name
    if space and method and original.name == f"{space}{registry.name_sep}{method}":
        return f"{space}.{method}"
    return original.name


def _spec(registry: "ToolRegistry", original: "Original", source: str) -> ToolSpec:
    name = f"{source}.{tool_name(registry, original)}"
    twins = (*([f"{source}.{original.name}"] if name != f"{source}.{original.name}" else []), *twin_of(name))
    doc = inspect.cleandoc(original.description or "")
    schema = {"additionalProperties": False, **original.parameters}
    function = original.fn if original.parameters_model is not None else None
    return ToolSpec(
        name=name,
        description=first_paragraph(doc),
        parameters=schema if function is not None else original.parameters,
        source=source,
        signature=signature_of(original.parameters),
        doc=doc,
        also=twins,
        origin=_origin(function) or f"ToolRegistry {registry.name}",
        timeout=original.metadata.timeout,
        permission=_permission(registry, original),
        output=_output(function),
    )


def _origin(function: Any) -> str:
    code = getattr(inspect.unwrap(function), "__code__", None) if function is not None else None
    return f"{code.co_filename}:{code.co_firstlineno}" if code is not None else ""


def _output(function: Any) -> JsonSchema | None:
    """The schema of what the function says that it gives."""
    from pydantic import TypeAdapter

    try:
        returned = inspect.signature(function, eval_str=True).return_annotation
        if returned is inspect.Signature.empty or returned is Any:
            return None
        return TypeAdapter(returned).json_schema(mode="serialization")
    except Exception:  # noqa: BLE001 - an annotation is any expression of the user's, and need not have a schema
        return None


def _permission(registry: "ToolRegistry", original: "Original") -> Permission:
    return _ruled(registry, original, {})[0]


def _ruled(registry: "ToolRegistry", original: "Original", arguments: dict[str, Any]) -> tuple[Permission, str]:
    """What the registry's policy says of a call, and why; a rule that fails wants a person."""
    policy = registry.get_permission_policy()
    if policy is None:
        return "allow", ""
    try:
        outcome = policy.evaluate(original, arguments)
    except Exception as error:  # noqa: BLE001 - a rule is a user's own function
        return "ask", f": its rule failed ({type(error).__name__})"
    result = getattr(outcome, "result", outcome)
    reason = getattr(outcome, "reason", "")
    permission: Permission = {"allow": "allow", "deny": "deny"}.get(str(getattr(result, "value", result)), "ask")  # type: ignore[assignment]
    return permission, f": {reason}" if reason else ""


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    _, colon, told = text.partition("validation error(s): ")
    return told if colon else text or type(error).__name__


if TYPE_CHECKING:
    from toolregistry import ToolRegistry


class ToolRegistrySource(EntrySource):
    """The tools of one registry. The constructor imports nothing; the first `refresh` does."""

    def __init__(self, entry: ToolRegistryEntry, *, folder: Path, stdio: Stdio = unchanged_stdio) -> None:
        super().__init__(entry.name)
        self._entry = entry
        self._label = f"The module {entry.module!r}"
        self._module = RegistryModule(entry.name, entry.module, folder)
        self._import = BoundedImport(self._label, entry.start_timeout)
        self._stdio = stdio
        self._async_thread = AsyncThread()
        self._registry: ToolRegistry | None = None
        self._tools: dict[str, RegistryTool] = {}

    def refresh(self) -> LoadedTools:
        loaded = super().refresh()
        if not loaded.tools and loaded.errors and self.status.state == "ready":
            self._set(Status("failed", loaded.errors[0].message))
        return loaded

    def load(self) -> LoadedTools:
        if self._registry is None or self._module.changed():
            self._registry = None
            try:
                self._registry = self._import.run(self._found)
            except ImportFailed as failure:
                return LoadedTools(errors=(failure.error,))
        return self._listed(self._registry)

    def changed(self) -> bool:
        if self._module.changed() or self._registry is None:
            return self._module.changed()
        # A program may register tools at any time.
        now = {name: self._registry.get_tool(name) for name in self._registry.list_tools()}
        return now.keys() != self._tools.keys() or any(self._tools[name].original is not now[name] for name in now)

    def reload(self) -> None:
        self._registry = None
        super().reload()

    def close(self) -> None:
        super().close()
        self._module.close()
        self._async_thread.close()

    def _found(self) -> "ToolRegistry":
        return registry_in(self._module.load(), self._entry.object, self._label)

    def _listed(self, registry: "ToolRegistry | None") -> LoadedTools:
        if registry is None:
            raise SourceFailed(f"{self._label} has no ToolRegistry.")
        kept, self._tools = self._tools, {}
        first: dict[str, RegistryTool] = {}
        errors: list[LoadError] = []
        for key in registry.list_tools():
            original = registry.get_tool(key)
            if original is None:
                continue
            before = kept.get(key)
            same = before is not None and before.original is original
            tool = self._tools[key] = before if before is not None and same else self._tool(registry, original)
            if first.setdefault(tool.spec.name, tool) is not tool:
                message = f"There are two tools that would be {tool_name(registry, original)!r}: {key!r} is left out."
                errors.append(LoadError(self._entry.name, self._entry.module, None, message))
        return LoadedTools(tuple(first.values()), tuple(errors))

    def _tool(self, registry: "ToolRegistry", original: Any) -> RegistryTool:
        return RegistryTool(registry, original, self._entry.name, self._stdio, self._async_thread)
