"""The window lives on beside hostile documents, servers and scripts: what is typed meanwhile arrives, the next run works."""

import itertools
import json
import os
import sys
from typing import Any

import pytest

from ptc_studio.ui.workspace_edits import WorkspaceEdits
from tests.e2e.test_hostile import SERVER, assert_clear, documents, servers

MOST = int(os.environ.get("PTC_HOSTILE", "0"))
DOCUMENTS, SERVERS = MOST or 8, MOST or 3
"""A hundred of each take minutes: PTC_HOSTILE=100."""
SCRIPTS = (
    "print('<img src=/dev/zero>\\u202e\\x1b[2J' * 2000)",
    "call_tool('\\ud800<b>' + 'x' * 100_000)",
    "raise type('<img>\\u202e', (Exception,), {})('\\x1b[2J' * 500)",
    "import os; os.kill(os.getpid(), 11)",
)


@pytest.mark.slow
async def test_the_window_lives_on(studio: Any):
    context, workspace = studio.window.context, studio.workspace
    entries: list[dict[str, Any]] = []
    for number, document in enumerate(itertools.islice(documents(), DOCUMENTS)):
        (workspace / f"{number}.json").write_bytes(json.dumps(document).encode("utf-8", "surrogatepass"))
        entries.append({"kind": "openapi", "name": f"document{number}", "document": f"{number}.json"})
    for number, answers in enumerate(itertools.islice(servers(), SERVERS)):
        (workspace / f"answers{number}.json").write_text(json.dumps(answers))
        code = SERVER.replace("sys.argv[1]", "open(sys.argv[1]).read()")
        arguments = ["-I", "-S", "-c", code, str(workspace / f"answers{number}.json")]
        entries.append(
            {
                "kind": "mcp",
                "name": f"server{number}",
                "command": sys.executable,
                "args": arguments,
                "start_timeout": 2.0,
            }
        )
    await WorkspaceEdits(context).add_sources(*entries)
    typed = await studio.run("print('typed meanwhile')")
    assert typed["stdout"] == "typed meanwhile\n"
    source_set = context.workbench.studio.source_set

    def settled() -> bool:
        found = [
            each.status.state for each in source_set.loaded_sources if each.name in {one["name"] for one in entries}
        ]
        return len(found) == len(entries) and "loading" not in found

    await studio.until(settled, 60 + 5 * MOST)
    for each in source_set.loaded_sources:
        if each.status.state == "failed":
            assert_clear(each.status.detail)
    for script in SCRIPTS:
        record = await studio.run(script)
        assert record["status"] in ("ok", "error", "crashed")
    assert (await studio.run("print(1)"))["stdout"] == "1\n"
    assert studio.window.isVisible()
