"""The languages that the editor knows, by file extension, and how each writes a comment."""

from pathlib import PurePath

EXTENSIONS = {
    ".py": "python",
    ".pyi": "python",
    ".sh": "bash",
    ".bash": "bash",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".go": "go",
    ".rs": "rust",
    ".cs": "csharp",
    ".csx": "csharp",
    ".wat": "wat",
}
COMMENTS = {"python": "#", "bash": "#", "wat": ";;"}
SLASHES = {"javascript", "typescript", "go", "rust", "csharp"}
PLAIN = "text"


def language_of(path: PurePath) -> str:
    """The language that a file's name tells."""
    return EXTENSIONS.get(path.suffix.lower(), PLAIN)


def comment_mark(language: str) -> str:
    """What begins a comment that ends with its line."""
    return "//" if language in SLASHES else COMMENTS.get(language, "#")


def quotes_of(language: str) -> str:
    """The quotes that come in pairs; Rust's single one begins a lifetime, and text has apostrophes."""
    if language in ("javascript", "typescript", "go", "bash"):
        return "\"'`"
    return "\"'" if language in ("python", "csharp") else '"'
