"""What is declared of real tools passes a real compiler, with every message that it has."""

from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.registry import EVERYTHING, Registry
from ptc_studio.exports import definitions
from ptc_studio.locations import SAMPLE_TOOLS
from ptc_studio.sources.functions import FunctionCatalog
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.source import McpSource
from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.sources.openapi.source import OpenApiSource
from ptc_studio.sources.references import References
from tests.sources.mcp.conftest import everything as everything
from tests.sources.openapi.conftest import github as github
from tests.typescript import deno_complaints


def declared(tools: Any) -> str:
    registry = Registry()
    for tool in tools:
        registry.register(tool)
    text = definitions(registry.targets(EVERYTHING), "dts")
    assert isinstance(text, str)
    return text


def test_of_the_sample_tools(tmp_path: Path) -> None:
    folder = FunctionCatalog(SAMPLE_TOOLS)
    try:
        text = declared(folder.refresh().tools)
    finally:
        folder.close()
    script = 'await tools.calc.mul({ a: 1, b: 2 });\nawait tools.calc.mul({ a: "x", b: 2 });'
    assert deno_complaints(tmp_path, tools=text, script=script) == [("script.ts", 2, 24)]


def test_of_the_reference_server(everything: str, tmp_path: Path) -> None:
    source = McpSource(McpEntry(name="everything", command="node", args=(everything, "stdio")))
    try:
        text = declared(source.refresh().tools)
    finally:
        source.close()
    script = 'await tools.everything.echo({ message: "x" });\nawait tools.everything.echo({ messag: "x" });'
    assert deno_complaints(tmp_path, tools=text, script=script) == [("script.ts", 2, 31)]


@pytest.mark.slow
def test_of_a_large_document(github: Path, tmp_path: Path) -> None:
    source = OpenApiSource(
        OpenApiEntry(name="github", document=str(github)), folder=tmp_path, references=References({}.get, {})
    )
    try:
        text = declared(source.refresh().tools)
    finally:
        source.close()
    script = (
        'const repo = await tools.github.repos.get({ owner: "a", repo: "b" });\n'
        "console.log(repo.full_name.length);\nconsole.log(repo.full_nam);"
    )
    assert deno_complaints(tmp_path, tools=text, script=script) == [("script.ts", 3, 18)]
