"""What a script's file says: its text, and what its author wrote at its beginning about it."""

import ast
import re
from pathlib import Path

from ptc_studio.bounded_files import read_bytes

COMPILED_MODULE = b"\0asm"
MOST_BYTES = 10_000_000
_HEAD = re.compile(r"\A(?:#!.*\n|[ \t]*\n|#.*coding[:=].*\n)*")
_BLOCK = re.compile(r"/\*+(.*?)\*/|\(;+(.*?);\)", re.DOTALL)
_LINE = re.compile(r"[ \t]*(?:#+|///*!?|;;+)[ \t]?(.*)")
_DECORATION = re.compile(r"^[ \t]*\*[ \t]?", re.MULTILINE)


class UnreadableScript(Exception):
    """The file cannot be used; the message says why, as the end of a sentence."""


def read_script(path: Path) -> str:
    """The text of the script; of a compiled module, its bytes as characters."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise UnreadableScript(f"it has {size} bytes, more than {MOST_BYTES}: make it shorter")
        data = read_bytes(path, MOST_BYTES)
        return data.decode("latin-1") if data.startswith(COMPILED_MODULE) else data.decode("utf-8-sig")
    except FileNotFoundError:
        raise UnreadableScript("there is no such file: correct the `path`") from None
    except IsADirectoryError:
        raise UnreadableScript("it is a folder: name a file in it") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UnreadableScript(f"it is not UTF-8 text (line {line}): save it as UTF-8") from None
    except OSError as error:
        raise UnreadableScript(f"{error.strerror}: correct the `path`, or the file's permissions") from None


def documentation(code: str, path: str) -> str:
    """The docstring of a Python script, else the comment that a script begins with."""
    if path.endswith(".py"):
        try:
            doc = ast.get_docstring(ast.parse(code))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            doc = None
        if doc:
            return doc
    rest = code[_found_end(_HEAD.match(code)) :]
    block = _BLOCK.match(rest)
    if block:
        return _DECORATION.sub("", block[1] or block[2]).strip()
    lines: list[str] = []
    for line in rest.splitlines():
        comment = _LINE.fullmatch(line)
        if comment is None:
            break
        lines.append(comment[1].rstrip())
    return "\n".join(lines).strip()


def first_paragraph(doc: str) -> str:
    """Its lines as one."""
    return " ".join(re.split(r"\n[ \t]*\n", doc.strip(), maxsplit=1)[0].split())


def _found_end(found: "re.Match[str] | None") -> int:
    return found.end() if found else 0
