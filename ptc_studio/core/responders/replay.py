"""Answers the calls of one run from a cassette, as they were answered when it was recorded."""

import threading
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from ptc_studio.core.calls import Call, CallRequest
from ptc_studio.core.errors import CallCancelled, NotRecorded
from ptc_studio.core.permissions import Asker, Decision, Question
from ptc_studio.core.registry import EVERYTHING, Alias, Grant, Registry, Target, spec_through
from ptc_studio.core.responders import replay_queue as misses
from ptc_studio.core.responders.cassette import Cassette, RecordedCall, RecordedTool, fingerprint
from ptc_studio.core.responders.chain import Answer, is_pattern
from ptc_studio.core.responders.mocks import Mock, raised
from ptc_studio.core.responders.replay_queue import ReplayQueue
from ptc_studio.core.run import Run
from ptc_studio.core.stages import check_permission
from ptc_studio.core.tools import Ticket, ToolSpec

if TYPE_CHECKING:
    from ptc_studio.core.executor import Executor


@dataclass(frozen=True, eq=False, slots=True)
class AbsentTool:
    """A tool that is not there."""

    spec: ToolSpec
    recorded: RecordedCall | None = None
    """The one call that it was made for, of those that a recorded call made in turn."""

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return dict(arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:  # noqa: ARG002 - a tool's method
        raise NotRecorded(f"The tool {self.spec.name!r} is not loaded, and the cassette has no such call of it.")


def absent_targets(cassette: Cassette, aliases: Iterable[Alias], forbidden: Collection[str]) -> dict[str, Target]:
    """What every name that was called leads to where it leads nowhere else.

    `aliases` are those that are known, of whatever tool; a `forbidden` name leads nowhere all the same.
    """
    known = {alias.name: alias for alias in aliases}
    found: dict[str, Target] = {}
    for tool in cassette.tools:
        if tool.name not in forbidden:
            target = _target(tool, known.get(tool.name))
            found.update(dict.fromkeys((tool.name, *tool.also), target))
    return found


def use_recorded(run: Run, cassette: Cassette, aliases: Sequence[Alias], on_miss: "OnMiss") -> None:
    """Has the names of the cassette lead to what was recorded, in this run alone.

    The tools of a conversation are somebody else's: where none is used, they are there in the place of those that are
    loaded here, and granted whatever is granted of these.
    """
    if cassette.of_conversation and on_miss == "fail":
        run.registry, run.grant = Registry(), EVERYTHING
        for tool in {target.spec.name: target.tool for target in absent_targets(cassette, (), ()).values()}.values():
            run.registry.register(tool)
    else:
        run.targets = absent_targets(cassette, aliases, {alias.name for alias in aliases if not alias.enabled})


def repeated(recorded: RecordedCall, parent: Call, source: str) -> CallRequest:
    """A call that a recorded one made, to be made again: its arguments were checked and hidden then."""
    spec = ToolSpec(recorded.tool, "", _ANYTHING, source)
    alias = Alias(recorded.name, recorded.tool) if recorded.name != recorded.tool else None
    tool = AbsentTool(spec, recorded)
    target = Target(tool, spec_through(alias, spec) if alias else spec, alias)
    given = cast("dict[str, Any]", recorded.arguments) if isinstance(recorded.arguments, dict) else {}
    hidden = tuple(redaction for redaction in recorded.redactions if redaction.where == "arguments")
    return CallRequest(
        parent.run, recorded.name, kwargs=given, parent=parent, line=recorded.line, target=target, hidden=hidden
    )


def _target(tool: RecordedTool, alias: Alias | None) -> Target:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {parameter.name: {} for parameter in tool.parameters},
        "required": [parameter.name for parameter in tool.parameters if parameter.required],
    }
    also = () if tool.is_alias else tool.also
    spec = ToolSpec(tool.tool, tool.description, schema, tool.source, tool.parameters, doc=tool.description, also=also)
    absent = AbsentTool(spec)
    if not tool.is_alias:
        return Target(absent, spec)
    alias = alias or Alias(tool.name, tool.tool, None, tool.preset, tool.defaults, redact=tool.redact)
    return Target(absent, spec_through(alias, spec), alias)


_ANYTHING: Mapping[str, Any] = {"type": "object"}


ReplayMode = Literal["strict", "match"]
OnMiss = Literal["fail", "tool"]
UNRECORDED = ""
"""Stands for a caller that the cassette did not answer."""
REMEDY = "Record again, or replay with --miss tool."


class Replay:
    """The cassette in the chain of those who answer, for one run.

    `match` answers with any recorded call of the same name and arguments, each once, and when all are used up, with
    the last again. `strict` wants them in the recorded order, too: among the calls of one parent, the next call must
    be the next recorded one, where those that were under way together may come in any order. What is not found fails,
    or goes to the tool.
    """

    kind, rank = "cassette", 30

    def __init__(
        self,
        cassette: Cassette,
        run: Run,
        *,
        mode: ReplayMode = "match",
        on_miss: OnMiss = "fail",
        remedy: str = REMEDY,
        leave_out: Collection[str] = (),
    ) -> None:
        """`leave_out` are names that somebody else answers for: they are neither expected nor missed."""
        self.cassette, self.mode, self.on_miss = cassette, mode, on_miss
        self.run_id = run.run_id
        self.answered = 0
        self.misses: list[str] = []
        """A sentence for each call that was not found."""
        self.drifts: list[str] = []
        """A sentence for each call that was answered, but is not as it was recorded."""
        self._remedy = remedy
        self._shelf = ReplayQueue(cassette.calls, leave_out)
        self._sources = {tool.name: tool.source for tool in cassette.tools}
        self._recorded: dict[str, RecordedCall] = {}
        """By the id of the call that it answered."""
        self._vouched: set[str] = set()
        self._lock = threading.Lock()

    def answer(self, call: Call, rest: Answer) -> Any:
        if call.run_id != self.run_id:
            return rest(call)
        if self._parent(call) == UNRECORDED:
            # What a tool calls that is used itself is not the cassette's to say.
            return self._by_tool(call, rest)
        recorded, told = self._found(call)
        if recorded is None:
            return self._missed(call, rest, told)
        if told:
            self.drifts.append(told)
            call.executor.note(call, "drift", told)
        self._recorded[call.call_id] = recorded
        self._repeat(call, recorded)
        return self._given(call, recorded)

    def vouches_for(self, question: Question) -> bool:
        """Whether nobody need be asked for permission, because no tool will be used. Once for each call."""
        if question.run_id != self.run_id or question.kind != "permission" or question.call_id in self._vouched:
            return False
        mark = fingerprint(question.name, question.arguments.value)
        if self.on_miss == "tool" and self._shelf.last(mark) is None:
            return False
        self._vouched.add(question.call_id)
        return True

    def never_made(self) -> str:
        """What was recorded and never asked for, in one sentence; empty if that is nothing."""
        left = self._shelf.left()
        return misses.never_made(self.cassette.name, left) if left else ""

    def _found(self, call: Call) -> tuple[RecordedCall | None, str]:
        """The recorded call, and what there is to say of it; or none, and why."""
        assert call.target is not None
        tool = call.target.tool
        if isinstance(tool, AbsentTool) and tool.recorded is not None:
            # Its parent's answer is known, so that nobody looks at what this one gives.
            return tool.recorded, ""
        arguments = call.executor.shown_arguments(call).value
        with self._lock:
            find = self._next if self.mode == "strict" else self._equal
            recorded, told = find(call, arguments)
            if recorded is not None:
                self._shelf.take(recorded)
                self.answered += 1
        return self._usable(recorded, told) if recorded is not None else (None, told)

    def _next(self, call: Call, arguments: Any) -> tuple[RecordedCall | None, str]:
        name, parent = call.name, self._parent(call)
        mark = fingerprint(name, arguments)
        recorded = self._shelf.waiting(mark, parent)
        if recorded is not None and recorded.parent == parent and self._shelf.in_turn(recorded):
            return recorded, ""
        expected = self._shelf.expected(parent)
        if recorded is not None or (expected is not None and expected.name != name):
            return None, misses.out_of_turn(self.cassette.name, name, arguments, expected)
        return None, self._absence(name, arguments, mark)

    def _equal(self, call: Call, arguments: Any) -> tuple[RecordedCall | None, str]:
        name, parent = call.name, self._parent(call)
        mark = fingerprint(name, arguments)
        recorded = self._shelf.waiting(mark, parent)
        if recorded is not None:
            in_turn = recorded.parent == parent and self._shelf.in_turn(recorded)
            expected = None if in_turn else self._shelf.expected(parent)
            return recorded, "" if in_turn else misses.out_of_turn(self.cassette.name, name, arguments, expected)
        last = self._shelf.last(mark)
        told = self._absence(name, arguments, mark)
        return last, f"{told} That one answered again." if last is not None else told

    def _absence(self, name: str, arguments: Any, mark: str) -> str:
        last = self._shelf.last(mark)
        if last is not None:
            return misses.used_up(self.cassette.name, last, self._shelf.count(mark))
        # What is still to come is more likely to be meant than what is over.
        recorded = sorted(self._shelf.named(name), key=lambda call: not self._shelf.is_left(call))
        return misses.unknown_call(self.cassette.name, name, arguments, recorded)

    def _parent(self, call: Call) -> str | None:
        """The recorded call that the caller was answered with."""
        parent = call.request.parent
        if parent is None:
            return None
        recorded = self._recorded.get(parent.call_id)
        return recorded.id if recorded is not None else UNRECORDED

    def _usable(self, recorded: RecordedCall, told: str) -> tuple[RecordedCall | None, str]:
        if recorded.truncated:
            return None, misses.cut_short(self.cassette.name, recorded)
        if recorded.status is None:
            return None, misses.unfinished(self.cassette.name, recorded)
        return recorded, told

    def _missed(self, call: Call, rest: Answer, told: str) -> Any:
        self.misses.append(told)
        if self.on_miss == "fail":
            call.executor.note(call, "drift", told)
            raise NotRecorded(f"{told} {self._remedy}")
        call.executor.note(call, "drift", f"{told} The tool answered instead.")
        return self._by_tool(call, rest)

    def _by_tool(self, call: Call, rest: Answer) -> Any:
        if call.call_id in self._vouched:
            # It was let through because no tool would be used.
            check_permission(call, call.executor)
        return rest(call)

    def _repeat(self, call: Call, recorded: RecordedCall) -> None:
        """Makes the calls again that the tool made in turn, so that the tree is the recorded one."""
        for child in self._shelf.children(recorded.id):
            if call.settled:
                return
            with self._lock:
                self._shelf.take(child)
                self.answered += 1
            # What it raised then was the tool's to deal with.
            with suppress(Exception):
                call.executor.call(repeated(child, call, self._sources.get(child.name, "")))

    def _given(self, call: Call, recorded: RecordedCall) -> Any:
        call.hidden = tuple(redaction for redaction in recorded.redactions if redaction.where != "arguments")
        if recorded.status is None:
            raise CallCancelled(call.name)
        if recorded.error is not None:
            raise raised(recorded)
        # A script in this process may change what it gets.
        return deepcopy(recorded.result)


class ReplayAsker:
    """Allows what the replay vouches for; all other questions are put to whoever is asked otherwise."""

    def __init__(self, replay: Replay, others: Asker) -> None:
        self._replay = replay
        self.others = others

    def ask(self, question: Question) -> Future[Decision]:
        if not self._replay.vouches_for(question):
            return self.others.ask(question)
        answer: Future[Decision] = Future()
        answer.set_result(Decision(allowed=True))
        return answer


@contextmanager
def answering_from(replay: Replay, executor: "Executor") -> Generator[Replay]:
    """While this lasts, the replay answers the calls of its run."""
    take_out = executor.answers.add(replay)
    executor.asker = sparing = ReplayAsker(replay, executor.asker)
    try:
        yield replay
    finally:
        take_out()
        if executor.asker is sparing:
            executor.asker = sparing.others


def mocked_names(cassette: Cassette, mocks: Sequence[Mock]) -> set[str]:
    """The recorded names that mocks answer for: the cassette is not asked for those."""
    answering = [mock.name for mock in mocks if mock.answer != "tool"]
    return {tool.name for tool in cassette.tools if any(_means(name, tool) for name in answering)}


def _means(name: str, tool: RecordedTool) -> bool:
    names = (tool.name, tool.tool, *tool.also)
    return Grant((name,)).allows(names, f"{tool.source}.{tool.tool}") if is_pattern(name) else name in names
