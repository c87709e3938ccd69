"""Where the files that are not Python modules of ours lie: in the source tree, or inside an installed package."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

_PACKAGE = Path(__file__).resolve().parent
_BUNDLE = _PACKAGE / "_bundle"
ROOT = _BUNDLE if _BUNDLE.is_dir() else _PACKAGE.parent

IMPORT_FOLDER = _PACKAGE.parent
"""Where an interpreter finds this package, and in the frozen program all others."""
FROZEN = bool(getattr(sys, "frozen", False))
"""Whether this is the program that packaging/freeze.py makes, which is no interpreter and brings one."""
PYTHON = str(IMPORT_FOLDER / "python" / "bin" / "python3") if FROZEN else sys.executable
"""The interpreter that scripts, workers and helpers are started with."""
STUDIO_COMMAND = (sys.executable,) if FROZEN else (sys.executable, "-m", "ptc_studio")
"""What starts this very program once more."""

RESOURCES = ROOT / "resources"
EXAMPLES = RESOURCES / "examples"
SAMPLE_TOOLS = RESOURCES / "sample_tools"
NEW_WORKSPACE = RESOURCES / "new_workspace"
GUIDE = RESOURCES / "guide"
FONTS = RESOURCES / "fonts"
RUNTIMES = ROOT / "runtimes"
RUNTIMES_VARIABLE = "PTC_RUNTIMES_DIR"
HISTORY = "history.db"
PYTHON_KIT = RUNTIMES / "python" / "ptc_kit"


def cache_folder() -> Path:
    """Where what can be made again is kept: compiled scripts, what programs said of their versions."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("ptc-studio", appauthor=False))


def data_folder() -> Path:
    """Where the program keeps what is not the user's own: settings, unsaved text, its log."""
    import platformdirs

    return Path(platformdirs.user_data_dir("ptc-studio", appauthor=False))


def settings_file() -> Path:
    """What the program remembers between two starts, for the window and the terminal alike."""
    return data_folder() / "settings.json"


def history_file() -> Path:
    """The past runs, of the window and the terminal alike."""
    return data_folder() / HISTORY


def bundles_folder() -> Path:
    """Where bundles of runs are unpacked when they are opened."""
    return data_folder() / "bundles"


def config_folder() -> Path:
    """Where the user's own additions are looked for, such as further runtimes."""
    import platformdirs

    return Path(platformdirs.user_config_dir("ptc-studio", appauthor=False))


def load_python_kit() -> ModuleType:
    """The kit of the Python runtimes as a package of this process: what runs in process uses the same code."""
    if "ptc_kit" not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            "ptc_kit", PYTHON_KIT / "__init__.py", submodule_search_locations=[str(PYTHON_KIT)]
        )
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules["ptc_kit"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules["ptc_kit"]
