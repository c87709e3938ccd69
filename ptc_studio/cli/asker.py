"""Puts the questions of permission to the person at the terminal."""

import contextlib
import threading
from concurrent.futures import Future

from ptc_studio.cli.terminal import Terminal
from ptc_studio.core import codec
from ptc_studio.core.permissions import AbsentAsker, Decision, Question


class TerminalAsker:
    """Asks on the terminal, one question at a time."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._asking = threading.Lock()
        self._always: set[tuple[str, str]] = set()

    def ask(self, question: Question) -> Future[Decision]:
        answer: Future[Decision] = Future()
        threading.Thread(target=self._ask, args=(question, answer), daemon=True).start()
        return answer

    def _ask(self, question: Question, answer: Future[Decision]) -> None:
        name = question.alias or question.tool
        with self._asking:
            if answer.cancelled():
                return
            allowed = (question.run_id, name) in self._always or self._put(question, name)
        with contextlib.suppress(Exception):
            answer.set_result(Decision(allowed, "" if allowed else f"Tool {name!r} was denied by a person."))

    def _put(self, question: Question, name: str) -> bool:
        arguments = codec.encode(question.arguments.value).decode()
        reply = self._terminal.ask(f"Allow {name} {arguments}? [y]es, [a]lways in this run, [N]o: ").strip().lower()
        if reply in ("a", "always"):
            self._always.add((question.run_id, name))
        return reply in ("y", "yes", "a", "always")


def asker_for(terminal: Terminal) -> TerminalAsker | AbsentAsker:
    """Somebody to ask, if there is somebody."""
    return TerminalAsker(terminal) if terminal.interactive else AbsentAsker()
