"""Writes the programs of a conversation into a folder: a script and a cassette each, and their tools as mocks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.errors import CallTimedOut
from ptc_studio.core.redaction import Redactor
from ptc_studio.core.registry import identifier
from ptc_studio.core.responders.cassette import Cassette, Published, RecordedCall, RecordedError, RecordedTool
from ptc_studio.core.tools import Parameter
from ptc_studio.storage.cassettes import cassette_text
from ptc_studio.storage.text_files import replace_file
from ptc_studio.transcripts.documents import TranscriptError, cassette_of_script, read_blocks
from ptc_studio.transcripts.programs import Conversation, Program, ProgramCall, conversation_in, mocks_module
from ptc_studio.transcripts.vendors import DefinedTool

ENDINGS = {"anthropic": ".py", "openai": ".js", "tanstack": ".ts"}
RUNTIMES = {"anthropic": "python", "openai": "node", "tanstack": "typescript"}
MOCKS = Path("tools") / "conversation_tools.py"
SOURCE = "conversation"
WORDS = 5
LONGEST_NAME = 40
FAILED = "Error: "
"""What the text of a failed tool begins with at Anthropic's."""
UNANSWERED_SECONDS = 270
"""How long a program of Anthropic's waits for an answer."""


@dataclass(frozen=True, slots=True)
class ImportedProgram:
    """One program as it lies in the folder now."""

    script: Path
    cassette: Path
    target: str
    calls: int


@dataclass(frozen=True, slots=True)
class Import:
    """What became of a conversation."""

    programs: tuple[ImportedProgram, ...]
    warnings: tuple[str, ...] = ()
    mocks: Path | None = None
    """The file of functions that stand in for the tools, where the conversation defines them."""


def read_conversation(file: Path) -> Conversation:
    """Raises TranscriptError naming the file and what is wrong with it."""
    try:
        text = read_bytes(file).decode("utf-8-sig")
    except FileNotFoundError:
        raise TranscriptError(f"There is no file {str(file)!r}.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise TranscriptError(f"{file}:{line}: this is not UTF-8 text, and so no conversation.") from None
    except OSError as error:
        raise TranscriptError(f"{file} cannot be read: {error.strerror or error}.") from None
    return conversation_in(read_blocks(text, str(file)), str(file))


def import_conversation(conversation: Conversation, folder: Path, redactor: Redactor) -> Import:
    """Writes everything or, if a file of another content is in the way, nothing; raises TranscriptError then."""
    files: dict[Path, bytes] = {}
    warnings = list(conversation.warnings)
    names = _names(conversation, redactor)
    done: list[ImportedProgram] = []
    cassettes: list[Cassette] = []
    for program in conversation.programs:
        name = names[program.id]
        script = folder / f"{name}{ENDINGS[program.target]}"
        continues = f"{names[program.continues.id]}{ENDINGS['anthropic']}" if program.continues else ""
        cassette = _cassette(program, conversation, redactor, script.name, continues)
        cassettes.append(cassette)
        if not program.code.isascii() and program.code != program.code.encode("utf-8", "replace").decode():
            warnings.append(f"The program {program.id} has half characters, which no file holds: ? stands for each.")
        files[script] = program.code.encode("utf-8", "replace")
        files[cassette_of_script(script)] = cassette_text(cassette)
        done.append(ImportedProgram(script, cassette_of_script(script), program.target, len(program.calls)))
    mocks = folder / MOCKS if conversation.tools else None
    if mocks is not None:
        text, left_out = mocks_module(list(conversation.tools.values()), cassettes, redactor)
        warnings += left_out
        files[mocks] = text.encode("utf-8", "replace")
    _write(files, folder)
    return Import(tuple(done), tuple(warnings), mocks)


def _write(files: Mapping[Path, bytes], folder: Path) -> None:
    for path, content in files.items():
        if path.exists() and _content(path) != content:
            raise TranscriptError(f"{path} is there already, with another content: name another folder with --into.")
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path.resolve(), content)
    except OSError as error:
        raise TranscriptError(f"{folder} cannot be written to: {error.strerror or error}.") from None


def _content(path: Path) -> bytes | None:
    try:
        return read_bytes(path)
    except OSError:
        return None


def _names(conversation: Conversation, redactor: Redactor) -> dict[str, str]:
    """For each program its number and its first words."""
    digits = max(2, len(str(len(conversation.programs))))
    return {
        program.id: f"{number:0{digits}}-{_slug(redactor.text(_title(program), 'name').value)}"
        for number, program in enumerate(conversation.programs, 1)
    }


_COMMENT = re.compile(r"""(?:\#+|//+|/\*+|\*+|'''|\"\"\")\s*(?P<text>.*)""")


def _title(program: Program) -> str:
    """The first comment that the program begins with, else the names of the tools that it calls."""
    for line in program.code.splitlines():
        if found := _COMMENT.match(line.strip()):
            if re.search("[A-Za-z]{2}", found["text"]) and not found["text"].startswith(("@exec", "!")):
                return found["text"]
        elif line.strip():
            break
    return " ".join(dict.fromkeys(call.name for call in program.calls)) or program.code[:200]


def _slug(title: str) -> str:
    words = re.findall("[a-z0-9]+", title.lower())[:WORDS]
    return "-".join(words)[:LONGEST_NAME].strip("-") or "program"


def _cassette(
    program: Program, conversation: Conversation, redactor: Redactor, script: str, continues: str
) -> Cassette:
    firsts: dict[int, ProgramCall] = {}
    several = {call.group for call in program.calls if firsts.setdefault(call.group, call) is not call}
    calls = [
        _call(call, program, redactor, firsts[call.group].id if call.group in several else None)
        for call in program.calls
    ]
    published = program.published and _shown(program.published, redactor)
    return Cassette(
        script.rpartition(".")[0],
        tuple(calls),
        tuple(_tools(program, conversation, redactor)),
        script,
        RUNTIMES[program.target],
        status=published.status if published else None,
        target=program.target,
        continues=continues,
        published=published,
    )


def _call(call: ProgramCall, program: Program, redactor: Redactor, together: str | None) -> RecordedCall:
    arguments = redactor.value(call.arguments, "arguments")
    recorded = RecordedCall(
        call.id, call.name, call.name, arguments.value, None, together=together, redactions=arguments.redactions
    )
    if call.answer is None:
        if program.target != "anthropic":
            return recorded
        late = str(CallTimedOut(call.name, UNANSWERED_SECONDS))
        return replace(recorded, status="timeout", error=RecordedError("TimeoutError", late))
    answer = redactor.value(call.answer.value, "result")
    redactions = (*arguments.redactions, *answer.redactions)
    if call.answer.failed and isinstance(answer.value, str) and answer.value.startswith(FAILED):
        error = RecordedError("RuntimeError", answer.value.removeprefix(FAILED))
        return replace(recorded, status="error", error=error, redactions=redactions)
    return replace(recorded, status="ok", result=answer.value, redactions=redactions)


def _shown(published: Published, redactor: Redactor) -> Published:
    def hidden(text: str | None) -> str | None:
        return None if text is None else cast("str", redactor.text(text, "published").value)

    result = redactor.value(published.result, "published").value
    return replace(published, stdout=hidden(published.stdout), stderr=hidden(published.stderr), result=result)


def _tools(program: Program, conversation: Conversation, redactor: Redactor) -> Iterator[RecordedTool]:
    """Every tool that is defined, and those that are only called."""
    used = dict.fromkeys(call.name for call in program.calls)
    for name in dict.fromkeys((*conversation.tools, *used)):
        tool = conversation.tools.get(name) or _tool_of_calls(name, program)
        yield RecordedTool(
            name,
            name,
            SOURCE,
            redactor.text(tool.description, "description").value,
            tuple(safe for safe in (identifier(name),) if safe != name),
            tuple(_parameters(tool.parameters, redactor)),
        )


def _tool_of_calls(name: str, program: Program) -> DefinedTool:
    """What the calls tell of a tool that nobody defined: whatever is always given is required."""
    given = [call.arguments for call in program.calls if call.name == name and isinstance(call.arguments, dict)]
    names = dict.fromkeys(key for arguments in given for key in arguments)
    required = [key for key in names if all(key in arguments for arguments in given)]
    return DefinedTool(name, "", {"type": "object", "properties": {key: {} for key in names}, "required": required})


def _parameters(schema: Mapping[str, Any], redactor: Redactor) -> Iterator[Parameter]:
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return
    needed = set(map(str, cast("list[Any]", required))) if isinstance(required, list) else set[str]()
    # What may be left out stands behind what may not, as Python wants it.
    for name in sorted(cast("dict[str, Any]", properties), key=lambda name: name not in needed):
        about = cast("dict[str, Any]", properties)[name]
        default = cast("Mapping[str, Any]", about).get("default") if isinstance(about, dict) else None
        yield Parameter(name, name in needed, redactor.value({name: default}, "cassette").value[name])
