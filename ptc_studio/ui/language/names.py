"""The languages that the editor knows: by a file's ending, by what a text looks like, and how each is written."""

import re
from pathlib import PurePath

EXTENSIONS = {
    ".py": "python",
    ".pyi": "python",
    ".sh": "bash",
    ".bash": "bash",
    ".mjs": "javascript",
    ".js": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".go": "go",
    ".rs": "rust",
    ".cs": "csharp",
    ".csx": "csharp",
    ".wat": "wat",
}
"""The first of a language is the one that a new file gets."""
COMMENTS = {"python": "#", "bash": "#", "wat": ";;"}
SLASHES = {"javascript", "typescript", "go", "rust", "csharp"}
PLAIN = "text"


def learn(extension: str, language: str) -> None:
    """Has files of that ending be in that language, unless their language is known already."""
    EXTENSIONS.setdefault(extension, language)


def language_of(path: PurePath) -> str:
    """The language that a file's name tells."""
    return EXTENSIONS.get(path.suffix.lower(), PLAIN)


def script_name(title: str, language: str) -> str:
    """The name of a file with a text of that language."""
    return title + next((extension for extension, known in EXTENSIONS.items() if known == language), "")


def comment_mark(language: str) -> str:
    """What begins a comment that ends with its line."""
    return "//" if language in SLASHES else COMMENTS.get(language, "#")


def quotes_of(language: str) -> str:
    """The quotes that come in pairs; Rust's single one begins a lifetime, and text has apostrophes."""
    if language in ("javascript", "typescript", "go", "bash"):
        return "\"'`"
    return "\"'" if language in ("python", "csharp") else '"'


_HINTS = {
    "python": (
        r"^\s*(?:async )?def \w+\(.*\).*:\s*$",
        r"^\s*(?:for|while|if|elif|with|try|else|except)\b.*:\s*(?:#.*)?$",
        r"^\s*import [\w.]+(?: as \w+)?\s*$",
        r"^\s*from [\w.]+ import ",
        r"^\s*print\(",
        r"\bf\"[^\"]*\{",
        r"^\s*#(?!!) ",
        r"\b(?:None|True|False)\b",
        r"\baio\.\w+\(",
    ),
    "javascript": (
        r"^\s*(?:const|let|var) [\w{\[]",
        r"=>",
        r"\bconsole\.\w+\(",
        r"\bawait tools\.",
        r"\b(?:async )?function\b.*\{",
        r"`[^`]*\$\{",
        r"^\s*//",
        r"\bPromise\.",
        r";\s*$",
    ),
    "go": (r":=", r"^\s*func \w+\(", r"\bfmt\.\w+\(", r"^\s*package \w+", r"\b(?:Must)?CallTool\[", r"^\s*//"),
    "rust": (
        r"\blet (?:mut )?\w+(?:: [^=]+)? = ",
        r"\w+!\s*[({\[]",
        r"^\s*(?:pub )?fn \w+",
        r"\bcall_tool(?:::<.*>)?\(.*args!",
        r"^\s*use \w+::",
        r"^\s*//",
        r";\s*$",
    ),
    "csharp": (
        r"\bConsole\.Write",
        r"\bCallTool(?:Async)?<",
        r"^\s*using [\w.]+;",
        r"\bnew \{",
        r"^\s*var \w+ = ",
        r"^\s*//",
        r";\s*$",
    ),
    "bash": (
        r"^#!.*sh\b",
        r"^\s*(?:fi|done|esac|then)\b",
        r"\$\(",
        r"\$\{?\w+",
        r"^\s*echo ",
        r"\| *jq\b",
        r"^\s*\w+ --\w+ ",
        r"^\s*#(?!!) ",
    ),
    "wat": (r"^\s*\(module\b", r"\(func\b", r"\(import \"", r"^\s*;;", r"\(i32\."),
}
_COMPILED = {language: tuple(re.compile(hint, re.MULTILINE) for hint in hints) for language, hints in _HINTS.items()}
TITLES = {
    "python": "Python",
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "go": "Go",
    "rust": "Rust",
    "csharp": "C#",
    "bash": "bash",
    "wat": "WebAssembly",
}
CALLS = {
    "python": "add(1, 2)",
    "javascript": "await tools.add({a: 1, b: 2})",
    "typescript": "await tools.add({a: 1, b: 2})",
    "go": 'CallTool[int]("add", Args{"a": 1, "b": 2})',
    "rust": 'call_tool("add", args! {"a" => 1, "b" => 2})',
    "csharp": 'CallTool<int>("add", new { a = 1, b = 2 })',
    "bash": "add --a 1 --b 2",
}
"""How a tool is called in each."""
_ALIKE = {"typescript": "javascript"}
LEAST, AHEAD = 2, 2
"""So many kinds of hints, and so many more than the chosen language has, make it plain."""
LOOKED_AT = 20_000
"""Characters: a language shows in the beginning of a text."""


def plain_language(text: str, chosen: str) -> str | None:
    """The language that the text is plainly in, if that is another than the chosen one; else None."""
    chosen = _ALIKE.get(chosen, chosen)
    if chosen not in _COMPILED:
        return None
    head = text[:LOOKED_AT]
    counts = {language: sum(bool(hint.search(head)) for hint in hints) for language, hints in _COMPILED.items()}
    found = max(counts, key=lambda language: counts[language])
    return found if counts[found] >= LEAST and counts[found] >= counts[chosen] + AHEAD else None
