"""Makes a Debian package of the frozen program. usage: deb.py FROZEN FOLDER

Its files lie below /usr/lib/ptc-studio, which confined scripts are shown with the rest of /usr. Nothing of it runs when
it is installed or removed: icons, menus and MIME types are taken in by the triggers of the packages that own them.
"""

import gzip
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import contents

LINUX = Path(__file__).resolve().parent / "linux"
ICON = contents.ROOT / "resources" / "icons" / "app.svg"
ICON_SIZES = (48, 128, 256)
DEPENDS = (
    "libc6 (>= 2.36)",
    "libstdc++6",
    # What Qt loads; it is the machine's, for it belongs to its drivers and its desktop.
    "libegl1",
    "libgl1",
    "libdbus-1-3",
    "libfontconfig1",
    "libxkbcommon0",
    "libxkbcommon-x11-0",
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-render-util0",
    # What keeps scripts apart from the rest of the machine.
    "bubblewrap",
    # Where the certificates are that servers are checked against.
    "ca-certificates",
)
SUGGESTS = ("nodejs", "golang-go", "rustc", "mono-mcs", "gnome-keyring")


def main(frozen: Path, folder: Path) -> Path:
    version = contents.closure()[contents.PRODUCT].version
    machine = _said("dpkg", "--print-architecture")
    tree = folder / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(frozen, tree / "usr/lib/ptc-studio", symlinks=True)
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "usr/bin/ptc-studio").symlink_to("../lib/ptc-studio/ptc-studio")
    _put(LINUX / "ptc-studio.desktop", tree / "usr/share/applications")
    _put(LINUX / "org.ptc_studio.PtcStudio.metainfo.xml", tree / "usr/share/metainfo")
    _put(LINUX / "ptc-studio.mime.xml", tree / "usr/share/mime/packages", "ptc-studio.xml")
    _icons(tree / "usr/share/icons/hicolor")
    _documents(tree / "usr/share/doc/ptc-studio")
    size = sum(path.lstat().st_size for path in tree.rglob("*") if path.is_file()) // 1024
    control = tree / "DEBIAN" / "control"
    control.parent.mkdir()
    control.write_text(_control(version, machine, size))
    package = folder / f"ptc-studio_{version}_{machine}.deb"
    _modes(tree)
    command = ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z9", "--build", str(tree), str(package)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return package


def _control(version: str, machine: str, size: int) -> str:
    return textwrap.dedent(f"""\
        Package: ptc-studio
        Version: {version}
        Architecture: {machine}
        Maintainer: The PTC Studio authors <authors@ptc-studio.invalid>
        Installed-Size: {size}
        Depends: {", ".join(DEPENDS)}
        Suggests: {", ".join(SUGGESTS)}
        Section: devel
        Priority: optional
        Description: playground for programmatic tool calling
         A script, such as a language model would write, calls the host's tools from
         inside a code runtime. You write the script, press Run, and watch every call
         appear in a tree with its arguments, result, time and parent.
        """)


def _icons(place: Path) -> None:
    _put(ICON, place / "scalable/apps", "ptc-studio.svg")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication, QIcon

    application = QGuiApplication.instance() or QGuiApplication([])
    for size in ICON_SIZES:
        target = place / f"{size}x{size}" / "apps" / "ptc-studio.png"
        target.parent.mkdir(parents=True)
        assert QIcon(str(ICON)).pixmap(size, size).save(str(target)), application


def _documents(place: Path) -> None:
    place.mkdir(parents=True)
    with gzip.GzipFile(place / "changelog.gz", "wb", mtime=0) as file:
        file.write((contents.ROOT / "CHANGELOG.md").read_bytes())
    rows = "".join(f" {name} {version}\n" for name, version, _ in contents.licences())
    (place / "copyright").write_text(
        f"{(contents.ROOT / 'LICENSE').read_text()}\n"
        "The program brings an interpreter, Qt (LGPL 3, as libraries that can be replaced), fonts (OFL) and what is\n"
        "named below. The text of each one's licence is in /usr/lib/ptc-studio/licences.\n\n" + rows
    )


def _modes(tree: Path) -> None:
    """As Debian wants them, whatever the mask of the one who builds it."""
    for path in tree.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or (os.access(path, os.X_OK) and path.stat().st_mode & 0o111) else 0o644)


def _put(path: Path, folder: Path, name: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, folder / (name or path.name))


def _said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    print(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
