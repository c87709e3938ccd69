"""Finds the programs of a conversation: their code, the calls that each made with their answers, and how each ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.core.responders.cassette import Published
from ptc_studio.transcripts.documents import Block, Blocks, TranscriptError
from ptc_studio.transcripts.vendors import Answered, Called, DefinedTool, Ended, Started, definition_of, step_of


@dataclass(slots=True)
class ProgramCall:
    """A call that a program made."""

    id: str
    name: str
    arguments: Any
    group: int
    """Calls of one number were under way together."""
    answer: Answered | None = None


@dataclass(slots=True)
class Program:
    """One program of the conversation, from its code to its end."""

    id: str
    code: str
    target: str
    keeps_state: bool
    calls: list[ProgramCall] = field(default_factory=list[ProgramCall])
    published: Published | None = None
    group: int = 0
    container: str = ""
    continues: "Program | None" = None
    """The one whose names it goes on with."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """All programs in their order, the tools that are defined, and what there is to warn of."""

    programs: tuple[Program, ...]
    tools: Mapping[str, DefinedTool]
    warnings: tuple[str, ...]


def conversation_in(blocks: Blocks, name: str) -> Conversation:
    """Raises TranscriptError if there is no program, or the conversation is cut off; `name` is its file's."""
    collector = _Collector()
    for block in blocks.found:
        collector.take(block)
    programs = collector.programs
    if not programs:
        raise TranscriptError(
            f"{name} holds no program: no `code_execution` of Anthropic's, `program` of OpenAI's or "
            "`execute_typescript` of TanStack's is in it."
        )
    unfinished = next((each for each in programs.values() if each.published is None), None)
    if unfinished is not None:
        raise TranscriptError(_cut_off(unfinished, name))
    _join_containers(list(programs.values()), blocks.containers)
    tools = {tool.name: tool for tool in map(definition_of, blocks.definitions) if tool is not None}
    return Conversation(tuple(programs.values()), tools, tuple(collector.told()))


def _join_containers(programs: list[Program], containers: Mapping[str, str]) -> None:
    """A program goes on with the names of the last one in its container; where none is named, all are in one."""
    for at, program in enumerate(programs):
        program.container = containers.get(program.id, "")
        for earlier in reversed(programs[:at]) if program.keeps_state else ():
            unknown = not earlier.container or not program.container
            if earlier.keeps_state and (unknown or earlier.container == program.container):
                program.continues = earlier
                break


def _cut_off(program: Program, name: str) -> str:
    waiting = [call for call in program.calls if call.answer is None]
    if waiting:
        return (
            f"{name} is cut off: the call {waiting[0].name!r} ({waiting[0].id}) of the program {program.id} has no "
            "answer. A response alone has none: import the whole conversation, with the requests that follow."
        )
    return f"{name} is cut off: the program {program.id} has no result."


class _Collector:
    """Puts the steps together by their ids: requests repeat what was said, continuations hold only new blocks."""

    def __init__(self) -> None:
        self.programs: dict[str, Program] = {}
        self._calls: dict[str, tuple[Program, ProgramCall]] = {}
        self._early: dict[str, Answered] = {}
        self._strangers: dict[str, str] = {}
        self._warnings: dict[str, None] = {}

    def take(self, block: Block) -> None:
        """Adds one block or item; one that is no program's is passed over."""
        match step_of(block):
            case Started() as started:
                self._start(started)
            case Called() as called:
                self._call(called)
            case Answered() as answered:
                self._answer(answered)
            case Ended() as ended:
                self._end(ended)
            case _:
                pass

    def told(self) -> list[str]:
        """What there is to warn of."""
        for program in self.programs.values():
            for call in program.calls:
                if call.answer is None:
                    self._warn(f"The call {call.name!r} of the program {program.id} was never answered.")
            if program.published is not None and program.published.note:
                self._warn(f"The program {program.id}: {program.published.note}")
        for name, program in self._strangers.items():
            self._warn(f"The call {name!r} is of the program {program}, which is not in the conversation: left out.")
        return list(self._warnings)

    def _start(self, started: Started) -> None:
        known = self.programs.get(started.id)
        if known is None:
            self.programs[started.id] = Program(started.id, started.code, started.target, started.keeps_state)
            if started.ended is not None:
                self._end(Ended(started.id, started.ended))
        elif known.code != started.code:
            self._warn(f"The program {started.id} is there twice with different code: the first is taken.")

    def _call(self, called: Called) -> None:
        if called.id in self._calls:
            return
        program = self.programs.get(called.program)
        if program is None:
            self._strangers.setdefault(called.name, called.program)
            return
        program.keeps_state = program.keeps_state and called.keeps_state
        if program.calls and all(call.answer for call in program.calls if call.group == program.group):
            program.group += 1
        call = ProgramCall(called.id, called.name, called.arguments, program.group)
        program.calls.append(call)
        self._calls[called.id] = program, call
        for warning in called.warnings:
            self._warn(f"The call {called.name!r} of the program {program.id}: {warning}")
        if called.id in self._early:
            self._answer(self._early.pop(called.id))

    def _answer(self, answered: Answered) -> None:
        known = self._calls.get(answered.call)
        if known is None:
            # Of a direct call, or of one that follows.
            self._early.setdefault(answered.call, answered)
            return
        program, call = known
        if call.answer is None:
            call.answer = answered
            for warning in answered.warnings:
                self._warn(f"The answer to the call {call.name!r} of the program {program.id}: {warning}")

    def _end(self, ended: Ended) -> None:
        program = self.programs.get(ended.program)
        if program is not None and program.published is None:
            program.published = ended.published

    def _warn(self, sentence: str) -> None:
        self._warnings.setdefault(sentence)
