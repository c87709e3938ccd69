"""A script as a tool."""

from pathlib import Path
from typing import Any

from ptc_studio.core.calls import Call
from ptc_studio.core.scripts import RunScript, Script, ScriptCall
from ptc_studio.core.tools import Ticket, ToolSpec
from ptc_studio.sources.declared_schema import declared_schema
from ptc_studio.sources.derived_schema import UnfitParameters, with_defaults
from ptc_studio.sources.schema_tool import SchemaTool, signature_of, twin_of
from ptc_studio.sources.script.entry import ScriptEntry
from ptc_studio.sources.script.script_text import UnreadableScript, documentation, first_paragraph, read_script
from ptc_studio.sources.source import SourceFailed


def script_tool(entry: ScriptEntry, path: Path, run_script: RunScript) -> SchemaTool:
    """The tool that runs the script as its file has it now; raises SourceFailed."""
    try:
        schema = declared_schema(entry.parameters)
        script = Script(read_script(path), entry.path, str(path.parent))
    except UnfitParameters as error:
        raise SourceFailed(f"The script {entry.name!r} cannot be a tool: {error}.") from None
    except UnreadableScript as error:
        raise SourceFailed(f"The script {entry.path!r} of {entry.name!r} cannot be read: {error}.") from None

    def answer(arguments: dict[str, Any], ticket: Ticket) -> Any:
        assert isinstance(ticket, Call)
        text = (entry.output or {}).get("type") == "string"
        return run_script(ScriptCall(script, entry.runtime, with_defaults(arguments, schema), ticket, text))

    return SchemaTool(_spec(entry, path, schema, script), answer)


def _spec(entry: ScriptEntry, path: Path, schema: dict[str, Any], script: Script) -> ToolSpec:
    doc = documentation(script.code, entry.path)
    return ToolSpec(
        name=entry.name,
        description=entry.description or first_paragraph(doc) or f"Runs the script {entry.path}.",
        parameters=schema,
        source=entry.name,
        signature=signature_of(schema),
        doc=entry.description or doc,
        also=twin_of(entry.name),
        origin=f"{path}:1",
        output=entry.output,
    )
