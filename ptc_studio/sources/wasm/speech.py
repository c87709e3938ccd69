"""What a module that is a tool writes: said by a tool of the run, on either stream."""

import codecs
import sys


class Speech:
    """Turns bytes into text, of which a character may come in several pieces."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def say(self, data: bytes) -> None:
        """Takes what was written."""
        self._write(self._decoder.decode(data))

    def close(self) -> None:
        """Says what was held back as the beginning of a character."""
        self._write(self._decoder.decode(b"", final=True))

    def _write(self, text: str) -> None:
        if text:
            # Whoever called the tool has had this stream led to its run.
            sys.stderr.write(text)
