"""Programs in the manner of each target: what they say of themselves at their end is what comes of them here."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import CheckedScript, DeploymentTarget, UnknownTarget, all_targets, recognise, target_ids
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


OTHERS_MANNER = "written in the manner of another target, which is what it is warned of"
ORDINARY = "nothing in it is the target's own"
UNTOLD = {
    "anthropic/warned_keyword_arguments.py": OTHERS_MANNER, "fastmcp/warned_direct_call.py": OTHERS_MANNER,
    "tanstack/warned_bare_name.ts": OTHERS_MANNER,
    "openai-codex/warned_unawaited.mjs": "Codex's and OpenAI's programs look the same without a function of Codex's own",
    "ironclaw/warned_direct_call.py": ORDINARY, "ironclaw/warned_object_result.py": ORDINARY,
    "ms-codeact/warned_dict.py": ORDINARY, "ms-codeact/warned_direct_call.py": ORDINARY,
    "monty/external_functions.py": ORDINARY, "monty/returned.py": ORDINARY, "monty/warned_generator.py": ORDINARY,
    "monty/warned_missing_input.py": ORDINARY,
    "pydantic-ai/warned_clock.py": ORDINARY, "pydantic-ai/warned_positional.py": ORDINARY,
    "toolregistry/caught_failure.py": ORDINARY, "toolregistry/totals.py": ORDINARY,
    "toolregistry/warned_import.py": ORDINARY, "toolregistry/warned_positional.py": ORDINARY,
    "deepagents/warned_network.ts": ORDINARY, "deepagents/warned_text_as_object.ts": ORDINARY,
    "openai-codex/warned_import.mjs": ORDINARY, "utcp/warned_last_expression.mjs": ORDINARY,
    "utcp-python/warned_await.py": "`await` rules the target out",
}  # fmt: skip
"""Programs whose text cannot tell their target, and why; all of them but those of others are taken for plain."""


@pytest.mark.parametrize("filename", [None, "<stdin>"])
def test_auto_tells_the_target_of_every_program_or_asks(filename: str | None):
    """What one vendor replies in two ways is told as the first of its targets."""
    told: dict[str, str] = {}
    for path in FILES:
        name = f"{path.parent.name}/{path.name}"
        try:
            found = recognise(CheckedScript(path.read_text(), filename or path.name)).target.id
        except UnknownTarget as error:
            found = path.parent.name if f"--target {path.parent.name}" in str(error) else str(error)
        if found != path.parent.name.removesuffix("-mcp"):
            told[name] = found
    assert set(told) == set(UNTOLD)
    assert {name for name, found in told.items() if found != "plain"} == {
        name for name, why in UNTOLD.items() if why == OTHERS_MANNER or name.startswith("openai-codex/warned_un")
    }
