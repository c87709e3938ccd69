"""Every promise of SECURITY.md names a test that exists."""

import ast
import re
from pathlib import Path

from ptc_studio.core.python_text import parsed

ROOT = Path(__file__).resolve().parents[1]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_every_test_that_is_named_is_there():
    named = NAMED.findall((ROOT / "SECURITY.md").read_text())
    assert len(named) > 30
    missing = [f"{file}::{name}" for file, name in named if name not in _tests_of(ROOT / file)]
    assert missing == []


def test_every_runtime_and_every_kind_of_source_is_told_of():
    text = (ROOT / "SECURITY.md").read_text()
    runtimes = [path.parent.name for path in (ROOT / "runtimes").glob("*/runtime.toml")]
    assert [name for name in runtimes if f"`{name}`" not in text] == []
    from ptc_studio.sources.kinds import KINDS

    assert [kind for kind in KINDS if not re.search(rf"^\| .*\b{kind}\b.* \|", text, re.MULTILINE)] == []


def test_everyone_who_is_not_trusted_and_every_source_has_a_test_of_what_holds():
    text = (ROOT / "SECURITY.md").read_text()
    not_trusted = [row for row in _rows(text, "## Who is trusted") if row.split(" | ")[1].startswith(("no", "not "))]
    sources = _rows(text, "## Tools, by source")
    assert (len(not_trusted), len(sources)) == (5, 7)
    assert [row for row in (*not_trusted, *sources) if not NAMED.search(row)] == []


def _rows(text: str, heading: str) -> list[str]:
    """The rows of the table below the heading."""
    section = text.partition(f"{heading}\n")[2].partition("\n## ")[0]
    return [line for line in section.splitlines() if line.startswith("| ")][1:]


def _tests_of(file: Path) -> set[str]:
    if not file.is_file():
        return set()
    return {
        node.name
        for node in ast.walk(parsed(file.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
