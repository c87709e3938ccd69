"""What goes into the frozen program, told from what is installed: no list of packages is kept by hand."""

import importlib.metadata
import re
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = "ptc-studio"
BY_PYINSTALLER = ("pyside6-essentials", "shiboken6")
"""Frozen by PyInstaller, which knows which of Qt's libraries and plug-ins belong to a module; the rest is copied."""
LICENCE = re.compile(r"licen[cs]e|copying|notice|authors", re.IGNORECASE)
WITHOUT_TEXT = {
    "bashkit": "MIT",
    "pydantic-monty": "MIT",
    "pydantic-monty-client": "MIT",
    "pydantic-monty-runtime": "MIT",
    "pyside6-essentials": "LGPL-3",
    "shiboken6": "LGPL-3",
}
"""Packages whose wheels bring no text of their licence, and which one it is."""
NOT_NEEDED = ("test", "tests", "idlelib", "idle_test", "turtledemo", "lib2to3", "ensurepip", "tkinter", "__pycache__")
"""Folders of the standard library that are left out: tests, and what needs a window system that is not brought."""


def closure(name: str = PRODUCT) -> dict[str, Distribution]:
    """The product and all that it needs, by name."""
    found: dict[str, Distribution] = {}
    wanted: list[tuple[str, tuple[str, ...]]] = [(name, ())]
    while wanted:
        each, extras = wanted.pop()
        key = re.sub(r"[-_.]+", "-", each).lower()
        if key in found:
            continue
        found[key] = importlib.metadata.distribution(each)
        for line in found[key].requires or ():
            need = Requirement(line)
            marker = need.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                wanted.append((need.name, tuple(need.extras)))
    return dict(sorted(found.items()))


def copied_files() -> Iterator[tuple[Path, str]]:
    """Every file that is copied as it is, and where to: the packages, their metadata, and the programs they bring."""
    for name, distribution in closure().items():
        if name == PRODUCT:
            continue
        for file in distribution.files or ():
            path, place = Path(str(distribution.locate_file(file))).resolve(), str(file)
            metadata = ".dist-info/" in place
            if "__pycache__" in place or not path.is_file() or (name in BY_PYINSTALLER and not metadata):
                continue
            if not place.startswith(".."):
                yield path, place
            elif path.parent == Path(sysconfig.get_path("scripts")).resolve() and path.read_bytes()[:2] != b"#!":
                # A program; scripts name the interpreter that they were installed for.
                yield path, f"bin/{path.name}"


def product_files() -> Iterator[tuple[Path, str]]:
    """The product's own, with the folders that a wheel has in it, too."""
    for top, place in (
        ("ptc_studio", "ptc_studio"),
        ("resources", "ptc_studio/_bundle/resources"),
        ("runtimes", "ptc_studio/_bundle/runtimes"),
    ):
        for path in sorted((ROOT / top).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and "_bundle" not in path.relative_to(ROOT).parts:
                yield path, f"{place}/{path.relative_to(ROOT / top)}"


def qt_modules() -> list[str]:
    """The modules of Qt that the product imports."""
    text = "\n".join(path.read_text() for path in (ROOT / "ptc_studio").rglob("*.py"))
    return sorted(set(re.findall(r"from (PySide6\.\w+) import", text)))


def library_files() -> Iterator[tuple[Path, str]]:
    """The standard library, for the interpreter beside the program."""
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted(library.rglob("*")):
        inner = path.relative_to(library)
        left_out = inner.parts[0] in ("site-packages", "dist-packages") or inner.parts[0].startswith("config-")
        left_out = left_out or path.suffix in (".a", ".pyc") or "_tkinter" in path.name
        if path.is_file() and not left_out and not set(NOT_NEEDED) & set(inner.parts[:-1]):
            yield path, f"{library.name}/{inner}"


def interpreter() -> Path:
    """The file of the interpreter that the environment was made from."""
    return Path(sys.executable).resolve()


def licences() -> Iterator[tuple[str, str, str]]:
    """Each package's name, version and the texts of its licence; raises LookupError where there is no text."""
    for name, distribution in closure().items():
        files = [file for file in distribution.files or () if _is_licence(str(file))]
        texts = [Path(str(distribution.locate_file(file))).read_text(errors="replace") for file in files]
        if name == PRODUCT:
            texts = [(ROOT / "LICENSE").read_text()]
        if not texts:
            texts = [_known_text(name, distribution)]
        yield name, distribution.version, f"\n{'-' * 79}\n\n".join(texts)


def _is_licence(place: str) -> bool:
    inside = ".dist-info/" in place
    return inside and ("/licenses/" in place or bool(LICENCE.search(place.rpartition("/")[2])))


def _known_text(name: str, distribution: Distribution) -> str:
    if name not in WITHOUT_TEXT:
        raise LookupError(f"{name} brings no text of its licence; say which it is in {Path(__file__).name}")
    if WITHOUT_TEXT[name] == "MIT":
        _, _, terms = (ROOT / "LICENSE").read_text().partition("\n\n")
        _, _, terms = terms.partition("\n\n")
        told = dict(distribution.metadata.items())
        author = told.get("Author") or told.get("Author-email") or f"the authors of {name}"
        return f"MIT License\n\nCopyright (c) {author}\n\n{terms}"
    texts = Path("/usr/share/common-licenses")
    return "\n".join((texts / licence).read_text() for licence in ("LGPL-3", "GPL-3"))
