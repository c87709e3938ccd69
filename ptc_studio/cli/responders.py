"""Who answers the calls of `ptc-studio run`, if not the tools: `--mock`, `--replay`; and `--record`."""

import json
from argparse import Namespace
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ptc_studio.app import Studio
from ptc_studio.cli.open_studio import UsageError, stop_on_signals
from ptc_studio.cli.terminal import Terminal
from ptc_studio.core.compare_runs import published_differences
from ptc_studio.core.responders.mocks import Mock
from ptc_studio.core.responders.replay import Replay, mocked_names
from ptc_studio.core.session import Session
from ptc_studio.core.tools import LoadError
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.catalog import RuntimeInfo
from ptc_studio.storage.cassettes import CassetteError, check_target, read_cassette, write_cassette
from ptc_studio.targets import Destination
from ptc_studio.transcripts.documents import earlier_programs

SHOWN = 5
"""So many differences from the recording are told one by one."""


class RunResponders:
    """What the options say; raises UsageError or CassetteError before anything is done."""

    def __init__(self, options: Namespace) -> None:
        _check(options)
        self._mocks = [_mock(text) for text in options.mock or ()]
        self._options = options
        self._cassette = read_cassette(Path(options.replay)) if options.replay else None
        self._replay: Replay | None = None
        if options.record:
            check_target(Path(options.record))

    @property
    def target(self) -> str | None:
        """Where the script of the cassette was going, if that is known and nothing else is wanted."""
        wanted = self._options.target is not None or self._options.runtime
        return self._options.target if wanted or self._cassette is None else self._cassette.target or None

    @property
    def mocked(self) -> list[str]:
        """The names that `--mock` gives an answer to."""
        return [mock.name for mock in self._mocks]

    async def load(self, studio: Studio) -> Sequence[LoadError]:
        """Reads the sources; gives what did not load. Where no tool will be used, none is waited for in vain."""
        if self._cassette is None or self._options.miss == "tool":
            return await studio.load()
        await studio.refresh()
        return studio.errors

    def mock(self, studio: Studio, terminal: Terminal) -> None:
        """Puts the mocks in the place of their tools."""
        for mock in self._mocks:
            studio.mocks.add(mock)
            recorded = self._cassette is not None and mocked_names(self._cassette, [mock])
            if not recorded and not studio.registry.targets(studio.grant([mock.name])):
                terminal.complain(f"--mock {mock.name}: there is no such tool or alias")

    async def go_on(self, studio: Studio, runtime: RuntimeInfo, destination: Destination) -> Destination:
        """Where the cassette's script goes on with the names of others, those are replayed first, in one container."""
        cassette = self._cassette
        if cassette is None or not cassette.continues or not destination.target.keeps_state:
            return destination
        going_on = replace(destination, container=studio.containers.of(self))
        for script, earlier in earlier_programs(cassette, Path(self._options.replay).parent):
            session = studio.session(target=destination.target)
            stop_on_signals(session)
            with studio.replaying(session, earlier):
                await studio.run(session, script, runtime, going_on)
        return going_on

    @contextmanager
    def replaying(self, studio: Studio, session: Session) -> Generator[None]:
        """While this lasts, the cassette answers, if there is one."""
        if self._cassette is None:
            yield
            return
        mode, on_miss = self._options.replay_mode or "match", self._options.miss or "fail"
        with studio.replaying(session, self._cassette, mode=mode, on_miss=on_miss) as self._replay:
            yield

    def tell_drift(self, record: RunRecord, terminal: Terminal) -> None:
        """What is not as it was recorded."""
        if self._replay is None:
            return
        instead = " The tool answered instead." if self._replay.on_miss == "tool" else ""
        failure = record["error"]["message"] if record["error"] else ""
        told = [f"{miss}{instead}" for miss in self._replay.misses if miss not in failure] + self._replay.drifts
        for sentence in told[:SHOWN]:
            terminal.complain(sentence)
        if len(told) > SHOWN:
            terminal.complain(f"and {len(told) - SHOWN:,} more calls are not as they were recorded")
        never = self._replay.never_made()
        if never:
            terminal.complain(never)
        published = self._replay.cassette.published
        for sentence in published_differences(record, published) if published is not None else ():
            terminal.complain(sentence)

    def save(self, studio: Studio, session: Session, script: str, terminal: Terminal) -> bool:
        """Writes the cassette, if one is wanted; False if that failed."""
        if not self._options.record:
            return True
        path = Path(self._options.record)
        cassette = studio.cassette_of(session.trace, path.stem, Path(script).name)
        try:
            write_cassette(path, cassette)
        except CassetteError as error:
            terminal.complain(str(error))
            return False
        for call in cassette.too_long:
            where = f" at line {call.line}" if call.line else ""
            terminal.complain(
                f"{path}: what {call.name} gave{where} was too long to be kept whole, so that it cannot be replayed; "
                "raise limits.result_bytes in studio.yaml"
            )
        return True


def _check(options: Namespace) -> None:
    if options.record and options.replay:
        raise UsageError("A run is either recorded or replayed: leave out --record or --replay.")
    for flag, value in (("--replay-mode", options.replay_mode), ("--miss", options.miss)):
        if value and not options.replay:
            raise UsageError(f"{flag} goes with --replay FILE.")


def _mock(text: str) -> Mock:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"--mock {text}: give a name and a JSON value, such as --mock add=3.")
    return Mock(name.strip(), value=_parsed(name, value))


def _parsed(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"--mock {name}: the value is not JSON: {error}; a text stands in quotes, as in --mock '{name}=\"text\"'."
        ) from None
