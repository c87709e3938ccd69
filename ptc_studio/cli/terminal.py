"""The terminal: colours where there is one, a progress line, the tree of calls, and questions to the person at it."""

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TextIO

from ptc_studio.core import codec
from ptc_studio.core.codec import visible

if TYPE_CHECKING:
    from ptc_studio.core.permissions import Asker, Decision, Question
    from ptc_studio.core.trace import CallRecord


COLOURS = {"ok": "32", "error": "31", "warning": "33", "tool": "36", "muted": "2", "redacted": "35", "bold": "1"}
PROGRESS_AFTER = 0.5
FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Terminal:
    """Where the commands write. Our own output goes to the true stdout; whatever else prints goes to stderr."""

    def __init__(self) -> None:
        _open_what_is_closed()
        sys.stdout.flush()
        self.out: TextIO = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace", newline="")
        # A tool or library that prints must not end up in a document that another program reads.
        os.dup2(2, 1)
        self.err = sys.stderr
        self.colour = self.out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.width = _width(self.out)
        self.hide: Callable[[str], str] = str
        """What may be shown of a text that quotes others; set by whoever knows what is secret."""
        self._lock = threading.Lock()
        self._progress = False
        self._in_line = False
        self._asking = False
        self._held: list[tuple[TextIO, str]] = []

    def write(self, text: str) -> None:
        """Writes to stdout at once."""
        self._write(self.out, text)

    def write_error(self, text: str) -> None:
        """Writes to stderr at once."""
        self._write(self.err, text)

    def ask(self, question: str) -> str:
        """What the person answers; nothing if there is nobody any longer."""
        self.write_error(question)
        with self._lock:
            self._asking = True
        try:
            return sys.stdin.readline()
        finally:
            self._go_on()

    def ask_hidden(self, question: str) -> str | None:
        """What the person types without its being seen; nothing if there is nobody any longer."""
        import getpass

        self.write_error(question)
        with self._lock:
            self._asking = True
        try:
            return getpass.getpass("", stream=self.err)
        except EOFError:
            return None
        finally:
            self._go_on()

    def passphrase_asker(self) -> "Callable[[str, bool], str | None] | None":
        """Asks for the passphrase of the secrets, a new one twice; None if nobody is there."""
        return self._ask_passphrase if self.interactive else None

    def _ask_passphrase(self, wanted: str, is_new: bool) -> str | None:
        given = self.ask_hidden(f"{wanted}: ")
        if not given or not is_new:
            return given
        if self.ask_hidden("The same again: ") != given:
            self.complain("The two are not the same.")
            return None
        return given

    def list(self, text: str) -> None:
        """Writes what others have named or described: a server's escape codes are shown, not obeyed."""
        self.write(codec.visible(text))

    def _go_on(self) -> None:
        """Writes what came while a question was open."""
        with self._lock:
            self._asking, held, self._held = False, self._held, []
        # The person's own line end is on the screen now.
        self._in_line = False
        for stream, text in held:
            self._write(stream, text)

    def complain(self, message: str) -> None:
        """One line about what went wrong."""
        self.write_error(f"ptc-studio: {codec.visible(self.hide(' '.join(message.split())))}\n")

    def paint(self, text: str, colour: str) -> str:
        """The text in a colour, where colours are to be had."""
        return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if self.colour and text else text

    @contextlib.contextmanager
    def progress(self, describe: Callable[[], str]) -> Iterator[None]:
        """While this lasts a line on stderr tells how far things are, if somebody is there to read it."""
        if not self.err.isatty():
            yield
            return
        over = threading.Event()
        thread = threading.Thread(target=self._show_progress, args=(describe, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            with self._lock, _forgiving():
                self._clear()

    def _show_progress(self, describe: Callable[[], str], over: threading.Event) -> None:
        start = time.monotonic()
        over.wait(PROGRESS_AFTER)
        while not over.wait(0.1):
            elapsed = time.monotonic() - start
            mark = FRAMES[int(elapsed * 10) % len(FRAMES)]
            with self._lock, _forgiving():
                # Half a line of the script's, or a question, would be wiped out with the line that it is in.
                if not (self._in_line or self._asking):
                    self.err.write(f"\r\x1b[2K{mark} {elapsed:.1f} s · {describe()}")
                    self.err.flush()
                    self._progress = True

    def _write(self, stream: TextIO, text: str) -> None:
        with self._lock, _forgiving():
            if self._asking:
                # What a script prints now could be taken for a part of the question, or wipe it out.
                self._held.append((stream, text))
                return
            self._clear()
            stream.write(text)
            stream.flush()
            if text and stream.isatty():
                self._in_line = not text.endswith("\n")

    def _clear(self) -> None:
        if self._progress:
            self._progress = False
            self.err.write("\r\x1b[2K")
            self.err.flush()

    @property
    def interactive(self) -> bool:
        return sys.stdin.isatty() and self.err.isatty()


@contextlib.contextmanager
def _forgiving() -> Iterator[None]:
    """Whoever reads our output may go away, as `head` does."""
    with contextlib.suppress(BrokenPipeError, ValueError):
        yield


def _open_what_is_closed() -> None:
    """A program may be started without any of the three; then nothing is read, and what is written is lost."""
    for fd, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != fd:
                os.dup2(opened, fd)
                os.close(opened)
            mode = "w" if fd else "r"
            setattr(sys, name, os.fdopen(fd, mode, encoding="utf-8", errors="backslashreplace", closefd=False))


def _width(out: TextIO) -> int:
    try:
        return max(60, os.get_terminal_size(out.fileno()).columns)
    except OSError:
        return 100


class TerminalAsker:
    """Asks on the terminal, one question at a time."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._asking = threading.Lock()
        self._always: set[tuple[str, str]] = set()

    def ask(self, question: "Question") -> "Future[Decision]":
        answer: Future[Decision] = Future()
        threading.Thread(target=self._ask, args=(question, answer), daemon=True).start()
        return answer

    def _ask(self, question: "Question", answer: "Future[Decision]") -> None:
        # Late: the doctor needs a terminal also where packages are missing.
        from ptc_studio.core.permissions import Decision

        name = question.alias or question.tool
        with self._asking:
            if answer.cancelled():
                return
            allowed = (question.run_id, name) in self._always or self._put(question, name)
        with contextlib.suppress(Exception):
            answer.set_result(Decision(allowed, "" if allowed else f"Tool {name!r} was denied by a person."))

    def _put(self, question: "Question", name: str) -> bool:
        asked = codec.visible(f"Allow {name} {codec.encode(question.arguments.value).decode()}?")
        reply = self._terminal.ask(f"{asked} [y]es, [a]lways in this run, [N]o: ").strip().lower()
        if reply in ("a", "always"):
            self._always.add((question.run_id, name))
        return reply in ("y", "yes", "a", "always")


class GivenAnswers:
    """Answers what tools want of a person as the command line says, and refuses the rest; other questions go on."""

    def __init__(self, terminal: Terminal, answers: "Mapping[str, Any]", others: "Asker") -> None:
        self._terminal = terminal
        self._answers = answers
        """By the name of a tool, an alias or a server."""
        self._others = others

    def ask(self, question: "Question") -> "Future[Decision]":
        from ptc_studio.core.permissions import INPUT_KINDS

        if question.kind not in INPUT_KINDS:
            return self._others.ask(question)
        answer: Future[Decision] = Future()
        answer.set_result(self._decision(question))
        return answer

    def _decision(self, question: "Question") -> "Decision":
        from ptc_studio.core.permissions import Decision, Reply
        from ptc_studio.core.schema_validation import validator_of

        name = question.name
        server = question.tool.partition(".")[0]
        found = [each for each in (name, question.tool, server) if each in self._answers]
        if question.kind == "sampling" or not found:
            remedy = f"answer it in the window, or with --elicit {server}=JSON"
            reason = "answer it in the window" if question.kind == "sampling" else remedy
            self._terminal.complain(f"{name} {_wants(question)} It was refused: {reason}.")
            return Decision(allowed=False, reason=f"Nobody is here to answer: {reason}.")
        value = self._answers[found[0]]
        wrong = None if question.kind == "link" else next(validator_of(question.schema).iter_errors(value), None)
        if wrong is not None:
            self._terminal.complain(f"--elicit {found[0]} is not what {name} wants: {wrong.message}. It was refused.")
            return Decision(allowed=False, reason="What was given does not fit.")
        if question.kind == "link":
            self._terminal.complain(f"{name} wants this address opened: {question.url}")
        return Decision(allowed=True, reply=Reply(value))


def _wants(question: "Question") -> str:
    if question.kind == "sampling":
        return "wants a model's answer."
    if question.kind == "link":
        return f"wants {question.url} opened: {question.message}"
    fields = ", ".join(question.schema.get("properties", ()))
    return f"asks: {question.message} ({fields})"


def asker_for(terminal: Terminal, answers: "Mapping[str, Any] | None" = None) -> "Asker":
    """Somebody to ask, if there is somebody; `answers` are those to what tools want to know."""
    from ptc_studio.core.permissions import AbsentAsker

    return GivenAnswers(terminal, answers or {}, TerminalAsker(terminal) if terminal.interactive else AbsentAsker())


MARKS = {"ok": ("✓", "ok"), "denied": ("▲", "warning"), "cancelled": ("▲", "warning"), None: ("◐", "muted")}
SHOWN_OF_A_KIND = 3
FOLDED_FROM = 6


def draw_tree(calls: Sequence["CallRecord"], terminal: Terminal) -> Iterator[str]:
    """A line a call, children below their parents; many of the same kind in a row are told once."""
    children: dict[str | None, list[CallRecord]] = {}
    for call in calls:
        children.setdefault(call["parent_id"], []).append(call)
    yield from _branch(children, None, "", terminal)


def _branch(
    children: dict[str | None, list["CallRecord"]], parent: str | None, lead: str, terminal: Terminal
) -> Iterator[str]:
    groups = list(_groups(children, children.get(parent, [])))
    for position, group in enumerate(groups):
        last = position == len(groups) - 1
        fold = len(group) >= FOLDED_FROM
        for index, call in enumerate(group[:SHOWN_OF_A_KIND] if fold else group):
            end = last and not fold and index == len(group) - 1
            knee, below = ("", "") if parent is None else ("└─ ", "   ") if end else ("├─ ", "│  ")
            yield _line(call, lead + knee, terminal)
            yield from _branch(children, call["id"], lead + (below or "   "), terminal)
        if fold:
            yield _folded(
                group[SHOWN_OF_A_KIND:], lead + ("" if parent is None else "└─ " if last else "├─ "), terminal
            )


def _groups(children: dict[str | None, list["CallRecord"]], calls: list["CallRecord"]) -> Iterator[list["CallRecord"]]:
    """Many calls of one tool from one line, which went well and called nothing, are one group; others stand alone."""
    kinds: dict[tuple[Any, ...], list[CallRecord]] = {}
    for call in calls:
        kinds.setdefault(_kind(call, children), []).append(call)
    for call in calls:
        group = kinds[_kind(call, children)]
        if len(group) < FOLDED_FROM:
            yield [call]
        elif call is group[0]:
            yield group


def _kind(call: "CallRecord", children: dict[str | None, list["CallRecord"]]) -> tuple[Any, ...]:
    """What calls that can be told together have in common; a call that stands for itself has its number."""
    if call["status"] != "ok" or call["id"] in children:
        return (call["id"],)
    return call["tool"], call["alias"], call["line"], _stand_in(call)


def _line(call: "CallRecord", lead: str, terminal: Terminal) -> str:
    mark, colour = MARKS.get(call["status"], ("✕", "error"))
    name = _harmless(call["alias"] or call["tool"])
    time = f"{call['duration_ms'] or 0:9.1f} ms"
    who = _stand_in(call)
    room = terminal.width - len(lead) - len(name) - len(time) - len(who) - 3
    rest = _shorten(_harmless(f"({_arguments(call['arguments'])}) {_outcome(call)}"), room)
    head = f"{terminal.paint(lead, 'muted')}{terminal.paint(mark, colour)} {terminal.paint(name, 'tool')}"
    gap = " " * max(room - len(rest), 0)
    return f"{head}{rest}{terminal.paint(who, 'muted')}{gap} {terminal.paint(time, 'muted')}"


def _folded(calls: list["CallRecord"], lead: str, terminal: Terminal) -> str:
    total = sum(call["duration_ms"] or 0 for call in calls)
    text = f"… {len(calls)} more of {_harmless(calls[0]['alias'] or calls[0]['tool'])}{_stand_in(calls[0])}"
    time = f"{total:9.1f} ms"
    return terminal.paint(f"{lead}{text:<{max(terminal.width - len(lead) - len(time) - 1, 1)}} {time}", "muted")


def _stand_in(call: "CallRecord") -> str:
    """Who answered in the tool's place, so that nobody takes a mocked call for a real one: ` · mock`."""
    who = call.get("answered_by")
    return "" if who in (None, "tool") else f" · {who}"


def _arguments(arguments: Any) -> str:
    if not isinstance(arguments, dict):
        return str(arguments)
    return ", ".join(f"{name}={_brief(value)}" for name, value in arguments.items())


def _outcome(call: "CallRecord") -> str:
    if call["error"]:
        return f"{call['error']['type']}: {_one_line(call['error']['message'])}"
    if call["status"] is None:
        return "… not finished"
    return f"→ {_brief(call['result'])}"


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= 60:
        return text
    if isinstance(value, list):
        return f"[{len(value)} items]"
    return _shorten(text, 60)


def _shorten(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(room - 1, 0)] + "…"


def _harmless(text: str) -> str:
    """Without what a terminal would obey: an argument or a message may hold anything."""
    return visible(text.replace("\n", "\u23ce").replace("\t", " "))


def _one_line(text: str) -> str:
    return " ".join(text.split())
