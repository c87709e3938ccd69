"""Programs in the manner of each target: what they say of themselves at their end is what comes of them here."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import DeploymentTarget, all_targets, target_ids
from tests.targets.conftest import Deployed

PROGRAMS = Path(__file__).parent / "programs"
FILES = sorted(path for path in PROGRAMS.rglob("*") if path.suffix in (".py", ".mjs", ".ts"))
SAID = re.compile(r"^(?:#|//) (SEES|WARNS): (.*)$", re.MULTILINE)


def said_by(path: Path) -> dict[str, str]:
    return dict(SAID.findall(path.read_text()))


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("target", sorted({path.parent.name for path in FILES}))
async def test_a_program_runs_here_as_there_or_is_warned_of_at_its_line(target: str, deployed: Deployed):
    for path in FILES:
        if path.parent.name == target:
            # On a busy machine a limit of five seconds is up before a program has begun.
            record = await deployed.run(target, path.read_text(), filename=path.name, timeout=50)
            assert (path.name, record["target"]) == (path.name, target)
            expect(said_by(path), record)


NAMES = "Object.getOwnPropertyNames(globalThis)"
SHOWN = {
    "openai": f"text(await tools.add({{a: 1, b: 2}}) && {NAMES})",
    "openai-codex": f"text({NAMES})",
    "goose": f"record_result({NAMES})",
    "mcp-files": f"console.log(JSON.stringify({NAMES}))",
    "pctx": f"async function run() {{ return {NAMES} }}",
    "cloudflare": f"async () => {NAMES}",
    "deepagents": f"console.log(JSON.stringify({NAMES}))",
}
"""How a script shows what it finds defined; elsewhere it returns it."""


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("target", [each for each in all_targets() if each.globals], ids=lambda target: target.id)
async def test_whatever_a_script_finds_defined_there_is_known(target: DeploymentTarget, deployed: Deployed):
    record = await deployed.run(target.id, SHOWN.get(target.id, f"return {NAMES}"), timeout=50)
    tools = {name.partition(".")[0] for name in target.names(deployed.studio.session().visible_tools())}
    found = set(re.findall(r"[A-Za-z_]\w+", f"{record['value'] or ''} {record['stdout']}"))
    assert record["status"] == "ok"
    assert {"Array", "decodeURI", "isNaN"} <= found
    assert found - target.globals - tools == set()


def timeless(sees: Any) -> Any:
    """What the model sees without the time that it took, which is never the same."""
    return re.sub(r"Wall time \d+\.\d seconds", "Wall time N.N seconds", sees) if isinstance(sees, str) else sees


def expect(said: dict[str, str], record: RunRecord) -> None:
    if "WARNS" in said:
        line, _, words = said["WARNS"].partition(" ")
        found = [warning for warning in record["warnings"] if words in warning["message"]]
        assert [warning["line"] for warning in found][:1] == [int(line)], (said, record["warnings"])
        assert re.search(r"\((known|likely)", found[0]["message"])
        return
    assert (record["status"], record["error"], record["warnings"]) == ("ok", None, []), said
    assert record["calls"], f"a program that calls nothing proves nothing: {said}"
    assert timeless(record["model_sees"]) == json.loads(said["SEES"])


def test_every_target_has_four_programs_and_two_of_them_are_warned_of():
    counts: dict[str, list[Any]] = {target: [] for target in target_ids()}
    for path in FILES:
        counts.setdefault(path.parent.name, []).append("WARNS" in said_by(path))
    few = {name: warned for name, warned in counts.items() if len(warned) < 4 or sum(warned) < 2}
    assert not few
