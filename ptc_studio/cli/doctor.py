"""`ptc-studio doctor`: what is installed, what is missing, and the command that mends it."""

import importlib
import importlib.metadata
import platform
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass

from ptc_studio import __version__
from ptc_studio.cli.terminal import Terminal
from ptc_studio.locations import EXAMPLES, FROZEN, PYTHON_KIT, SAMPLE_TOOLS

PACKAGES = {
    "pydantic": "pydantic",
    "google-re2": "re2",
    "ruamel.yaml": "ruamel.yaml",
    "PySide6-Essentials": "PySide6",
    "qasync": "qasync",
    "pygments": "pygments",
    "jedi": "jedi",
    "platformdirs": "platformdirs",
}


@dataclass(frozen=True, slots=True)
class Examined:
    """One thing looked at."""

    what: str
    fine: bool
    told: str
    remedy: str = ""
    needed: bool = True
    """Without what is not needed the rest works."""
    more: tuple[str, ...] = ()
    """What else is to be known of it, a sentence a line."""


async def doctor(_options: Namespace, terminal: Terminal) -> int:
    """Prints a line for each thing; the exit status tells whether all that is needed is well."""
    findings = list(examine())
    for finding in findings:
        missing = terminal.paint("✕", "error") if finding.needed else terminal.paint("–", "muted")
        mark = terminal.paint("✓", "ok") if finding.fine else missing
        terminal.write(f"{mark} {finding.what:<18} {finding.told}\n")
        if finding.remedy and not finding.fine:
            terminal.write(f"  {'':<18} fix it with: {finding.remedy}\n")
        for sentence in finding.more:
            terminal.write(f"  {'':<18} {sentence}\n")
    return 0 if all(finding.fine or not finding.needed for finding in findings) else 1


def examine() -> Iterator[Examined]:
    """Everything that the studio needs, one after the other."""
    yield Examined("ptc-studio", True, __version__)
    supported = (3, 11) <= sys.version_info[:2] < (3, 14)
    told = f"{platform.python_version()} ({sys.executable})"
    yield Examined("python", supported, told, "install Python 3.11, 3.12 or 3.13")
    for package, module in PACKAGES.items():
        yield _package(package, module)
    for what, path in (("kit", PYTHON_KIT), ("sample tools", SAMPLE_TOOLS), ("examples", EXAMPLES)):
        yield Examined(what, path.is_dir(), str(path), "pip install --force-reinstall ptc-studio")
    yield from _runtimes()


def _runtimes() -> Iterator[Examined]:
    try:
        # Imported here, for they need the packages that may be what is missing.
        from ptc_studio.runtimes.catalog import RuntimeCatalog
        from ptc_studio.runtimes.sandbox import best_confiner
        from ptc_studio.runtimes.stdio import StdioRouter
    except ImportError as error:
        yield Examined("runtimes", False, f"cannot be looked at: {error}", "install what is missing above")
        return
    confiner = best_confiner()
    held = (f"holds: {sentence}" for sentence in confiner.protections)
    gaps = (f"does not hold: {sentence}" for sentence in confiner.gaps)
    told = f"{confiner.id}. {confiner.reason or ''}"
    yield Examined("isolation", confiner.reason is None, told, needed=False, more=(*held, *gaps))
    catalog = RuntimeCatalog(StdioRouter())
    for info in catalog.discover():
        told = f"{info.version} · {info.isolation}" if info.available else str(info.reason)
        yield Examined(info.id, info.available, told, needed=False)
    for fault in catalog.faults:
        yield Examined("runtimes", False, fault)


def _package(package: str, module: str) -> Examined:
    remedy = "install ptc-studio again" if FROZEN else f"{sys.executable} -m pip install {package}"
    try:
        importlib.import_module(module)
        return Examined(package, True, importlib.metadata.version(package))
    except ImportError as error:
        return Examined(package, False, f"cannot be imported: {error}", remedy)
