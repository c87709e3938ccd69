"""What each headless command does, once its arguments are understood. Each gives the exit status."""

import json
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ptc_studio.app import Setup, Studio
from ptc_studio.cli.open_studio import (
    UsageError,
    close_studio,
    complain_of,
    complain_of_vain,
    open_studio,
    print_json,
    read_script,
    stop_on_signals,
)
from ptc_studio.cli.responders import RunResponders
from ptc_studio.cli.targets import destination_of, tell_reply
from ptc_studio.cli.terminal import Terminal, draw_tree
from ptc_studio.core.codec import visible
from ptc_studio.core.compare_runs import differences
from ptc_studio.core.events import CallFinished, CallProgressed, CallStarted, Event, OutputWritten
from ptc_studio.core.registry import Registry, Target
from ptc_studio.core.session import Session
from ptc_studio.core.tools import LoadError
from ptc_studio.core.trace import RunRecord
from ptc_studio.exports import definitions
from ptc_studio.locations import settings_file
from ptc_studio.runtimes.catalog import RuntimeInfo, UnknownRuntime
from ptc_studio.samples import is_example
from ptc_studio.sources.on_demand import ANY_LANGUAGE
from ptc_studio.storage.settings import Settings
from ptc_studio.targets import DeploymentTarget, find_target
from ptc_studio.targets.catalog import PLAIN


def print_definitions(
    studio: Studio, form: str, names: Sequence[str], target_id: str | None, terminal: Terminal
) -> None:
    """Writes the definitions of the named tools, or of all; raises ToolNotFound for a name that leads nowhere."""
    wanted = _targets(studio, names)
    made = definitions(wanted, form) if target_id is None else _stubs(studio, form, wanted, find_target(target_id))
    text = made if isinstance(made, str) else json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    # Half a character, as a tool of somebody else's may have it in its description, cannot be written.
    terminal.list(text.encode("utf-8", "replace").decode())


def _stubs(studio: Studio, form: str, wanted: Sequence[Target], target: DeploymentTarget) -> str:
    """The tools as scripts of the target see them."""
    from ptc_studio.exports.target_stubs import FORMS, target_stubs

    if target.call is None or FORMS.get(target.language) != form:
        fitting = FORMS.get(target.language) if target.call else None
        remedy = f"take --format {fitting}" if fitting else "leave out --target"
        raise UsageError(f"There are no {form} definitions of {target.id}'s own: {remedy}.")
    names = {each.spec.name for each in wanted}
    visible = studio.session().visible_tools()
    return target_stubs(target, [each for each in visible if each.target.spec.name in names])


def _targets(studio: Studio, names: Sequence[str]) -> list[Target]:
    """Each once, in the order of the names: each a grant set, a tool, an alias or a pattern."""
    found: dict[str, Target] = {}
    for name in names:
        meant = studio.registry.targets(studio.grant([name]))
        if not meant:
            # Says what it could have been.
            meant = [studio.registry.resolve(name)]
        found.update({target.spec.name: target for target in meant})
    if names:
        return list(found.values())
    return studio.registry.targets(studio.grant(None))


def open_bundle(options: Namespace) -> None:
    """Has the script of a bundle run as it was, answered from its cassette; what else is said counts."""
    # Imported late: hardly any run needs it.
    from ptc_studio.locations import bundles_folder
    from ptc_studio.reports.bundle import folder_for, read_bundle, unpack

    path = Path(options.script)
    read = read_bundle(path)
    script, cassette = unpack(path, folder_for(path, bundles_folder()))
    options.script = str(script)
    options.replay = options.replay or (None if options.record else str(cassette))
    options.runtime = options.runtime or read.runtime or None
    options.target = options.target or read.target
    given = [f"{name}={json.dumps(value)}" for name, value in read.about.get("inputs", {}).items()]
    options.input = [*given, *(options.input or ())]


BUNDLE = ".ptcrun"
EXIT = {"ok": 0, "timeout": 124, "cancelled": 130}
USAGE = 2


async def run(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio run`"""
    if options.script.endswith(BUNDLE):
        open_bundle(options)
    answers = RunResponders(options)
    if options.matrix:
        return await run_matrix(options, terminal, answers)
    options.target = answers.target
    script = read_script(options.script)
    destination = destination_of(options, script, terminal)
    target = destination.target
    studio = open_studio(options, terminal, on_demand=True)
    try:
        wanted = options.runtime or target.runtime or ("python" if options.script == "-" else None)
        runtime = studio.runtimes.choose(wanted, script.filename)
        studio.runtimes.get(runtime.id).warm(target.limits.memory_mb)
        if target.id == PLAIN:
            await studio.want(script, runtime.language, [*_granted(options), *answers.mocked])
        else:
            # Which tools there are is part of what is tried there: they can be searched for, and names may clash.
            studio.wanted.want_all()
        complain_of(await answers.load(studio), terminal)
        begin = _sessions(options, studio, answers, terminal, target)
        destination = await answers.go_on(studio, runtime, destination)
        session = begin()
        view = _LiveView(terminal, session, quiet=options.json)
        unwatch = studio.watch(view.observe)
        with terminal.progress(view.describe), answers.replaying(studio, session):
            record = await studio.run(session, script, runtime, destination)
        unwatch()
        _tell_run(record, options.json, terminal)
        answers.tell_drift(record, terminal)
        kept = answers.save(studio, session, script.filename, terminal)
        return EXIT.get(record["status"] or "", 1) or (0 if kept else USAGE)
    except UnknownRuntime as error:
        raise UsageError(str(error)) from None
    finally:
        await close_studio(studio, options, terminal)


def _sessions(
    options: Namespace,
    studio: Studio,
    answers: RunResponders,
    terminal: Terminal,
    target: DeploymentTarget | None = None,
) -> Callable[[], Session]:
    """Makes sessions as the options say; an example has the sample tools, unless others are named for it."""
    samples = not options.functions and is_example(Path(options.script))
    names = _granted(options)
    if not samples:
        complain_of_vain(names, studio, terminal)
    answers.mock(studio, terminal)

    def begin() -> Session:
        limits = {"timeout": options.timeout, "max_depth": options.max_depth}
        session = studio.session(grant=studio.grant(names), **limits, target=target, samples=samples)
        stop_on_signals(session)
        return session

    return begin


def _granted(options: Namespace) -> list[str]:
    return [name for names in options.grant or () for name in names]


async def call(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio call`"""
    arguments = _parse_arguments(options.args)
    studio = open_studio(options, terminal, on_demand=True)
    try:
        studio.wanted.want_tool(options.name)
        complain_of(await studio.load(), terminal)
        session = studio.session()
        unwatch = studio.watch(_LiveView(terminal, session, quiet=options.json).observe)
        record = await studio.call(session, options.name, arguments)
        unwatch()
    finally:
        await close_studio(studio, options, terminal)
    if options.json:
        print_json(record, terminal)
    elif record["error"]:
        terminal.complain(f"{record['error']['type']}: {record['error']['message']}")
    else:
        terminal.list(json.dumps(record["result"], indent=2, ensure_ascii=False) + "\n")
    return EXIT.get(record["status"] or "", 1)


async def tools(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio tools`"""
    if (options.names and not options.format) or (options.json and options.format):
        raise UsageError("Names of tools go with --format, and --format goes without --json.")
    if options.target and not options.format:
        raise UsageError("--target goes with --format pyi or --format dts.")
    studio = open_studio(options, terminal)
    try:
        errors = await studio.load()
        # Before the sources are closed, for then they have no tools any longer.
        if options.json:
            _print_tool_records(studio.registry, errors, terminal)
            return 0
        complain_of(errors, terminal, scripts=True)
        if options.format:
            print_definitions(studio, options.format, options.names, options.target, terminal)
        else:
            _print_tool_lines(studio.registry, terminal)
        return 0
    finally:
        await close_studio(studio, options, terminal)


def _print_tool_records(registry: Registry, errors: Sequence[LoadError], terminal: Terminal) -> None:
    rows = [_tool_record(tool.spec, registry.aliases) for tool in registry.tools]
    failed = [{"source": e.source, "file": e.file, "line": e.line, "message": e.message} for e in errors]
    print_json({"tools": rows, "errors": failed}, terminal)


def _print_tool_lines(registry: Registry, terminal: Terminal) -> None:
    for tool in registry.tools:
        parameters = ", ".join(parameter.name for parameter in tool.spec.signature)
        name = terminal.paint(visible(tool.spec.name), "tool")
        terminal.write(f"{name}({visible(parameters)})  {visible(tool.spec.description)}\n")
    for alias in registry.aliases:
        name = terminal.paint(visible(alias.name), "tool")
        terminal.write(f"{name} → {visible(alias.tool)}  {visible(alias.description or '')}\n")
    if not registry.tools:
        terminal.write(
            "No tools are loaded. Name their folder: --workspace DIR, or --functions DIR for functions alone.\n"
        )


async def trust(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio trust`"""
    folder = _remember(Path(options.folder), not options.revoke)
    terminal.write(f"{folder} is {'not trusted any longer' if options.revoke else 'trusted: its tools are loaded'}.\n")
    return 0


def _remember(named: Path, trusted: bool) -> Path:
    folder, file = named.resolve(), settings_file()
    if not folder.is_dir():
        raise UsageError(f"There is no folder {str(named)!r}.")
    Settings(file).set_trust(folder, trusted)
    if Settings(file).trusts(folder) is not trusted:
        raise UsageError(f"{folder} stays as it was: {file} cannot be written, or the folder is the program's own.")
    return folder


async def runtimes(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio runtimes`"""
    studio = Studio(Setup())
    try:
        infos = await studio.in_thread(studio.runtimes.discover)
    finally:
        await studio.close()
    if options.json:
        print_json({"runtimes": [info.record() for info in infos]}, terminal)
        return 0
    for info in infos:
        mark = terminal.paint("✓", "ok") if info.available else terminal.paint("✕", "error")
        about = f"{info.version} · {info.isolation}" if info.available else info.reason
        terminal.write(f"{mark} {info.id:<18} {info.name:<34} {about}\n")
    return 0


def _parse_arguments(text: str | None) -> dict[str, Any]:
    try:
        arguments = json.loads("{}" if text is None else text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--args is not JSON: {error}") from None
    if not isinstance(arguments, dict):
        raise UsageError(f"--args must be a JSON object such as '{{\"a\": 1}}', not {type(arguments).__name__}.")
    return arguments


def _tell_run(record: RunRecord, as_json: bool, terminal: Terminal) -> None:
    if as_json:
        print_json(record, terminal)
        return
    if record["stdout"] and not record["stdout"].endswith("\n"):
        terminal.write("\n")
    if record["error"]:
        error = record["error"]
        text = error["traceback"] if record["status"] == "error" else ""
        # Not every language's traceback ends its last line.
        terminal.write_error((text or f"{error['type']}: {error['message']}").rstrip("\n") + "\n")
    for line in draw_tree(record["calls"], terminal):
        terminal.write(line + "\n")
    terminal.write(_summary(record, terminal) + "\n")
    tell_reply(record, terminal)


def _summary(record: RunRecord, terminal: Terminal) -> str:
    mark, colour = ("✓", "ok") if record["status"] == "ok" else ("✕", "error")
    calls = record["calls"]
    compiled = f" (and {record['prepare_ms'] / 1000:.2f} s compiling)" if record["prepare_ms"] else ""
    parts = [
        f"{terminal.paint(mark, colour)} {record['status']}",
        f"{(record['duration_ms'] or 0) / 1000:.2f} s{compiled}",
        f"{len(calls)} call{'' if len(calls) == 1 else 's'}",
    ]
    failed = sum(call["status"] != "ok" for call in calls)
    redacted = sum(len(call["redactions"]) for call in calls)
    parts += [f"{failed} failed"] if failed else []
    parts += [terminal.paint(f"{redacted} redacted", "redacted")] if redacted else []
    parts.append(str(record["isolation"]))
    if record["value"] is not None:
        parts.append(f"value {visible(json.dumps(record['value'], ensure_ascii=False)[:200])}")
    return " · ".join(parts)


def _tool_record(spec: Any, aliases: Sequence[Any]) -> dict[str, Any]:
    names = {spec.name, *spec.also}
    return {
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
        "source": spec.source,
        "aliases": [alias.name for alias in aliases if alias.enabled and alias.tool in names],
    }


class _LiveView:
    """Shows a run's output while it is written, and counts for the progress line."""

    def __init__(self, terminal: Terminal, session: Session, *, quiet: bool) -> None:
        self._terminal = terminal
        self._run_id = session.run.run_id
        self._quiet = quiet
        self._calls = 0
        self._progress: CallProgressed | None = None

    def describe(self) -> str:
        progress = self._progress
        if progress is None:
            return f"{self._calls} calls"
        done = f"{progress.done / progress.total:.0%}" if progress.total else f"{progress.done:g}"
        return " · ".join(
            filter(None, (f"{self._calls} calls", done, visible(" ".join(str(progress.message.value).split())[:40])))
        )

    def observe(self, batch: Sequence[Event]) -> None:
        for event in batch:
            if event.run_id != self._run_id:
                continue
            if isinstance(event, CallStarted):
                self._calls += 1
            elif isinstance(event, CallProgressed):
                self._progress = event
            elif isinstance(event, CallFinished) and self._progress and event.call_id == self._progress.call_id:
                self._progress = None
            elif isinstance(event, OutputWritten) and not self._quiet:
                write = self._terminal.write if event.stream == "stdout" else self._terminal.write_error
                write(event.text.value)


WIDTHS = {"runtime": 18, "status": 11, "time": 10, "compiling": 10, "calls": 7, "value": 14, "output": 0}
Results = Sequence[tuple[RuntimeInfo, RunRecord | None]]


async def run_matrix(options: Namespace, terminal: Terminal, answers: RunResponders) -> int:
    """Exit status 0 if all runs ended well and alike, 1 if not, 130 if it was cancelled."""
    if options.runtime:
        raise UsageError("--matrix runs in every runtime for the script: leave out --runtime.")
    if options.target or options.input or options.env:
        raise UsageError("--matrix compares runtimes: leave it out with --target, --input and --env.")
    if options.record or options.replay:
        raise UsageError("A cassette is of one run: leave out --matrix, or --record and --replay.")
    script = read_script(options.script)
    studio = open_studio(options, terminal, on_demand=True)
    try:
        await studio.want(script, ANY_LANGUAGE, [*_granted(options), *answers.mocked])
        complain_of(await studio.load(), terminal)
        begin = _sessions(options, studio, answers, terminal)
        results = await studio.run_matrix(script, lambda _info: begin())
    except UnknownRuntime as error:
        raise UsageError(str(error)) from None
    finally:
        await close_studio(studio, options, terminal)
    records = [record for _, record in results if record is not None]
    unlike = differences(records)
    if options.json:
        told = [
            {"runtime": record["runtime"], "fields": fields} for record, fields in zip(records, unlike, strict=True)
        ]
        print_json({"runs": records, "differences": [entry for entry in told if entry["fields"]]}, terminal)
    else:
        _tell(results, dict(zip((record["runtime"] or "" for record in records), unlike, strict=True)), terminal)
    if any(record["status"] == "cancelled" for record in records):
        return 130
    return 0 if records and not any(unlike) and all(record["status"] == "ok" for record in records) else 1


def _tell(results: Results, unlike: dict[str, tuple[str, ...]], terminal: Terminal) -> None:
    terminal.write("  " + "".join(name.ljust(width) for name, width in WIDTHS.items()) + "\n")
    for info, record in results:
        if record is None:
            terminal.write(f"{terminal.paint('–', 'muted')} {info.id:<{WIDTHS['runtime']}}{info.reason}\n")
            continue
        fields = unlike[info.id]
        good = record["status"] == "ok" and not fields
        mark = terminal.paint("✓", "ok") if good else terminal.paint("≠" if record["status"] == "ok" else "✕", "error")
        cells = _cells(record, fields)
        row = "".join(cells[name].ljust(width) for name, width in WIDTHS.items())
        terminal.write(f"{mark} {row.rstrip()}\n")
    if any(unlike.values()):
        terminal.write(f"{terminal.paint('≠', 'error')} marks what is unlike in most of the others\n")


def _cells(record: RunRecord, unlike: Sequence[str]) -> dict[str, str]:
    prepared = record["prepare_ms"]
    error = record["error"]
    output = error["message"] if error else record["stdout"].strip().replace("\n", " ⏎ ")
    texts = {
        "runtime": (record["runtime"], ()),
        "status": (record["status"], ("status", "return_code", "error")),
        "time": (f"{record['duration_ms']:.0f} ms", ()),
        "compiling": ("" if prepared is None else f"{prepared:.0f} ms", ()),
        "calls": (str(len(record["calls"])), ("calls",)),
        "value": (_short(record["value"]), ("value",)),
        "output": (output[:60], ("stdout", "stderr")),
    }
    return {name: ("≠ " if set(fields) & set(unlike) else "") + text for name, (text, fields) in texts.items()}


def _short(value: Any) -> str:
    text = "" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) < 12 else text[:10] + "…"
