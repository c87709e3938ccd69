"""Which sources a script is taken to use, by its text."""

from pathlib import Path

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.sources.on_demand import ANY_LANGUAGE, sources_meant, sources_nearly_of_tool

NAMES = ("everything", "my-api", "time")


def meant(code: str, language: str = "python", *more: str, directory: Path | None = None) -> set[str]:
    script = Script(code, "script", str(directory) if directory else None)
    return sources_meant(script, language, more, {"cheap": "my-api.price"}, NAMES)


@pytest.mark.parametrize(
    ("code", "language", "found"),
    [
        ("print(1)", "python", set()),
        ("everything.echo(text='a')", "python", {"everything"}),
        ("my_api.get_pets()", "python", {"my-api"}),
        ("call_tool('my-api.get-pets')", "python", {"my-api"}),
        ("import datetime; timeout = lifetime = 1", "python", set()),
        ("cheap(qty=1)", "python", {"my-api"}),
        ("for name in names: call_tool(name)", "python", set()),
        ("for name in dir(): print(name)", "python", set(NAMES)),
        ("getattr(aio, name)()", "python", set(NAMES)),
        ("await aio.everything.echo()", "python", {"everything"}),
        ("await tools.everything.echo({})", "javascript", {"everything"}),
        ("for (const name in tools) console.log(name)", "javascript", set(NAMES)),
        ("await tools[name]({})", "typescript", set(NAMES)),
        ("everything.echo --text hi", "bash", {"everything"}),
        ('echo "$name"', "bash", set()),
        ("$name --text hi", "bash", set(NAMES)),
        ('ptc.CallTool("time.now", nil)', "go", {"time"}),
        ("eval", ANY_LANGUAGE, set(NAMES)),
    ],
)
def test_a_script_means_the_sources_that_its_text_names(code: str, language: str, found: set[str]):
    assert meant(code, language) == found


def test_what_is_granted_or_mocked_is_meant_as_well():
    assert meant("print(1)", "python", "time.*") == {"time"}


def test_files_that_the_script_imports_count_as_its_text(tmp_path: Path):
    (tmp_path / "helper.py").write_text("from deeper import go\n")
    (tmp_path / "deeper.py").write_text("from __main__ import everything\n")
    (tmp_path / "other.py").write_text("my_api.get_pets()\n")
    assert meant("print(1)  # a helper", directory=tmp_path) == set()
    assert meant("import helper", directory=tmp_path) == set(NAMES)
    (tmp_path / "deeper.mjs").write_text("export const go = () => tools.everything.echo({});\n")
    assert meant('import { go } from "./deeper.mjs";', "javascript", directory=tmp_path) == {"everything"}


def test_the_name_of_a_tool_leads_to_its_source_or_to_one_of_nearly_that_name():
    assert sources_nearly_of_tool("my_api.get_pets", NAMES) == ["my-api"]
    assert sources_nearly_of_tool("everythin.echo", NAMES) == ["everything"]
    assert sources_nearly_of_tool("shop.price", NAMES) == []
    assert sources_nearly_of_tool("everything", NAMES) == []
