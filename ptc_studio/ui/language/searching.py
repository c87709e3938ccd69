"""Finds and replaces in text, plainly or by regular expression."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import re2

MOST = 5_000


class InvalidExpression(Exception):
    """The expression, or the replacement, cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, and how."""

    text: str
    regex: bool = False
    case: bool = False
    whole_word: bool = False

    def find_all(self, text: str) -> Iterator[Any]:
        """The matches that are not empty, in order, up to a limit."""
        count = 0
        for match in self._pattern().finditer(text) if self.text else ():
            if match.end() > match.start():
                yield match
                count += 1
                if count >= MOST:
                    return

    def replacement(self, match: Any, template: str) -> str:
        """What takes the place of a match; groups count only for expressions."""
        if not self.regex:
            return template
        try:
            return match.expand(template)
        except (re.error, re2.error, IndexError) as error:
            raise InvalidExpression(f"replacement: {_message(error)}") from None

    def _pattern(self) -> Any:
        """An expression takes linear time whatever it is: it runs in the thread of the window."""
        if not self.regex:
            source = re.escape(self.text)
            source = rf"(?<!\w){source}(?!\w)" if self.whole_word else source
            return re.compile(source, re.NOFLAG if self.case else re.IGNORECASE)
        options = re2.Options()
        options.log_errors, options.case_sensitive = False, self.case
        source = rf"\b(?:{self.text})\b" if self.whole_word else self.text
        try:
            return re2.compile(f"(?m){source}", options)
        except re2.error as error:
            raise InvalidExpression(_message(error).replace(f"(?m){source}", self.text)) from None


def _message(error: Exception) -> str:
    text = error.args[0] if error.args else str(error)
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text)
