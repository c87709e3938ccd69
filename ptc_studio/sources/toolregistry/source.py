"""The source: what the studio asks of a registry, from any thread."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptc_studio.core.tools import LoadedTools, LoadError
from ptc_studio.sources.entry_source import EntrySource
from ptc_studio.sources.functions.async_thread import AsyncThread
from ptc_studio.sources.functions.invocation import Stdio, unchanged_stdio
from ptc_studio.sources.source import SourceFailed, Status
from ptc_studio.sources.toolregistry.entry import ToolRegistryEntry
from ptc_studio.sources.toolregistry.registry_module import BoundedImport, ImportFailed, RegistryModule, registry_in
from ptc_studio.sources.toolregistry.registry_tool import RegistryTool, tool_name

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
