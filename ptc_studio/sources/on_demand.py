"""Which sources a script may use, told by its text: the others need not be started for it.

It may say too many, and never too few: a name that is put together while the script runs is looked up by the host,
which has its source load then; and a text that can reach names in other ways means all sources.
"""

import difflib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import wait
from pathlib import Path
from typing import TYPE_CHECKING

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.registry import identifier
from ptc_studio.core.scripts import Script

if TYPE_CHECKING:
    from ptc_studio.sources.source_set import SourceSet

_ANY_NAME = {
    "python": re.compile(
        r"\b(?:globals|locals|vars|dir|eval|exec|help|__main__|__builtins__|builtins|importlib)\b|\baio\b(?!\s*\.\s*\w)"
    ),
    "javascript": re.compile(
        r"\b(?:eval|Function|globalThis|Reflect|require)\b|\btools\b(?!\s*\??\.\s*[A-Za-z_$])|\.\.\.\s*tools\b"
    ),
    "bash": re.compile(
        r"\b(?:eval|compgen|declare|type|command|tools|help)\b|(?:^|[;&|({`!]|\b(?:then|do|else)\b)\s*[\"']?\$",
        re.MULTILINE,
    ),
}
"""What a text has that may use tools which it does not name."""
_ANY_NAME["typescript"] = _ANY_NAME["javascript"]
_BY_TEXT = frozenset(("go", "rust", "csharp", "wasm"))
"""Languages whose only way to a tool is a text, which the host looks up."""
ANY_LANGUAGE = ""
"""Where the language is not known, or there are several."""
_WORDS = re.compile(r"[^\W_]+")
LARGEST = 1_000_000
MOST_NEIGHBOURS = 2_000
NEAR = 0.8


class WantedSources:
    """Has sources that wait until something names them be loaded, as scripts and calls do."""

    def __init__(
        self,
        sources: "SourceSet",
        aliases: Callable[[], Mapping[str, str]],
        grants: Callable[[], Mapping[str, Sequence[str]]],
    ) -> None:
        """`aliases` gives those of the workspace, with the tools that they lead to."""
        self._sources, self._aliases, self._grants = sources, aliases, grants

    def want_for(self, script: Script, language: str, names: Iterable[str] = ()) -> None:
        """Has those loaded from now on that the script in that language, or one of the names, may mean."""
        more = [part for name in names for part in (name, *self._grants().get(name, ()))]
        self._sources.want(sources_meant(script, language, more, self._aliases(), self._waiting))

    def want_tool(self, name: str) -> None:
        """Has the one loaded from now on whose tool it is by its name."""
        self._sources.want(sources_of_tool(self._tool_of(name), self._waiting))

    def want_all(self) -> None:
        """Has all loaded from now on."""
        self._sources.want(self._waiting)

    def load_for(self, script: Script) -> None:
        """Loads those that a script may mean which is itself a tool, in the thread of its call."""
        if waiting := self._sources.waiting:
            self.want_for(script, ANY_LANGUAGE)
            wait(self._sources.refresh([each for each in waiting if each.wanted]))

    def fetch_tool(self, name: str) -> str:
        """Has the source of a tool that is not there load, in the thread of a call that waits for it."""
        return self._sources.fetch(self._tool_of(name))

    @property
    def _waiting(self) -> list[str]:
        return [loaded_source.name for loaded_source in self._sources.waiting]

    def _tool_of(self, name: str) -> str:
        """What an alias of that name leads to; else the name itself."""
        return self._aliases().get(name, name)


def sources_meant(
    script: Script, language: str, more: Iterable[str], aliases: Mapping[str, str], names: Iterable[str]
) -> set[str]:
    """The sources of these names that the script, a neighbour that it names or one of the further texts may mean.

    `aliases` are those of the workspace, with the tools that they lead to.
    """
    names = set(names)
    own = _texts_of(script)
    if own is None or any(_reaches_any(text, language) for text in own):
        return names
    texts = [*own, *more]
    texts += [tool for alias, tool in aliases.items() if any(mentions(text, alias) for text in texts)]
    return {name for name in names if any(mentions(text, name) for text in texts)}


def mentions(text: str, name: str) -> bool:
    """Whether the name stands in the text as words of its own, whatever joins them: `my-api`, `my_api`, `MyApi`."""
    words = _WORDS.findall(name)
    if not words:
        return True
    joined = r"[\W_]*".join(map(re.escape, words))
    return re.search(rf"(?<![^\W_]){joined}(?![^\W_])", text, re.IGNORECASE) is not None


def sources_of_tool(tool: str, names: Iterable[str]) -> list[str]:
    """The sources whose tool it may be, by the beginning of its name."""
    return [name for name in names if tool.startswith((f"{name}.", f"{identifier(name)}."))]


def sources_nearly_of_tool(tool: str, names: Iterable[str]) -> list[str]:
    """The same; else the one whose name is nearly that, so that the right name can be told."""
    names = list(names)
    first, dot, _ = tool.partition(".")
    near = difflib.get_close_matches(first, names, n=1, cutoff=NEAR) if dot else []
    return sources_of_tool(tool, names) or near


def _reaches_any(text: str, language: str) -> bool:
    if language in _BY_TEXT:
        return False
    known = _ANY_NAME.get(language)
    return any(pattern.search(text) for pattern in ((known,) if known else _ANY_NAME.values()))


def _texts_of(script: Script) -> list[str] | None:
    """The text of the script and of the files beside it that it may import; None if these cannot all be told."""
    texts = [script.code]
    left = dict(_neighbours(script.directory))
    if len(left) > MOST_NEIGHBOURS:
        return None
    for text in texts:
        imports = "\n".join(_IMPORT.findall(text))
        for stem in [stem for stem in left if mentions(imports, stem)]:
            for path in left.pop(stem):
                if path.is_dir():
                    return None
                try:
                    texts.append(read_bytes(path, LARGEST).decode(errors="replace"))
                except OSError:
                    return None
    return texts


_IMPORT = re.compile(r"\b(?:import|from|require|source)\b[^\n;]*|^\s*\.\s+[^\n;]*", re.MULTILINE)
_CODE = frozenset((".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".sh", ".bash"))


def _neighbours(directory: str | None) -> Iterator[tuple[str, list[Path]]]:
    """What a script can import from its folder, by the name that it is imported by."""
    if directory is None:
        return
    found: dict[str, list[Path]] = {}
    with os.scandir(directory) as entries:
        for entry in entries:
            path = Path(entry.path)
            if path.suffix in _CODE or (entry.is_dir() and _holds_code(path)):
                found.setdefault(path.stem, []).append(path)
    yield from found.items()


def _holds_code(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(Path(entry.name).suffix in _CODE for entry in entries)
    except OSError:
        return True
