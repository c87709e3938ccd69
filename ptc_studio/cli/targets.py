"""Where scripts are deployed, in the terminal: `targets`, `check`, and what `run` is told of the target."""

import json
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ptc_studio.app import Setup, Studio
from ptc_studio.cli.open_studio import UsageError, complain_of, open_studio, print_json, read_script
from ptc_studio.cli.terminal import Terminal
from ptc_studio.core.scripts import Script
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.catalog import RuntimeInfo
from ptc_studio.storage.saved_inputs import check_input_name, check_variable_name, read_inputs
from ptc_studio.targets import (
    CheckedScript,
    DeploymentTarget,
    Destination,
    Finding,
    Given,
    all_targets,
    find_target,
    recognise,
)
from ptc_studio.targets import (
    check as check_script,
)
from ptc_studio.targets.catalog import AUTO, PLAIN

ALL = "all"
ENDINGS = {"javascript": ".mjs", "typescript": ".ts"}


async def targets(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio targets`"""
    studio = Studio(Setup(spare_processes=0))
    try:
        infos = {info.id: info for info in await studio.in_thread(studio.runtimes.discover)}
    finally:
        await studio.close()
    records = [target_record(target, infos.get(target.runtime)) for target in all_targets()]
    if options.json:
        print_json({"targets": records}, terminal)
        return 0
    for record in records:
        mark = terminal.paint("✓", "ok") if record["available"] else terminal.paint("✕", "error")
        where = " · ".join(filter(None, (record["language"], record["runtime"])))
        about = where if record["available"] else record["reason"]
        terminal.write(f"{mark} {record['id']:<14} {record['name']:<40} {about}\n")
        for note in record["notes"]:
            terminal.write(terminal.paint(f"    {note}\n", "muted"))
    return 0


def target_record(target: DeploymentTarget, runtime: RuntimeInfo | None) -> dict[str, Any]:
    """One target as the contract has it."""
    available = not target.runtime or (runtime is not None and runtime.available)
    return {
        "id": target.id,
        "name": target.name,
        "language": target.language,
        "runtime": target.runtime or None,
        "available": available,
        "reason": None if available else (runtime and runtime.reason) or f"There is no runtime {target.runtime!r}.",
        "notes": [str(note) for note in target.notes],
    }


async def check(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio check`: exit status 1 if the script cannot run there; with `all`, if it can run nowhere."""
    script = read_script(options.script)
    wanted = all_targets() if options.target == ALL else [_target(options, script, terminal)]
    given = given_by(options, script)
    studio = open_studio(options, terminal)
    try:
        complain_of(await studio.load(), terminal)
        tools = studio.session().visible_tools()
    finally:
        await studio.close()
    results = [(target, check_script(target, _with_ending(script, target), tools, given)) for target in wanted]
    runs = [not any(finding.fails for finding in found) for _, found in results]
    records = [_check_record(*result) for result in results]
    if options.json:
        print_json({"targets": records} if options.target == ALL else records[0], terminal)
    else:
        for (target, found), fine in zip(results, runs, strict=True):
            _tell_check(target, found, fine, script.filename, terminal)
    return 0 if any(runs) else 1


def _check_record(target: DeploymentTarget, found: Sequence[Finding]) -> dict[str, Any]:
    runs = not any(finding.fails for finding in found)
    warnings = [{"line": finding.line, "message": finding.message} for finding in found]
    return {"target": target.id, "runs": runs, "warnings": warnings}


def _tell_check(
    target: DeploymentTarget, found: Sequence[Finding], runs: bool, filename: str, terminal: Terminal
) -> None:
    mark = terminal.paint("✓", "ok") if runs else terminal.paint("✕", "error")
    verdict = "runs there" if runs else "does not run there"
    terminal.write(f"{mark} {target.id:<14} {verdict}{' with warnings' if runs and found else ''}\n")
    for finding in found:
        terminal.write(f"  {_location(filename, finding.line)}: {finding.message}\n")


def _location(filename: str, line: int | None) -> str:
    return f"{filename}:{line}" if line else filename


def destination_of(options: Namespace, script: Script, terminal: Terminal) -> Destination:
    """Where the run goes; raises UsageError, or UnknownTarget where the text does not tell."""
    target = _target(options, script, terminal)
    if options.runtime and target.runtime and options.runtime != target.runtime:
        raise UsageError(f"--target {target.id} runs in the runtime {target.runtime!r}: leave out --runtime.")
    return Destination(target, given_by(options, script))


def _target(options: Namespace, script: Script, terminal: Terminal) -> DeploymentTarget:
    if options.target != AUTO:
        return find_target(PLAIN if options.target is None else options.target)
    found = recognise(CheckedScript(script.code, _language_name(options, script)))
    terminal.complain(f"the target is {found.target.id}: {found.reason}")
    return found.target


def _language_name(options: Namespace, script: Script) -> str:
    """The file's name; for standard input one that tells the language of the runtime."""
    language = getattr(options, "runtime", None) or ""
    if script.filename != "<stdin>" or language not in ("node", "typescript"):
        return script.filename
    return "stdin.ts" if language == "typescript" else "stdin.mjs"


def _with_ending(script: Script, target: DeploymentTarget) -> Script:
    if script.filename != "<stdin>" or target.language not in ENDINGS:
        return script
    return replace(script, filename=f"stdin{ENDINGS[target.language]}")


def given_by(options: Namespace, script: Script) -> Given:
    """What is kept beside the script, and what the options say."""
    kept = Given() if script.filename == "<stdin>" else read_inputs(Path(script.filename))
    inputs = dict(_input(text) for text in getattr(options, "input", None) or ())
    environment = dict(_variable(text) for text in getattr(options, "env", None) or ())
    return Given({**kept.inputs, **inputs}, {**kept.environment, **environment})


def _input(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--input {text}: write NAME=JSON, such as --input limit=3.")
    try:
        check_input_name(name)
        return name, json.loads(value, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        hint = f"; a text has quotes: --input '{name}=\"...\"'" if isinstance(error, json.JSONDecodeError) else ""
        reason = f"the value is not JSON: {error}" if hint else str(error)
        raise UsageError(f"--input {name}: {reason}{hint}.") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"the value is not JSON: {name} is no value there")


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--env {text}: write NAME=VALUE.")
    try:
        check_variable_name(name)
    except ValueError as error:
        raise UsageError(f"--env {name}: {error}.") from None
    return name, value


def tell_reply(record: RunRecord, terminal: Terminal) -> None:
    """What the model sees, and what fails there."""
    for warning in record["warnings"]:
        where = f"line {warning['line']}: " if warning["line"] else ""
        terminal.write_error(terminal.paint(f"warning: {where}{warning['message']}\n", "warning"))
    if record["target"] == PLAIN:
        return
    seen = record["model_sees"]
    text = seen if isinstance(seen, str) else json.dumps(seen, indent=2, ensure_ascii=False)
    head = f"The model sees ({record['target']}, {len(text):,} characters):"
    terminal.write(f"{terminal.paint(head, 'bold')}\n{text}\n")
