"""What the frozen program begins with: finds the library of the interpreter beside it, then is `ptc-studio`."""

import importlib
import os
import sys
from pathlib import Path

HERE = Path(getattr(sys, "_MEIPASS", "."))
LIBRARY = HERE / "python" / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}"


def main() -> None:
    # The loader's own, for this process alone: programs that are started must find the system's libraries, not ours.
    former = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if former is not None:
        os.environ["LD_LIBRARY_PATH"] = former
    for name in [name for name in os.environ if name.startswith("_PYI_")]:
        del os.environ[name]
    # Scripts and tools in this process may import any module of the library, and what the user's variable names.
    # The library goes first, and packages of it that are there already are told of the rest of themselves.
    sys.path[:0] = [str(LIBRARY), str(LIBRARY / "lib-dynload")]
    for name, module in list(sys.modules.items()):
        whole = LIBRARY.joinpath(*name.split("."))
        if hasattr(module, "__path__") and whole.is_dir():
            module.__path__.append(str(whole))
    sys.path += [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    # Not by an import statement: all of the product lies beside this as files, which the interpreter reads as well.
    importlib.import_module("ptc_studio.cli.main").script()


main()
