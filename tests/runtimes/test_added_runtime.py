"""A language is added by a folder: the worked example of CONTRIBUTING.md, put where the user's own runtimes are."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.locations import SAMPLE_TOOLS
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.stdio import StdioRouter
from tests.runtimes import stopping
from tests.support import Engine

ADDED = Path(__file__).parent / "added"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's own settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "ptc-studio"


@pytest.fixture
def ruby(home: Path):
    shutil.copytree(ADDED / "ruby", home / "runtimes" / "ruby")
    catalog = RuntimeCatalog(StdioRouter(), spare=0)
    catalog.choose("ruby", "")
    yield catalog.get("ruby")
    catalog.close()


async def test_tools_are_called_and_values_and_errors_come_back(ruby: Any, shop: Engine):
    code = """
puts [add(1, 2), add(a: 1), calc.mul(2, 3), deep.calc.mul(a: 2, b: 4), call_tool("server.get-sum")].inspect
begin
  fail(kind: "key")
rescue ToolError => error
  puts "#{error.type} #{error.message}"
end
echo({ "deep" => [1.5, nil, "é"] })
"""
    record = await shop.execute(code, ruby)
    assert record["error"] is None
    assert record["stdout"] == "[3, 3, 6, 8, 1]\nKeyError 'sku'\n"
    assert record["value"] == {"deep": [1.5, None, "é"]}
    assert [call["line"] for call in record["calls"]] == [2, 2, 2, 2, 2, 4, 8]


async def test_an_uncaught_error_has_its_line_and_the_process_is_confined(ruby: Any, shop: Engine):
    record = await shop.execute("puts 'before'\nputs File.exist?('/etc/shadow')\nadd(1)\nfail(kind: 'key')\n", ruby)
    assert (record["status"], record["stdout"], record["isolation"]) == ("error", "before\nfalse\n", "bubblewrap")
    assert (record["error"]["type"], record["error"]["line"]) == ("KeyError", 4)


async def test_time_and_output_have_their_limits(ruby: Any, shop: Engine):
    session, script = Session(shop.executor), Script("puts 'on'\nloop {}\n")
    record = await stopping.out_of_time(lambda: stopping.written(shop) == "on\n", shop, session, script, ruby)
    assert (record["status"], record["stdout"]) == ("timeout", "on\n")


def test_the_command_line_finds_it_by_its_ending(home: Path):
    shutil.copytree(ADDED / "ruby", home / "runtimes" / "ruby")
    command = [sys.executable, "-m", "ptc_studio.cli.main", "run", str(ADDED / "ruby" / "example.rb"), "--json"]
    told = subprocess.run([*command, "--functions", str(SAMPLE_TOOLS)], capture_output=True, check=True)
    record = json.loads(told.stdout)
    assert record["runtime"] == "ruby"
    assert record["stdout"].splitlines()[0] == "LookupError: nobody here is called 'Nobody'"


def test_a_folder_that_is_wrong_is_told_and_hides_nothing(home: Path):
    (home / "runtimes" / "odd").mkdir(parents=True)
    (home / "runtimes" / "odd" / "runtime.toml").write_text("id = 3")
    catalog = RuntimeCatalog(StdioRouter(), spare=0)
    assert catalog.choose("python", "").available
    assert len(catalog.faults) == 1
    assert "odd" in catalog.faults[0]
