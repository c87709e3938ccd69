"""Finds the programs of a conversation: their code, calls and endings; and writes stand-ins for its tools."""

import json
import keyword
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ptc_studio.core.redaction import Redactor
from ptc_studio.core.responders.cassette import Cassette, Published, RecordedCall
from ptc_studio.core.responders.examples import example
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


HEADER = '''\
"""Stand-ins for the tools of an imported conversation.

Each has the tool's parameters and description, and answers as the tool first did there. Replace bodies by real ones.
"""

from typing import Any
'''
TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list[Any]",
    "object": "dict[str, Any]",
}


def mocks_module(
    tools: Sequence[DefinedTool], cassettes: Iterable[Cassette], redactor: Redactor
) -> tuple[str, list[str]]:
    """The text of the module, without secrets, and a warning for each tool that cannot be a function."""
    answers: dict[str, RecordedCall] = {}
    for call in (call for cassette in cassettes for call in cassette.calls if call.status == "ok"):
        answers.setdefault(call.name, call)
    parts, left_out = [HEADER], list[str]()
    for tool in tools:
        names = [tool.name, *_properties(tool)]
        wrong = next((name for name in names if not _is_name(name)), None)
        if wrong is None:
            parts.append(_function(tool, answers.get(tool.name), redactor))
        else:
            left_out.append(f"The tool {tool.name!r} is no mock: {wrong!r} cannot be a name in Python.")
    return "\n\n".join(parts), left_out


def _function(tool: DefinedTool, answer: RecordedCall | None, redactor: Redactor) -> str:
    value = answer.result if answer is not None else example(tool.output).value if tool.output else ""
    lines = [f"def {tool.name}({', '.join(_parameters(tool, redactor))}) -> Any:"]
    if tool.description:
        lines.append(f"    {_docstring(redactor.text(tool.description, 'description').value)}")
    lines.append(f"    return {_literal(redactor.value(value, 'result').value)}")
    return "\n".join(lines) + "\n"


def _parameters(tool: DefinedTool, redactor: Redactor) -> Iterator[str]:
    properties = _properties(tool)
    found = tool.parameters.get("required")
    required = cast("list[Any]", found) if isinstance(found, list) else []
    for name in sorted(properties, key=lambda name: name not in required):
        about = properties[name] if isinstance(properties[name], Mapping) else {}
        kind = about.get("type")
        annotation = TYPES.get(kind, "Any") if isinstance(kind, str) else "Any"
        if name in required:
            yield f"{name}: {annotation}"
        else:
            optional = annotation if annotation == "Any" or "default" in about else f"{annotation} | None"
            default = redactor.value({name: about.get("default")}, "default").value[name]
            yield f"{name}: {optional} = {_literal(default)}"


def _properties(tool: DefinedTool) -> dict[str, Any]:
    found = tool.parameters.get("properties")
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _docstring(text: str) -> str:
    """The text as a docstring: what stands in it is never code."""
    plain = text.strip().replace("\\", "\\\\").replace('"', '\\"')
    indented = plain.replace("\n", "\n    ")
    return f'"""{indented}"""' if text.isprintable() or "\n" in text else repr(text)


def _literal(value: Any) -> str:
    """The value as Python has it: data of JSON, so that its `repr` is that."""
    try:
        return repr(json.loads(json.dumps(value, allow_nan=False)))
    except ValueError:
        # NaN and its like are no data of JSON's, nor names of Python's.
        return repr(json.dumps(value))


def _is_name(name: str) -> bool:
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
