"""Puts arguments into a command line, each as one word that no shell looks at.

An argument must not become an option: `--output=/etc/passwd` in place of a file's name would make another command. So
a word that begins with an argument may not begin with a dash, unless the template has `--` before it, after which
programs take nothing for an option, or the entry names the parameter under `dashes`. `--file={name}` is always fine.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ptc_studio.sources.command.entry import Argv
from ptc_studio.sources.command.errors import CommandRefused
from ptc_studio.sources.placeholders import Convert, Slot, Template, as_text, template


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command line with places for arguments."""

    argv: Argv
    dashes: tuple[str, ...] = ()

    def words(self, arguments: Mapping[str, Any], literal: Convert = str) -> list[str]:
        """The program and its arguments; raises CommandRefused."""
        words: list[str] = []
        ended = False
        for item in self.argv:
            group = (item,) if isinstance(item, str) else item
            check = _nothing if ended else self._check
            words += _group(group, arguments, literal, check, repeat=not isinstance(item, str))
            ended = ended or "--" in group
        if any("\0" in word for word in words):
            raise CommandRefused(f"The command {self.argv[0]!r} is not started: an argument holds a zero byte.")
        return words

    def _check(self, slot: Slot, word: str) -> None:
        if word.startswith("-") and slot.name not in self.dashes:
            raise CommandRefused(
                f"The command {self.argv[0]!r} is not started: {slot.name!r} begins with '-', so it would be taken for "
                f"an option. Write '--' before {{{slot.name}}} in `argv`, or '--option={{{slot.name}}}', or name it "
                "under `dashes`."
            )


Check = Callable[[Slot, str], None]


def _nothing(_slot: Slot, _word: str) -> None:
    """After `--` every word is what it is."""


def _group(
    group: tuple[str, ...], arguments: Mapping[str, Any], literal: Convert, check: Check, *, repeat: bool
) -> Iterator[str]:
    """The words of a group: none if it lacks an argument, several times if one of its arguments is a list."""
    templates = [template(text) for text in group]
    slots = [slot for one in templates for slot in one.slots if not slot.flag]
    if any(arguments.get(slot.name) is None for slot in slots):
        return
    lists = [slot.name for slot in slots if isinstance(arguments[slot.name], list)]
    if not repeat or not lists:
        for one in templates:
            yield from _words(one, arguments, literal, check)
        return
    for item in arguments[lists[0]]:
        for one in templates:
            yield from _words(one, {**arguments, lists[0]: item}, literal, check)


def _words(one: Template, arguments: Mapping[str, Any], literal: Convert, check: Check) -> Iterator[str]:
    whole = one.whole
    if whole is None:
        word = one.filled(arguments, literal)
        if one.parts and isinstance(one.parts[0], Slot):
            check(one.parts[0], word)
        yield word
    elif whole.flag:
        if arguments.get(whole.name) is True:
            yield whole.flag
    else:
        value = arguments[whole.name]
        for item in value if isinstance(value, list) else [value]:
            word = as_text(item)
            check(whole, word)
            yield word
