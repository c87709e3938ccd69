"""The languages that the editor knows, by file extension, and how each writes a comment."""

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
